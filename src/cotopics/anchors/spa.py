"""SPA, the successive projection algorithm: Gillis and Vavasis 2014, Algorithm 1; a baseline of 000, section 6.3."""

from __future__ import annotations

from dataclasses import dataclass

from cotopics.anchors.base import Candidates, GreedySelector, largest
from cotopics.anchors.span import Span
from cotopics.records import WordIds


@dataclass(frozen=True)
class SPA(GreedySelector):
    """Take the row of C̄ farthest from the span of those taken; of near ties, the one farthest from the origin.

    On rows that sum to one this is pivoted QR, except for ties: squared distances within `tie` of the largest,
    relative to it, count as equal.
    """

    tie: float = 1e-6

    def start(self, candidates: Candidates) -> Span:
        return _Longest(candidates, tie=self.tie)


class _Longest(Span):
    def prefer(self, tied: WordIds) -> int:
        """The word whose own row is the longest; the most frequent of those."""
        return super().prefer(tied[largest(self.original[tied])])
