"""Selectors that take the row of C̄ farthest from the span of the rows taken: PivotedQR, SPA and FastAnchor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.anchors.greedy import (
    RANK_TOLERANCE,
    TIE_TOLERANCE,
    Candidates,
    GreedySelector,
    Selection,
    check_candidates,
    largest,
)
from cotopics.records import Array, WordIds

SUBTRACTION_ERROR = 1e-13  # of squared distances kept by subtraction, relative to their size when last computed
RECOMPUTE_BELOW = 1e-5  # of that size: the digits lost by subtraction would decide
MAX_CLOSE = 256  # candidates whose distance is computed exactly before one is taken


class Span(Selection):
    """Squared distances of the rows of C̄ (rows of C divided by their sums) from the span of the rows taken.

    Q is an orthonormal basis of the span. C̄ is not changed: each step makes one product with C, or with rows of
    the same lengths and angles where C is known by a thin factor, and subtracts from the squared distances. The
    largest ones are computed exactly before a row is taken. Squared distances that differ by at most `tie`,
    relative to the larger, are equal; then the most frequent word is taken, or, if `longest_in_ties`, the word with
    the longest row.
    """

    def __init__(self, candidates: Candidates, *, tie: float = TIE_TOLERANCE, longest_in_ties: bool = False) -> None:
        super().__init__(candidates)
        self.tie, self.longest_in_ties = tie, longest_in_ties
        self.original = candidates.normalised_norms()
        self.squared = self.original.copy()
        self.reference = float(self.squared.max(initial=0))
        self.negligible = RANK_TOLERANCE * float(np.sqrt(self.reference))
        self.thin = self.C.isometric_rows()
        self.Q = np.empty((self.C.shape[0] if self.thin is None else self.thin.shape[1], 0))

    def next(self) -> int:
        farthest = float(self.squared[self.left].max())
        if farthest < RECOMPUTE_BELOW * self.reference and self.reference > self.negligible**2:
            farthest = self._recompute()
        if farthest <= self.negligible**2:
            return self.candidates.most_frequent(self.left)
        close = self.left[self.squared[self.left] >= farthest * (1 - self.tie) - SUBTRACTION_ERROR * self.reference]
        if len(close) > MAX_CLOSE:
            close = np.sort(close[np.argsort(-self.row_sums[close], kind="stable")][:MAX_CLOSE])
        tied = close[largest(self._distances(close) ** 2, tie=self.tie)]
        if self.longest_in_ties:
            tied = tied[largest(self.original[tied])]
        return self.candidates.most_frequent(tied)

    def expand(self, group: WordIds) -> float:
        row = self._rows(group).sum(axis=0) / self.row_sums[group].sum()
        self.reference = max(self.reference, float(row @ row))  # a given anchor need not be a candidate
        self.negligible = max(self.negligible, RANK_TOLERANCE * float(np.linalg.norm(row)))
        residual = self._residuals(row[None])[0]
        distance = float(np.linalg.norm(residual))
        if distance > self.negligible:
            q = residual / distance
            self.Q = np.column_stack([self.Q, q])
            self.squared[self.left] = np.maximum(self.squared[self.left] - self._along(q) ** 2, 0)
        return distance

    def rank(self) -> int:
        return sum(distance > self.negligible for distance in self.distances)

    def _rows(self, words: WordIds) -> Array:
        """The rows of C, or rows with the same lengths and angles that are shorter: all that is done with them is
        adding and taking products of two."""
        return self.C.rows(words) if self.thin is None else self.thin[np.asarray(words)]

    def _along(self, q: Array) -> Array:
        """C̄ q for the candidates left."""
        products = self.C @ q if self.thin is None else self.thin @ q
        return products[self.left] / self.row_sums[self.left]

    def _residuals(self, rows: Array) -> Array:
        """Rows minus their projections on the span."""
        for _ in range(2):  # only twice is orthogonal to working precision
            rows = rows - (rows @ self.Q) @ self.Q.T
        return rows

    def _distances(self, words: WordIds) -> Array:
        rows = self._rows(words) / self.row_sums[words, None]
        return np.linalg.norm(self._residuals(rows), axis=1)

    def _recompute(self) -> float:
        """Compute the squared distances of all candidates left from their rows; returns the largest."""
        for block in self.C.row_blocks():
            words = self.left[(self.left >= block[0]) & (self.left <= block[-1])]
            self.squared[words] = self._distances(words) ** 2
        self.reference = float(self.squared[self.left].max())
        return self.reference


@dataclass(frozen=True)
class PivotedQR(GreedySelector):
    """Column-pivoted QR of C̄ᵀ: take the row farthest from the span of the rows taken; Lee et al. 2015, section 3.

    In a tie, and beyond the rank of C (where all distances are zero), the most frequent word is taken. K products with
    C and one computation of its squared row norms.

    Words whose rectified rows are more than a tenth below zero cannot be anchors. fill_up: where too few words are left
    then, those least below zero may, so that there are as many topics as asked for; otherwise that is an error.

    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18  # words 0 and 1 are anchors, word 2 is of both topics
    >>> sorted(PivotedQR()(C, 2).words.tolist())
    [0, 1]
    """

    fill_up: bool = False

    def candidates(
        self, C: Any, n_topics: int, candidates: Sequence[int] | WordIds | None, given: Sequence[WordIds]
    ) -> Candidates:
        return check_candidates(C, n_topics, candidates, given, fill_up=self.fill_up)

    def start(self, candidates: Candidates) -> Span:
        return Span(candidates)


@dataclass(frozen=True)
class SPA(GreedySelector):
    """Successive projection: like PivotedQR, but of near ties take the row farthest from the origin.

    Squared distances within `tie` of the largest, relative to it, are ties. Gillis and Vavasis 2014, Algorithm 1; a
    baseline of Fu et al. 2019, section 6.3.

    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18  # words 0 and 1 are anchors, word 2 is of both topics
    >>> sorted(SPA()(C, 2).words.tolist())
    [0, 1]
    """

    tie: float = 1e-6

    def start(self, candidates: Candidates) -> Span:
        return Span(candidates, tie=self.tie, longest_in_ties=True)


@dataclass(frozen=True)
class FastAnchor(GreedySelector):
    """Take the row of C̄ farthest from the origin, then rows farthest from the affine span of those taken.

    The first anchor becomes the origin, and the rest is pivoted QR. Arora et al. 2013, Algorithm 4, without its random
    projection and without its second pass (which looks for a farther row in place of each anchor); the well-known
    implementations do not make that pass either. A baseline of Fu et al. 2019, section 6.3.

    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18  # words 0 and 1 are anchors, word 2 is of both topics
    >>> sorted(FastAnchor()(C, 2).words.tolist())
    [0, 1]
    """

    def start(self, candidates: Candidates) -> Span:
        return _AffineSpan(candidates)


class _AffineSpan(Span):
    """Distances from the affine span: rows are measured from the first one taken, `origin`."""

    origin: Array | None = None

    def expand(self, group: WordIds) -> float:
        if self.origin is not None:
            return super().expand(group)
        row = self._rows(group).sum(axis=0) / self.row_sums[group].sum()
        squared = float(row @ row)
        # ‖c − o‖² = ‖c‖² − 2 cᵀo + ‖o‖²
        self.squared[self.left] = np.maximum(self.squared[self.left] - 2 * self._along(row) + squared, 0)
        self.reference += squared
        self.origin = row
        return float(np.sqrt(squared))

    def _along(self, q: Array) -> Array:
        return super()._along(q) - (0 if self.origin is None else self.origin @ q)

    def _residuals(self, rows: Array) -> Array:
        return super()._residuals(rows if self.origin is None else rows - self.origin)
