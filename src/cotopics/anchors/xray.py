"""XRAY with its "max" criterion: Kumar, Sindhwani and Kambadur 2013, Algorithm 1; a baseline of 000, section 6.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cotopics.anchors.base import Candidates, GreedySelector, largest
from cotopics.anchors.hull import Hull
from cotopics.records import Array, WordIds


@dataclass(frozen=True)
class XRAY(GreedySelector):
    """Take the extreme ray of the cone of C's rows in the direction of the largest residual.

    Of the row i of C with the largest residual r after non-negative least squares on the rows taken, the next
    anchor is argmax_j rᵀC_j / 1ᵀC_j. Rows keep their lengths: frequent words decide where to look.
    """

    def start(self, candidates: Candidates) -> Hull:
        lengths = np.sqrt(candidates.C.squared_row_norms())
        scale = np.where(lengths > 0, lengths, 1)
        return _Cone(candidates, scale, np.ones(len(scale)), weight=lengths, tie=1e-9)


class _Cone(Hull):
    """Distances from the cone of W: rows have unit length.

    For non-negative unit rows and a unit target, ‖Wᵀh‖ ≤ 1 at the minimiser and ‖Wᵀh‖² ≥ Σh² ≥ (Σh)²/k, so that no
    sum of weights exceeds √k: the hull of 0 and 2√k W holds every point of the cone that matters.
    """

    def reach(self) -> float:
        return 2 * float(np.sqrt(len(self.W)))

    def merged(self, group: WordIds) -> Array:
        row: Array = self.C.rows(group).sum(axis=0)
        return row / np.linalg.norm(row)

    def multiplier(self, group: WordIds) -> float:
        return float(np.linalg.norm(self.C.rows(group).sum(axis=0)))

    def next(self) -> int:
        tied = self.farthest()
        if not len(tied):
            return self.candidates.most_frequent(self.left)
        i = self.candidates.most_frequent(tied)
        residual = self.C.rows(np.array([i]))[0] / self.scale[i] - self.Y[i] @ self.W
        score = (self.C @ residual)[self.left] / self.row_sums[self.left]
        return self.candidates.most_frequent(self.left[largest(score, tie=self.tie)])
