"""AnchorFree by alternating linear programs; Fu et al. 2019, Algorithm 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.anchor_free.problem import CorrelatedTopics, Problem, determinant_problem, no_such_topics, topics_from
from cotopics.errors import ParameterError
from cotopics.linalg.lp import FEASIBILITY_TOLERANCE, LPError, solve_lp
from cotopics.records import Array


@dataclass(frozen=True)
class LinearPrograms:
    """Replace one column of M after the other by the vertex that makes |det M| largest.

    Stops when a sweep over all columns raises log|det M| by less than `tolerance`, or after `max_iter` sweeps. Exact,
    and nothing to tune; for many topics PenaltyDualSplitting is much faster.

    >>> from cotopics import datasets, metrics
    >>> C, B, A = datasets.make_cooccurrence(40, 3, density=0.3, random_state=0)
    >>> round(metrics.topic_error(LinearPrograms()(C, 3).B, B), 3)
    0.0
    """

    max_iter: int = 50
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        if self.max_iter < 1:
            raise ParameterError(f"max_iter={self.max_iter} must be at least 1")

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        problem = determinant_problem(C, n_topics, constrained)
        programs = ColumnPrograms(problem)
        N = np.diag(np.sqrt(problem.values))  # M = I
        history: dict[str, list[float]] = {"log_det": []}
        converged = False
        for sweep in range(1, self.max_iter + 1):
            for f in range(n_topics):
                N[:, f] = _best_column(programs, N, f)
                progress.tell("finding topics", (sweep - 1) * n_topics + f + 1, None)
            history["log_det"].append(problem.log_det(N))
            # the first sweep starts from an infeasible M, so its gain says nothing
            converged = n_topics == 1 or (
                sweep > 1 and history["log_det"][-1] - history["log_det"][-2] < self.tolerance
            )
            if converged:
                break
        history["rows"] = [float(len(programs.working))]
        return topics_from(problem, N, sweep, converged, history)


def _best_column(programs: ColumnPrograms, N: Array, f: int) -> Array:
    """The column x that makes |det N| largest in place of column f: Algorithm 1, lines 3 and 4.

    The cofactors of column f are det N · N⁻ᵀe_f, so x multiplies the determinant by aᵀx.
    """
    try:
        a = np.linalg.solve(N.T, np.eye(len(N))[f])
        largest, smallest = programs.minimise(-a), programs.minimise(a)
    except (np.linalg.LinAlgError, LPError) as error:
        raise no_such_topics(len(N)) from error
    return largest if a @ largest >= -(a @ smallest) else smallest


class ColumnPrograms:
    """min aᵀx subject to Rx ≥ 0, bᵀx = 1 for many a. The same few rows of R decide, so only a working set is used.

    It starts with the rows that are extreme along the axes and a few fixed random directions. After each solution the
    most violated rows are added, until none is violated. They stay for later programs.
    """

    def __init__(self, problem: Problem) -> None:
        self.R, self.b = problem.R, problem.b
        self.batch = 4 * problem.n_topics
        directions = np.random.default_rng(0).standard_normal((problem.n_topics, 2 * problem.n_topics))
        scores = self.R @ np.hstack([np.eye(problem.n_topics), directions])
        self.working = np.unique(np.concatenate([scores.argmin(axis=0), scores.argmax(axis=0)]))
        self.fence = self._fence(problem.norms)

    def _fence(self, norms: Array) -> Array:
        """Sums of groups of rows. They are implied by the rows and add up to b, so every program is bounded."""
        n_topics = self.R.shape[1]
        axis = np.abs(self.R).argmax(axis=1)
        group = 2 * axis + (np.take_along_axis(self.R, axis[:, None], axis=1)[:, 0] > 0)
        sums = np.zeros((2 * n_topics, n_topics))
        np.add.at(sums, group, self.R * norms[:, None])
        norms = np.linalg.norm(sums, axis=1)
        return sums[norms > 0] / norms[norms > 0, None]

    def minimise(self, a: Array) -> Array:
        while True:
            try:
                x = solve_lp(a, np.vstack([self.fence, self.R[self.working]]), self.b).x
            except LPError:  # the fence has too few groups to bound the program; all rows together do
                if len(self.working) == len(self.R):
                    raise
                self.working = np.arange(len(self.R))
                continue
            slack = self.R @ x
            violated = np.flatnonzero(slack < -FEASIBILITY_TOLERANCE * np.linalg.norm(x))
            violated = np.setdiff1d(violated, self.working, assume_unique=True)
            if len(violated) == 0:
                return x
            worst = violated[np.argsort(slack[violated], kind="stable")[: self.batch]]
            self.working = np.sort(np.concatenate([self.working, worst]))
