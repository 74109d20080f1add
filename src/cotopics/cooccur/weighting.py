"""From counts to what is multiplied: C = ĤĤᵀ − diag(c), where the weighting decides Ĥ and c."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import AnyArray, Array
from cotopics.cooccur.base import DocumentSummary
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.columns import column_counts, column_sums, row_blocks
from cotopics.registry import WEIGHTINGS


@dataclass(frozen=True)
class Balanced:
    """tf-idf with every document divided by max(degree, floor · mean degree)^power; weighting="balanced" is Balanced().

    The degree of a document is its similarity to all documents, D(Dᵀ1). Power ½ gives every group of similar documents
    the same weight. A power above ½ keeps a few huge groups from being split, but hurts short texts, so ½ is the
    default. The floor is for documents that are similar to no other: their degree is almost zero, and divided by it
    each became a topic of its own. On 20 Newsgroups tiny documents took every leading direction
    (benchmarks/results/balance.md).
    """

    power: float = 0.5
    floor: float = 0.2


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
