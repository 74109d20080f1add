"""Anchor words by column-pivoted QR of the transposed, row-normalised co-occurrence; 001, section 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.anchors.base import check_candidates
from cotopics.cooccur import Cooccurrence
from cotopics.records import Anchors, Array, WordIds

RANK_TOLERANCE = 1e-9  # a residual this small, relative to the largest row, is rounding: the rank is exhausted


@dataclass(frozen=True)
class PivotedQR:
    """Take the row of C̄ farthest from the span of the rows taken so far, K times.

    C̄ is never updated: each step is one product with C, squared residual norms are kept up to date by subtraction,
    and those in question are computed afresh before a row is taken. Ties go to the more frequent word, and so does
    everything beyond the rank of C, where no row is farther than any other.
    """

    def __call__(
        self,
        C: Any,
        n_topics: int,
        *,
        candidates: Sequence[int] | WordIds | None = None,
        given: Sequence[WordIds] = (),
    ) -> Anchors:
        """Anchors for n_topics: the `given` groups first, the rest chosen among `candidates` (None: all words)."""
        C, row_sums, allowed = check_candidates(C, max(n_topics - len(given), 1), candidates)
        norms = np.zeros(C.shape[0])
        norms[allowed] = C.squared_row_norms()[allowed] / row_sums[allowed] ** 2
        state = _Residuals(C, row_sums, norms, allowed)
        for group in given:
            state.take(group)
        for k in range(len(given), n_topics):
            state.take(np.array([state.farthest()]))
            progress.tell("choosing anchors", k + 1, n_topics)
        return Anchors(tuple(state.groups), state.Q.shape[1], n_topics, True, {"residual": state.distances})


class _Residuals:
    """The rows of C̄ less their part in the span Q of the rows taken."""

    def __init__(self, C: Cooccurrence, row_sums: Array, squared_norms: Array, candidates: WordIds) -> None:
        self.C = C
        self.candidates = candidates
        self.row_sums = row_sums
        self.original = squared_norms
        self.squared = squared_norms.copy()
        self.negligible = RANK_TOLERANCE * np.sqrt(squared_norms.max())
        self.Q = np.empty((C.shape[0], 0))
        self.groups: list[WordIds] = []
        self.distances: list[float] = []

    def farthest(self) -> int:
        """The candidate with the largest residual; subtraction only narrows it down, a fresh computation decides."""
        left = self.candidates[~np.isin(self.candidates, np.concatenate([[-1], *self.groups]))]
        squared = self.squared[left]
        close = left[squared >= squared.max() - 1e-13 * self.original.max()]
        close = close[np.argsort(-self.squared[close], kind="stable")][:64]
        fresh = np.array([np.linalg.norm(self._residual(np.array([word]))) for word in close])
        tied = close[fresh >= fresh.max() * (1 - 1e-12)] if fresh.max() > self.negligible else left
        return int(tied[np.argmax(self.row_sums[tied])])

    def take(self, group: WordIds) -> None:
        """Add the (merged) row of a group to the span."""
        residual = self._residual(group)
        distance = float(np.linalg.norm(residual))
        self.groups.append(group)
        self.distances.append(distance)
        self.squared[group] = 0
        if distance <= self.negligible:
            return  # within the span of the others: nothing new to remove
        q = residual / distance
        self.Q = np.column_stack([self.Q, q])
        used = self.squared > 0
        along = (self.C @ q)[used] / self.row_sums[used]
        self.squared[used] = np.maximum(self.squared[used] - along**2, 0)

    def _residual(self, group: WordIds) -> Array:
        row = self.C.rows(group).sum(axis=0) / self.row_sums[group].sum()
        for _ in range(2):  # once is not enough to be orthogonal to working precision, twice is
            row = row - self.Q @ (self.Q.T @ row)
        return row
