"""How loops are compiled and kept, and the smallest of them.

Sums may be reordered for speed, but always in the same way: nothing depends on threads or on chance. Loops are written
out: every slice assignment or array expression takes seconds more to compile, for the sake of its error messages.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


def kernel(function: Callable[..., Any]) -> Any:
    """The function compiled when it is first called, and kept on disk for later processes.

    numba looks for what it kept by file and name, and knows nothing of functions that are called from other files: the
    name says which version of all of them it is. Where nothing can be kept, every process compiles for itself.
    """
    function.__qualname__ += f"_{_version()}"
    try:
        return numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # no folder that can be written to
        return numba.njit(**OPTIONS)(function)


@cache
def _version() -> str:
    """A short name of the sources of all kernels as they are."""
    sources = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    return sha256(b"\0".join(sources)).hexdigest()[:12]


@kernel
def dot(a, b, n):
    s = a.dtype.type(0)
    for i in range(n):
        s += a[i] * b[i]
    return s


@kernel
def fill(a, value):
    for i in range(len(a)):
        a[i] = value


@kernel
def copy(a, b):
    """b becomes a."""
    for i in range(len(a)):
        b[i] = a[i]
