"""What a fit keeps of its documents: sums over them, with which others are added and these are taken out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.weighting import inverse_frequency
from cotopics.documents import Documents
from cotopics.errors import CorpusError
from cotopics.linalg.changes import LOG1P
from cotopics.linalg.sparse_matrices import column_counts, column_sums
from cotopics.records import Array
from cotopics.refine.em import occurrences_and_damped, word_totals

ROUNDING = 1e-9  # relative: a sum that is below zero by less is zero


@dataclass(frozen=True)
class TopicSums:
    """Sums over documents, and no document.

    Parameters
    ----------
    n_documents, n_left_out : documents with words, and without
    frequency : (n_words,), in how many documents each word is
    occurrences, damped : (n_words,), Σ count and Σ log(1 + count) of each word
    totals : (n_topics,), the tokens that each topic is made of, smoothing included: with p(word | topic) they are the
        tokens of every word in each topic, the sufficient statistics of expectation-maximisation
    smoothing : tokens that every word gets in every topic
    """

    n_documents: int
    n_left_out: int
    frequency: Any
    occurrences: Array
    damped: Array
    totals: Array
    smoothing: float

    @property
    def n_tokens(self) -> float:
        return float(self.occurrences.sum())

    @property
    def idf(self) -> Array:
        return inverse_frequency(self.frequency, self.n_documents)

    @property
    def weighted_shares(self) -> Array:
        """p(word) (n_words,) in damped and idf-weighted tokens."""
        weighted = self.damped * self.idf
        return np.asarray(weighted / (weighted.sum() or 1.0))

    @property
    def usage(self) -> Array:
        """p(word) (n_words,) in damped tokens."""
        return self.damped / (self.damped.sum() or 1.0)

    @property
    def word_shares(self) -> Array:
        """p(word) (n_words,) in the counts."""
        return self.occurrences / (self.n_tokens or 1.0)

    def tokens(self, components: Array) -> Array:
        """Tokens of every word in each topic (n_words, n_topics), of topics (n_topics, n_words)."""
        tokens = np.maximum(components.T * self.totals - self.smoothing, 0)
        tokens[self.frequency == 0] = 0
        return np.asarray(tokens)

    def fits(self, components: Array) -> bool:
        """Whether these sums are of topics of this shape; topics that were edited may have another."""
        return components.shape == (len(self.totals), len(self.frequency))

    def widened(self, n_words: int) -> TopicSums:
        new = (0, n_words - len(self.frequency))
        return self._by_word(lambda array: np.pad(array, new))

    def of_words(self, words: Any) -> TopicSums:
        return self._by_word(lambda array: array[words])

    def _by_word(self, change: Callable[[Any], Any]) -> TopicSums:
        return replace(
            self,
            frequency=change(self.frequency),
            occurrences=change(self.occurrences),
            damped=change(self.damped),
        )

    def with_documents(self, counts: sp.csr_array) -> TopicSums:
        """The sums with the documents of counts (documents × words) added; `totals` are for later."""
        n_used = int(np.count_nonzero(np.diff(counts.indptr)))
        return replace(
            self,
            n_documents=self.n_documents + n_used,
            n_left_out=self.n_left_out + counts.shape[0] - n_used,
            frequency=self.frequency + column_counts(counts),
            occurrences=self.occurrences + column_sums(counts),
            damped=self.damped + column_sums(counts, LOG1P),
        )

    def without_documents(self, counts: sp.csr_array) -> TopicSums:
        """The sums without these documents, exact where counts are whole; an error if they are not in them."""
        n_used = int(np.count_nonzero(np.diff(counts.indptr)))
        n_documents, n_left_out = self.n_documents - n_used, self.n_left_out - (counts.shape[0] - n_used)
        frequency = self.frequency - column_counts(counts)
        occurrences = self.occurrences - column_sums(counts)
        damped = self.damped - column_sums(counts, LOG1P)
        is_there = n_documents >= 0 and n_left_out >= 0 and (frequency >= 0).all()
        if not is_there or not self._can_be_left(frequency, occurrences, damped):
            raise CorpusError("some of these documents are not among those of the model, so they cannot be taken out")
        if n_documents < 1:
            raise CorpusError("no document would be left; a model needs one or more")
        is_gone = frequency == 0
        return replace(
            self,
            n_documents=n_documents,
            n_left_out=n_left_out,
            frequency=frequency,
            occurrences=np.where(is_gone, 0, np.maximum(occurrences, 0)),
            damped=np.where(is_gone, 0, np.maximum(damped, 0)),
        )

    def _can_be_left(self, frequency: Array, occurrences: Array, damped: Array) -> bool:
        """Whether documents can have such sums (n_words,), less than these.

        A word that is in none of them has no occurrence. Of the others Σ log(1 + count) is largest where all documents
        with a word use it equally often."""
        often = np.maximum(occurrences, 0) / np.maximum(frequency, 1)
        near_none, near = ROUNDING * self.occurrences, ROUNDING * self.damped
        is_whole = (occurrences >= -near_none) & ((frequency > 0) | (occurrences <= near_none))
        return bool((is_whole & (damped >= -near) & (damped <= frequency * np.log1p(often) + near)).all())


def sums_of(documents: Documents, totals: Array, smoothing: float) -> TopicSums:
    """The sums of documents that a fit has read."""
    _, some = documents.used
    occurrences, damped = documents.pieces.sum(occurrences_and_damped)
    n_documents, n_left_out = some.n_documents, documents.n_documents - some.n_documents
    return TopicSums(n_documents, n_left_out, documents.frequency, occurrences, damped, totals, smoothing)


def usage(documents: Documents) -> Array:
    """p(word) (n_words,) in documents, if what a document repeats counts for less."""
    damped = documents.pieces.sum(word_totals, np.ones(documents.n_words))
    return np.asarray(damped / (damped.sum() or 1.0))
