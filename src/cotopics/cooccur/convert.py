"""What users have → a Cooccurrence: counts, or a matrix that is one already."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.accumulate import CooccurrenceAccumulator
from cotopics.cooccur.base import Cooccurrence
from cotopics.cooccur.counts import check_counts
from cotopics.cooccur.implicit import Implicit
from cotopics.cooccur.matrices import Dense, Sparse
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import Balanced, check_weighting, tfidf_cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg.sparse_matrices import fault_of

REPRESENTATIONS = ("auto", "dense", "sparse", "implicit")
SMALL_VOCABULARY = 1000  # up to this many words the full matrix (8 MB) is the smallest and the fastest


def cooccurrence(X: Any, *, weighting: str | Balanced = "counts", representation: str = "auto") -> Cooccurrence:
    """Co-occurrence of words in documents: symmetric, non-negative, entries sum to one.

    X (documents × words) holds counts: CSR, array, pandas or polars. With weighting="counts" this is the unbiased
    estimator of Lee et al. 2015, Eq. 5 (Lee et al. 2021, Eq. 1): the mean over documents of (hhᵀ − diag h)/(n(n−1)),
    the probability that two different tokens of a document are words i and j. Documents with fewer than two tokens have
    no such pair and are left out (`documents.n_left_out` counts them). `tfidf_cooccurrence` describes the other
    weightings.

    Fractional counts are accepted: a word of weight below 1 makes no pair with itself, and documents whose weights sum
    to less than 2 are left out. The estimate is unbiased only for whole counts; for others it is the same weighted mean
    of pairs. Frequencies (rows that sum to one) have lost the length of the documents, so they are an error.

    representation: "dense" (8 · n_words² bytes), "sparse" (the pairs that occur), "implicit" (the documents; C is
    never formed) or "auto": dense up to 1,000 words, else implicit.

    >>> C = cooccurrence([[2, 1, 0], [0, 1, 1]])
    >>> C.toarray().round(3)
    array([[0.167, 0.167, 0.   ],
           [0.167, 0.   , 0.25 ],
           [0.   , 0.25 , 0.   ]])
    """
    if weighting == "counts":
        statistics = CooccurrenceAccumulator(keep_documents=representation == "implicit")
        return represent(statistics.update(X).finish(), representation)
    check_weighting(weighting)
    C = tfidf_cooccurrence(check_counts(X), weighting)
    return represent(Implicit(C.H_t, C.correction, C.documents), representation)  # a copy: the user may change X


def represent(C: Cooccurrence, representation: str) -> Cooccurrence:
    """The same matrix in another form; see `cooccurrence`. "implicit" changes nothing if C is a matrix already."""
    if representation not in REPRESENTATIONS:
        raise ParameterError(
            f"representation={representation!r} is unknown; choose one of {', '.join(REPRESENTATIONS)}"
        )
    if representation == "auto":
        representation = "dense" if C.shape[0] <= SMALL_VOCABULARY else "implicit"
    if representation == "dense" and not isinstance(C, Dense):
        return Dense(np.maximum(C.toarray(), 0), C.documents)  # h² − h is sometimes rounded to −1e-20
    if representation == "sparse" and not isinstance(C, Sparse):
        pairs = C.pairs() if isinstance(C, Implicit) else sp.csr_array(C.toarray())
        return Sparse(pairs.maximum(0), C.documents)
    return C


def as_cooccurrence(C: Any) -> Cooccurrence:
    """Return a Cooccurrence as it is, and what an accumulator or a sketch finishes as; check an array or sparse matrix.

    An array must be square, finite, symmetric up to rounding and without negative entries; it is not copied.

    >>> as_cooccurrence(np.array([[0.25, 0.25], [0.25, 0.25]])).row_sums().tolist()
    [0.5, 0.5]
    """
    if isinstance(C, Cooccurrence):
        return C
    if isinstance(C, DocumentSums):
        return C.finish()
    if sp.issparse(C):
        if fault := fault_of(C):
            raise CooccurrenceError(f"the co-occurrence is a damaged sparse matrix: {fault}. Build it again")
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
