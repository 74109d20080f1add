"""Whatever a user calls a co-occurrence → a Cooccurrence."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.base import Cooccurrence
from cotopics.cooccur.dense import Dense
from cotopics.cooccur.sparse import Sparse
from cotopics.cooccur.sums import DocumentSums
from cotopics.errors import CooccurrenceError
from cotopics.linalg.sparse_matrices import fault_of


def as_cooccurrence(C: Any) -> Cooccurrence:
    """Take a Cooccurrence, an accumulator or a sketch as it is; check and wrap an array or scipy sparse matrix.

    An array must be square, finite, symmetric up to rounding and without negative entries; it is not copied.
    """
    if isinstance(C, Cooccurrence):
        return C
    if isinstance(C, DocumentSums):
        return C.finish()
    if sp.issparse(C):
        if fault := fault_of(C):
            raise CooccurrenceError(f"the co-occurrence is a damaged sparse matrix: {fault}. Make it anew")
        return _checked(Sparse(C.astype(np.float64)))
    matrix = np.asarray(C)
    if matrix.dtype.kind not in "biuf":
        raise CooccurrenceError(f"a co-occurrence holds real numbers; this has entries of type {matrix.dtype}")
    matrix = matrix.astype(np.float64, copy=False)
    if matrix.ndim != 2:
        raise CooccurrenceError(f"a co-occurrence has two dimensions, words × words; this has {matrix.ndim}")
    return _checked(Dense(matrix))


def _checked(C: Dense | Sparse) -> Cooccurrence:
    n, m = C.matrix.shape
    if n != m:
        raise CooccurrenceError(
            f"a co-occurrence is square, words × words; this has shape ({n}, {m}). "
            "Give documents × words to `fit`, or to `cotopics.cooccurrence` first"
        )
    if n == 0:
        raise CooccurrenceError("the co-occurrence is empty: it has no words")
    entries = C.matrix if isinstance(C, Dense) else C.matrix.data
    if not np.isfinite(entries).all():
        raise CooccurrenceError("the co-occurrence contains NaN or infinity")
    scale = float(np.abs(entries).max(initial=0))
    if scale and not 1e-100 < scale < 1e100:
        raise CooccurrenceError(f"the largest entry of the co-occurrence is {scale:.3g}; divide it by its sum first")
    if abs(C.matrix - C.matrix.T).max() > 1e-8 * scale:
        raise CooccurrenceError("the co-occurrence is not symmetric; use (C + C.T) / 2 if it should be")
    if float(entries.min(initial=0)) < -1e-10 * scale:
        raise CooccurrenceError("the co-occurrence has negative entries; it holds joint probabilities, up to scale")
    return C
