"""Compiled loops over rows on every core: fixed blocks, so that the number of threads never changes a result."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

BLOCK = 256  # rows a task; small enough to balance, large enough that starting one costs nothing


def n_threads() -> int:
    """Cores this process may use, or OMP_NUM_THREADS where that is smaller."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(cores, int(limit))) if limit.isdigit() else cores


def for_row_blocks(kernel: Callable[[int, int], None], n_rows: int) -> None:
    """Call kernel(start, stop) for consecutive blocks of rows; kernel releases the GIL and writes only its rows."""
    blocks = [(start, min(start + BLOCK, n_rows)) for start in range(0, n_rows, BLOCK)]
    threads = min(n_threads(), len(blocks))
    if threads <= 1:
        for start, stop in blocks:
            kernel(start, stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda block: kernel(*block), blocks))
