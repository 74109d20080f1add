"""Anchor words by column-pivoted QR of the transposed, row-normalised co-occurrence; 001, section 3."""

from __future__ import annotations

from dataclasses import dataclass

from cotopics.anchors.base import Candidates, GreedySelector
from cotopics.anchors.span import Span


@dataclass(frozen=True)
class PivotedQR(GreedySelector):
    """Take the row of C̄ farthest from the span of the rows taken so far, K times.

    Ties go to the more frequent word, and so does everything beyond the rank of C, where no row is farther than any
    other. K products with C and one of its squared row norms.
    """

    def start(self, candidates: Candidates) -> Span:
        return Span(candidates)
