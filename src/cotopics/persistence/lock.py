"""One at a time: whoever reads a file, changes what it holds and writes it back keeps others out until then.

The lock is on a file `.NAME.lock` beside the file, which is itself replaced by renaming. The system gives it back when
its holder ends, however that comes, so a killed run keeps nobody out; the lock file that it leaves is used and removed
by the next one. Whoever has waited looks whether the lock file is still the one of that name: the one before may have
removed it. A link is followed, so that every name of a file has the same lock.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cotopics.persistence.beside import beside_name

unix: Any = None
windows: Any = None
try:
    import fcntl

    unix = fcntl
except ImportError:
    import msvcrt

    windows = msvcrt

PAUSE = 0.1  # seconds between two looks, where the system does not wake who waits


@contextlib.contextmanager
def changing(
    path: str | os.PathLike[str],
    waiting: Callable[[], None] = lambda: None,
    unguarded: Callable[[str], None] = lambda reason: None,
) -> Iterator[None]:
    """Within the block, nobody else is in such a block for this file: read it, change it, and write it back.

    `waiting` is called once if another process or thread has to end its block first. `unguarded` is told the reason
    where the file system has no locks (some network folders); the block then runs without one.
    """
    target = Path(os.path.realpath(path))
    name = target.with_name(beside_name(target, "lock"))
    number = _locked(name, waiting, unguarded)
    try:
        yield
    finally:
        _give_back(name, number)


def _locked(name: Path, waiting: Callable[[], None], unguarded: Callable[[str], None]) -> int:
    """The number of the open lock file, which is ours and has this name."""
    while True:
        number = _open(name)
        try:
            if not _try(number):
                waiting()
                waiting = _nothing
                _wait(number)
        except OSError as error:
            unguarded(error.strerror or str(error))
            return number
        except BaseException:  # Ctrl-C
            os.close(number)
            raise
        if _is_named(number, name):
            return number
        os.close(number)


def _nothing() -> None:
    """It was said once that another one is waited for."""


def _open(name: Path) -> int:
    no_link = getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | no_link, 0o666)
    except PermissionError:  # what a killed run of another user has left can be locked all the same
        return os.open(name, os.O_RDONLY | no_link)


def _try(number: int) -> bool:
    """Whether the lock is ours now."""
    try:
        if unix is not None:
            unix.flock(number, unix.LOCK_EX | unix.LOCK_NB)
        else:
            windows.locking(number, windows.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):  # the second is what Windows says
        return False
    return True


def _wait(number: int) -> None:
    if unix is not None:
        unix.flock(number, unix.LOCK_EX)
        return
    while not _try(number):
        time.sleep(PAUSE)


def _is_named(number: int, name: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(name, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _give_back(name: Path, number: int) -> None:
    """Remove the lock file while it is ours; Windows removes no open file, and then none that another one has open."""
    if unix is None:
        os.close(number)
    with contextlib.suppress(OSError):
        os.unlink(name)
    if unix is not None:
        os.close(number)
