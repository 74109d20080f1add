"""The outer loop of penalty dual splitting, whichever way a round is made; Fu et al. 2019, Algorithm 2.

A round minimises over N with the penalty and the multipliers as they are; then one of these, or both, change.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cotopics import progress
from cotopics.anchor_free.problem import CorrelatedTopics, Problem, clipped_mass, no_such_topics, topics_from
from cotopics.errors import ParameterError
from cotopics.records import Array

EARLY_STOP_CLIPPED = 1e-4  # from here on, `clipped` asks to stop early and is not a tolerance


class Splitting(Protocol):
    """Where a run stands: N (F, F) in units where ‖b‖ = 1, and what the penalty ‖·‖²/2ρ is divided by."""

    N: Array
    rho: float

    def minimise(self, max_steps: int) -> int:
        """A round, Algorithm 3; returns the number of its steps."""

    def next_round(self) -> None:
        """Change multipliers, ρ and thresholds; Algorithm 2, lines 5 to 10."""


def start(problem: Problem) -> tuple[Array, Array]:
    """b (F,) of norm one, and the paper's M = I as N (F, F), moved onto bᵀN = 1ᵀ."""
    b = problem.b / np.linalg.norm(problem.b)
    N = np.diag(np.sqrt(problem.values / problem.values[0]))
    return b, N - np.outer(b, b @ N - 1)


def check_rounds(max_iter: int) -> None:
    if max_iter < 1:
        raise ParameterError(f"max_iter={max_iter} must be at least 1")


def solve_in_rounds(
    problem: Problem, state: Splitting, *, tolerance: float, clipped: float, max_iter: int, max_steps: int
) -> CorrelatedTopics:
    """Rounds until one changes log|det M| by at most `tolerance` and clipping removes at most `clipped` of the mass."""
    history: dict[str, list[float]] = {"log_det": [], "steps": [], "rho": []}
    converged = False
    for done in range(1, max_iter + 1):
        try:
            steps = state.minimise(max_steps)
        except np.linalg.LinAlgError as error:
            raise no_such_topics(problem.n_topics) from error
        N = state.N / np.linalg.norm(problem.b)
        history["log_det"].append(problem.log_det(N))
        history["steps"].append(float(steps))
        history["rho"].append(state.rho)
        progress.tell("finding topics", done, None)
        change = abs(history["log_det"][-1] - history["log_det"][-2]) if done > 1 else np.inf
        negative = clipped_mass(problem.norms[:, None] * (problem.R @ N))  # of the constrained words
        # with a large `clipped` the objective still changes, and that is intended
        converged = negative <= clipped and (change <= tolerance or clipped >= EARLY_STOP_CLIPPED)
        if converged:
            break
        state.next_round()
    return topics_from(problem, N, done, converged, history)
