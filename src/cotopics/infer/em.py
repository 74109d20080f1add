"""Documents' topic proportions by maximum likelihood, the topics held fixed; Hofmann 1999's folding in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.infer.base import converged
from cotopics.linalg import likeliest_mixtures
from cotopics.records import Array


@dataclass(frozen=True)
class EM:
    """max Σ_i h_i log (Bw)_i + smoothing · Σ_k log w_k over the simplex for every document h, by EM.

    smoothing is α − 1 of a symmetric Dirichlet prior, a count added to every topic: with 0 it is the likelihood alone,
    and most entries of w are zero. A document is done when a step changes w by less than `tolerance` in all.
    """

    smoothing: float = 0.0
    tolerance: float = 1e-4
    max_iter: int = 2000

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array) -> Array:
        mixtures = likeliest_mixtures(X, B, smoothing=self.smoothing, tolerance=self.tolerance, max_iter=self.max_iter)
        return converged(mixtures, "EM")
