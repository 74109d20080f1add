"""AnchorFree by penalty dual splitting, with Z eliminated; Fu et al. 2019, Algorithms 2 and 3.

The paper's M-step (Eq. 23) holds the splitting variable Z fixed, so every word resists every step. With Z replaced by
its minimiser only violated words do, and a round takes a dozen damped Newton steps instead of thousands. On TDT2
(36,771 words, 10 topics) that is about 50 steps and half a second in all; a prototype of Eq. 23 still violated the
constraints after 28,000 steps and a minute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from cotopics.anchor_free.problem import CorrelatedTopics, Problem, determinant_problem
from cotopics.anchor_free.rounds import check_rounds, solve_in_rounds, start
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array

MIN_SAMPLE, MAX_SAMPLE = 10, 20  # times F rows are enough for the curvature of a column;
SAMPLE_ROWS = 2000  # the larger number while it is at most this
ARMIJO = 1e-4  # share of the promised decrease that a step must reach
MAX_HALVINGS = 30
LEAST_EPSILON = 1e-4  # times n_topics: ε shrinks no further
NEAR_ROWS = 4  # times F rows nearest to violation in each column are used too


@dataclass(frozen=True)
class PenaltyDualSplitting:
    """Move all columns of M at once: log|det M| with a growing penalty on RN ≥ 0, and multipliers; Eq. 17.

    A round minimises −log|det N| + ‖min(RN + ρW, 0)‖²/2ρ subject to bᵀN = 1ᵀ, which is Eq. 17 with the Z of Eq. 22.
    Then the multipliers W (U in the paper) are updated, and ρ and ε shrink; Algorithm 2. Rows of R have the same norm,
    so neither the scale of C nor the number of words matters, and the paper's threshold η is not needed.

    Parameters
    ----------
    rho : first ρ; the penalty is divided by it
    c : factor of ρ and ε after a round (0.5 in the paper, which holds Z fixed)
    epsilon : first ε; a round ends when a step promises less than ε·n_topics
    mu : damping of the Newton steps (1e-4 in the paper)
    tolerance : a run ends when a round changes log|det M| by less, and `clipped` is satisfied
    clipped : largest share of the mass that clipping may remove
        A larger one, such as 0.01, ends a run sooner, with topics that adapt less to rare words.
    max_iter : most rounds
    max_steps : most steps of a round
    """

    rho: float = 1.0
    c: float = 0.1
    epsilon: float = 0.1
    mu: float = 1e-6
    tolerance: float = 1e-4
    clipped: float = 1e-8
    max_iter: int = 30
    max_steps: int = 50

    def __post_init__(self) -> None:
        check_rounds(self.max_iter)

    def __call__(self, C: Any, n_topics: int, *, constrained: Any = None) -> CorrelatedTopics:
        problem = determinant_problem(C, n_topics, constrained)
        state = Lagrangian(problem, self.rho, self.c, self.epsilon * n_topics, self.mu)
        stop = {"tolerance": self.tolerance, "clipped": self.clipped}
        return solve_in_rounds(problem, state, **stop, max_iter=self.max_iter, max_steps=self.max_steps)


class Lagrangian:
    """−log|det N| + ‖S‖²/2ρ with S = min(RN + ρW, 0), its minimisation over bᵀN = 1ᵀ, and its multipliers W ≤ 0.

    N (F, F) is in units where ‖b‖ = 1. Arrays with an entry per row of R and column of N are (F, n), so that the
    entries of a column are contiguous. Rows far from violation add nothing, so steps use the `kept` rows only; rows
    that become violated are added before the round ends.
    """

    def __init__(self, problem: Problem, rho: float, c: float, epsilon: float, mu: float) -> None:
        self.R = problem.R
        self.weight = problem.n_topics / len(self.R)  # of a squared row, so that the rows' Gram matrix has trace F
        self.rho, self.c, self.epsilon, self.mu = rho, c, epsilon, mu
        self.b, self.N = start(problem)
        self.W = np.zeros(self.R.T.shape)
        self._keep(np.ones(len(self.R), dtype=bool), self._slack())

    def _slack(self) -> Array:
        return self.N.T @ self.R.T

    def _keep(self, kept: Any, slack: Array) -> None:
        self.kept = kept
        self.R_kept, self.W_kept, self.slack = self.R[kept], self.W[:, kept], slack[:, kept]

    def minimise(self, max_steps: int) -> int:
        """Minimise over N until a step promises less than ε; Algorithm 3. Returns the number of steps."""
        steps = 0
        while True:
            steps += self._minimise_on_kept_rows(max_steps - steps)
            slack = self._slack()
            missed = (slack < 0).any(axis=0) & ~self.kept
            self._keep(self.kept | missed, slack)
            if steps >= max_steps or not missed.any():
                return steps

    def next_round(self) -> None:
        """W ← W + (RN − Z)/ρ, which is S/ρ, and ρ ← cρ; Algorithm 2, lines 6 and 8."""
        slack = self._slack()
        self.W[:, self.kept] = np.minimum(slack[:, self.kept] / self.rho + self.W_kept, 0)
        self.rho *= self.c
        self.epsilon = max(self.c * self.epsilon, LEAST_EPSILON * len(self.N))
        near = min(NEAR_ROWS * len(self.N), len(self.R)) - 1
        nearest = np.partition(slack, near, axis=1)[:, near, None]
        self._keep(((slack <= nearest) | (self.W < 0)).any(axis=0), slack)

    def _minimise_on_kept_rows(self, max_steps: int) -> int:
        shifted = self.slack + self.rho * self.W_kept
        for step in range(1, max_steps + 1):
            N_inverse: Any = np.linalg.inv(self.N)
            S = np.minimum(shifted, 0)
            gradient = (self.weight / self.rho) * (S @ self.R_kept).T - N_inverse.T
            D = self._direction(gradient, N_inverse, S)
            Q = D.T @ self.R_kept.T
            t = self._search(shifted, S, Q, D, N_inverse)
            if t is None:
                return step
            self.N = self.N + D * t
            Q *= t[:, None]
            shifted += Q
            if -float(np.vdot(gradient, D)) <= self.epsilon:
                return step
        return max_steps

    def _direction(self, gradient: Array, N_inverse: Array, S: Array) -> Array:
        """A Newton step for each column separately, with bᵀd = 0.

        The curvature of column f is aaᵀ from the determinant, a = N⁻ᵀe_f, plus RᵀR/ρ over the rows violated in it.
        """
        F = len(gradient)
        enough = max(MIN_SAMPLE * F, min(MAX_SAMPLE * F, SAMPLE_ROWS))
        D = np.empty_like(gradient)

        def columns(first: int, last: int) -> None:
            for f in range(first, last):
                violated = np.flatnonzero(S[f])
                V = self.R_kept[violated[:: 1 + len(violated) // enough]]
                share = len(violated) / max(len(V), 1)
                H = (share * self.weight / self.rho) * (V.T @ V) + np.outer(N_inverse[f], N_inverse[f])
                H[np.diag_indices(F)] += self.mu * H.trace() / F
                factor = scipy.linalg.cho_factor(H, check_finite=False)
                d, h = scipy.linalg.cho_solve(factor, np.column_stack([-gradient[:, f], self.b]), check_finite=False).T
                D[:, f] = d - h * ((self.b @ d) / (self.b @ h))

        map_row_blocks(columns, F, block=8)
        return D

    def _search(self, shifted: Array, S: Array, Q: Array, D: Array, N_inverse: Array) -> Array | None:
        """Step lengths (F,): first for each column as if the others stood still, then for all; None: no progress."""
        own = np.einsum("fk,kf->f", N_inverse, D)  # det(N + t d e_fᵀ) = (1 + t aᵀd) det N
        before = self._penalties(S)
        slopes = (self.weight / self.rho) * np.einsum("fi,fi->f", S, Q) - own
        t = np.ones(len(D))
        after = self._penalties(Q + shifted)
        for _ in range(MAX_HALVINGS):
            with np.errstate(divide="ignore"):
                worse = np.flatnonzero(after - np.log(np.abs(1 + t * own)) > before + ARMIJO * t * slopes)
            if len(worse) == 0:
                break
            t[worse] /= 2
            after[worse] = self._penalties(Q[worse] * t[worse, None] + shifted[worse])
        log_det = np.linalg.slogdet(self.N)[1]
        for _ in range(MAX_HALVINGS):
            change = float((after - before).sum()) - np.linalg.slogdet(self.N + D * t)[1] + log_det
            if change <= ARMIJO * float(slopes @ t):
                return t
            t /= 2
            after = self._penalties(Q * t[:, None] + shifted)
        return None

    def _penalties(self, S: Array) -> Array:
        """‖min(s, 0)‖²/2ρ of each row s of S (m, n); overwrites S."""
        np.minimum(S, 0, out=S)
        return (self.weight / (2 * self.rho)) * np.einsum("fi,fi->f", S, S)
