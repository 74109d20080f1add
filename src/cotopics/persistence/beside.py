"""Whole or not at all: a file is written beside its target, flushed to disk and renamed.

A run that dies at any moment leaves the old file, or the new one. What it leaves beside it, `.NAME.xxxxxxxx.part`, is
removed by the next write of the same file: a writer holds a lock on its part, and the lock of a dead one is gone. (On
Windows, where there are no such locks, parts of killed runs stay, and a file that is mapped, or that another writer is
replacing at this moment, cannot be replaced: that is an error, and the old file stays.) A link is followed, and the
file that it points to is replaced; a file that is replaced hands on its permissions. Devices, pipes and folders are
refused.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl

    locks: Any = fcntl
except ImportError:  # Windows
    locks = None

LONGEST_NAME = 200  # bytes; with more, the name of a part is made from a checksum


def write_beside(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace `path` by `content` in one step; on any failure the old file stays and nothing is left behind."""
    with written_beside(path) as file:
        file.write(content)


@contextlib.contextmanager
def written_beside(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` at the end of the block, unless the block fails."""
    part = Path()
    try:
        target, mode = _target(Path(path))
        _remove_old_parts(target)
        file = _open_part(target)
        part = Path(file.name)
        try:
            with file:
                if mode is not None:
                    os.chmod(part, mode)  # before there is anything to be read
                yield file
                file.flush()
                os.fsync(file.fileno())
                if locks is not None:
                    os.replace(part, target)  # while the part is locked, or another writer could take it away
            if locks is None:
                os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _flush_folder(target.parent)
    except OSError as error:
        ours = (None, os.fspath(part), os.fspath(path))
        if error.errno is None or (part != Path() and error.filename not in ours):  # of another file
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None  # name the file the user asked for


def _target(path: Path) -> tuple[Path, int | None]:
    """The file to be replaced, behind any link, and its permissions; None where there is none yet."""
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
    """A new file beside the target, locked for as long as it is open."""
    for _ in range(100):
        part = target.with_name(beside_name(target, f"{secrets.token_hex(4)}.part"))
        file = open(part, "xb")  # noqa: SIM115 - handed on
        if _lock(file) and Path(file.name).exists():  # or a writer that took it for an old part has removed it
            return file
        file.close()
    raise OSError(errno.EBUSY, "other writers are in the way", str(target))


def _remove_old_parts(target: Path) -> None:
    """Remove what killed writers of the same target have left."""
    if locks is None:
        return
    part_name = re.compile(re.escape(beside_name(target, "")) + r"[0-9a-f]{8}\.part")
    with contextlib.suppress(OSError):  # what cannot be looked at stays
        for name in os.listdir(target.parent):
            if not part_name.fullmatch(name):
                continue
            part = target.with_name(name)
            with contextlib.suppress(OSError), open(part, "r+b", opener=_no_link) as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and _lock(file, certain=True):
                    part.unlink()


def _no_link(path: str, flags: int) -> int:
    """Open no link, and do not wait for a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _lock(file: Any, *, certain: bool = False) -> bool:
    """Whether this file is now ours. Where there are no locks nobody knows: yes, unless it must be `certain`."""
    if locks is None:
        return True
    try:
        locks.flock(file, locks.LOCK_EX | locks.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return not certain
    return True


def beside_name(target: Path, ending: str) -> str:
    """The name of a hidden file beside this one, for what belongs to it."""
    name = os.fsencode(target.name)
    return f".{target.name if len(name) <= LONGEST_NAME else hashlib.sha256(name).hexdigest()}.{ending}"


def _flush_folder(folder: Path) -> None:
    """Make the renaming last; where a folder cannot be flushed, either name is whole all the same."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
