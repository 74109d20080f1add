"""Alternating projection (AP): Lee et al. 2015, section 3; Lee et al. 2021, Algorithm 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cotopics.cooccur import Dense
from cotopics.errors import ParameterError
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.linalg.thin_factors import relative_change
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array, Rectified, check_cooccurrence
from cotopics.rectify.path import Step, follow

BLOCK_ROWS = 64  # rows of C per block: few enough to stay in the cache between passes
EIGEN_PRECISION = 1e-4  # residuals of eigenpairs, relative to the change of the last step


@dataclass(frozen=True)
class AlternatingProjection:
    """Project in turn onto low-rank positive semidefinite, normalised and non-negative matrices, until C converges.

    Works on the full matrix: 8 · n_words² bytes, read several times per step. The authors' code always makes 150 steps.
    Here so many are followed, several in one move where the path is smooth (see `rectify.path`), and then as many more
    as it takes until the rows of words that can be anchors have settled: as many steps again would move them by less
    than 0.02 in L1. `converged` says whether they have. `max_iter` limits the work, in plain steps and stages of moves.

    With a `tolerance`, plain steps are made until one changes C by no more than that, relative to its Frobenius norm.
    The norm says little of rare words, which are the likeliest anchors. 0: exactly `max_iter` plain steps.

    >>> from cotopics import datasets
    >>> C, B, A = datasets.make_cooccurrence(30, 3, random_state=0)
    >>> found = AlternatingProjection()(C, 3)
    >>> found.C.shape, bool(abs(found.C.toarray() - C).max() < 0.01)  # C has the structure already
    ((30, 30), True)
    """

    max_iter: int = 150
    tolerance: float | None = None
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
        pairs = top_eigenpairs(work, n_topics)
        step = _FullStep(work, pairs.block)
        path = follow(step, _factor(pairs), max_iter=self.max_iter, tolerance=self.tolerance)
        _project(work, path.Y)
        work *= total / work.sum()
        return Rectified(Dense(work, C.documents), path.n_iter, path.converged, path.history)


class _FullStep:
    """A step from one factor to the next through the full matrix, whose memory it keeps writing to."""

    def __init__(self, work: Array, block: Array) -> None:
        self.work, self.block, self.change = work, block, 0.0

    def __call__(self, Y: Array) -> Step:
        negative_mass = _project(self.work, Y)
        # with errors this much smaller than the last step, eigenpairs are as good as exact
        precision = max(EIGEN_PRECISION * self.change, 1e-10)
        pairs = top_eigenpairs(self.work, Y.shape[1], start=self.block, tolerance=precision)
        Z, self.block = _factor(pairs), pairs.block
        self.change = relative_change(Y, Z)
        return Step(Z, self.change, negative_mass)


def _factor(pairs: Eigenpairs) -> Array:
    """Y with Π_PSD(C) = YYᵀ."""
    return pairs.vectors * np.sqrt(np.maximum(pairs.values, 0))


def _project(C: Array, Y: Array) -> float:
    """C := Π_NN(Π_NOR(YYᵀ)) in place, block by block; returns minus the sum of the entries that were negative."""
    n = len(C)
    sums = Y.sum(axis=0)
    r = missing_share(1 - sums @ sums, n)  # Π_NOR adds the same number to every entry

    def rows(start: int, stop: int) -> float:
        R = np.matmul(Y[start:stop], Y.T, out=C[start:stop])
        R += r
        total = R.sum()
        np.maximum(R, 0, out=R)
        return float(R.sum() - total)

    return sum(map_row_blocks(rows, n, block=BLOCK_ROWS))


def missing_share(missing: float, n: int, *, rounding: float = 1e-13) -> float:
    """What to add to each of n² entries so that their sum grows by `missing`; 0 if `missing` is a rounding error.

    Why: a row of C may sum to 1e-8. An error of 1e-15 in each entry would then move it farther than any anchor.
    """
    return missing / n**2 if abs(missing) > rounding else 0.0
