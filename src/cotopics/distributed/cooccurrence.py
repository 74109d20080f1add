"""Co-occurrence of documents that stay on their workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, DocumentSummary, Implicit
from cotopics.cooccur.base import Words, diagonal_correction
from cotopics.cooccur.weighting import (
    ScaledDocuments,
    TfidfCooccurrence,
    TfidfWeights,
    inverse_frequency,
    require_pairs,
    rows_where,
    scaled_documents,
)
from cotopics.distributed.tasks import ClusterPieces, held, persist, task
from cotopics.records import Array

if TYPE_CHECKING:
    from cotopics.distributed.partitions import Partitions


class Partitioned(Cooccurrence):
    """C = (Σ_p Ĥ_p Ĥ_pᵀ − diag(c)) / total, where the documents Ĥ_p of piece p are on some worker.

    Every question is asked of all pieces, `Implicit` each, and the answers are added up in their order."""

    def __init__(
        self, pieces: Sequence[Any], correction: Array, total: float, documents: DocumentSummary | None
    ) -> None:
        self.pieces = list(pieces)
        self.correction = correction
        self.total = total
        self.documents = documents

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.correction), len(self.correction)

    @property
    def nbytes(self) -> int:
        return int(self.correction.nbytes)  # here; the documents are elsewhere

    def __matmul__(self, V: Array) -> Array:
        block = V.reshape(len(V), -1)
        product = self._sum(_times, block) - self.correction[:, None] * block
        return np.asarray(product / self.total).reshape(V.shape)

    def rows(self, words: Words) -> Array:
        words = np.asarray(words)
        R = self._sum(_rows, words)
        places = np.arange(len(words)), words
        R[places] -= diagonal_correction(R[places], self.correction[words])
        return np.asarray(R / self.total)

    def diagonal(self) -> Array:
        gram = self._sum(_diagonal)
        return np.asarray((gram - diagonal_correction(gram, self.correction)) / self.total)

    def row_sums(self) -> Array:
        return np.asarray((self._sum(_row_sums) - self.correction) / self.total)

    def restrict(self, words: Words) -> Partitioned:
        words = np.asarray(words)
        pieces = persist(task(_restricted, piece, held(words)) for piece in self.pieces)
        return Partitioned(pieces, self.correction[words], self.total, self._summary_for(words))

    def _sum(self, question: Callable[..., Array], *arguments: Any) -> Array:
        answer = ClusterPieces(tuple(self.pieces)).sum(question, *arguments)
        return answer.copy() if not answer.flags.writeable else answer


def partitioned(documents: Partitions, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
    """C of all documents, weighted as `cooccurrence` has it; tf-idf weights are formed in `dtype`."""
    return _of_pairs(documents) if weighting == "counts" else _of_weights(documents, weighting, dtype)


def _of_pairs(documents: Partitions) -> Partitioned:
    weighted = documents.pieces.map(scaled_documents).keep()
    n_used, n_left_out, frequency, correction, total = weighted.sum(_summed)
    require_pairs(n_used, total, n_used + n_left_out)
    pieces = weighted.map(_implicit).keep()
    return Partitioned(pieces.values, correction, total, DocumentSummary(n_used, n_left_out, frequency))


def _of_weights(documents: Partitions, weighting: str | Balanced, dtype: Any) -> Partitioned:
    """For idf all documents are counted first, for degrees their rows are added up."""
    facts = documents.facts
    n_used = facts.n_with_words
    idf = inverse_frequency(facts.frequency, n_used)
    weights = documents.pieces.map(_unit_weights, idf, dtype).keep()
    if weighting != "tfidf":
        balance = weighting if isinstance(weighting, Balanced) else Balanced()
        sums = weights.sum(TfidfWeights.column_sums)
        weights = weights.map(TfidfWeights.balanced, sums, n_used, balance).keep()
        if balance.word_power:
            squares = weights.sum(TfidfWeights.column_squares)
            weights = weights.map(TfidfWeights.words_divided, squares, balance.word_power).keep()
    total = weights.sum(_total)
    require_pairs(n_used, total, facts.n_documents)
    summary = DocumentSummary(n_used, facts.n_documents - n_used, facts.frequency)
    pieces = weights.map(TfidfCooccurrence, None).keep()
    return Partitioned(pieces.values, np.zeros(documents.n_words), total, summary)


def _unit_weights(counts: sp.csr_array, idf: Array, dtype: Any) -> TfidfWeights:
    return TfidfWeights.of_unit_length(rows_where(counts, np.diff(counts.indptr) > 0), idf, dtype)


def _total(weights: TfidfWeights) -> float:
    sums = weights.row_sums()
    return float(sums @ sums)


def _summed(weighted: ScaledDocuments) -> tuple[int, int, Any, Array, float]:
    summary = weighted.summary
    return summary.n_used, summary.n_left_out, summary.frequency, weighted.correction, weighted.total


def _implicit(weighted: ScaledDocuments) -> Implicit:
    return Implicit(weighted.H_t, np.zeros(weighted.H_t.shape[1]))


def _restricted(piece: Implicit, words: Words) -> Implicit:
    return piece.restrict(words)


def _times(piece: Implicit, V: Array) -> Array:
    return piece @ V


def _rows(piece: Implicit, words: Words) -> Array:
    return piece.rows(words)


def _diagonal(piece: Implicit) -> Array:
    return piece.diagonal()


def _row_sums(piece: Implicit) -> Array:
    return piece.row_sums()
