"""Topics without anchor words: the factorisation of C whose topics are spread the least, found in F dimensions."""

from cotopics.anchor_free.auto import Automatic
from cotopics.anchor_free.base import CorrelatedTopics, Solver
from cotopics.anchor_free.lp import LinearPrograms
from cotopics.anchor_free.pds import PenaltyDualSplitting
from cotopics.registry import ANCHOR_FREE

__all__ = ["ANCHOR_FREE", "Automatic", "CorrelatedTopics", "LinearPrograms", "PenaltyDualSplitting", "Solver"]
