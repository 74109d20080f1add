"""Sums over the columns and rows of sparse matrices, some numbers at a time.

Numpy's bincount makes a copy of all indices, and scipy's `sum` of all of the matrix, where it is to add in another type
(from scipy 1.18 on; before, it adds in the type of the matrix whatever it is told).
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

Array = np.ndarray[Any, np.dtype[np.float64]]

NUMBERS = 1 << 15  # at a time, or as many as there are columns: so few stay in the cache


def column_counts(X: sp.csr_array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How many numbers X (m, n) has in each column (n,)."""
    counts = np.zeros(X.shape[1], dtype=np.int64)
    for some in some_at_a_time(X):
        counts += np.bincount(X.indices[some], minlength=len(counts))
    return counts


def column_sums(X: sp.csr_array, of: Callable[[Any], Any] | None = None) -> Array:
    """Σ of(x) in each column of X (m, n), or Σ x: added up in double precision whatever X has."""
    sums = np.zeros(X.shape[1])
    for some in some_at_a_time(X):
        numbers = X.data[some] if of is None else of(X.data[some])
        sums += np.bincount(X.indices[some], weights=numbers, minlength=len(sums))
    return sums


def row_sums(X: sp.csr_array) -> Array:
    """Σ x in each row of X (m, n), added up in double precision whatever X has."""
    sums = np.zeros(X.shape[0])
    for rows, lengths, numbers in row_blocks(X):
        filled = np.flatnonzero(lengths)  # reduceat would give an empty row the number that comes next
        if len(filled):
            starts = (X.indptr[rows] - X.indptr[rows.start])[filled]
            sums[rows][filled] = np.add.reduceat(X.data[numbers], starts, dtype=np.float64)
    return sums


def weighted_sum_of_rows(X: sp.csr_array, weights: Array) -> Array:
    """Xᵀ weights (n,) for X (m, n), in double precision whatever X has."""
    sums = np.zeros(X.shape[1])
    for rows, lengths, numbers in row_blocks(X):
        weighted = X.data[numbers] * np.repeat(weights[rows], lengths)
        sums += np.bincount(X.indices[numbers], weights=weighted, minlength=len(sums))
    return sums


def some_at_a_time(X: sp.csr_array) -> Iterator[slice]:
    """Where the numbers of X are, by and by."""
    block = max(NUMBERS, X.shape[1])
    yield from (slice(first, first + block) for first in range(0, X.nnz, block))


def row_blocks(X: sp.csr_array) -> Iterator[tuple[slice, Any, slice]]:
    """By and by, so that nothing beside X is as large: some rows, how many numbers each has, and where these are."""
    first, n = 0, X.shape[0]
    while first < n:
        enough = int(X.indptr[first]) + max(NUMBERS, X.shape[1])
        last = n if enough >= X.indptr[-1] else int(np.searchsorted(X.indptr, X.indptr.dtype.type(enough)))
        yield slice(first, last), np.diff(X.indptr[first : last + 1]), slice(X.indptr[first], X.indptr[last])
        first = last
