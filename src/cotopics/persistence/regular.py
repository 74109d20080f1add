"""Files that are read to their end, which what is not a file may not have."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether a file, a folder or anything else has this name; an OSError where nobody can say.

    From Python 3.14 on, Path.exists says no there, and a file that may not be looked at would be said to be missing.
    """
    try:
        os.stat(path)
    except ValueError:  # a null character
        return False
    except OSError as error:
        if error.errno in NOTHING:
            return False
        raise
    return True


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to be read; an OSError for a pipe, which nobody may ever write to, and for a device."""
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115 - handed on
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "this is a pipe or a device; give a file", os.fspath(path))
    return file


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
