"""Which solver, by the number of topics.

Seconds of one processor without the eigenpairs, balanced weighting; where two numbers follow, log|det M| of each:

    words (corpus)       topics    lp      pds
    1,000 (planted)           5    0.04    0.03    equal
                             30    0.84    0.12    equal
    18,933 (Reuters)          5    0.13    0.08    equal
                             10    0.71    0.20    equal
                             20    3.8     0.61    5.648, 5.649
    36,771 (TDT2)             3    0.04    0.08    equal
                              5    0.10    0.12    equal
                             10    0.34    0.27    equal
                             15    1.0     0.47    8.161, 8.221
                             25    4.6     2.2     18.319, 18.324

The number of words changes both alike. Both find local maxima, on noisy data now and then different ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.anchor_free.base import CorrelatedTopics
from cotopics.anchor_free.lp import LinearPrograms
from cotopics.anchor_free.pds import PenaltyDualSplitting

FEW_TOPICS = 5


@dataclass(frozen=True)
class Automatic:
    """LinearPrograms for up to 5 topics, exact and as fast there; PenaltyDualSplitting above."""

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        solver = LinearPrograms() if n_topics <= FEW_TOPICS else PenaltyDualSplitting()
        return solver(C, n_topics, constrained=constrained)
