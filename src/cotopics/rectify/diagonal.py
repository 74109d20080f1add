"""Diagonal completion (DC): 001, section 3 and its appendix, with the leave-one-out estimate of each entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur import Combined, Cooccurrence, Sparse
from cotopics.errors import CooccurrenceError
from cotopics.linalg import basis_bytes, top_eigenpairs
from cotopics.records import Array, Rectified
from cotopics.rectify.base import check_problem

LEVERAGE_LIMIT = 1 - 1e-6  # a word that alone spans a direction says nothing about its own diagonal


@dataclass(frozen=True)
class DiagonalCompletion:
    """Replace the diagonal of C by what its off-diagonal low-rank structure implies; leave everything else.

    Split the words at random into halves. The block between the halves has no diagonal entry, and its leading
    n_topics singular vectors span the rows of the rectified C; within a half, each diagonal entry then follows from
    the other entries of its column. The median over `n_splits` splits is taken, and never below zero.
    (The released code scatters the result back by the wrong permutation; on exact low-rank input this is exact.)
    """

    n_splits: int = 30
    random_state: int | None = 0

    def memory(self, n_words: int, n_topics: int) -> int:
        """Bytes it works on: the basis of the first eigenpairs, and an estimate per word and split."""
        return basis_bytes(n_words, n_topics) + 8 * n_words * self.n_splits

    def __call__(self, C: Any, n_topics: int) -> Rectified:
        C, total = check_problem(C, n_topics)
        n = C.shape[0]
        if n_topics > n // 2:
            raise CooccurrenceError(
                f"diagonal completion splits the {n} words into halves, each of which must hold n_topics={n_topics}. "
                "Ask for fewer topics, or use rectifier='ap'"
            )
        rng = np.random.default_rng(self.random_state)
        leading = top_eigenpairs(C, n_topics).block
        diagonal = C.diagonal()
        estimates = np.full((self.n_splits, n), np.nan)
        for t in range(self.n_splits):
            order = rng.permutation(n)
            halves = np.sort(order[: n // 2]), np.sort(order[n // 2 :])
            for half, U in zip(halves, _spans(C, halves, n_topics, leading), strict=True):
                estimates[t, half] = _complete(C, half, U, diagonal[half])
            progress.tell("completing the diagonal", t + 1, self.n_splits)
        known = ~np.isnan(estimates).all(axis=0)
        completed = diagonal.copy()
        completed[known] = np.maximum(np.nanmedian(estimates[:, known], axis=0), 0)
        change = completed - diagonal
        if not total + change.sum() > 0:
            raise CooccurrenceError(
                "diagonal completion left nothing: words occur with themselves alone. Use rectifier='ap' or None"
            )
        scale = total / (total + change.sum())
        rectified = Combined([C, Sparse(sp.diags_array(change))], [scale, scale])
        spread = np.nanmedian(np.abs(estimates[:, known] - completed[known]), axis=0)
        return Rectified(rectified, self.n_splits, True, {"median_deviation": spread.tolist()})


@dataclass(frozen=True)
class _BetweenHalves:
    """GGᵀ for the block G = C[a, b]: an operator on the words of a."""

    C: Cooccurrence
    a: Any
    b: Any

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.a), len(self.a)

    def __matmul__(self, V: Array) -> Array:
        return _across(self.C, self.b, self.a, _across(self.C, self.a, self.b, V))


def _across(C: Cooccurrence, source: Any, target: Any, V: Array) -> Array:
    """C[target, source] V."""
    padded = np.zeros((C.shape[0], *V.shape[1:]))
    padded[source] = V
    return (C @ padded)[target]


def _spans(C: Cooccurrence, halves: tuple[Any, Any], k: int, leading: Array) -> tuple[Array, Array]:
    """Orthonormal bases of the leading k left and right singular vectors of the block between the halves."""
    a, b = halves
    U = top_eigenpairs(_BetweenHalves(C, a, b), k, start=leading[a], tolerance=1e-6).vectors
    return U, np.linalg.qr(_across(C, a, b, U))[0]


def _complete(C: Cooccurrence, half: Any, U: Array, diagonal: Array) -> Array:
    """d_j = u_jᵀUᵀF_j / (1 − u_jᵀu_j), F_j the column of j within its half without the diagonal; NaN if unknowable."""
    P = _across(C, half, half, U) - diagonal[:, None] * U
    leverage = np.einsum("jk,jk->j", U, U)
    estimate = np.einsum("jk,jk->j", U, P) / np.maximum(1 - leverage, 1 - LEVERAGE_LIMIT)
    return np.where(leverage < LEVERAGE_LIMIT, estimate, np.nan)
