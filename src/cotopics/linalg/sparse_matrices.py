"""Sparse matrices: sums over rows and columns in small blocks, and a check of their indices.

Why not numpy and scipy: `np.bincount` copies all indices, and scipy's `sum` copies the whole matrix to add in another
type (from scipy 1.18 on; before, it ignores the type asked for).
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array

BLOCK_NUMBERS = 1 << 15  # numbers per block (or the number of columns, if larger): such a block stays in the cache


def column_counts(X: sp.csr_array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Number of stored entries in each column of X (m, n): (n,)."""
    counts = np.zeros(X.shape[1], dtype=np.int64)
    for block in number_blocks(X):
        counts += np.bincount(X.indices[block], minlength=len(counts))
    return counts


def column_sums(X: sp.csr_array, of: Callable[[Any], Any] | None = None) -> Array:
    """Σ of(x) in each column of X (m, n), or Σ x; added in double precision whatever the type of X."""
    sums = np.zeros(X.shape[1])
    for block in number_blocks(X):
        numbers = X.data[block] if of is None else of(X.data[block])
        sums += np.bincount(X.indices[block], weights=numbers, minlength=len(sums))
    return sums


def row_sums(X: sp.csr_array) -> Array:
    """Σ x in each row of X (m, n), added in double precision whatever the type of X."""
    sums = np.zeros(X.shape[0])
    for rows, lengths, numbers in row_blocks(X):
        filled = np.flatnonzero(lengths)  # for an empty row, reduceat would return the next number
        if len(filled):
            starts = (X.indptr[rows] - X.indptr[rows.start])[filled]
            sums[rows][filled] = np.add.reduceat(X.data[numbers], starts, dtype=np.float64)
    return sums


def weighted_sum_of_rows(X: sp.csr_array, weights: Array) -> Array:
    """Xᵀ weights (n,) for X (m, n), in double precision whatever the type of X."""
    sums = np.zeros(X.shape[1])
    for rows, lengths, numbers in row_blocks(X):
        weighted = X.data[numbers] * np.repeat(weights[rows], lengths)
        sums += np.bincount(X.indices[numbers], weights=weighted, minlength=len(sums))
    return sums


def number_blocks(X: sp.csr_array) -> Iterator[slice]:
    """Slices of X.data and X.indices, block by block."""
    block = max(BLOCK_NUMBERS, X.shape[1])
    yield from (slice(first, first + block) for first in range(0, X.nnz, block))


def row_blocks(X: sp.csr_array) -> Iterator[tuple[slice, Any, slice]]:
    """For block after block of rows: the rows, the number of entries of each, and their slice of X.data."""
    first, n = 0, X.shape[0]
    while first < n:
        enough = int(X.indptr[first]) + max(BLOCK_NUMBERS, X.shape[1])
        last = n if enough >= X.indptr[-1] else int(np.searchsorted(X.indptr, X.indptr.dtype.type(enough)))
        yield slice(first, last), np.diff(X.indptr[first : last + 1]), slice(X.indptr[first], X.indptr[last])
        first = last


def fault_of(X: Any) -> str | None:
    """What is wrong with the indices of a scipy sparse matrix, in words, or None. X is not changed.

    scipy does not check its input, and compiled loops read wherever an index points. So every matrix from outside is
    checked before anything else is done with it, even a change of format.
    """
    if X.ndim != 2:
        return None
    if X.format in ("csr", "csc", "bsr"):
        block = X.blocksize if X.format == "bsr" else (1, 1)
        lines, across = (n // b for n, b in zip(X.shape, block, strict=True))
        if X.format == "csc":
            lines, across = across, lines
        return _fault_of_indptr(X, lines) or _fault_of_indices(X.indices[: X.indptr[-1]], across)
    if X.format == "coo":
        return _fault_of_indices(X.row, X.shape[0]) or _fault_of_indices(X.col, X.shape[1])
    if X.format == "lil":
        return next((fault for row in X.rows if (fault := _fault_of_indices(np.asarray(row), X.shape[1]))), None)
    return None


def _fault_of_indptr(X: Any, lines: int) -> str | None:
    bounds = X.indptr
    if bounds.ndim != 1 or len(bounds) != lines + 1 or bounds[0] != 0 or (bounds[1:] < bounds[:-1]).any():
        return f"its indptr does not rise from 0 in {lines} steps"
    if bounds[-1] > min(len(X.indices), len(X.data)):
        return f"its indptr ends at {bounds[-1]}, and there are {min(len(X.indices), len(X.data))} entries"
    return None


def _fault_of_indices(indices: Any, n: int) -> str | None:
    if len(indices) == 0:
        return None
    if indices.dtype.kind not in "iu":
        return f"it has indices of type {indices.dtype}"
    smallest, largest = int(indices.min()), int(indices.max())
    if smallest < 0 or largest >= n:
        return f"it has the index {smallest if smallest < 0 else largest}, and indices go from 0 to {n - 1}"
    return None
