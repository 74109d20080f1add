"""How loops are compiled, and two small ones.

- Fast-math is off: every operation is rounded as IEEE 754 says, in the order of the source. So the bits of a result
  depend neither on threads, nor on the addresses of arrays, nor on the vector instructions of a processor; only
  logarithms and exponentials come from the library of the system. Sums that would be slow this way are in
  `ordered_sums.py`. Fused multiply-adds were not faster in our tests.
- Kernels release the GIL and run on Python threads (`linalg/threads.py`). numba's own threading layers cannot be
  called from two threads at once, take several times longer to compile, and break after a fork.
- Loops are written out: a slice assignment or an array expression takes seconds longer to compile.
- Kernels do not count references to arrays. numba would do so at every slice and every call, also inside loops, with an
  atomic operation that takes as long as ten additions; the arrays of the caller live longer than the call anyhow. Only
  a kernel that makes arrays of its own counts, because someone must free them (`allocating_kernel`).
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.core.options import DefaultOptions

from cotopics.linalg.kernels.cache import KernelCache

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# numba does not document this option, so a version may come without it: kernels are then slower, and right
COUNTED: dict[str, Any]
UNCOUNTED: dict[str, Any]
COUNTED, UNCOUNTED = ({"_nrt": counts} if hasattr(DefaultOptions, "_nrt") else {} for counts in (True, False))


def kernel(function: Callable[..., Any]) -> Any:
    """The function, which makes no array, compiled on its first call and saved on disk for later processes."""
    return _compiled(function, OPTIONS | UNCOUNTED)


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """The same of a function that makes arrays. Long loops without a call of another kernel should not be in it."""
    return _compiled(function, OPTIONS | COUNTED)


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    compiled = numba.njit(**options)(function)
    cache = KernelCache.of(function)
    if cache is not None:
        compiled._cache = cache
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """A short function that becomes part of every kernel that calls it."""
    options = OPTIONS | UNCOUNTED | {"forceinline": True}
    return numba.njit(**options)(function)


@kernel
def fill(a, value):
    for i in range(len(a)):
        a[i] = value


@kernel
def copy(a, b):
    """Copy a to b."""
    for i in range(len(a)):
        b[i] = a[i]
