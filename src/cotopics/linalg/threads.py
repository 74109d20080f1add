"""Work on blocks of rows on every core. Blocks that do not depend on the number of threads give results that do not."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock, current_thread, local
from typing import Any, TypeVar

T = TypeVar("T")

WORKER = "cotopics-worker"  # name of our threads: work within them is not split again
SMALL_PRODUCT = 100_000_000  # multiplications that one thread does in a few hundredths of a second


def n_threads() -> int:
    """Cores this process may use, or OMP_NUM_THREADS where that is smaller; one within `alone`."""
    if getattr(_here, "is_alone", False):
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(cores, int(limit))) if limit.isdigit() else cores


def map_row_blocks(function: Callable[[int, int], T], n_rows: int, *, block: int, first: int = 0) -> list[T]:
    """[function(start, stop)] for consecutive blocks of the rows `first` to n_rows, in order.

    `function` spends its time where the GIL is released (compiled kernels, numpy on large arrays) and writes to its own
    rows only. Matrix products inside it use one thread each, so that two levels of threads do not fight for cores.
    """
    bounds = [(start, min(start + block, n_rows)) for start in range(first, n_rows, block)]
    with one_blas_thread():
        if min(n_threads(), len(bounds)) <= 1 or current_thread().name.startswith(WORKER):
            return [function(*bound) for bound in bounds]
        pool = _pool(os.getpid(), n_threads())
        calls = [pool.submit(function, *bound) for bound in bounds]
        try:
            return [call.result() for call in calls]
        finally:
            for call in calls:
                call.cancel()
            wait(calls)  # whatever failed, nobody writes any more


@cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work: starting them anew for every call takes milliseconds. A fork starts its own."""
    return ThreadPoolExecutor(threads, thread_name_prefix=WORKER)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within the block, BLAS and LAPACK use one thread.

    For many small operations: their threads wait for one another actively, and on a busy machine a QR decomposition of
    a thin matrix then takes thirty times as long as on one thread. Blocks may overlap in several Python threads: the
    first sets the limit and the last lifts it.
    """
    with _lock:
        if _limits.depth == 0:
            _take_turn()
            _limits.limiter = _blas().limit(limits=1, user_api="blas")
        _limits.depth += 1
    try:
        yield
    finally:
        with _lock:
            _limits.depth -= 1
            if _limits.depth == 0:
                _take_turn()
                _limits.limiter.restore_original_limits()
                _take_turn()


@contextmanager
def alone() -> Iterator[None]:
    """Within the block, this Python thread does all of its work itself, so that sums do not depend on the machine."""
    before = getattr(_here, "is_alone", False)
    _here.is_alone = True
    try:
        with one_blas_thread():
            yield
    finally:
        _here.is_alone = before


def thin_product(A: Any, B: Any) -> Any:
    """A B, on one thread where it is small: threads spoil the products of thin matrices more often than not."""
    if A.shape[0] * A.shape[1] * B.shape[1] > SMALL_PRODUCT:
        return A @ B
    with one_blas_thread():
        return A @ B


@dataclass
class _Limits:
    depth: int = 0
    limiter: Any = None


_lock = Lock()
_here = local()
_limits = _Limits()


def _take_turn() -> None:
    """Let this Python thread set limits: threadpoolctl 3.8 ignores all threads but the first that did so.

    OpenBLAS has one limit for all threads, and ours are set and lifted under a lock.
    """
    import threadpoolctl

    clear = getattr(getattr(threadpoolctl, "OpenBLASController", None), "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
