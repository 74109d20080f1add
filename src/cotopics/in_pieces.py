"""Documents in pieces, on a cluster or on disk: what is asked of all of them, and their co-occurrence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, DocumentSummary, Implicit
from cotopics.cooccur.accumulate import MAX_PAIRS
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
from cotopics.corpus.vocabulary import word_frequencies
from cotopics.documents import Pieces, one_in, sample_rows
from cotopics.records import Array, WordIds


class Facts(NamedTuple):
    """How many documents there are and how many have words; df (n_words,) and tf (n_words,) of every word."""

    n_documents: int
    n_with_words: int
    frequency: Any
    occurrences: Array


class InPieces:
    """What `cotopics.documents.Documents` in pieces have in common, wherever the pieces are."""

    n_words: int
    pieces: Any  # read several times

    @property
    def read_once(self) -> Any:
        """The pieces, for those who read them once."""
        return self.pieces

    @cached_property
    def facts(self) -> Facts:
        return Facts(*self.read_once.sum(_facts))

    @property
    def n_documents(self) -> int:
        return self.facts.n_documents

    @property
    def frequency(self) -> WordIds:
        return self.facts.frequency

    @property
    def n_tokens(self) -> float:
        return float(self.facts.occurrences.sum())

    def can_add_up(self, representation: str) -> bool:
        """Whether statistics fit into memory here; where not, documents stay where they are."""
        few_pairs = representation != "implicit" and self.n_words**2 <= MAX_PAIRS
        return representation == "sketch" or few_pairs

    def sample(self, max_tokens: int) -> tuple[sp.csr_array, Any]:
        """Counts of some documents, here, with about so many words at most; and a number for each: `sample_rows`."""
        step = one_in(self.n_documents, self.n_tokens, max_tokens)
        counts, numbers = self.read_once.sum(_sampled, self.frequency, step)
        return stacked(counts), np.concatenate(numbers)


class Partitioned(Cooccurrence):
    """C = (Σ_p Ĥ_p Ĥ_pᵀ − diag(c)) / total, where the documents Ĥ_p of piece p are on some worker, or on disk.

    Every question is asked of all pieces, `Implicit` each, and the answers are added up in their order."""

    def __init__(self, pieces: Pieces, correction: Array, total: float, documents: DocumentSummary | None) -> None:
        self.pieces = pieces
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
        product = self._sum(times, block) - self.correction[:, None] * block
        return np.asarray(product / self.total).reshape(V.shape)

    def rows(self, words: Words) -> Array:
        words = np.asarray(words)
        R = self._sum(rows_of, words)
        places = np.arange(len(words)), words
        R[places] -= diagonal_correction(R[places], self.correction[words])
        return np.asarray(R / self.total)

    def diagonal(self) -> Array:
        gram = self._sum(diagonal_of)
        return np.asarray((gram - diagonal_correction(gram, self.correction)) / self.total)

    def row_sums(self) -> Array:
        return self._row_sums.copy()

    @cached_property
    def _row_sums(self) -> Array:
        return np.asarray((self._sum(row_sums_of) - self.correction) / self.total)

    def restrict(self, words: Words) -> Partitioned:
        words = np.asarray(words)
        pieces = self.pieces.map(restricted, words).keep()
        return Partitioned(pieces, self.correction[words], self.total, self._summary_for(words))

    def _sum(self, question: Callable[..., Array], *arguments: Any) -> Array:
        answer: Array = self.pieces.sum(question, *arguments)
        return answer.copy() if not answer.flags.writeable else answer


def partitioned(documents: Any, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
    """C of all documents, weighted as `cooccurrence` has it; tf-idf weights are formed in `dtype`."""
    return _of_pairs(documents) if weighting == "counts" else _of_weights(documents, weighting, dtype)


def _of_pairs(documents: Any) -> Partitioned:
    weighted = documents.pieces.map(scaled_documents).keep()
    n_used, n_left_out, frequency, correction, total = weighted.sum(_summed)
    require_pairs(n_used, total, n_used + n_left_out)
    pieces = weighted.map(_implicit).keep()
    return Partitioned(pieces, correction, total, DocumentSummary(n_used, n_left_out, frequency))


def _of_weights(documents: Any, weighting: str | Balanced, dtype: Any) -> Partitioned:
    """For idf all documents are counted first, for degrees their rows are added up."""
    facts = documents.facts
    n_used = facts.n_with_words
    idf = inverse_frequency(facts.frequency, n_used)
    weights = documents.pieces.map(unit_weights, idf, dtype).keep()
    if weighting != "tfidf":
        balance = weighting if isinstance(weighting, Balanced) else Balanced()
        sums = weights.sum(TfidfWeights.column_sums)
        weights = weights.map(TfidfWeights.balanced, sums, n_used, balance).keep()
        if balance.word_power:
            squares = weights.sum(TfidfWeights.column_squares)
            weights = weights.map(TfidfWeights.words_divided, squares, balance.word_power).keep()
    total = weights.sum(total_of)
    require_pairs(n_used, total, facts.n_documents)
    summary = DocumentSummary(n_used, facts.n_documents - n_used, facts.frequency)
    pieces = weights.map(TfidfCooccurrence, None).keep()
    return Partitioned(pieces, np.zeros(documents.n_words), total, summary)


def _facts(counts: sp.csr_array) -> Facts:
    occurrences, frequency = word_frequencies(counts)
    return Facts(counts.shape[0], int(np.count_nonzero(np.diff(counts.indptr))), frequency, occurrences)


def _sampled(counts: sp.csr_array, frequency: WordIds, step: int) -> tuple[list[Any], list[Any]]:
    """Lists of one: to add them up is to put them one after the other."""
    rows, numbers = sample_rows(counts, frequency, step)
    return [rows], [numbers]


def stacked(pieces: list[sp.csr_array]) -> sp.csr_array:
    return pieces[0] if len(pieces) == 1 else sp.csr_array(sp.vstack(pieces, format="csr"))


def unit_weights(counts: sp.csr_array, idf: Array, dtype: Any) -> TfidfWeights:
    return TfidfWeights.of_unit_length(rows_where(counts, np.diff(counts.indptr) > 0), idf, dtype)


def total_of(weights: TfidfWeights) -> float:
    sums = weights.row_sums()
    return float(sums @ sums)


def _summed(weighted: ScaledDocuments) -> tuple[int, int, Any, Array, float]:
    summary = weighted.summary
    return summary.n_used, summary.n_left_out, summary.frequency, weighted.correction, weighted.total


def _implicit(weighted: ScaledDocuments) -> Implicit:
    return Implicit(weighted.H_t, np.zeros(weighted.H_t.shape[1]))


def restricted(piece: Implicit, words: Words) -> Implicit:
    return piece.restrict(words)


def times(piece: Implicit, V: Array) -> Array:
    return piece @ V


def rows_of(piece: Implicit, words: Words) -> Array:
    return piece.rows(words)


def diagonal_of(piece: Implicit) -> Array:
    return piece.diagonal()


def row_sums_of(piece: Implicit) -> Array:
    return piece.row_sums()
