"""Rows of C̄ and the span of those taken: what pivoted QR, successive projection and FastAnchor share."""

from __future__ import annotations

import numpy as np

from cotopics.anchors.base import RANK_TOLERANCE, ROUNDING, Candidates, Chosen, largest
from cotopics.records import Array, WordIds

NOISE = 1e-13  # of squared distances kept by subtraction, relative to what they were when last computed
REFRESH = 1e-5  # below this share of it they are computed anew: digits lost to subtraction would decide
CLOSE_CALLS = 256  # at most so many rows are looked at afresh before one is taken


class Span(Chosen):
    """Squared distances of the rows of C̄ (rows of C divided by their sums) from the span Q of the rows taken.

    C̄ is never updated: each step is one product with C, squared distances are kept up to date by subtraction, and
    those in question are computed afresh before a row is taken. Two distances whose squares differ by at most `tie`,
    relative to the larger, are equal; `prefer` decides between equals.
    """

    def __init__(self, candidates: Candidates, *, tie: float = ROUNDING) -> None:
        super().__init__(candidates)
        self.tie = tie
        self.original = candidates.normalised_norms()
        self.squared = self.original.copy()
        self.reference = float(self.squared.max(initial=0))
        self.negligible = RANK_TOLERANCE * float(np.sqrt(self.reference))
        self.Q = np.empty((self.C.shape[0], 0))

    def next(self) -> int:
        """The candidate farthest from the span; subtraction only narrows it down, a fresh computation decides."""
        farthest = float(self.squared[self.left].max())
        if farthest < REFRESH * self.reference and self.reference > self.negligible**2:
            farthest = self._refresh()
        if farthest <= self.negligible**2:
            return self.candidates.most_frequent(self.left)
        close = self.left[self.squared[self.left] >= farthest * (1 - self.tie) - NOISE * self.reference]
        if len(close) > CLOSE_CALLS:
            close = np.sort(close[np.argsort(-self.row_sums[close], kind="stable")][:CLOSE_CALLS])
        return self.prefer(close[largest(self._distances(close) ** 2, tie=self.tie)])

    def prefer(self, tied: WordIds) -> int:
        """One of the words that are equally far: the most frequent."""
        return self.candidates.most_frequent(tied)

    def expand(self, group: WordIds) -> float:
        row = self.C.rows(group).sum(axis=0) / self.row_sums[group].sum()
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

    def _along(self, q: Array) -> Array:
        """C̄ q for the candidates left."""
        return (self.C @ q)[self.left] / self.row_sums[self.left]

    def _residuals(self, rows: Array) -> Array:
        """Rows (n, n_words) less their part in the span."""
        for _ in range(2):  # once is not enough to be orthogonal to working precision, twice is
            rows = rows - (rows @ self.Q) @ self.Q.T
        return rows

    def _distances(self, words: WordIds) -> Array:
        rows = self.C.rows(words) / self.row_sums[words, None]
        return np.linalg.norm(self._residuals(rows), axis=1)

    def _refresh(self) -> float:
        """Compute the squared distance of every candidate left from its row; the largest."""
        for block in self.C.row_blocks():
            words = self.left[(self.left >= block[0]) & (self.left <= block[-1])]
            self.squared[words] = self._distances(words) ** 2
        self.reference = float(self.squared[self.left].max())
        return self.reference
