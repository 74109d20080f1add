"""How kernels are compiled and kept."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cotopics.linalg.kernels import compiled


def doubled(x):
    return 2 * x


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(monkeypatch):
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    assert compiled.kernel(doubled)(3.0) == 6.0


def test_a_change_of_any_source_is_a_new_version(tmp_path, monkeypatch):
    for name, source in (("a.py", "x = 1"), ("b.py", "y = 1")):
        (tmp_path / name).write_text(source, encoding="utf-8")
    versions = set()
    for source in ("y = 1", "y = 2"):
        (tmp_path / "b.py").write_text(source, encoding="utf-8")
        monkeypatch.setattr(compiled, "__file__", str(tmp_path / "a.py"))
        versions.add(compiled._version.__wrapped__())
    assert len(versions) == 2


def test_what_one_process_compiled_the_next_finds(tmp_path):
    script = tmp_path / "use.py"
    script.write_text(
        "import numpy as np\n"
        "from cotopics.linalg.kernels.compiled import dot\n"
        "assert dot(np.ones(3), np.ones(3), 3) == 3\n"
        "print(sum(dot.stats.cache_hits.values()), sum(dot.stats.cache_misses.values()))\n",
        encoding="utf-8",
    )
    source = str(Path(compiled.__file__).parents[3])
    env = {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": source, "PATH": "/usr/bin:/bin"}
    found = [
        subprocess.run([sys.executable, script], env=env, check=True, capture_output=True, text=True).stdout.split()
        for _ in range(2)
    ]
    assert found == [["0", "1"], ["1", "0"]]


def test_smallest_kernels():
    a, b = np.arange(4.0), np.zeros(4)
    compiled.copy(a, b)
    assert (a == b).all()
    compiled.fill(b, 7.0)
    assert (b == 7).all()
    assert compiled.dot(a, b, 3) == 21
