"""Files are replaced in one step, and changed by one process at a time.

**Replacing.** A file is written under another name in the same folder, flushed to disk and renamed. A process that dies
at any moment leaves the old file or the new one. What else it leaves, `.NAME.xxxxxxxx.part`, is removed by the next
writer of the same file: a writer holds a lock on its part, and the lock of a dead process is free. (Windows has no such
locks: there, parts of killed processes stay. Also, a file that is mapped, or that another process is replacing right
now, cannot be replaced: this is an error, and the old file stays.) A link is followed, and the file that it points to
is replaced. The new file gets the permissions of the old one. Devices, pipes and folders are refused.

**Changing.** Whoever reads a file, changes its content and writes it back does so in a `changing` block. The lock is on
a second file `.NAME.lock`, because the file itself is replaced by renaming. The system frees the lock when its holder
ends, for whatever reason. A lock file that stays behind is used, and removed, by the next process. Whoever has waited
for the lock checks that the lock file still has its name: the process before may have removed it. This is why we do
not use a library (filelock): it leaves its lock files behind, because removing them is only safe with this check. A
link is followed, so every name of a file has the same lock.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

unix: Any = None
windows: Any = None
try:
    import fcntl

    unix = fcntl
except ImportError:
    import msvcrt

    windows = msvcrt

MAX_NAME = 200  # bytes; for a longer name, that of the part is made from a checksum
PAUSE = 0.1  # seconds between two attempts, where the system does not wake up who waits


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace `path` by `content` in one step; if anything fails the old file stays, and no other file is left."""
    with atomic_writer(path) as file:
        file.write(content)


@contextlib.contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that replaces `path` at the end of the block, unless the block fails."""
    part = Path()
    try:
        target, mode = _target(Path(path))
        _remove_old_parts(target)
        file = _open_part(target)
        part = Path(file.name)
        try:
            with file:
                if mode is not None:
                    os.chmod(part, mode)  # before there is anything to read
                yield file
                file.flush()
                os.fsync(file.fileno())
                if unix is not None:
                    os.replace(part, target)  # while the part is locked, so that no other writer removes it
            if unix is None:
                os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _flush_folder(target.parent)
    except OSError as error:
        ours = (None, os.fspath(part), os.fspath(path))
        if error.errno is None or (part != Path() and error.filename not in ours):  # about another file
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None  # name the file that the user asked for


@contextlib.contextmanager
def changing(
    path: str | os.PathLike[str],
    waiting: Callable[[], None] = lambda: None,
    unguarded: Callable[[str], None] = lambda reason: None,
) -> Iterator[None]:
    """Nobody else can be in such a block for the same file: read it, change it, and write it back.

    `waiting` is called once if another process or thread has to leave its block first. `unguarded` is called with the
    reason if the file system has no locks (some network folders); the block then runs without a lock.
    """
    target = Path(os.path.realpath(path))
    name = target.with_name(_hidden_name(target, "lock"))
    number = _locked(name, waiting, unguarded)
    try:
        yield
    finally:
        _unlock(name, number)


def _target(path: Path) -> tuple[Path, int | None]:
    """The file to replace, behind any link, and its permissions; None if there is no such file yet."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file, so it cannot be replaced by one", str(path))
    return target, stat.S_IMODE(mode)


def _open_part(target: Path) -> BinaryIO:
    """A new file in the folder of the target, locked as long as it is open."""
    for _ in range(100):
        part = target.with_name(_hidden_name(target, f"{secrets.token_hex(4)}.part"))
        file = open(part, "xb")  # noqa: SIM115 - the caller closes it
        if _lock_part(file, unknown=True) and Path(file.name).exists():  # another writer may have removed it as old
            return file
        file.close()
    raise OSError(errno.EBUSY, "other writers are in the way", str(target))


def _remove_old_parts(target: Path) -> None:
    """Remove the parts that killed writers of the same target have left."""
    if unix is None:
        return
    part_name = re.compile(re.escape(_hidden_name(target, "")) + r"[0-9a-f]{8}\.part")
    with contextlib.suppress(OSError):  # what cannot be opened stays
        for name in os.listdir(target.parent):
            if not part_name.fullmatch(name):
                continue
            part = target.with_name(name)
            with contextlib.suppress(OSError), open(part, "r+b", opener=_open_no_link) as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and _lock_part(file, unknown=False):
                    part.unlink()


def _open_no_link(path: str, flags: int) -> int:
    """Do not follow a link, and do not wait for a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _lock_part(file: Any, *, unknown: bool) -> bool:
    """Whether this file is now locked by us; `unknown` where there are no locks."""
    if unix is None:
        return unknown
    try:
        return _try_lock(file.fileno())
    except OSError:
        return unknown


def _hidden_name(target: Path, ending: str) -> str:
    """The name of a hidden file that belongs to the target."""
    name = os.fsencode(target.name)
    return f".{target.name if len(name) <= MAX_NAME else hashlib.sha256(name).hexdigest()}.{ending}"


def _flush_folder(folder: Path) -> None:
    """Write the new name to disk; where this is not possible, the file is still either the old or the new one."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _locked(name: Path, waiting: Callable[[], None], unguarded: Callable[[str], None]) -> int:
    """The file descriptor of the lock file, which we have locked and which still has this name."""
    has_waited = False
    while True:
        number = _open_lock(name)
        try:
            if not _try_lock(number):
                if not has_waited:
                    waiting()
                has_waited = True
                _wait_for_lock(number)
        except OSError as error:
            unguarded(error.strerror or str(error))
            return number
        except BaseException:  # Ctrl-C
            os.close(number)
            raise
        if _has_name(number, name):
            return number
        os.close(number)


def _open_lock(name: Path) -> int:
    no_link = getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | no_link, 0o666)
    except PermissionError:  # a killed process of another user left it; it can still be locked
        return os.open(name, os.O_RDONLY | no_link)


def _try_lock(number: int) -> bool:
    """Lock the file unless somebody else has locked it; whether it is ours now."""
    try:
        if unix is not None:
            unix.flock(number, unix.LOCK_EX | unix.LOCK_NB)
        else:
            windows.locking(number, windows.LK_NBLCK, 1)
    except BlockingIOError:
        return False
    except PermissionError:
        if unix is not None:
            raise
        return False  # Windows says this of a file that is locked
    return True


def _wait_for_lock(number: int) -> None:
    if unix is not None:
        unix.flock(number, unix.LOCK_EX)
        return
    while not _try_lock(number):
        time.sleep(PAUSE)


def _has_name(number: int, name: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(name, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _unlock(name: Path, number: int) -> None:
    """Remove the lock file while it is ours. Windows removes no open file, so there it is closed first."""
    if unix is None:
        os.close(number)
    with contextlib.suppress(OSError):
        os.unlink(name)
    if unix is not None:
        os.close(number)
