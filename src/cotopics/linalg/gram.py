"""Gram matrices of sparse rows, applied without being formed."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.linalg.threads import map_row_blocks, n_threads

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST_LANES = 8  # sums kept apart, one a thread: n × k numbers each
ROWS = 256  # of the Gram matrix at a time
COLUMNS = 64  # of `signs` at a time: few enough for a document's words to stay in the cache
SMALL = 2_000_000  # products of a non-zero with a number: below, scipy is done before a compiled kernel is loaded


def gram_times(H_t: sp.csr_array, V: Array, weights: Array | None = None) -> Array:
    """Σ_m w_m h_m (h_mᵀV) for the rows h_m of H_t (m, n) and a block V (n, k): H diag(w) Hᵀ V, n × n never formed.

    4 k operations a non-zero, and one pass over H_t; the transpose of H_t is not needed.
    """
    m, k = H_t.shape[0], V.shape[1]
    if H_t.nnz * k < SMALL:
        D = H_t @ V
        return np.asarray(H_t.T @ (D if weights is None else weights[:, None] * D))
    from cotopics.linalg.kernels.gram import add_gram

    V = np.ascontiguousarray(V, dtype=np.float64)
    weights = np.ones(m) if weights is None else weights

    def add(first: int, last: int) -> Array:
        out = np.zeros_like(V)
        add_gram(H_t.indptr, H_t.indices, H_t.data, weights, V, first, last, out)
        return out

    total, *parts = map_row_blocks(add, m, block=-(-m // min(n_threads(), MOST_LANES)))
    for part in parts:
        total += part
    return total


def squared_gram_rows(H: sp.csr_array, H_t: sp.csr_array) -> Array:
    """Squared norms (n,) of the rows of H Hᵀ, for H (n, m) and its transpose, where one may have other signs."""
    n = H.shape[0]
    n_products = float((np.diff(H_t.indptr).astype(np.float64) ** 2).sum())

    def with_scipy(first: int, last: int) -> Array:
        R = H[first:last] @ H_t
        row = np.repeat(np.arange(last - first), np.diff(R.indptr))
        return np.bincount(row, weights=R.data**2, minlength=last - first).astype(np.float64)

    def compiled(first: int, last: int) -> Array:
        from cotopics.linalg.kernels.gram import square_gram_rows

        out = np.empty(last - first)
        square_gram_rows(H.indptr, H.indices, H.data, H_t.indptr, H_t.indices, H_t.data, first, last, out)
        return out

    norms = map_row_blocks(with_scipy if n_products < SMALL else compiled, n, block=ROWS)
    return np.concatenate([np.zeros(0), *norms])


def add_gram_columns(H_t: sp.csr_array, columns: Any, signs: Any, sign: int, out: Array) -> None:
    """out[:n] += ± HHᵀΩ, where Ω picks `columns` and then has `signs` (≥ n, m); h_m are the rows of H_t (·, n).

    In place, with no array of the size of `out` beside it: threads share the words for the columns picked and share the
    columns for the signs, so no two write to one number.
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
