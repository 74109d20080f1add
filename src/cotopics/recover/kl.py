"""RecoverKL: every row of C̄ as the convex combination of the anchors' rows nearest in divergence; Arora et al. 2013."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.linalg import SimplexSolution, simplex_kl
from cotopics.records import Anchors, Topics
from cotopics.recover.base import anchor_rows, as_topics, held_nonnegative


@dataclass(frozen=True)
class KullbackLeibler:
    """min KL(C̄_i ‖ yᵀC̄_S) over the simplex for every word i, then Bayes' rule.

    Each row is fitted to `tolerance` nats of its minimum, certified by a duality gap. The divergence needs whole rows:
    they are computed block by block, and C is never held at once where it is not formed already.
    """

    tolerance: float = 1e-9
    max_iter: int = 100

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        C = held_nonnegative(C, anchors)
        row_sums = C.row_sums()
        used = row_sums > 0
        X = np.maximum(anchor_rows(C, anchors), 0)  # a low-rank C has entries just below zero
        parts = []
        for block in C.row_blocks():
            progress.tell("recovering topics", int(block[0]), C.shape[0])
            words = block[used[block]]
            R = np.maximum(C.rows(words), 0)
            R /= R.sum(axis=1, keepdims=True)
            parts.append(simplex_kl(X, R, tolerance=self.tolerance, max_iter=self.max_iter))
        solution = SimplexSolution(
            np.concatenate([part.Y for part in parts]),
            np.concatenate([part.gap for part in parts]),
            max(part.n_iter for part in parts),
            all(part.converged for part in parts),
        )
        return as_topics(solution, used, row_sums, anchors)
