"""Alternating projection (AP): 001, section 3; 002, Algorithm 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cotopics import progress
from cotopics.cooccur import Dense
from cotopics.errors import ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array, Rectified
from cotopics.rectify.base import check_problem, missing_share

ROWS = 64  # rows of C written at a time: few enough to stay in the cache between passes


@dataclass(frozen=True)
class AlternatingProjection:
    """Project in turn onto low-rank positive semidefinite, normalised and non-negative matrices, until C stands still.

    Works on the full matrix: 8 · n_words² bytes, and a pass over it for each of a few block products a step.
    Most of the gain is in the first step and the rest comes slowly, so a run stops when a step changes C by less than
    `tolerance` relative to its Frobenius norm, or after `max_iter` steps (the released code always does 150).
    """

    max_iter: int = 150
    tolerance: float = 1e-4
    needs_full_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.max_iter < 1:
            raise ParameterError(f"max_iter={self.max_iter} must be at least 1")

    def memory(self, n_words: int, n_topics: int) -> int:
        """Bytes it works on: the full matrix."""
        return 8 * n_words**2

    def __call__(self, C: Any, n_topics: int) -> Rectified:
        C, total = check_problem(C, n_topics)
        work = C.toarray()
        work /= total
        history: dict[str, list[float]] = {"change": [], "negative_mass": []}
        block, change, converged = None, 0.0, False
        for t in range(1, self.max_iter + 1):
            # eigenpairs a million times finer than the last step was are as good as exact ones here
            pairs = top_eigenpairs(work, n_topics, start=block, tolerance=max(1e-6 * change, 1e-10))
            block = pairs.block
            Y = pairs.vectors * np.sqrt(np.maximum(pairs.values, 0))  # Π_PSD(C) = YYᵀ
            change, negative_mass = _project(work, Y)
            history["change"].append(change)
            history["negative_mass"].append(negative_mass)
            progress.tell("rectifying", t, self.max_iter)
            converged = change <= self.tolerance
            if converged:
                break
        work *= total / work.sum()
        return Rectified(Dense(work, C.documents), t, converged, history)


def _project(C: Array, Y: Array) -> tuple[float, float]:
    """C := Π_NN(Π_NOR(YYᵀ)) in place, a block of rows at a time.

    Returns the relative change of C and the mass of negative entries that were set to zero.
    """
    n = len(C)
    sums = Y.sum(axis=0)
    r = missing_share(1 - sums @ sums, n)  # Π_NOR adds the same to every entry

    def rows(start: int, stop: int) -> tuple[float, float, float]:
        R = Y[start:stop] @ Y.T
        R += r
        negative = -float(np.minimum(R, 0).sum())
        np.maximum(R, 0, out=R)
        old = C[start:stop]
        old -= R
        changed = float(np.vdot(old, old))
        old[:] = R
        return changed, float(np.vdot(R, R)), negative

    changed, size, negative_mass = np.array(map_row_blocks(rows, n, block=ROWS)).sum(axis=0)
    return float(np.sqrt(changed / size)), float(negative_mass)
