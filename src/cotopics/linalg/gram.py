"""Products with the Gram matrix HHᵀ of a sparse matrix, without forming it.

One pass over the documents (rows of Hᵀ) is enough: the product of a document with the block is used while it is in the
cache. Words should be numbered by frequency, so that those used most are close together in memory. Every piece of the
rows has a sum of its own, and these are added in order: the number of threads changes nothing.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.linalg.sparse_matrices import row_edges
from cotopics.linalg.threads import map_row_blocks, n_threads, share_pieces

MAX_PARTIAL_SUMS = 16  # partial sums of n × k numbers in gram_times that are in memory together,
MAX_DOUBLE_SUMS = 8  # and of all columns in double precision, where more threads take half of the columns at a time
NONZEROS_PER_SUM = 64_000  # this many non-zeros justify one more partial sum, or
ENTRIES_PER_SUM = 8  # so many for each row of it, where that is more
MAX_ROWS_PER_SUM = 8192  # in single precision: four digits are then right even if all numbers are equal
NORM_PARTIAL_SUMS = 16  # partial sums in squared_gram_rows
COLUMNS_AT_ONCE = 32  # of V that a thread multiplies where there are several, so that pieces are short
ROW_NUMBERS = 1 << 13  # of V that are copied, or added up, together
THREAD_NUMBERS = 1 << 16  # of them that are worth waking a thread for
COLUMNS_PER_BLOCK = 64  # of `signs`: few enough that those needed for a row of H_t stay in the cache
MAX_SCIPY_PRODUCTS = 2_000_000  # with fewer multiplications, scipy is done before a compiled kernel is loaded


def gram_times(H_t: sp.csr_array, V: Array, weights: Array | None = None, order: Any = None) -> Array:
    """H diag(w) Hᵀ V = Σ_m w_m h_m (h_mᵀV) for the rows h_m of H_t (m, n) and a block V (n, k).

    4 k operations per non-zero and one pass over H_t; its transpose is not needed. If H_t is in single precision, so
    are V and the partial sums. These are added in double precision, because long sums of similar numbers lose digits.
    order (n,): the rows of V and of the product that belong to the columns of H_t, where they are in another order.
    """
    n, (m, k) = len(V), (H_t.shape[0], V.shape[1])
    if H_t.nnz * k < MAX_SCIPY_PRODUCTS:
        return _by_scipy(H_t, V, weights, order)
    from cotopics.linalg.kernels.gram import gather_pieces, gram_pieces, spread_pieces

    weights = np.ones(m, H_t.dtype) if weights is None else weights.astype(H_t.dtype, copy=False)
    order, single = np.arange(n) if order is None else order, H_t.dtype == np.float32
    edges, threads = _edges_of_sums(H_t, single), min(n_threads(), MAX_PARTIAL_SUMS)
    at_once = min(threads if threads == 1 or not single else MAX_PARTIAL_SUMS, len(edges) - 1)
    width = k if single or threads <= MAX_DOUBLE_SUMS else -(-k // 2)  # fewer columns change no sum
    columns = min(COLUMNS_AT_ONCE, width) if threads > 1 else width
    chunks = -(-width // columns)
    width = chunks * columns
    V, some = np.ascontiguousarray(V), np.empty((chunks, n, columns), H_t.dtype)
    total, memory = np.zeros(V.shape), np.empty((at_once, *some.shape), H_t.dtype)
    rows, readers = max(1, ROW_NUMBERS // k), n * k // THREAD_NUMBERS
    for first in range(0, k, width):
        _share(spread_pieces, readers, rows, order, V, first, some)
        for piece in range(0, len(edges) - 1, at_once):
            bounds = edges[piece : piece + at_once + 1]
            sums = memory[: len(bounds) - 1]
            _share(gram_pieces, threads, bounds, H_t.indptr, H_t.indices, H_t.data, weights, some, sums)
            _share(gather_pieces, readers, rows, order, sums, first, total)
    return total


def _share(kernel: Any, threads: int, *given: Any) -> None:
    share_pieces(lambda counter: kernel(counter, *given), threads)


def _by_scipy(H_t: sp.csr_array, V: Array, weights: Array | None, order: Any) -> Array:
    D = H_t @ (V if order is None else V[order])
    product = np.asarray(H_t.T @ (D if weights is None else weights[:, None] * D))
    if order is None:
        return product
    total = np.empty_like(product)
    total[order] = product
    return total


def _edges_of_sums(H_t: sp.csr_array, single: bool) -> Any:
    """Where the rows of partial sums begin and end: as many non-zeros each, and not too many rows where single."""
    m, n = H_t.shape
    parts = min(MAX_PARTIAL_SUMS, H_t.nnz // max(NONZEROS_PER_SUM, ENTRIES_PER_SUM * n))
    if not single:
        return row_edges(H_t.indptr, parts)
    if m > MAX_PARTIAL_SUMS * MAX_ROWS_PER_SUM:
        parts = MAX_PARTIAL_SUMS * -(-m // (MAX_PARTIAL_SUMS * MAX_ROWS_PER_SUM))
    edges = row_edges(H_t.indptr, parts)
    if np.diff(edges).max() > MAX_ROWS_PER_SUM and parts > MAX_PARTIAL_SUMS:  # a round more, of equal ones again
        edges = row_edges(H_t.indptr, parts + MAX_PARTIAL_SUMS)
    if np.diff(edges).max() > MAX_ROWS_PER_SUM:
        edges = row_edges(H_t.indptr, parts, MAX_ROWS_PER_SUM)
    return edges


def squared_gram_rows(H: sp.csr_array, H_t: sp.csr_array) -> Array:
    """Squared norms (n,) of the rows of H diag(w) Hᵀ, from H diag(w) (n, m) and H_t (m, n).

    As many operations as pairs of non-zeros in a row. The number of partial sums does not depend on threads.
    """
    n = H_t.shape[1]
    if float((np.diff(H_t.indptr).astype(np.float64) ** 2).sum()) < MAX_SCIPY_PRODUCTS:
        R = sp.csr_array(H @ H_t)
        return np.bincount(np.repeat(np.arange(n), np.diff(R.indptr)), weights=R.data**2, minlength=n).astype(
            np.float64
        )
    from cotopics.linalg.kernels.gram import square_gram_rows

    H_t = H_t if H_t.has_sorted_indices else H_t.sorted_indices()

    def partial_sum(first: int, _: int) -> Array:
        out = np.zeros(n)
        step = NORM_PARTIAL_SUMS
        square_gram_rows(H.indptr, H.indices, H.data, H_t.indptr, H_t.indices, H_t.data, first, step, out)
        return out

    return np.sum(map_row_blocks(partial_sum, NORM_PARTIAL_SUMS, block=1), axis=0)


def add_gram_columns(H_t: sp.csr_array, columns: Any, signs: Any, sign: int, out: Array) -> None:
    """out[:n] += sign · HHᵀΩ. Ω first picks `columns`, then has the columns of `signs` (≥ n, m); H_t (·, n) is Hᵀ.

    In place, without another array as large as `out`. Threads divide the rows of `out` for the picked columns and the
    columns of `out` for the signs, so no two write to the same number.
    """
    from cotopics.linalg.kernels.gram import add_columns, add_signed

    n, picked = H_t.shape[1], np.asarray(columns)
    place = np.full(n, -1, dtype=np.int64)
    inside = np.flatnonzero(picked < n)
    place[picked[inside]] = inside

    def add_picked(first: int, last: int) -> None:
        add_columns(H_t.indptr, H_t.indices, H_t.data, place, float(sign), first, last, out)

    def add_combined(first: int, last: int) -> None:
        add_signed(H_t.indptr, H_t.indices, H_t.data, signs, float(sign), first, last, len(picked), out)

    map_row_blocks(add_picked, n, block=max(1, -(-n // n_threads())))
    map_row_blocks(add_combined, signs.shape[1], block=COLUMNS_PER_BLOCK)
