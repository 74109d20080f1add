"""How kernels are compiled and cached: whatever happens to the files, the kernels run."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import cotopics
from cotopics.linalg.kernels import cache, compiled, sparse

USE = """
import numpy as np
from cotopics.linalg.kernels.compiled import copy
a, b = np.arange(3.0), np.zeros(3)
copy(a, b)
assert (a == b).all()
print(sum(copy.stats.cache_hits.values()), sum(copy.stats.cache_misses.values()))
"""
FOUND, COMPILED = ["1", "0"], ["0", "1"]


def use(folder, **options):
    """What a process prints that uses a kernel: [found, compiled]."""
    env = {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(Path(compiled.__file__).parents[3]), "PATH": os.defpath}
    done = subprocess.run([sys.executable, "-c", USE], env=env, check=True, capture_output=True, text=True, **options)
    assert done.stderr == ""
    return done.stdout.split()


def test_kernels_count_no_references():
    """An atomic operation for every number takes much longer than adding it; sums of columns are what showed it."""
    counts = np.arange(3)
    arguments = np.zeros(1, np.int64), counts, counts, counts, np.ones(3), np.empty(0), 0, False, np.empty(0)
    again = compiled.kernel(sparse.column_pieces.py_func)
    again._cache = numba.core.caching.NullCache()  # what comes from a file has no source to look at
    again(*arguments, np.zeros((2, 3)))
    (source,) = again.inspect_llvm().values()
    body = source[source.index("define") : source.index("\n}")]
    assert "atomicrmw" in body  # it is the loop: that takes the next piece
    assert "NRT_incref" not in body
    assert "NRT_decref" not in body


def files(folder, ending):
    return list(folder.rglob(f"*copy*{ending}"))


def test_what_one_process_compiled_the_next_finds(tmp_path):
    assert use(tmp_path) == COMPILED
    assert use(tmp_path) == FOUND


def flip(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [lambda c: b"", lambda c: c[: len(c) // 2], flip, lambda c: b"not a pickle"])
def test_damaged_files_are_compiled_again(tmp_path, ending, damage):
    use(tmp_path)
    (path,) = files(tmp_path, ending)
    path.write_bytes(damage(path.read_bytes()))
    assert use(tmp_path) == COMPILED
    assert use(tmp_path) == FOUND


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of a process need a system that has them")
def test_a_full_disk_saves_nothing_and_does_no_harm(tmp_path):
    import resource

    def full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    assert use(tmp_path, preexec_fn=full) == COMPILED
    assert use(tmp_path) == COMPILED
    assert use(tmp_path) == FOUND


def test_without_a_folder_kernels_are_compiled_too(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert use(tmp_path / "file") == COMPILED


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such permissions")
def test_only_the_user_may_write_to_the_folder(tmp_path):
    use(tmp_path)
    (folder,) = tmp_path.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)
    assert use(tmp_path) == FOUND
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(tmp_path):
    use(tmp_path)
    (folder,) = tmp_path.iterdir()
    os.chown(folder, 12345, 12345)
    assert use(tmp_path) == COMPILED


@pytest.mark.parametrize("changed", ["linalg/kernels/b.py", "top/kernels.py"])
def test_a_change_of_any_source_changes_the_digest(tmp_path, monkeypatch, changed):
    for name in ("linalg/kernels/a.py", changed):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1", encoding="utf-8")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "linalg/kernels/a.py"))
    before = cache.digest_of_sources.__wrapped__()
    (tmp_path / changed).write_text("x = 2", encoding="utf-8")
    assert cache.digest_of_sources.__wrapped__() != before


def test_every_module_with_kernels_is_a_source():
    root = Path(cotopics.__file__).parent
    decorated = {path for path in root.rglob("*.py") if "\n@kernel\n" in path.read_text(encoding="utf-8")}
    assert {root / "top/kernels.py", root / "refine/kernels.py"} <= decorated <= set(cache.kernel_sources())


def test_kernels_with_the_same_name_in_files_with_the_same_name_are_different(tmp_path, monkeypatch):
    """numba names a file of compiled code after the last part of the module only."""
    monkeypatch.setattr(cache, "private_folder", lambda: tmp_path)
    found = []
    for room, factor in (("one", 2.0), ("other", 3.0)):
        source, names = tmp_path / room / "kernels.py", {"__name__": f"{room}.kernels"}
        source.parent.mkdir()
        source.write_text(f"FACTOR = {factor}\ndef times(x):\n    return FACTOR * x\n", encoding="utf-8")
        exec(compile(source.read_text(encoding="utf-8"), source, "exec"), names)
        found.append(compiled.kernel(names["times"])(1.0))
    assert found == [2.0, 3.0]


def test_small_kernels():
    a, b = np.arange(4.0), np.zeros(4)
    compiled.copy(a, b)
    assert (a == b).all()
    compiled.fill(b, 7.0)
    assert (b == 7).all()


def test_no_kernel_may_reorder_sums():
    assert "fastmath" not in compiled.OPTIONS
