"""Proximal alternating linearised minimisation (PALM): Lee et al. 2021, section 3.2 and Algorithm 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, LowRank
from cotopics.errors import ParameterError
from cotopics.linalg import basis_bytes, top_eigenpairs
from cotopics.linalg.thin_factors import relative_change
from cotopics.records import Array, Rectified, check_cooccurrence

GAMMA = 1.005  # γ of the paper; steps have the length 1/(γL), and γ > 1 is needed for convergence


@dataclass(frozen=True)
class ProximalMinimisation:
    """The non-negative factor X nearest to C: minimise ½‖C − XYᵀ‖² + ½s‖X − Y‖² over X, Y ≥ 0.

    XXᵀ is always non-negative, positive semidefinite and of low rank, but the minimum is a local one. C is only
    multiplied (twice per step), so it need not be formed. The start is the leading eigenvectors, with signs for which
    clipping keeps at least half of each. `coupling` is s, for a C whose entries sum to one. `inertia` is α = β of Pock
    and Sabach 2016 (iPALM): each step starts a little ahead, in the direction of the last; 0 is the paper's PALM.
    Stops when a step changes XXᵀ by less than `tolerance` relative to its norm, or after `max_iter` steps.

    >>> from cotopics import datasets
    >>> C, B, A = datasets.make_cooccurrence(30, 3, random_state=0)
    >>> found = ProximalMinimisation()(C, 3)
    >>> found.C.shape, bool(abs(found.C.toarray() - C).max() < 0.01)  # C has the structure already
    ((30, 30), True)
    """

    max_iter: int = 300
    tolerance: float = 5e-4
    coupling: float = 1e-4
    inertia: float = 0.0

    def __post_init__(self) -> None:
        if self.max_iter < 1:
            raise ParameterError(f"max_iter={self.max_iter} must be at least 1")
        if not self.coupling > 0:
            raise ParameterError(f"coupling={self.coupling} must be above 0")
        if not 0 <= self.inertia < 1:
            raise ParameterError(f"inertia={self.inertia} must be at least 0 and below 1")

    def memory(self, n_words: int, n_topics: int) -> int:
        return basis_bytes(n_words, n_topics)  # of the first eigenpairs; later steps need less

    def __call__(self, C: Any, n_topics: int) -> Rectified:
        C, row_sums = check_cooccurrence(C, n_topics)
        total = float(row_sums.sum())
        pairs = top_eigenpairs(C, n_topics, tolerance=1e-8)
        X = Y = pairs.vectors * np.sqrt(np.maximum(pairs.values, 0) / total)
        X_old, Y_old = X, Y
        history: dict[str, list[float]] = {"change": []}
        converged = False
        for t in range(1, self.max_iter + 1):
            X, X_old = self._step(C, total, X, X_old, Y), X
            Y, Y_old = self._step(C, total, Y, Y_old, X), Y
            change = relative_change(X_old, X)
            history["change"].append(change)
            progress.tell("rectifying", t, self.max_iter)
            converged = change <= self.tolerance
            if converged:
                break
        X *= np.sqrt(total) / np.linalg.norm(X.sum(axis=0))
        return Rectified(LowRank(X, C.documents), t, converged, history)

    def _step(self, C: Cooccurrence, total: float, X: Array, X_old: Array, Y: Array) -> Array:
        """max(X − ∇_X J / c, 0), c = γ L₁(Y) (Lemma 1), with ∇_X J = (XYᵀ − C)Y + s(X − Y)."""
        s, a = self.coupling, self.inertia
        YY = Y.T @ Y
        c = GAMMA * (float(np.linalg.norm(YY, 2)) + s) * max(1, (1 + 2 * a) / (2 - 2 * a))
        ahead = X + a * (X - X_old)
        gradient = ahead @ YY - (C @ Y) / total + s * (ahead - Y)
        return np.maximum(ahead - gradient / c, 0)
