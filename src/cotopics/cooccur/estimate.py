"""documents × words → co-occurrence."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.accumulate import CooccurrenceAccumulator
from cotopics.cooccur.base import Cooccurrence
from cotopics.cooccur.counts import check_counts
from cotopics.cooccur.dense import Dense
from cotopics.cooccur.implicit import Implicit
from cotopics.cooccur.sparse import Sparse
from cotopics.cooccur.weighed import weighed
from cotopics.cooccur.weighting import Balanced, check_weighting
from cotopics.errors import ParameterError

REPRESENTATIONS = ("auto", "dense", "sparse", "implicit")
SMALL_VOCABULARY = 1000  # up to here the full matrix (8 MB) is the smallest and the fastest


def cooccurrence(X: Any, *, weighting: str | Balanced = "counts", representation: str = "auto") -> Cooccurrence:
    """Co-occurrence of words in documents: symmetric, non-negative, entries sum to one.

    X (documents × words) holds counts: CSR, array, pandas or polars. With weighting="counts" this is the unbiased
    estimator of 001, Eq. 5 and 002, Eq. 1: the mean over documents of (hhᵀ − diag h)/(n(n−1)), the probability that
    two different tokens of a document are words i and j. Documents with fewer than two tokens have no such pair
    and are left out (`documents.n_left_out` counts them). The other weightings are described at `weighed`.

    Fractional counts are taken as they are: a word of weight below 1 makes no pair with itself, and documents whose
    weights sum to less than 2 are left out. The estimate is unbiased only for whole counts; for others it is the same
    weighted mean of pairs. Frequencies (rows that sum to one) have lost the length and are refused.

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
    C = weighed(check_counts(X), weighting)
    return represent(Implicit(C.H_t, C.correction, C.documents), representation)  # formed: the counts may now change


def represent(C: Cooccurrence, representation: str) -> Cooccurrence:
    """The same matrix in another shape; see `cooccurrence`. "implicit" leaves documents that were added up added up."""
    if representation not in REPRESENTATIONS:
        raise ParameterError(
            f"representation={representation!r} is unknown; choose one of {', '.join(REPRESENTATIONS)}"
        )
    if representation == "auto":
        representation = "dense" if C.shape[0] <= SMALL_VOCABULARY else "implicit"
    if representation == "dense" and not isinstance(C, Dense):
        return Dense(np.maximum(C.toarray(), 0), C.documents)  # h² − h rounds to −1e-20 now and then
    if representation == "sparse" and not isinstance(C, Sparse):
        pairs = C.pairs() if isinstance(C, Implicit) else sp.csr_array(C.toarray())
        return Sparse(pairs.maximum(0), C.documents)
    return C
