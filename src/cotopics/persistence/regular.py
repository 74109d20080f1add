"""Regular files: pipes and devices may have no end, so they are not read."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

MISSING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether a file, a folder or anything else has this name; an OSError if we are not allowed to look.

    Path.exists returns False there from Python 3.14 on, so that a file we may not look at would be reported as missing.
    """
    try:
        os.stat(path)
    except ValueError:  # a null character
        return False
    except OSError as error:
        if error.errno in MISSING:
            return False
        raise
    return True


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading; an OSError for a pipe, to which nobody may ever write, and for a device."""
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "this is a pipe or a device; give a file", os.fspath(path))
    return file


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
