"""The approximate co-occurrence of any number of documents, in the memory of a thin matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array, WordIds
from cotopics.cooccur.base import Words, diagonal_correction
from cotopics.cooccur.low_rank import LowRank
from cotopics.cooccur.matrices import Combined, Sparse
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import ScaledDocuments, require_pairs
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.changes import SQUARED
from cotopics.linalg.gram import add_gram_columns
from cotopics.linalg.sparse_matrices import column_sums
from cotopics.linalg.thin_factors import nystrom_factor

BLOCK_WORDS = 4096
ZERO_COLUMN_TOLERANCE = 1e-14  # relative to the largest rotated column: a smaller one is rounding
MIN_KNOWN_SHARE = 1e-6  # of all pairs; with less, nothing can be said about the rest


class Sketch(Combined):
    """The result of `CooccurrenceSketch.finish`: FFᵀ and a diagonal. Entries may be negative: rectify it."""

    @property
    def nbytes(self) -> int:
        return (
            3 * super().nbytes
        )  # with the sums that it came from, and the copy of them that is made while documents come


class CooccurrenceSketch(DocumentSums):
    """Reads every document once, and keeps some hundred columns of the sum over documents.

    C = G − diag(c) is indefinite, but G = ĤĤᵀ is positive semidefinite. So Nyström's formula applies to G with a thin
    Ω: G ≈ GΩ (ΩᵀGΩ)⁻¹ (GΩ)ᵀ, exactly if the rank of G is at most the number of columns of Ω. Half of Ω selects
    landmarks, the words with the largest G_ii in the first documents: exact columns of frequent words are worth several
    times as many random ones. The other half are random signs on all other words, because the first documents may not
    show which words are frequent; then landmarks alone are worse than random. Half and half is never worse than random
    (benchmarks/results/sketch_nips.md). C's diagonal and row sums are kept exactly: the diagonal replaces the
    approximate one, the row sums tell how much is missing (`residual`).

    Everything that is kept is a sum over documents: pieces may come in any order, be merged and be removed, and new
    words may come later. Memory is 9 · n_words · n_columns bytes. `landmarks` (word ids) are used instead of choosing
    some. Sketches that will be merged need the same landmarks: start all but the first one with
    `CooccurrenceSketch(n_columns, landmarks=first.landmarks)`.

    >>> sketch = CooccurrenceSketch(2).update([[2, 1, 0], [0, 1, 1]])
    >>> np.abs(sketch.finish().toarray().round(3))
    array([[0.167, 0.167, 0.   ],
           [0.167, 0.   , 0.25 ],
           [0.   , 0.25 , 0.   ]])
    """

    def __init__(self, n_columns: int, n_words: int | None = None, *, landmarks: Words | None = None) -> None:
        super().__init__(n_words)
        if n_columns < 1:
            raise ParameterError(f"n_columns={n_columns} must be at least 1")
        self.n_columns = n_columns
        self.landmarks = None if landmarks is None else np.unique(np.asarray(landmarks, dtype=np.int64))
        if self.landmarks is not None and (self.landmarks < 0).any():
            raise ParameterError("landmarks are word ids, 0 or more")
        if self.landmarks is not None and len(self.landmarks) > n_columns:
            raise ParameterError(
                f"there are {len(self.landmarks)} landmarks; give at least as many n_columns, not {n_columns}"
            )
        self._columns: Array = np.zeros((n_words or 0, n_columns))  # GΩ, landmarks first
        self._signs = np.zeros((n_words or 0, 0), dtype=np.int8)  # the rest of Ω
        self._squares: Array = np.zeros(n_words or 0)  # G_ii
        self._sums: Array = np.zeros(n_words or 0)  # G1

    def copy(self) -> CooccurrenceSketch:
        return CooccurrenceSketch(self.n_columns, self.n_words).merge(self)

    def finish(self) -> Sketch:
        """FFᵀ + a diagonal, entries summing to one; `residual` says how much is missing."""
        total, F = self._total(), self._factor()
        F /= np.sqrt(total)
        diagonal = (self._squares - diagonal_correction(self._squares, self._correction)) / total
        error = diagonal - np.einsum("ij,ij->i", F, F)
        C = Combined([LowRank(F, self._summary()), Sparse(sp.diags_array(error))], [1.0, 1.0])
        scale = float(C.row_sums().sum())
        if not scale > MIN_KNOWN_SHARE:
            raise CorpusError(
                "the sketch's columns say nothing about these documents; give more columns, or other landmarks"
            )
        return Sketch(C.terms, [1 / scale, 1 / scale])

    def residual(self) -> float:
        """Share of all pairs that the columns do not explain: Σ|Δ| over the row sums, which are known exactly."""
        total, F = self._total(), self._factor()
        off_diagonal = F @ F.sum(axis=0) - np.einsum("ij,ij->i", F, F)
        return float(np.abs(self._sums - self._squares - off_diagonal).sum() / total)

    def _factor(self) -> Array:
        """F (n_words, r) with FFᵀ ≈ G."""
        if self.landmarks is None:
            return np.zeros((len(self._frequency), 0))
        m, n_words = len(self.landmarks), len(self._frequency)
        known = self.landmarks < n_words
        columns, rotation = self._columns, None
        if self.n_columns > n_words:  # the rank is at most n_words: after a rotation the other columns are zero
            rotation, R = np.linalg.qr(columns.T)
            sizes = np.linalg.norm(R, axis=1)
            is_zero = sizes <= ZERO_COLUMN_TOLERANCE * sizes.max()  # or the factor would take rounding for a direction
            columns = (R * ~is_zero[:, None]).T
        core = np.zeros((self.n_columns, columns.shape[1]))  # ΩᵀGΩ
        core[:m][known] = columns[self.landmarks[known]]
        for start in range(0, n_words, BLOCK_WORDS):  # signs are bytes; a product needs floats
            rows = slice(start, start + BLOCK_WORDS)
            core[m:] += self._signs[rows].T.astype(np.float64) @ columns[rows]
        F = nystrom_factor(columns, core if rotation is None else rotation.T @ core)
        F[self._frequency == 0] = 0  # exact; sums of removed documents are not zero but rounding errors
        return F

    def _total(self) -> float:
        """The entry sum of G − diag(c), or a CorpusError if there are no pairs."""
        total = float(self._sums.sum() - self._correction.sum())
        require_pairs(self._n_used, total, self.n_documents)
        return total

    def _add(self, scaled: ScaledDocuments, sign: int) -> None:
        H_t = scaled.H_t
        if H_t.nnz == 0:  # there is no word that could be a landmark
            self._draw()
            return
        n = H_t.shape[1]
        squares = column_sums(H_t, SQUARED)
        if self.landmarks is None:
            self.landmarks = leading_words(squares, self.n_columns)
        self._draw()
        add_gram_columns(H_t, self.landmarks, self._signs, sign, self._columns)
        self._squares[:n] += sign * squares
        self._sums[:n] += sign * (H_t.T @ H_t.sum(axis=1))

    def _draw(self) -> None:
        """Draw signs for the words that have none yet; a word always gets the same."""
        landmarks = self.landmarks
        if landmarks is None:
            return
        n, m = len(self._frequency), self.n_columns - len(landmarks)
        if self._signs.shape == (n, m):
            return
        whole = len(self._signs) // BLOCK_WORDS if self._signs.shape[1] == m else 0
        drawn = self._signs[: whole * BLOCK_WORDS] if whole else np.zeros((0, m), dtype=np.int8)
        starts = range(whole * BLOCK_WORDS, n, BLOCK_WORDS)
        signs = np.concatenate([drawn, *(_signs(start, min(n - start, BLOCK_WORDS), m) for start in starts)])
        signs[landmarks[landmarks < n]] = 0
        self._signs = signs

    def _merge(self, other: CooccurrenceSketch) -> None:
        n = len(other._frequency)
        if other.landmarks is not None and self.landmarks is None:
            self.landmarks = other.landmarks
            if n == len(self._frequency):
                self._signs = other._signs  # never modified in place
        self._draw()
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
        differ = mine is not None and theirs is not None and not np.array_equal(mine, theirs)
        if self.n_columns != other.n_columns or differ:
            raise CorpusError(
                "sketches with different columns or landmarks cannot be merged; start every sketch but the first with "
                "CooccurrenceSketch(n_columns, landmarks=first.landmarks)"
            )


def leading_words(squares: Array, n_columns: int) -> WordIds:
    """The words with the largest G_ii, the landmarks of half of the columns."""
    leading = np.argsort(-squares, kind="stable")[: -(-n_columns // 2)]
    return np.sort(leading[squares[leading] > 0])


def _signs(start: int, n_words: int, m: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """±1 for the n_words from `start` on (the begin of a block) and m columns; they do not depend on n_words."""
    rng = np.random.default_rng([BLOCK_WORDS, start // BLOCK_WORDS])
    return 2 * rng.integers(0, 2, (n_words, m), dtype=np.int8) - 1
