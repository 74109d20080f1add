"""Gram matrices of sparse rows, applied without being formed."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.linalg.threads import map_row_blocks, n_threads

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST_LANES = 8  # sums kept apart: n × k numbers each. In double precision one a thread; in single, as many as
LANE_NUMBERS = 250_000  # non-zeros that are worth a sum of their own, and
LANE_ROWS = 8192  # of H_t are in one at most: four digits are then right even of numbers that are all alike
LANES = 16  # of rows of the Gram matrix, each with a sum of its own
COLUMNS = 64  # of `signs` at a time: few enough for those that a row of H_t meets to stay in the cache
SMALL = 2_000_000  # products of a non-zero with a number: below, scipy is done before a compiled kernel is loaded


def gram_times(H_t: sp.csr_array, V: Array, weights: Array | None = None) -> Array:
    """Σ_m w_m h_m (h_mᵀV) for the rows h_m of H_t (m, n) and a block V (n, k): H diag(w) Hᵀ V, n × n never formed.

    4 k operations a non-zero, and one pass over H_t; its transpose is not needed. Where H_t is in single precision
    so are V and sums over some rows, which do not depend on threads: they would show in the seventh digit. Those
    are added up in double, since long sums of numbers that are much alike lose more than one digit.
    """
    m, k = H_t.shape[0], V.shape[1]
    if H_t.nnz * k < SMALL:
        D = H_t @ V
        return np.asarray(H_t.T @ (D if weights is None else weights[:, None] * D))
    from cotopics.linalg.kernels.gram import add_gram

    V = np.ascontiguousarray(V, dtype=H_t.dtype)
    weights = np.ones(m, V.dtype) if weights is None else weights.astype(V.dtype, copy=False)
    lanes, longest = min(n_threads(), MOST_LANES), m
    if V.dtype == np.float32:
        lanes, longest = next((few for few in (2, 4) if H_t.nnz < few * LANE_NUMBERS), MOST_LANES), LANE_ROWS

    def add(first: int, last: int) -> Array:
        out = np.zeros_like(V)
        add_gram(H_t.indptr, H_t.indices, H_t.data, weights, V, first, last, out)
        return out

    total, at_once = np.zeros(V.shape), max(1, min(m, lanes * longest))
    for start in range(0, m, at_once):
        for part in map_row_blocks(add, min(start + at_once, m), block=-(-at_once // lanes), first=start):
            total += part
    return total


def squared_gram_rows(H: sp.csr_array, H_t: sp.csr_array) -> Array:
    """Squared norms (n,) of the rows of H diag(w) Hᵀ, from H diag(w) (n, m) and H_t (m, n); n × n is never formed.

    As many operations as pairs of non-zeros in a row. Sums are kept apart in LANES parts, whatever the threads.
    """
    n = H_t.shape[1]
    if float((np.diff(H_t.indptr).astype(np.float64) ** 2).sum()) < SMALL:
        R = sp.csr_array(H @ H_t)
        return np.bincount(np.repeat(np.arange(n), np.diff(R.indptr)), weights=R.data**2, minlength=n).astype(
            np.float64
        )
    from cotopics.linalg.kernels.gram import square_gram_rows

    H_t = H_t if H_t.has_sorted_indices else H_t.sorted_indices()

    def lane(first: int, _: int) -> Array:
        out = np.zeros(n)
        square_gram_rows(H.indptr, H.indices, H.data, H_t.indptr, H_t.indices, H_t.data, first, LANES, out)
        return out

    return np.sum(map_row_blocks(lane, LANES, block=1), axis=0)


def add_gram_columns(H_t: sp.csr_array, columns: Any, signs: Any, sign: int, out: Array) -> None:
    """out[:n] += ± HHᵀΩ, where Ω picks `columns` and then has `signs` (≥ n, m); h_m are the rows of H_t (·, n).

    In place, with no array of the size of `out` beside it: threads share the rows of `out` for the columns picked
    and share the columns for the signs, so no two write to one number.
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
    map_row_blocks(add_combined, signs.shape[1], block=COLUMNS)
