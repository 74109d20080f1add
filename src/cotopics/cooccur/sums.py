"""What every statistic that is a sum over documents shares: add, merge, take out, in any order."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary
from cotopics.cooccur.counts import check_counts
from cotopics.cooccur.weighting import WeightedDocuments, pairs
from cotopics.errors import CorpusError


class DocumentSums(ABC):
    """Sums over documents that `update`, `remove` and `merge` keep, and that `finish` makes a co-occurrence of.

    n_words=None takes the width of the widest X seen, so later pieces may bring new words at the end; a given n_words
    is checked.
    """

    def __init__(self, n_words: int | None = None) -> None:
        self.n_words = n_words
        self._correction: Array = np.zeros(n_words or 0)  # Σ h/(n(n−1))
        self._frequency = np.zeros(n_words or 0, dtype=np.int64)
        self._n_used = 0
        self._n_left_out = 0

    @property
    def n_documents(self) -> int:
        """Documents in the statistics, those without pairs included."""
        return self._n_used + self._n_left_out

    def update(self, X: Any) -> Self:
        """Add the documents of X (documents × words)."""
        weighted = self._weigh(X)
        self._grow(weighted.H_t.shape[1])
        self._add_summary(weighted, +1)
        self._add(weighted, +1)
        return self

    def remove(self, X: Any) -> Self:
        """Take the documents of X, added before, out again.

        Documents with a word in more of them than were added are refused, and nothing changes."""
        weighted = self._weigh(X)
        summary, n_words = weighted.summary, weighted.H_t.shape[1]
        if (
            n_words > len(self._frequency)
            or summary.n_used > self._n_used
            or summary.n_left_out > self._n_left_out
            or (summary.frequency > self._frequency[:n_words]).any()
        ):
            raise CorpusError("X holds documents that were never added; remove only what was given to update")
        self._add_summary(weighted, -1)
        self._add(weighted, -1)
        return self

    def merge(self, other: Self) -> Self:
        """Add everything that `other` has seen; `other` stays as it is."""
        n = len(other._frequency)
        if self.n_words is not None and n > self.n_words:
            raise CorpusError(f"cannot merge statistics of {n} words into n_words={self.n_words}")
        self._check_mergeable(other)
        self._grow(n)
        self._merge(other)  # first, because it is what can fail
        self._correction[:n] += other._correction
        self._frequency[:n] += other._frequency
        self._n_used += other._n_used
        self._n_left_out += other._n_left_out
        return self

    def save(
        self,
        path: str | os.PathLike[str],
        vocabulary: Sequence[str] | None = None,
        provenance: dict[str, Any] | None = None,
    ) -> None:
        """Write the statistics to one file (suffix .statistics by custom) that `load_statistics` opens; no pickle.

        `vocabulary` are the words of the columns. `provenance` is what you want to know later of the documents, a dict
        of plain values; its entry "preparation" says how texts became words. Documents that are not added up yet are
        in the file as counts: with keep_documents=True, whoever has the file has the documents.
        """
        from cotopics.cooccur.store import save_statistics  # it knows all kinds of sums

        save_statistics(self, path, vocabulary, provenance)

    @abstractmethod
    def copy(self) -> Self:
        """The same statistics, to be changed apart from these."""

    @abstractmethod
    def finish(self) -> Cooccurrence:
        """The co-occurrence so far, entries summing to one. More documents may follow."""

    @abstractmethod
    def _add(self, weighted: WeightedDocuments, sign: int) -> None:
        """Add or take out documents."""

    @abstractmethod
    def _merge(self, other: Self) -> None:
        """Add what `_add` has kept in `other`."""

    @abstractmethod
    def _widen(self, n_words: int) -> None:
        """Make room for words up to n_words in what `_add` keeps."""

    def _check_mergeable(self, other: Self) -> None:
        if type(other) is not type(self):
            raise CorpusError(f"cannot merge {type(other).__name__} into {type(self).__name__}")

    def _weigh(self, X: Any) -> WeightedDocuments:
        counts = check_counts(X)
        if self.n_words is not None and counts.shape[1] != self.n_words:
            raise CorpusError(f"X has {counts.shape[1]} words, the statistics have n_words={self.n_words}")
        return pairs(counts)

    def _add_summary(self, weighted: WeightedDocuments, sign: int) -> None:
        n = weighted.H_t.shape[1]
        self._correction[:n] += sign * weighted.correction
        self._frequency[:n] += sign * weighted.summary.frequency
        self._n_used += sign * weighted.summary.n_used
        self._n_left_out += sign * weighted.summary.n_left_out

    def _grow(self, n_words: int) -> None:
        new = max(n_words - len(self._frequency), 0)
        if new:
            self._correction = np.pad(self._correction, (0, new))
            self._frequency = np.pad(self._frequency, (0, new))
            self._widen(len(self._frequency))

    def _summary(self) -> DocumentSummary:
        return DocumentSummary(self._n_used, self._n_left_out, self._frequency.copy())
