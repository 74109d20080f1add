"""Loops over blocks of rows on all cores, and limits on the threads of BLAS.

A block is written by one thread, with BLAS on one thread inside. Where blocks do not depend on the number of threads,
neither do the results. Outside such loops numpy's BLAS uses its own threads.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from time import sleep
from typing import Any, TypeVar

import numpy as np

from cotopics.linalg.shared_loop import Loop, this_thread

T = TypeVar("T")

BLOCK_PRODUCTS = 8_000_000  # multiplications of a block of a thin product: about a millisecond
MAX_PARTIAL_PRODUCTS = 32  # that are added up, and in memory together


def n_threads() -> int:
    """Number of cores this process may use, or OMP_NUM_THREADS if that is smaller; 1 inside `single_threaded`."""
    if getattr(this_thread, "single_threaded", False):
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(cores, int(limit))) if limit.isdigit() else cores


def map_row_blocks(function: Callable[[int, int], T], n_rows: int, *, block: int, first: int = 0) -> list[T]:
    """[function(start, stop)] for consecutive blocks of the rows `first` to n_rows, in order.

    This thread and others take block after block until none is left. `function` should release the GIL for most of its
    time (compiled kernels, numpy on large arrays) and may write to its own rows only. Matrix products inside it use one
    thread, so that two levels of threads do not compete; a loop inside it is not divided again. After an error no
    further block is begun, and the error of the first block that has one is raised.
    """
    bounds = [(start, min(start + block, n_rows)) for start in range(first, n_rows, block)]
    with one_blas_thread():
        threads = 1 if getattr(this_thread, "in_loop", False) else min(n_threads(), len(bounds))
        if threads <= 1:
            return [function(*bound) for bound in bounds]
        return Loop(function, bounds).run(threads)


def share_pieces(function: Callable[[Any], None], threads: int) -> None:
    """function(counter) on so many threads at most: a kernel that takes pieces from it by `kernels.pieces.next_piece`.

    Pieces that compiled code takes may be short, as none of them costs a call from Python."""
    counter = np.zeros(1, dtype=np.int64)
    map_row_blocks(lambda _, __: function(counter), max(1, min(n_threads(), threads)), block=1)


def share_phases(function: Callable[[Any], bool], n_phases: int, threads: int) -> None:
    """function(counters) on so many threads at most: a kernel that goes through phases (`kernels.pieces`).

    It returns False where it waits for pieces that other threads have taken: they then get the processor."""
    from cotopics.linalg.kernels.pieces import LINE

    counters = np.zeros(n_phases * LINE, dtype=np.int64)

    def until_done(_: int, __: int) -> None:
        while not function(counters):
            sleep(0)

    map_row_blocks(until_done, max(1, min(n_threads(), threads)), block=1)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Inside this context, BLAS and LAPACK use one thread.

    For many small operations: threads of BLAS wait for one another in a busy loop, so on a machine with other work a
    QR decomposition of a thin matrix takes thirty times as long on several threads as on one. Several Python threads
    may be inside at the same time: the first sets the limit and the last removes it.
    """
    with _lock:
        if _limits.depth == 0:
            _allow_this_thread_to_limit()
            _limits.limiter = _blas().limit(limits=1, user_api="blas")
        _limits.depth += 1
    try:
        yield
    finally:
        with _lock:
            _limits.depth -= 1
            if _limits.depth == 0:
                _allow_this_thread_to_limit()
                _limits.limiter.restore_original_limits()
                _allow_this_thread_to_limit()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Inside this context, this Python thread starts no others, so that sums do not depend on the machine."""
    before = getattr(this_thread, "single_threaded", False)
    this_thread.single_threaded = True
    try:
        with one_blas_thread():
            yield
    finally:
        this_thread.single_threaded = before


def thin_product(A: Any, B: Any) -> Any:
    """A B for arrays with one long side between them, in blocks along it that are the same for any number of threads.

    BLAS divides such products badly: several of its threads are slower than one more often than not."""
    m, n, k = A.shape[0], A.shape[1], B.shape[1]
    if k > max(m, n):
        return thin_product(B.T, A.T).T
    longest = max(m, n)
    block = max(1, BLOCK_PRODUCTS * longest // max(m * n * k, 1))
    if block >= longest:
        with one_blas_thread():
            return A @ B
    if n > m:
        block = max(block, -(-n // MAX_PARTIAL_PRODUCTS))
        return sum(map_row_blocks(lambda first, last: A[:, first:last] @ B[first:last], n, block=block))
    product = np.empty((m, k), np.result_type(A, B))
    map_row_blocks(lambda first, last: np.matmul(A[first:last], B, out=product[first:last]), m, block=block)
    return product


@dataclass
class _Limits:
    depth: int = 0
    limiter: Any = None


_lock = Lock()
_limits = _Limits()


def _allow_this_thread_to_limit() -> None:
    """threadpoolctl 3.8 accepts limits only from the first thread that set one. Here any thread may, under a lock.

    OpenBLAS has one limit for all threads.
    """
    import threadpoolctl

    clear = getattr(getattr(threadpoolctl, "OpenBLASController", None), "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
