"""Topics without anchor words: of all factorisations C ≈ BABᵀ, the one with the largest |det M|; Fu et al. 2019.

A solver is a frozen dataclass of its options, called as `solver(C, n_topics, constrained=None) → CorrelatedTopics`.
"""

from cotopics.anchor_free.auto import Automatic
from cotopics.anchor_free.lp import LinearPrograms
from cotopics.anchor_free.pds import PenaltyDualSplitting
from cotopics.anchor_free.printed import PrintedSplitting
from cotopics.anchor_free.problem import CorrelatedTopics, Solver
from cotopics.registry import ANCHOR_FREE

__all__ = [
    "ANCHOR_FREE",
    "Automatic",
    "CorrelatedTopics",
    "LinearPrograms",
    "PenaltyDualSplitting",
    "PrintedSplitting",
    "Solver",
]
