"""RecoverL2: every row of C̄ as the nearest convex combination of the anchors' rows; 001, section 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics import progress
from cotopics.errors import ParameterError
from cotopics.linalg import exponentiated_gradient, simplex_least_squares
from cotopics.records import Anchors, Topics
from cotopics.recover.base import anchor_rows, as_topics, held_nonnegative

SOLVERS = {"active-set": simplex_least_squares, "exponentiated-gradient": exponentiated_gradient}


@dataclass(frozen=True)
class SimplexLeastSquares:
    """min ‖C̄_i − yᵀC̄_S‖² over the simplex for every word i, then Bayes' rule.

    solver="active-set" is exact; "exponentiated-gradient" is the papers' and stops at a duality gap of 1e-5 or after
    500 steps. One product with C reduces all problems to K dimensions.
    """

    solver: str = "active-set"

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        if self.solver not in SOLVERS:
            raise ParameterError(f"solver={self.solver!r} is unknown; choose one of {', '.join(SOLVERS)}")
        C = held_nonnegative(C, anchors)
        row_sums = C.row_sums()
        used = row_sums > 0
        X = anchor_rows(C, anchors)
        F = (C @ X.T)[used] / row_sums[used, None]  # C̄ C̄_Sᵀ
        progress.tell("recovering topics", 0, None)
        return as_topics(SOLVERS[self.solver](X @ X.T, F), used, row_sums, anchors)
