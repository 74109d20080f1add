"""AnchorFree by penalty dual splitting; 000, Algorithms 2 and 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from cotopics import progress
from cotopics.anchor_free.base import CorrelatedTopics, Problem, finish, pose
from cotopics.errors import CooccurrenceError
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array

SAMPLE = 20  # curvature of a column from at most this many times F rows: enough for a good direction
ARMIJO = 1e-4


@dataclass(frozen=True)
class PenaltyDualSplitting:
    """Move all columns of M at once: log|det M| with a penalty on RN ≥ 0 that hardens, and multipliers; Eq. 17.

    Round k minimises −log|det N| + ‖min(RN + ρW, 0)‖²/2ρ subject to bᵀN = 1ᵀ, which is Eq. 17 with Z = max(RN + ρW, 0)
    put in (Eq. 22), to ε_k; then the multipliers W are updated, and ρ and ε shrink by the factor `c` as in Algorithm 2.
    The paper's M-step (Eq. 23) holds Z fixed, so that every word resists every step; with Z eliminated only violated
    words do, and a round takes a handful of steps instead of thousands. Rows of R have the same norm, so neither the
    scale of C nor the number of words matters.

    A run ends when a round changes log|det M| by less than `tolerance` and the mass that clipping would remove is below
    `clipped`. A larger `clipped` (0.01) ends it earlier, with topics that ignore what rare words ask for.
    """

    rho: float = 1.0
    c: float = 0.25
    mu: float = 1e-6
    tolerance: float = 1e-3
    clipped: float = 1e-7
    max_rounds: int = 40
    max_steps: int = 50

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        problem = pose(C, n_topics, constrained)
        lagrangian = Lagrangian(problem, self.rho, self.mu)
        history: dict[str, list[float]] = {"log_det": [], "steps": [], "rho": []}
        converged, epsilon = False, 1e-2 * n_topics
        for done in range(1, self.max_rounds + 1):
            steps = lagrangian.decrease(epsilon, self.max_steps)
            N = lagrangian.N / np.linalg.norm(problem.b)
            history["log_det"].append(problem.log_det(N))
            history["steps"].append(float(steps))
            history["rho"].append(lagrangian.rho)
            progress.tell("finding topics", done, self.max_rounds)
            change = abs(history["log_det"][-1] - history["log_det"][-2]) if done > 1 else np.inf
            converged = change <= self.tolerance and clipped_mass(problem.U @ N) <= self.clipped
            if converged:
                break
            lagrangian.harden(self.c)
            epsilon = max(epsilon * self.c, 1e-6 * n_topics)
        return finish(problem, N, done, converged, history)


def clipped_mass(B: Array) -> float:
    """Share of the absolute mass of B that is negative."""
    return float(np.maximum(-B, 0).sum() / np.abs(B).sum())


class Lagrangian:
    """−log|det N| + ‖S‖²/2ρ with S = min(RN + ρW, 0), its minimisation over bᵀN = 1ᵀ, and its multipliers W ≤ 0.

    N (F, F) in units where ‖b‖ = 1. Only rows that could be violated are multiplied: a row of unit norm whose slack
    exceeds the distance that a column has moved since the slack was computed cannot be, so leaving it out is exact.
    """

    def __init__(self, problem: Problem, rho: float, mu: float) -> None:
        self.R = problem.R
        self.weight = problem.n_topics / len(self.R)  # of a squared row, so that the rows' Gram matrix has trace F
        self.b = problem.b / np.linalg.norm(problem.b)
        self.rho, self.mu = rho, mu
        N = np.diag(np.sqrt(problem.values / problem.values[0]))  # M = I,
        self.N = N - np.outer(self.b, self.b @ N - 1)  # moved onto bᵀN = 1ᵀ
        self.W = np.zeros(self.R.shape)
        self._look_at_all_rows(np.full(problem.n_topics, np.inf))

    def _look_at_all_rows(self, margin: Array) -> None:
        """Keep the rows whose slack is within `margin` (F,) in some column, or that have a multiplier."""
        self.reference, self.margin = self.N, margin
        slack = self.R @ self.N
        kept = ((slack <= margin) | (self.W < 0)).any(axis=1)
        self.rows = np.flatnonzero(kept)
        self.R_kept, self.W_kept, self.slack = self.R[self.rows], self.W[self.rows], slack[self.rows]

    def decrease(self, epsilon: float, max_steps: int) -> int:
        """Newton steps until one promises less than epsilon: what Algorithm 3 does. Returns how many it took."""
        shifted = self.slack + self.rho * self.W_kept
        for step in range(1, max_steps + 1):
            try:
                N_inverse = np.linalg.inv(self.N)
            except np.linalg.LinAlgError as error:
                raise CooccurrenceError(
                    f"no {len(self.N)} independent topics are non-negative on the constrained words. "
                    "Ask for fewer topics, or leave rare words out of `constrained`"
                ) from error
            S = np.minimum(shifted, 0)
            gradient = (self.weight / self.rho) * (self.R_kept.T @ S) - N_inverse.T
            D = self._direction(gradient, N_inverse, S)
            slope = float(np.vdot(gradient, D))
            moved = np.linalg.norm(self.N + D - self.reference, axis=0)
            if (moved > self.margin).any():
                self._look_at_all_rows(4 * np.linalg.norm(D, axis=0))
                shifted = self.slack + self.rho * self.W_kept
            Q = self.R_kept @ D
            t = self._search(shifted, Q, D, N_inverse, slope)
            if t is None:
                return step
            self.N = self.N + D * t
            self.slack = self.slack + Q * t
            shifted = self.slack + self.rho * self.W_kept
            if -slope <= epsilon:
                return step
        return max_steps

    def harden(self, c: float) -> None:
        """W ← W + (RN − Z)/ρ, which is S/ρ, and ρ ← cρ; Algorithm 2, lines 6 and 8."""
        self.W_kept = np.minimum(self.slack / self.rho + self.W_kept, 0)
        self.W[self.rows] = self.W_kept
        self.rho *= c

    def _direction(self, gradient: Array, N_inverse: Array, S: Array) -> Array:
        """A Newton step for each column by itself, with bᵀd = 0.

        The curvature in column f is aaᵀ from the determinant, a = N⁻ᵀe_f, and RᵀR/ρ over the rows violated in it.
        """
        F = len(gradient)
        D = np.empty_like(gradient)

        def columns(first: int, last: int) -> None:
            for f in range(first, last):
                violated = np.flatnonzero(S[:, f])
                stride = 1 + len(violated) // (SAMPLE * F)
                V = self.R_kept[violated[::stride]]
                share = len(violated) / max(len(V), 1)
                H = (share * self.weight / self.rho) * (V.T @ V) + np.outer(N_inverse[f], N_inverse[f])
                H[np.diag_indices(F)] += self.mu * H.trace() / F
                factor = scipy.linalg.cho_factor(H, check_finite=False)
                d, h = scipy.linalg.cho_solve(factor, np.column_stack([-gradient[:, f], self.b]), check_finite=False).T
                D[:, f] = d - h * ((self.b @ d) / (self.b @ h))

        map_row_blocks(columns, F, block=8)
        return D

    def _search(self, shifted: Array, Q: Array, D: Array, N_inverse: Array, slope: float) -> Array | None:
        """Step lengths (F,), first for each column as if it moved alone, then for all together; None: no progress."""
        penalty = self.weight / (2 * self.rho)
        own = np.einsum("fk,kf->f", N_inverse, D)  # det(N + t d e_fᵀ) = (1 + t aᵀd) det N
        before = penalty * (np.minimum(shifted, 0) ** 2).sum(axis=0)
        slopes = 2 * penalty * np.einsum("if,if->f", np.minimum(shifted, 0), Q) - own
        t = np.ones(len(D))
        for _ in range(30):
            after = penalty * (np.minimum(shifted + Q * t, 0) ** 2).sum(axis=0)
            with np.errstate(divide="ignore"):
                worse = after - np.log(np.abs(1 + t * own)) > before + ARMIJO * t * slopes
            if not worse.any():
                break
            t[worse] /= 2
        log_det, value = np.linalg.slogdet(self.N)[1], before.sum()
        for _ in range(30):
            after = penalty * (np.minimum(shifted + Q * t, 0) ** 2).sum()
            change = after - value - np.linalg.slogdet(self.N + D * t)[1] + log_det
            if change <= ARMIJO * float(slopes @ t):
                return t
            t /= 2
        return None
