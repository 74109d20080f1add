"""Co-occurrence of documents that stay on their workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, DocumentSummary, Implicit
from cotopics.cooccur.base import Words
from cotopics.cooccur.weighting import (
    WeightedDocuments,
    balancing_weights,
    document_summary,
    inverse_frequency,
    require_pairs,
    scaled_rows,
    tfidf_rows,
    weigh,
)
from cotopics.distributed.pieces import Pieces
from cotopics.distributed.tasks import add, compute, held, in_order, persist, task
from cotopics.linalg.columns import column_sums
from cotopics.records import Array


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
        product = self._sum(_times, held(block)) - self.correction[:, None] * block
        return np.asarray(product / self.total).reshape(V.shape)

    def rows(self, words: Words) -> Array:
        words = np.asarray(words)
        R = self._sum(_rows, held(words))
        R[np.arange(len(words)), words] -= self.correction[words]
        return np.asarray(R / self.total)

    def diagonal(self) -> Array:
        return np.asarray((self._sum(_diagonal) - self.correction) / self.total)

    def row_sums(self) -> Array:
        return np.asarray((self._sum(_row_sums) - self.correction) / self.total)

    def restrict(self, words: Words) -> Partitioned:
        words = np.asarray(words)
        pieces = persist(task(_restricted, piece, held(words)) for piece in self.pieces)
        return Partitioned(pieces, self.correction[words], self.total, self._summary_for(words))

    def _sum(self, question: Callable[..., Array], *arguments: Any) -> Array:
        answer = compute(in_order([task(question, piece, *arguments) for piece in self.pieces], add))
        return answer.copy() if not answer.flags.writeable else answer


def partitioned(documents: Pieces, weighting: str | Balanced) -> Partitioned:
    """C of all documents; see `weigh`. For idf all documents are counted first, for degrees their rows are added up."""
    documents = documents.keep()
    if weighting == "counts":
        weighted = documents.map(weigh, "counts")
    else:
        facts = documents.facts
        weighted = documents.map(_tfidf, held(inverse_frequency(facts.frequency, facts.n_with_words)))
        if weighting != "tfidf":
            balance = weighting if isinstance(weighting, Balanced) else Balanced()
            sums = compute(in_order([task(_column_sums, piece) for piece in weighted], add))
            weighted = [task(_balanced, piece, held(sums), facts.n_with_words, balance) for piece in weighted]
    weighted = persist(weighted)
    n_used, n_left_out, frequency, correction, total = compute(in_order([task(_summed, one) for one in weighted], add))
    require_pairs(n_used, total, n_used + n_left_out)
    pieces = persist(task(_implicit, one) for one in weighted)
    return Partitioned(pieces, correction, total, DocumentSummary(n_used, n_left_out, frequency))


def _tfidf(counts: sp.csr_array, idf: Array) -> WeightedDocuments:
    used = counts[np.diff(counts.indptr) > 0]
    return WeightedDocuments(tfidf_rows(used, idf), np.zeros(len(idf)), document_summary(used, counts.shape[0]))


def _balanced(weighted: WeightedDocuments, sums: Array, n_documents: int, balance: Balanced) -> WeightedDocuments:
    weights = balancing_weights(weighted.H_t, sums, n_documents, balance)
    return replace(weighted, H_t=scaled_rows(weighted.H_t, weights))


def _column_sums(weighted: WeightedDocuments) -> Array:
    return column_sums(weighted.H_t)


def _summed(weighted: WeightedDocuments) -> tuple[int, int, Any, Array, float]:
    summary = weighted.summary
    return summary.n_used, summary.n_left_out, summary.frequency, weighted.correction, weighted.total


def _implicit(weighted: WeightedDocuments) -> Implicit:
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
