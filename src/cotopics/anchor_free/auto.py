"""Which solver, by the number of topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.anchor_free.base import CorrelatedTopics
from cotopics.anchor_free.lp import LinearPrograms
from cotopics.anchor_free.pds import PenaltyDualSplitting

FEW_TOPICS = 8


@dataclass(frozen=True)
class Automatic:
    """LinearPrograms up to 8 topics, PenaltyDualSplitting above."""

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        solver = LinearPrograms() if n_topics <= FEW_TOPICS else PenaltyDualSplitting()
        return solver(C, n_topics, constrained=constrained)
