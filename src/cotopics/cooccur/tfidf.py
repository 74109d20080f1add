"""Documents weighted by tf-idf: C = ĤĤᵀ, with weights that are computed from the counts when they are needed.

So a fit makes no copy of the counts: row sums need no matrix of weights, and the weights of the words that a fit starts
from are formed for these words only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.cooccur.base import DocumentSummary, Words
from cotopics.cooccur.implicit import Implicit
from cotopics.cooccur.weighting import Balanced, document_summary, inverse_frequency, require_pairs, rows_where
from cotopics.linalg.columns import column_counts, row_blocks
from cotopics.word_matching import places_of

SMALL_COUNTS = 256  # logarithms of smaller counts come from a table
LOGARITHMS = np.append(0.0, 1 + np.log(np.arange(1, SMALL_COUNTS)))  # one_plus_log of each


@dataclass(frozen=True)
class TfidfWeights:
    """D = diag(scale) (1 + log X) diag(idf) for counts X (documents × words, CSR) without empty rows.

    `dtype` is the precision in which `formed` gives the weights.
    """

    X: sp.csr_array
    idf: Array
    scale: Array
    dtype: Any = np.float64

    @classmethod
    def of_unit_length(cls, X: sp.csr_array, idf: Array, dtype: Any = np.float64) -> TfidfWeights:
        weights = cls(X, idf, np.ones(X.shape[0]), dtype)
        squares = weights.row_sums(np.square)
        return replace(weights, scale=1 / np.sqrt(np.where(squares > 0, squares, 1)))

    def balanced(self, sums: Array, n_documents: int, balance: Balanced) -> TfidfWeights:
        """The rows divided as in `Balanced`; `sums` (n_words,) is the sum of the rows of all n_documents."""
        mean = float(sums @ sums) / max(n_documents, 1)  # Σ_m d_m · Σ_l d_l over n_documents
        degrees = np.maximum(self.times(sums), balance.floor * mean)
        return replace(self, scale=self.scale * degrees**-balance.power)

    def row_sums(self, of: Any = None) -> Array:
        """Σ of(d) in each row, or Σ d."""
        sums = [np.add.reduceat(d if of is None else of(d), starts) for _, starts, _, d in self]
        return np.concatenate([np.empty(0), *sums])

    def column_sums(self, row_weights: Array | None = None) -> Array:
        """Dᵀ row_weights (n_words,), or Dᵀ1."""
        sums = np.zeros(self.X.shape[1])
        for rows, starts, indices, d in self:
            if row_weights is not None:
                d = d * np.repeat(row_weights[rows], np.diff(starts, append=len(d)))
            sums += np.bincount(indices, weights=d, minlength=len(sums))
        return sums

    def times(self, v: Array) -> Array:
        """D v (n_documents,)."""
        products = [np.add.reduceat(d * v[indices], starts) for _, starts, indices, d in self]
        return np.concatenate([np.empty(0), *products])

    def formed(self, words: Words | None = None) -> sp.csr_array:
        """D of all words, or of these in this order, each at most once; it shares nothing with the counts."""
        words = np.arange(self.X.shape[1]) if words is None else np.asarray(words)
        place = places_of(words, self.X.shape[1]).astype(self.X.indptr.dtype)
        size = int(column_counts(self.X)[words].sum())
        data, places = np.empty(size, self.dtype), np.empty(size, dtype=place.dtype)
        lengths, filled = [np.zeros(1, dtype=place.dtype)], 0
        for _, starts, indices, d in self:
            moved = place[indices]
            kept = moved >= 0
            last = filled + int(np.count_nonzero(kept))
            data[filled:last], places[filled:last] = d[kept], moved[kept]
            lengths.append(np.add.reduceat(kept, starts, dtype=place.dtype))
            filled = last
        indptr = np.cumsum(np.concatenate(lengths), dtype=place.dtype)  # of another type, `places` would be copied
        return sp.csr_array((data, places, indptr), shape=(self.X.shape[0], len(words)))

    def __iter__(self) -> Iterator[tuple[slice, Any, Any, Array]]:
        """Blocks of rows: which rows, where each begins, the words, and the weights."""
        for rows, lengths, numbers in row_blocks(self.X):
            indices = self.X.indices[numbers]
            d = one_plus_log(self.X.data[numbers]) * self.idf[indices] * np.repeat(self.scale[rows], lengths)
            yield rows, np.cumsum(lengths) - lengths, indices, d


class TfidfCooccurrence(Implicit):
    """C = ĤĤᵀ, where Ĥᵀ (documents × words) are the `weights` of counts. Do not change the counts while it is in use.

    Row sums, and C of fewer words, are computed without the weights of all words.
    """

    def __init__(self, weights: TfidfWeights, documents: DocumentSummary | None) -> None:
        self.weights, self.documents = weights, documents
        self.correction, self.signs, self.tokens = np.zeros(weights.X.shape[1]), None, None

    @cached_property
    def H_t(self) -> sp.csr_array:
        return self.weights.formed()

    @property
    def shape(self) -> tuple[int, int]:
        return self.weights.X.shape[1], self.weights.X.shape[1]

    def row_sums(self) -> Array:
        return self._row_sums.copy()

    @cached_property
    def _row_sums(self) -> Array:
        return self.weights.column_sums(self.weights.row_sums())

    def restrict(self, words: Words) -> Implicit:
        words = np.asarray(words)
        return Implicit(self.weights.formed(words), self.correction[words], self._summary_for(words))


def tfidf_cooccurrence(X: sp.csr_array, weighting: str | Balanced, dtype: Any = np.float64) -> TfidfCooccurrence:
    """The co-occurrence of checked counts X (documents × words), weighted by tf-idf.

    "tfidf": (1 + log tf) · log((1 + M)/df), rows of unit length, no correction; a word in every document has almost no
    weight. "balanced": the same with every document divided by the square root of its degree, so that one large group
    of similar documents does not take all the leading directions; see `Balanced`.
    """
    has_words = np.diff(X.indptr) > 0
    used = rows_where(X, has_words)
    summary = document_summary(used, len(has_words))
    weights = TfidfWeights.of_unit_length(used, inverse_frequency(summary.frequency, summary.n_used), dtype)
    if weighting != "tfidf":
        balance = weighting if isinstance(weighting, Balanced) else Balanced()
        weights = weights.balanced(weights.column_sums(), summary.n_used, balance)
    sums = weights.row_sums()
    require_pairs(summary.n_used, float(sums @ sums), len(has_words))
    return TfidfCooccurrence(replace(weights, scale=weights.scale / np.sqrt(sums @ sums)), summary)


def one_plus_log(counts: Any) -> Array:
    """1 + log of counts of 1 or more; smaller counts are not changed."""
    if len(counts) and counts.max() < SMALL_COUNTS:
        whole = counts.astype(np.intp, copy=False)
        if whole is counts or (whole == counts).all():
            return np.asarray(LOGARITHMS[whole])
    return np.where(counts >= 1, 1 + np.log(np.maximum(counts, 1)), counts)
