"""Columns of tall dense matrices: their sums, and columns that sum to one, in blocks of rows on all threads.

Blocks depend on the shape alone and their sums are added in order, so the number of threads changes nothing.
"""

from typing import Any

import numpy as np

from cotopics.arrays import Array
from cotopics.linalg.threads import map_row_blocks

BLOCK_NUMBERS = 1 << 15  # a quarter of a megabyte, which stays in the cache
MIN_BLOCKS = 4  # with fewer, handing them out to threads takes longer than the work


def block_rows(B: Any) -> int:
    """Rows of B (n, k) at a time; all of them where they are few."""
    rows = max(1, BLOCK_NUMBERS // max(B.shape[1], 1))
    return rows if B.shape[0] > MIN_BLOCKS * rows else max(1, B.shape[0])


def repeated(row: Any, n: int) -> Any:
    """An array (n, k) all of whose rows are this one (k,)."""
    rows = np.empty((n, len(row)), row.dtype)

    def block(first: int, last: int) -> None:
        rows[first:last] = row

    map_row_blocks(block, n, block=block_rows(rows))
    return rows


def dense_column_sums(B: Any) -> Array:
    """Σ over the rows of B (n, k), in double precision: (k,)."""

    def block(first: int, last: int) -> Array:
        return np.asarray(B[first:last].sum(axis=0, dtype=np.float64))

    return sum(map_row_blocks(block, len(B), block=block_rows(B)), start=np.zeros(B.shape[1]))


def columns_to_one(B: Array, totals: Array | None = None) -> Array:
    """B (n, k), changed in place so that each column sums to one; a column of zeros stays. totals (k,): if known."""
    totals = dense_column_sums(B) if totals is None else totals
    divisor = np.where(totals > 0, totals, 1)

    def block(first: int, last: int) -> None:
        B[first:last] /= divisor

    map_row_blocks(block, len(B), block=block_rows(B))
    return B
