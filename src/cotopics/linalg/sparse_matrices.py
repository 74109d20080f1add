"""Sparse matrices: sums over rows and columns on all threads, numbers in another form, and a check of indices.

Sums are double whatever the type of numbers, and no copy of these is made. Those over columns are added up in pieces
that depend on the matrix alone, so the number of threads changes nothing.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.linalg.changes import ONES, UNCHANGED, Change
from cotopics.linalg.threads import share_pieces

BLOCK_NUMBERS = 1 << 15  # numbers per block (or the number of columns, if larger): such a block stays in the cache
PIECE_NUMBERS = 1 << 15  # numbers that a thread takes at a time: a thirtieth of a millisecond
THREAD_NUMBERS = 1 << 17  # that are worth waking a thread for
MAX_PIECES = 512
MAX_PARTIAL_SUMS = 32  # of columns, which are in memory together: a byte for every number of the matrix at most


def column_counts(X: sp.csr_array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Number of stored entries in each column of X (m, n): (n,)."""
    return column_sums(X, ONES).astype(np.int64)


def column_sums(X: sp.csr_array, change: Change = UNCHANGED, weights: Array | None = None) -> Array:
    """Σ_i weights_i x_ij (n,) of X (m, n), where the numbers x are changed first; all weights are 1 if None."""
    from cotopics.linalg.kernels.sparse import column_pieces

    most = min(MAX_PARTIAL_SUMS, X.nnz // max(PIECE_NUMBERS, 8 * X.shape[1]))
    edges = row_edges(X.indptr, most)
    weights, sums = _or_ones(weights), np.empty((len(edges) - 1, X.shape[1]))
    given = (edges, X.indptr, X.indices, X.data, *change.arguments, weights, sums)
    share_pieces(lambda counter: column_pieces(counter, *given), X.nnz // THREAD_NUMBERS)
    return sums[0] if len(sums) == 1 else np.asarray(sums.sum(axis=0))


def row_sums(X: sp.csr_array, change: Change = UNCHANGED, weights: Array | None = None) -> Array:
    """Σ_j x_ij weights_j (m,) of X (m, n), where the numbers x are changed first; all weights are 1 if None."""
    from cotopics.linalg.kernels.sparse import row_pieces

    sums = np.empty(X.shape[0])
    given = (X.indptr, X.indices, X.data, *change.arguments, _or_ones(weights), sums)
    _share_rows(X, lambda counter, edges: row_pieces(counter, edges, *given))
    return sums


def selected(
    X: sp.csr_array, change: Change, scale: Array, weights: Array, place: Any, n_columns: int, dtype: Any
) -> sp.csr_array:
    """diag(scale) X diag(weights) in other columns (m, n_columns), in this type; the numbers of X are changed first.

    place (n,) says where the columns of X go, below 0 that they are left out. Indices are of the type of `place`."""
    from cotopics.linalg.kernels.sparse import selected_pieces

    lengths = row_sums(X, ONES, (place >= 0).astype(np.float64))
    indptr = np.concatenate([np.zeros(1, place.dtype), np.cumsum(lengths).astype(place.dtype)])
    indices, data = np.empty(indptr[-1], place.dtype), np.empty(indptr[-1], dtype)
    given = (X.indptr, X.indices, X.data, change.table, change.formula, scale, weights, place, indptr, indices, data)
    _share_rows(X, lambda counter, edges: selected_pieces(counter, edges, *given))
    return sp.csr_array((data, indices, indptr), shape=(X.shape[0], n_columns))


def changed_numbers(X: sp.csr_array, change: Change, weights: Array, dtype: Any) -> Any:
    """The numbers x_ij · weights_j of X (m, n), changed first, in this type and in their order: (nnz,)."""
    from cotopics.linalg.kernels.sparse import number_pieces

    numbers = np.empty(X.nnz, dtype)
    given = (PIECE_NUMBERS, X.indices, X.data, *change.arguments, weights, numbers)
    share_pieces(lambda counter: number_pieces(counter, *given), X.nnz // THREAD_NUMBERS)
    return numbers


def row_keys(X: sp.csr_array, keys: Any, *, with_numbers: bool) -> Any:
    """Σ_j keys_j (m,) over the entries of every row, each multiplied by a number that stands for x_ij, if asked.

    keys (n,) and sums are of 64 bits, modulo 2⁶⁴, so exact in any order."""
    from cotopics.linalg.kernels.sparse import key_pieces

    sums = np.empty(X.shape[0], np.uint64)
    given = (X.indptr, X.indices, X.data, keys, with_numbers, sums)
    _share_rows(X, lambda counter, edges: key_pieces(counter, edges, *given))
    return sums


def scattered(numbers: Any) -> Any:
    """Whole numbers that look random, equal where the given ones are: the last steps of splitmix64."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def row_edges(indptr: Any, n_pieces: int, most: int | None = None) -> Any:
    """Where consecutive pieces of rows begin and end that have as many entries each, or nearly; rows at most `most`."""
    n, inside = len(indptr) - 1, np.linspace(0, indptr[-1], max(n_pieces, 1) + 1)[1:-1]
    bounds = np.unique(np.searchsorted(indptr, inside.astype(indptr.dtype)))
    edges = [0, *(int(bound) for bound in bounds if 0 < bound < n), n]
    if most is not None:
        edges = [0, *(min(i + most, b) for a, b in pairwise(edges) for i in range(a, b, most))]
    return np.array(edges if n else [0, 0], dtype=np.int64)


def _share_rows(X: sp.csr_array, function: Any) -> None:
    """function(counter, edges), on all threads where there is much to do."""
    edges = row_edges(X.indptr, min(MAX_PIECES, X.nnz // PIECE_NUMBERS))
    share_pieces(lambda counter: function(counter, edges), X.nnz // THREAD_NUMBERS)


def _or_ones(weights: Array | None) -> Array:
    """As kernels take them: without any, all are one."""
    return np.empty(0) if weights is None else np.asarray(weights, dtype=np.float64)


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
