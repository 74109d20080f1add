"""What every statistic that is a sum over documents shares: add, merge and remove documents, in any order."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from cotopics.arrays import Array
from cotopics.cooccur.base import Cooccurrence, DocumentSummary
from cotopics.cooccur.counts import check_counts
from cotopics.cooccur.weighting import ScaledDocuments, scaled_documents
from cotopics.errors import CorpusError


class DocumentSums(ABC):
    """Sums over documents, changed by `update`, `remove` and `merge`; `finish` makes a co-occurrence of them.

    n_words=None takes the width of the widest X so far, so later pieces may add new words at the end. If n_words is
    given, every X must have it.
    """

    def __init__(self, n_words: int | None = None) -> None:
        self.n_words = n_words
        self._correction: Array = np.zeros(n_words or 0)  # Σ h/(n(n−1))
        self._frequency = np.zeros(n_words or 0, dtype=np.int64)
        self._n_used = 0
        self._n_left_out = 0

    @property
    def n_documents(self) -> int:
        """Documents in the statistics, including documents without pairs."""
        return self._n_used + self._n_left_out

    def update(self, X: Any) -> Self:
        """Add the documents of X (documents × words)."""
        scaled = self._scale(X)
        self._grow(scaled.H_t.shape[1])
        self._add_summary(scaled, +1)
        self._add(scaled, +1)
        return self

    def remove(self, X: Any) -> Self:
        """Remove the documents of X, which were added before.

        It is an error, and changes nothing, if a word is in more documents of X than were added."""
        scaled = self._scale(X)
        summary, n_words = scaled.summary, scaled.H_t.shape[1]
        if (
            n_words > len(self._frequency)
            or summary.n_used > self._n_used
            or summary.n_left_out > self._n_left_out
            or (summary.frequency > self._frequency[:n_words]).any()
        ):
            raise CorpusError("X holds documents that were never added; remove only what was given to update")
        self._add_summary(scaled, -1)
        self._add(scaled, -1)
        return self

    def merge(self, other: Self) -> Self:
        """Add everything that `other` has seen; `other` does not change."""
        n = len(other._frequency)
        if self.n_words is not None and n > self.n_words:
            raise CorpusError(f"cannot merge statistics of {n} words into n_words={self.n_words}")
        self._check_mergeable(other)
        self._grow(n)
        self._merge(other)  # first, because it can fail
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
        """Write the statistics to one file (usually with suffix .statistics) that `load_statistics` opens; no pickle.

        `vocabulary` are the words of the columns. `provenance` is a dict of plain values: what you want to know later
        about the documents; its entry "preparation" says how texts became words. Documents that are not summed yet are
        in the file as counts: with keep_documents=True, whoever has the file has the documents.
        """
        from cotopics.cooccur.statistics_file import save_statistics  # which imports all kinds of sums

        save_statistics(self, path, vocabulary, provenance)

    @abstractmethod
    def copy(self) -> Self:
        """A copy that can be changed independently."""

    @abstractmethod
    def finish(self) -> Cooccurrence:
        """The co-occurrence so far, entries summing to one. More documents may follow."""

    @abstractmethod
    def _add(self, scaled: ScaledDocuments, sign: int) -> None:
        """Add (sign +1) or remove (−1) documents."""

    @abstractmethod
    def _merge(self, other: Self) -> None:
        """Add what `_add` has kept in `other`."""

    @abstractmethod
    def _widen(self, n_words: int) -> None:
        """Make room for n_words in what `_add` keeps."""

    def _check_mergeable(self, other: Self) -> None:
        if type(other) is not type(self):
            raise CorpusError(f"cannot merge {type(other).__name__} into {type(self).__name__}")

    def _scale(self, X: Any) -> ScaledDocuments:
        counts = check_counts(X)
        if self.n_words is not None and counts.shape[1] != self.n_words:
            raise CorpusError(f"X has {counts.shape[1]} words, the statistics have n_words={self.n_words}")
        return scaled_documents(counts)

    def _add_summary(self, scaled: ScaledDocuments, sign: int) -> None:
        n = scaled.H_t.shape[1]
        self._correction[:n] += sign * scaled.correction
        self._frequency[:n] += sign * scaled.summary.frequency
        self._n_used += sign * scaled.summary.n_used
        self._n_left_out += sign * scaled.summary.n_left_out

    def _grow(self, n_words: int) -> None:
        new = max(n_words - len(self._frequency), 0)
        if new:
            self._correction = np.pad(self._correction, (0, new))
            self._frequency = np.pad(self._frequency, (0, new))
            self._widen(len(self._frequency))

    def _summary(self) -> DocumentSummary:
        return DocumentSummary(self._n_used, self._n_left_out, self._frequency.copy())
