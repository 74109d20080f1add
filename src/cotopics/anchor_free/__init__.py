"""Topics without anchor words: the factorisation of C whose topics are spread the least, found in F dimensions."""

from cotopics.anchor_free.base import CorrelatedTopics, Solver
from cotopics.anchor_free.lp import LinearPrograms

ANCHOR_FREE = {"lp": LinearPrograms}

__all__ = ["ANCHOR_FREE", "CorrelatedTopics", "LinearPrograms", "Solver"]
