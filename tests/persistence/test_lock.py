"""One process at a time changes a file, even if others are killed."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from cotopics.persistence import atomic, changing, write_atomically
from platforms import needs_any_bytes, needs_file_locks, needs_links, needs_signals

HOLDER = """
import sys, time
from cotopics.persistence import changing
with changing(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def path(tmp_path):
    write_atomically(tmp_path / "numbers", b"0")
    return tmp_path / "numbers"


@pytest.fixture
def holder(path):
    """Another process, which changes the file and does not come to an end."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_no_change_is_lost(path):
    """The file is another one after every write."""
    waited = []

    def count():
        for _ in range(30):
            with changing(path, lambda: waited.append(1)):
                number = int(path.read_bytes())
                time.sleep(0.001)
                write_atomically(path, str(number + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() == b"150"
    assert waited
    assert list(path.parent.iterdir()) == [path]


def test_processes_count_too(path):
    program = """
import sys
from pathlib import Path
from cotopics.persistence import changing, write_atomically
path = Path(sys.argv[1])
for _ in range(50):
    with changing(path):
        write_atomically(path, str(int(path.read_bytes()) + 1).encode())
"""
    processes = [subprocess.Popen([sys.executable, "-c", program, path]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert path.read_bytes() == b"150"
    assert list(path.parent.iterdir()) == [path]


def test_waiting_is_reported_once_and_a_killed_holder_blocks_nobody(path, holder):
    calls = []

    def waiting():
        calls.append("waiting")
        holder.kill()

    with changing(path, waiting):
        assert calls == ["waiting"]
    with changing(path, waiting):
        pass
    assert calls == ["waiting"]
    assert list(path.parent.iterdir()) == [path]


def test_what_a_killed_holder_left_is_used_and_removed(path, holder):
    holder.kill()
    holder.wait()
    assert path.with_name(".numbers.lock").exists()
    with changing(path, lambda: pytest.fail("nobody holds it")):
        pass
    assert list(path.parent.iterdir()) == [path]


@needs_signals
def test_waiting_can_be_interrupted(path, holder):
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt), changing(path):
            pytest.fail("the other one has it")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert holder.poll() is None


@needs_links
def test_a_link_and_its_file_have_one_lock(path, tmp_path):
    (tmp_path / "link").symlink_to(path)
    held = []
    with changing(path):
        other = threading.Thread(target=lambda: _hold(tmp_path / "link", held))
        other.start()
        time.sleep(0.05)
        assert not held
    other.join()
    assert held


def _hold(path, held):
    with changing(path):
        held.append(path)


def test_an_error_in_the_block_gives_the_lock_back(path):
    with pytest.raises(ValueError, match="wrong"), changing(path):
        raise ValueError("wrong")
    assert list(path.parent.iterdir()) == [path]


@needs_any_bytes
@pytest.mark.parametrize("name", ["a" * 255, "new", "m\n", os.fsdecode(b"caf\xe9")])
def test_files_of_any_name_that_need_not_be_there(tmp_path, name):
    with changing(tmp_path / name):
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())


@needs_links
def test_a_lock_file_that_is_a_link_is_not_followed(path):
    path.with_name(".numbers.lock").symlink_to(path.with_name("elsewhere"))
    with pytest.raises(OSError, match="lock"), changing(path):
        pass
    assert not path.with_name("elsewhere").exists()


@needs_file_locks
def test_a_file_system_without_locks_is_reported(path, monkeypatch):
    def fail(number, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(atomic.unix, "flock", fail)
    calls = []
    with changing(path, unguarded=calls.append):
        assert calls == ["No locks available"]
    assert list(path.parent.iterdir()) == [path]


def test_windows(path, monkeypatch):
    """Which has another call, wakes nobody, and removes no file that is open: all but the last can be tried here."""

    class Windows:
        LK_NBLCK = 2

        @staticmethod
        def locking(number, how, n_bytes):
            assert (how, n_bytes) == (Windows.LK_NBLCK, 1)
            if held:
                held.pop()
                raise PermissionError(errno.EACCES, "Permission denied")

    held, calls = [1, 1, 1], []
    monkeypatch.setattr(atomic, "unix", None)
    monkeypatch.setattr(atomic, "windows", Windows)
    monkeypatch.setattr(atomic, "PAUSE", 0.001)
    with changing(path, lambda: calls.append("waiting")):
        assert (held, calls) == ([], ["waiting"])
    assert list(path.parent.iterdir()) == [path]
