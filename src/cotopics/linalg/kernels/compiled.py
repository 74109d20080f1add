"""How loops are compiled, and the smallest of them.

No flag of fast-math is set: every operation is rounded as IEEE 754 says, in the order of the source. So the bits of a
result depend neither on threads, nor on where arrays lie in memory, nor on which vector instructions a processor has;
only logarithms and exponentials are those of the system's library. Sums that would be slow in plain order are written
with lanes (`lanes.py`). Loops are written out: every slice assignment or array expression takes seconds more to
compile, for the sake of its error messages.
"""

from collections.abc import Callable
from typing import Any

import numba

from cotopics.linalg.kernels.kept import KeptCode

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Callable[..., Any]) -> Any:
    """The function, compiled when it is first called and kept on disk for later processes."""
    compiled = numba.njit(**OPTIONS)(function)
    kept = KeptCode.of(function)
    if kept is not None:
        compiled._cache = kept
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """A short function that becomes part of every kernel that calls it."""
    return numba.njit(forceinline=True, **OPTIONS)(function)


@kernel
def fill(a, value):
    for i in range(len(a)):
        a[i] = value


@kernel
def copy(a, b):
    """b becomes a."""
    for i in range(len(a)):
        b[i] = a[i]
