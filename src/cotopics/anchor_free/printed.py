"""AnchorFree by penalty dual splitting as it is printed, for comparison; Fu et al. 2019, Algorithms 2 and 3, Eq. 23.

Z is held fixed in a step, so every word resists it, and steps are small: thousands where PenaltyDualSplitting, which
eliminates Z, needs a dozen (see `pds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.anchor_free.problem import CorrelatedTopics, Problem, determinant_problem
from cotopics.anchor_free.rounds import check_rounds, solve_in_rounds, start
from cotopics.errors import ParameterError
from cotopics.records import Array

MAX_HALVINGS = 30
ARMIJO = 1e-4  # share of the promised decrease that a step must reach


@dataclass(frozen=True)
class PrintedSplitting:
    """log|det M| with a penalty on BM = Z ≥ 0, whose weight or multipliers U change after every round; Algorithm 2.

    A round alternates Z (Eq. 22) and a step of M (Eq. 23 with a line search) until both move by less than ε, or for
    `max_steps` steps. Then U is updated if ‖BM − Z‖ ≤ η, else ρ is multiplied by `c`; η and ε are, too. Words are
    scaled to unit norm and b to ‖b‖ = 1 as in PenaltyDualSplitting, so that ρ means the same for every C. Stops when a
    round changes log|det M| by less than `tolerance` and clipping would remove less than `clipped` of the mass; from
    1e-4 on, `clipped` asks to stop early and is enough, as there.
    """

    rho: float = 0.01
    c: float = 0.5
    mu: float = 1e-4
    epsilon: float = 1e-3
    eta: float = 1.0
    tolerance: float = 1e-7
    clipped: float = 1e-8
    max_iter: int = 100
    max_steps: int = 2000

    def __post_init__(self) -> None:
        check_rounds(self.max_iter)
        if not 0 < self.c < 1:
            raise ParameterError(f"c={self.c} must be above 0 and below 1")

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        problem = determinant_problem(C, n_topics, constrained)
        state = _State(problem, self.rho, self.c, self.epsilon, self.eta, self.mu)
        stop = {"tolerance": self.tolerance, "clipped": self.clipped}
        return solve_in_rounds(problem, state, **stop, max_iter=self.max_iter, max_steps=self.max_steps)


class _State:
    """N (F, F) with bᵀN = 1ᵀ, Z ≥ 0 (n, F) and multipliers U (n, F) of RN = Z; R as B of the paper."""

    def __init__(self, problem: Problem, rho: float, c: float, epsilon: float, eta: float, mu: float) -> None:
        self.R = problem.R * np.sqrt(problem.n_topics / len(problem.R))  # so that RᵀR has trace F
        self.gram = self.R.T @ self.R
        self.rho, self.c, self.epsilon, self.eta, self.mu = rho, c, epsilon, eta, mu
        self.b, self.N = start(problem)
        self.Z = np.maximum(self.R @ self.N, 0)
        self.U = np.zeros_like(self.Z)

    def minimise(self, max_steps: int) -> int:
        """Algorithm 3; returns the number of steps."""
        step = 0
        while step < max_steps:
            step += 1
            N, Z = self.N, self.Z
            self.Z = np.maximum(self.R @ N + self.rho * self.U, 0)  # line 3, Eq. 22
            target = self._minimiser()  # line 4
            self.N = self._between(N, target)  # lines 5 and 6
            if max(np.linalg.norm(self.N - N), np.linalg.norm(self.Z - Z)) <= self.epsilon:
                break
        return step

    def _minimiser(self) -> Array:
        """The solution of Eq. 23 at N: a quadratic in each column, on the plane bᵀx = 1."""
        gradient = -np.linalg.inv(self.N).T
        H = self.mu * np.eye(len(self.N)) + self.gram / self.rho
        right = self.mu * self.N - gradient + self.R.T @ (self.Z / self.rho - self.U)
        free, along = np.linalg.solve(H, right), np.linalg.solve(H, self.b)
        return np.asarray(free - np.outer(along, (self.b @ free - 1) / (self.b @ along)))

    def _between(self, N: Array, target: Array) -> Array:
        """Armijo's rule on the way to the target: half as far, until the cost of Eq. 17 falls enough."""
        D = target - N
        gap = self.R @ N - self.Z + self.rho * self.U
        moved = self.R @ D
        slope = float(np.vdot(gap, moved) / self.rho - np.trace(np.linalg.solve(N, D)))
        before, t = float(np.vdot(gap, gap)) / (2 * self.rho) - np.linalg.slogdet(N)[1], 1.0
        for _ in range(MAX_HALVINGS):
            ahead = gap + t * moved
            after = float(np.vdot(ahead, ahead)) / (2 * self.rho) - np.linalg.slogdet(N + t * D)[1]
            if after <= before + ARMIJO * t * slope:
                return np.asarray(N + t * D)
            t /= 2
        return N

    def next_round(self) -> None:
        """Algorithm 2, lines 5 to 10."""
        missing = self.R @ self.N - self.Z
        if np.linalg.norm(missing) <= self.eta:
            self.U = self.U + missing / self.rho
        else:
            self.rho *= self.c
        self.epsilon, self.eta = self.c * self.epsilon, self.c * self.eta
