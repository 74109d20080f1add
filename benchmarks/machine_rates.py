"""What a machine gives, on as many threads as we use: bytes and operations per second. For roofline.py."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from cotopics.linalg.threads import map_row_blocks, n_threads

loop = numba.njit(nogil=True, fastmath={"reassoc", "contract", "nsz"})
MEMORY = 512 << 20  # bytes that no cache holds
TABLES = {"L2": 256 << 10, "L3": 8 << 20, "memory": MEMORY}
ROWS = (160, 400)  # bytes of a row of 20 and of 50 numbers


@loop
def copied(a, b, first, last):
    for i in range(first, last):
        b[i] = a[i]


@loop
def triad(a, b, c, first, last):
    for i in range(first, last):
        a[i] = b[i] + 3.0 * c[i]


@loop
def gathered(T, rows, first, last, out):
    """out += Σ T[rows], which is what a kernel does at least with the rows it looks up."""
    for e in range(first, last):
        row = T[rows[e]]
        for c in range(len(out)):
            out[c] += row[c]


@loop
def polynomials(a, times, out):
    """Sixteen multiplications and additions for each number of a, which stays in the cache."""
    for _ in range(times):
        for i in range(len(a)):
            x = a[i]
            s = x * x + 0.9
            s = s * x + 0.8
            s = s * x + 0.7
            s = s * x + 0.6
            s = s * x + 0.5
            s = s * x + 0.4
            s = s * x + 0.3
            s = s * x + 0.2
            s = s * x + 0.1
            s = s * x + 0.2
            s = s * x + 0.3
            s = s * x + 0.4
            s = s * x + 0.5
            s = s * x + 0.6
            s = s * x + 0.7
            s = s * x + out[i]
            out[i] = s


def least(task: Callable[[], Any], turns: int = 5) -> float:
    """Seconds of the fastest of some turns, after one that does not count."""
    task()
    seconds = []
    for _ in range(turns):
        started = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def on_threads(function: Callable[[int, int], Any], n: int) -> Callable[[], Any]:
    return lambda: map_row_blocks(function, n, block=-(-n // n_threads()))


def streams(memory: int) -> dict[str, float]:
    """Bytes per second, written ones counted once, of b = a and of a = b + 3c."""
    n = memory // 8
    a, b, c = np.ones(n), np.ones(n), np.ones(n)
    return {
        "copy": 16 * n / least(on_threads(lambda i, j: copied(a, b, i, j), n)),
        "triad": 24 * n / least(on_threads(lambda i, j: triad(a, b, c, i, j), n)),
    }


def rates(memory: int = MEMORY) -> dict[str, float]:
    """Bytes per second of copies, triads and gathers, operations per second of products and of a loop."""
    found, a = streams(memory), np.ones(memory // 8)
    rng = np.random.default_rng(0)
    for size in ROWS:
        width = size // 8
        for name, table in TABLES.items():
            table = min(table, memory)
            T = a[: table // size * width].reshape(-1, width)
            rows = rng.integers(len(T), size=1_000_000, dtype=np.int32)
            found[f"rows of {size}, {name}"] = gather_rate(T, rows)
    for name, kind in (("dgemm", np.float64), ("sgemm", np.float32)):
        M = rng.random((2000, 2000)).astype(kind)
        found[name] = 2 * 2000**3 / least(lambda M=M: M @ M)
    x, times = np.full(1024, 0.5), 20_000

    def evaluate(i: int, j: int) -> None:
        polynomials(x, j - i, np.zeros(1024))

    found["loop"] = 32 * 1024 * times / least(on_threads(evaluate, times))
    return found


def gather_rate(T: Any, rows: Any, turns: int = 5) -> float:
    """Bytes per second of looking up rows of the table T (n, k) in this order, and doing no more than to add them."""
    width = T.shape[1]
    seconds = least(on_threads(lambda i, j: gathered(T, rows, i, j, np.zeros(width)), len(rows)), turns)
    return len(rows) * width * T.itemsize / seconds
