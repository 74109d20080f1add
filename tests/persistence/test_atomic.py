"""A file is replaced in one step, or it stays as it was, whatever fails."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from cotopics.persistence import atomic_writer, write_atomically
from platforms import needs_any_name, needs_file_locks, needs_fork, needs_links, needs_permissions, needs_pipes


@pytest.fixture
def path(tmp_path):
    write_atomically(tmp_path / "m", b"old")
    return tmp_path / "m"


def test_the_new_content_takes_the_place_of_the_old(path):
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError("wrong"), KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_a_failure_leaves_the_old_file_and_nothing_else(path, error):
    def fail():
        with atomic_writer(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod", "stat"])
def test_every_call_may_fail(path, call, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(OSError, match="Input/output error") as caught:
            write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


@needs_permissions
def test_permissions_are_handed_on(path):
    os.chmod(path, 0o640)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    write_atomically(tmp_path / "m", b"")
    (tmp_path / "other").touch()
    assert (tmp_path / "m").stat().st_mode == (tmp_path / "other").stat().st_mode


@needs_links
def test_a_link_stays_and_its_target_is_replaced(path, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "link").symlink_to(path)
    write_atomically(folder / "link", b"new")
    assert (folder / "link").is_symlink()
    assert path.read_bytes() == b"new"
    assert list(folder.iterdir()) == [folder / "link"]


@needs_links
def test_a_link_to_what_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "m")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "m").read_bytes() == b"new"


@needs_links
def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="a"):
        write_atomically(tmp_path / "a", b"")


@needs_pipes
def test_folders_and_pipes_are_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(tmp_path / "pipe", b"new")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / "folder", b"new")
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically("/dev/null", b"new")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write_atomically(tmp_path / "nowhere" / "m", b"new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "pipe"]


@needs_any_name
@pytest.mark.parametrize("name", ["a" * 255, "ж" * 127, "-m", " m[1]*.x", "m\n"])
def test_names_of_any_kind(tmp_path, name):
    (tmp_path / name).write_bytes(b"old")
    write_atomically(tmp_path / name, b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"new"


@needs_file_locks
def test_parts_of_killed_writers_are_removed_and_nothing_else(path):
    part = path.with_name(".m.0123abcd.part")
    part.write_bytes(b"half")
    others = [".m.0123abcd.part2", ".mm.0123abcd.part", ".m.4567ABCD.part", "m.0123abcd.part", ".m.part"]
    for other in others:
        path.with_name(other).write_bytes(b"")
    path.with_name(".m.aaaaaaaa.part").symlink_to(path)
    path.with_name(".m.bbbbbbbb.part").mkdir()
    os.mkfifo(path.with_name(".m.cccccccc.part"))
    write_atomically(path, b"new")
    kept = {*others, "m", ".m.aaaaaaaa.part", ".m.bbbbbbbb.part", ".m.cccccccc.part"}
    assert {entry.name for entry in path.parent.iterdir()} == kept
    assert path.read_bytes() == b"new"


def test_parts_of_living_writers_stay(path):
    with atomic_writer(path) as file:
        file.write(b"first")
        write_atomically(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"  # the last one to finish
    assert list(path.parent.iterdir()) == [path]


@needs_file_locks
def test_many_writers_at_once(path):
    def write(number):
        for _ in range(20):
            write_atomically(path, bytes([number]) * 5000)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    content = path.read_bytes()
    assert len(content) == 5000
    assert len(set(content)) == 1
    assert list(path.parent.iterdir()) == [path]


KILLED = """
import os, random, signal, sys, time
import numpy as np
from cotopics.persistence import MODEL, Record, read_record, write_record

path, seen = sys.argv[1], set()
records = [Record({"i": i}, {"x": np.full(200_000, float(i))}) for i in range(4)]
start = time.perf_counter()
write_record(path, records[0], MODEL)
took = time.perf_counter() - start
for moment in np.random.default_rng(0).random(50) * 3 * took:
    child = os.fork()
    if child == 0:
        while True:
            for record in records:
                write_record(path, record, MODEL)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    record = read_record(path, MODEL)
    assert (record.arrays["x"] == record.manifest["i"]).all()
    seen.add(record.manifest["i"])
print("kills survived: 50; records seen:", len(seen))
"""


@needs_fork
def test_killed_at_fifty_moments_the_file_is_whole(tmp_path):
    """A writer is forked, left to overwrite the file again and again, and killed within its first few writes."""
    path = tmp_path / "m.cotopics"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", KILLED, path], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "kills survived: 50" in done.stdout
    write_atomically(path, b"")
    assert list(tmp_path.iterdir()) == [path]  # the next write removes what they left
