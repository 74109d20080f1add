"""Alternating projection (AP): Lee et al. 2015, section 3; Lee et al. 2021, Algorithm 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cotopics import progress
from cotopics.cooccur import Dense
from cotopics.errors import ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array, Rectified, check_cooccurrence

BLOCK_ROWS = 64  # rows of C per block: few enough to stay in the cache between passes


@dataclass(frozen=True)
class AlternatingProjection:
    """Project in turn onto low-rank positive semidefinite, normalised and non-negative matrices, until C converges.

    Works on the full matrix: 8 · n_words² bytes, read several times per step. The first step brings most of the gain
    and the rest is slow, so a run stops when a step changes C by less than `tolerance` relative to its Frobenius norm,
    or after `max_iter` steps (the authors' code always makes 150).
    """

    max_iter: int = 150
    tolerance: float = 1e-4
    needs_full_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.max_iter < 1:
            raise ParameterError(f"max_iter={self.max_iter} must be at least 1")

    def memory(self, n_words: int, n_topics: int) -> int:
        return 8 * n_words**2  # the full matrix

    def __call__(self, C: Any, n_topics: int) -> Rectified:
        C, row_sums = check_cooccurrence(C, n_topics)
        total = float(row_sums.sum())
        work = C.toarray()
        work /= total
        history: dict[str, list[float]] = {"change": [], "negative_mass": []}
        block, change, converged = None, 0.0, False
        for t in range(1, self.max_iter + 1):
            # with errors a million times smaller than the last step, eigenpairs are as good as exact
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
    """C := Π_NN(Π_NOR(YYᵀ)) in place, block by block.

    Returns the relative change of C and the sum of the negative entries that were set to zero, as a positive number.
    """
    n = len(C)
    sums = Y.sum(axis=0)
    r = missing_share(1 - sums @ sums, n)  # Π_NOR adds the same number to every entry

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

    changed, size, negative_mass = np.array(map_row_blocks(rows, n, block=BLOCK_ROWS)).sum(axis=0)
    return float(np.sqrt(changed / size)), float(negative_mass)


def missing_share(missing: float, n: int, *, rounding: float = 1e-13) -> float:
    """What to add to each of n² entries so that their sum grows by `missing`; 0 if `missing` is a rounding error.

    Why: a row of C may sum to 1e-8. An error of 1e-15 in each entry would then move it farther than any anchor.
    """
    return missing / n**2 if abs(missing) > rounding else 0.0
