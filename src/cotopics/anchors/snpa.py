"""SNPA, the successive nonnegative projection algorithm: Gillis 2014, Algorithm 2; a baseline of 000, section 6.3."""

from __future__ import annotations

from dataclasses import dataclass

from cotopics.anchors.base import Candidates, GreedySelector, largest
from cotopics.anchors.hull import Hull


@dataclass(frozen=True)
class SNPA(GreedySelector):
    """Take the row of C̄ farthest from the convex hull of the origin and the rows taken; ties as in SPA.

    Where SPA looks at the span, SNPA looks at what non-negative weights can make, so it goes on beyond the rank of C
    as long as a row is outside the hull.
    """

    tie: float = 1e-6

    def start(self, candidates: Candidates) -> Hull:
        norms = candidates.normalised_norms()
        return _Convex(candidates, candidates.row_sums, norms, tie=self.tie)


class _Convex(Hull):
    def next(self) -> int:
        tied = self.farthest()
        if not len(tied):
            return self.candidates.most_frequent(self.left)
        return self.candidates.most_frequent(tied[largest(self.norms[tied])])
