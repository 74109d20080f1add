"""The choice of the solver, by the number of topics.

Seconds without the eigenpairs, from `benchmarks/anchor_free_solvers.py` (balanced weighting, 2 cores), and log|det M|
of both solvers if it differs:

    words (corpus)       topics    lp      pds
    1,000 (planted)           5    0.08    0.07    equal
                             30    0.82    0.36    equal
    18,933 (Reuters)          5    0.15    0.08    equal
                             10    0.70    0.42    equal
                             20    2.8     0.81    equal
    36,771 (TDT2)             5    0.08    0.19    equal
                             10    0.34    0.54    equal
                             15    0.78    0.70    8.157, 8.217
                             25    3.8     1.8     18.50, 18.44

More words slow down both in the same way. Both find local maxima; on noisy data these are sometimes different.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.anchor_free.lp import LinearPrograms
from cotopics.anchor_free.pds import PenaltyDualSplitting
from cotopics.anchor_free.problem import CorrelatedTopics

MAX_TOPICS_OF_LINEAR_PROGRAMS = 5


@dataclass(frozen=True)
class Automatic:
    """LinearPrograms for up to 5 topics, where they are exact and as fast; PenaltyDualSplitting for more.

    >>> from cotopics import datasets, metrics
    >>> C, B, A = datasets.make_cooccurrence(40, 3, density=0.3, random_state=0)
    >>> round(metrics.topic_error(Automatic()(C, 3).B, B), 3)
    0.0
    """

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        solver = LinearPrograms() if n_topics <= MAX_TOPICS_OF_LINEAR_PROGRAMS else PenaltyDualSplitting()
        return solver(C, n_topics, constrained=constrained)
