"""Co-occurrence with a few hundred landmark words: a stream of any length in the memory of a thin matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.base import Array, Cooccurrence, Words
from cotopics.cooccur.combined import Combined
from cotopics.cooccur.low_rank import LowRank
from cotopics.cooccur.sparse import Sparse
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import require_pairs
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.gram import add_gram_columns
from cotopics.linalg.nystrom import nystrom_factor


class CooccurrenceSketch(DocumentSums):
    """Documents pass by once: exact columns of G = ĤĤᵀ for some landmark words are kept, and three exact vectors.

    Co-occurrence is C = G − diag(c), and G is positive semidefinite, so its columns L give the rest of it:
    G ≈ G_L (G_LL)⁻¹ G_Lᵀ (Nyström), exactly where G has no more than |L| dimensions. C's diagonal and row sums are kept
    exactly: the first replaces the approximate one, the second measures what is missing. Everything kept is a sum over
    documents: pieces may come in any order, be merged and be taken out. Memory is 8 · n_words · n_landmarks bytes.

    Landmarks are the words of the first documents with the largest G_ii, unless `landmarks` are given as word ids.
    Random combinations of words, the usual choice, are far worse here: at the same size, fifteen times the
    error (benchmarks/results/sketch.md). Sketches to be merged must have the same landmarks: start the others with
    `landmarks=first.landmarks`. Eight landmarks a topic and a hundred more do well.

    >>> sketch = CooccurrenceSketch(2).update([[2, 1, 0], [0, 1, 1]])
    >>> sketch.finish().toarray().round(3)
    array([[0.167, 0.167, 0.   ],
           [0.167, 0.   , 0.25 ],
           [0.   , 0.25 , 0.   ]])
    """

    def __init__(self, n_landmarks: int | None = None, n_words: int | None = None, *, landmarks: Words | None = None):
        super().__init__(n_words)
        if (n_landmarks is None) == (landmarks is None):
            raise ParameterError("give either n_landmarks, how many words to choose, or landmarks, which words")
        if n_landmarks is not None and n_landmarks < 1:
            raise ParameterError(f"n_landmarks={n_landmarks} must be at least 1")
        self.n_landmarks = len(np.unique(landmarks)) if n_landmarks is None else n_landmarks  # type: ignore[arg-type]
        self.landmarks = None if landmarks is None else np.unique(np.asarray(landmarks, dtype=np.int64))
        self._columns: Array = np.zeros((n_words or 0, self.n_landmarks))  # G_L
        self._squares: Array = np.zeros(n_words or 0)  # G_ii
        self._sums: Array = np.zeros(n_words or 0)  # G1

    def copy(self) -> CooccurrenceSketch:
        new = CooccurrenceSketch(self.n_landmarks, self.n_words)
        new.landmarks = self.landmarks
        return new.merge(self)

    def finish(self) -> Cooccurrence:
        """FFᵀ + a diagonal, entries summing to one; `residual` says how much of it is a guess."""
        total = self._total()
        require_pairs(self._n_used, total, self.n_documents)
        F = self._factor() / np.sqrt(total)
        diagonal = (self._squares - self._correction) / total
        error = diagonal - np.einsum("ij,ij->i", F, F)
        C = Combined([LowRank(F, self._summary()), Sparse(sp.diags_array(error))], [1.0, 1.0])
        scale = float(C.row_sums().sum())
        return Combined(C.terms, [1 / scale, 1 / scale])

    def residual(self) -> float:
        """Share of all pairs that the landmarks do not account for, Σ|Δ| of the words' row sums, which are known."""
        total = self._total()
        require_pairs(self._n_used, total, self.n_documents)
        F = self._factor()
        off_diagonal = F @ F.sum(axis=0) - np.einsum("ij,ij->i", F, F)
        return float(np.abs(self._sums - self._squares - off_diagonal).sum() / total)

    def _factor(self) -> Array:
        """F (n_words, r) with FFᵀ ≈ G."""
        seen = self._frequency > 0  # exact, where sums that were undone leave traces of rounding
        columns = np.where(seen[:, None], self._columns, 0)
        known = np.empty(0, dtype=np.int64) if self.landmarks is None else self.landmarks[self.landmarks < len(seen)]
        return nystrom_factor(columns[:, : len(known)], known)

    def _total(self) -> float:
        return float(self._sums.sum() - self._correction.sum())

    def _add(self, H_t: sp.csr_array, sign: int) -> None:
        n = H_t.shape[1]
        squares = np.bincount(H_t.indices, weights=H_t.data**2, minlength=n).astype(np.float64)
        if self.landmarks is None:
            self._choose(squares)
        add_gram_columns(H_t, self.landmarks, sign, self._columns)
        self._squares[:n] += sign * squares
        self._sums[:n] += sign * (H_t.T @ H_t.sum(axis=1))

    def _choose(self, squares: Array) -> None:
        leading = np.argsort(-squares, kind="stable")[: self.n_landmarks]
        self.landmarks = np.sort(leading[squares[leading] > 0])
        self.n_landmarks = len(self.landmarks)
        self._columns = self._columns[:, : self.n_landmarks].copy()

    def _merge(self, other: CooccurrenceSketch) -> None:
        if other.landmarks is None:
            return
        if self.landmarks is None:
            self.landmarks, self.n_landmarks = other.landmarks, other.n_landmarks
            self._columns = np.zeros((len(self._frequency), other.n_landmarks))
        n = len(other._frequency)
        self._columns[:n] += other._columns
        self._squares[:n] += other._squares
        self._sums[:n] += other._sums

    def _widen(self, n_words: int) -> None:
        new = n_words - len(self._squares)
        self._columns = np.pad(self._columns, ((0, new), (0, 0)))
        self._squares = np.pad(self._squares, (0, new))
        self._sums = np.pad(self._sums, (0, new))

    def _check_mergeable(self, other: Any) -> None:
        super()._check_mergeable(other)
        mine, theirs = self.landmarks, other.landmarks
        if mine is not None and theirs is not None and not np.array_equal(mine, theirs):
            raise CorpusError(
                "the two sketches have different landmarks and cannot be merged; start every sketch but the first with "
                "CooccurrenceSketch(landmarks=first.landmarks)"
            )
