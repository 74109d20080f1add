"""FastAnchor: Arora et al. 2013, Algorithm 4 without random projection; a baseline of 000, section 6.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cotopics.anchors.base import Candidates, GreedySelector
from cotopics.anchors.span import Span
from cotopics.records import Array, WordIds


@dataclass(frozen=True)
class FastAnchor(GreedySelector):
    """Take the row of C̄ farthest from the origin, then rows farthest from the affine span of those taken.

    The first anchor becomes the origin, and the rest is pivoted QR on what is left of the rows. The second pass of
    the paper's Algorithm 4, which looks for a farther row in each anchor's place, is not made, nor is it in the
    implementations that the method is known by.
    """

    def start(self, candidates: Candidates) -> Span:
        return _AffineSpan(candidates)


class _AffineSpan(Span):
    """Distances from the affine span: rows are measured from the first one taken, `origin` (n_words,)."""

    origin: Array | None = None

    def expand(self, group: WordIds) -> float:
        if self.origin is not None:
            return super().expand(group)
        row = self.C.rows(group).sum(axis=0) / self.row_sums[group].sum()
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
