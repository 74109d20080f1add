"""From counts to C = ĤĤᵀ − diag(c), where the weighting decides Ĥ and c: counts, or tf-idf.

The weights of tf-idf are computed from the counts when they are needed. So a fit makes no copy of the counts: row sums
need no matrix of weights, and the weights of the words that a fit starts from are formed for these words only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import AnyArray, Array
from cotopics.cooccur.base import DocumentSummary, Words
from cotopics.cooccur.implicit import Implicit
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.changes import ONE_PLUS_LOG
from cotopics.linalg.sparse_matrices import column_counts, column_sums, row_blocks, row_sums, selected
from cotopics.registry import WEIGHTINGS
from cotopics.word_matching import places_of


@dataclass(frozen=True)
class Balanced:
    """tf-idf with every document divided by max(degree, floor · mean degree)^power; weighting="balanced" is Balanced().

    The degree of a document is its similarity to all documents, D(Dᵀ1). Power ½ gives every group of similar documents
    the same weight. A power above ½ keeps a few huge groups from being split, but hurts short texts, so ½ is the
    default. The floor is for documents that are similar to no other: their degree is almost zero, and divided by it
    each became a topic of its own. On 20 Newsgroups tiny documents took every leading direction
    (benchmarks/results/balance.md).

    Then every word is divided by its norm over the documents to the power `word_power`. 1 gives all words the same
    weight, however rare: topics of AnchorFree then share few words, and most of these are rare words of a few documents
    (benchmarks/results/anchor_free_whole_tdt2.md). 0 leaves words as they are.
    """

    power: float = 0.5
    floor: float = 0.2
    word_power: float = 0.0


@dataclass(frozen=True)
class ScaledDocuments:
    """Ĥᵀ (documents × words) and c (n_words,), not yet divided by their total; `total` is the entry sum of C.

    lengths are the tokens of each document of Ĥᵀ.
    """

    H_t: sp.csr_array
    correction: Array
    summary: DocumentSummary
    lengths: Array

    @property
    def total(self) -> float:
        row_sums = self.H_t.sum(axis=1)
        return float(row_sums @ row_sums - self.correction.sum())


def check_weighting(weighting: object) -> None:
    """A ParameterError if the weighting is unknown."""
    if not isinstance(weighting, Balanced) and weighting not in WEIGHTINGS:
        names = ", ".join(WEIGHTINGS)
        raise ParameterError(f"weighting={weighting!r} is unknown; choose one of {names}, or give Balanced(power=...)")


def scaled_documents(X: sp.csr_array) -> ScaledDocuments:
    """Ĥ_m = h/√(n(n−1)) and c = Σ_m h/(n(n−1)), over documents of two tokens or more; Lee et al. 2015, Eq. 5.

    A fractional count below 1 makes no pair with itself: h² − h would be negative there, so c takes min(h, h²).
    For whole counts that is h, and every document's pairs sum to one.
    """
    lengths = X.sum(axis=1)
    used = lengths >= 2
    H_t, n = _own_rows(X, used), lengths[used]
    weight = 1 / (n * (n - 1))
    alone = sp.csr_array((np.minimum(H_t.data, H_t.data**2), H_t.indices, H_t.indptr), shape=H_t.shape)
    correction = column_sums(_scale_rows(alone, weight))
    scaled = sp.csr_array((H_t.data.copy(), H_t.indices, H_t.indptr), shape=H_t.shape)
    return ScaledDocuments(_scale_rows(scaled, np.sqrt(weight)), correction, document_summary(H_t, len(used)), n)


def inverse_frequency(frequency: AnyArray, n_documents: int) -> Array:
    """log((1 + M)/df) of words in df (n_words,) of M documents."""
    return np.asarray(np.log((1 + n_documents) / np.maximum(frequency, 1)))


def document_summary(X: sp.csr_array, n_documents: int) -> DocumentSummary:
    """The summary of n_documents, of which those in X are used."""
    return DocumentSummary(X.shape[0], n_documents - X.shape[0], column_counts(X))


def rows_where(X: sp.csr_array, mask: Any) -> sp.csr_array:
    """The rows where the mask is true; X itself, not a copy, if these are all."""
    return X if mask.all() else X[mask]


def _own_rows(X: sp.csr_array, mask: Any) -> sp.csr_array:
    """The rows where the mask is true, with indices of their own: what is kept must not change when X does."""
    return X[mask] if not mask.all() else sp.csr_array((X.data, X.indices.copy(), X.indptr.copy()), shape=X.shape)


def _scale_rows(X: sp.csr_array, weights: Array) -> sp.csr_array:
    """diag(weights) X, in place."""
    for rows, lengths, numbers in row_blocks(X):
        X.data[numbers] *= np.repeat(weights[rows], lengths)
    return X


def require_pairs(n_used: int, total: float, n_documents: int) -> None:
    """A CorpusError if no two words were ever seen together."""
    if n_used == 0 or total <= 0:
        raise CorpusError(
            f"none of the {n_documents} documents has two words to pair: co-occurrence needs documents of two tokens "
            "or more. Give counts rather than frequencies, and check the vocabulary filter"
        )


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
        squares = row_sums(X, ONE_PLUS_LOG.square(), idf**2)
        return cls(X, idf, 1 / np.sqrt(np.where(squares > 0, squares, 1)), dtype)

    def balanced(self, sums: Array, n_documents: int, balance: Balanced) -> TfidfWeights:
        """The rows divided as in `Balanced`; `sums` (n_words,) is the sum of the rows of all n_documents."""
        mean = float(sums @ sums) / max(n_documents, 1)  # Σ_m d_m · Σ_l d_l over n_documents
        degrees = np.maximum(self.times(sums), balance.floor * mean)
        return replace(self, scale=self.scale * degrees**-balance.power)

    def words_divided(self, squares: Array, power: float) -> TfidfWeights:
        """The columns divided by their norms^power; `squares` (n_words,) are the squared norms over all documents."""
        return replace(self, idf=self.idf * np.where(squares > 0, squares, 1) ** (-power / 2))

    def column_squares(self) -> Array:
        """The squared norm of each column (n_words,)."""
        return column_sums(self.X, ONE_PLUS_LOG.square(), self.scale**2) * self.idf**2

    def row_sums(self) -> Array:
        """Σ d in each row."""
        return row_sums(self.X, ONE_PLUS_LOG, self.idf) * self.scale

    def column_sums(self, row_weights: Array | float = 1.0) -> Array:
        """Dᵀ row_weights (n_words,), or Dᵀ1."""
        return column_sums(self.X, ONE_PLUS_LOG, self.scale * row_weights) * self.idf

    def times(self, v: Array) -> Array:
        """D v (n_documents,)."""
        return row_sums(self.X, ONE_PLUS_LOG, self.idf * v) * self.scale

    def formed(self, words: Words | None = None) -> sp.csr_array:
        """D of all words, or of these in this order, each at most once; it shares nothing with the counts."""
        words = np.arange(self.X.shape[1]) if words is None else np.asarray(words)
        place = places_of(words, self.X.shape[1]).astype(self.X.indptr.dtype)
        return selected(self.X, ONE_PLUS_LOG, self.scale, self.idf, place, len(words), self.dtype)


class TfidfCooccurrence(Implicit):
    """C = ĤĤᵀ, where Ĥᵀ (documents × words) are the `weights` of counts. Do not change the counts while it is in use.

    Row sums, and C of fewer words, are computed without the weights of all words.
    """

    def __init__(self, weights: TfidfWeights, documents: DocumentSummary | None) -> None:
        self.weights, self.documents, self.n_words = weights, documents, weights.X.shape[1]
        self.correction, self.signs, self.tokens = np.zeros(self.n_words), None, None

    @cached_property
    def H_t(self) -> sp.csr_array:
        return self.weights.formed()

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
        if balance.word_power:
            weights = weights.words_divided(weights.column_squares(), balance.word_power)
    sums = weights.row_sums()
    require_pairs(summary.n_used, float(sums @ sums), len(has_words))
    return TfidfCooccurrence(replace(weights, scale=weights.scale / np.sqrt(sums @ sums)), summary)
