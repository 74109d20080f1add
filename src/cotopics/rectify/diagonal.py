"""Diagonal completion (DC): Lee et al. 2015, section 3 and appendix, with the leave-one-out estimate of each entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur import Combined, Cooccurrence, Sparse
from cotopics.errors import CooccurrenceError
from cotopics.linalg import basis_bytes, top_eigenpairs
from cotopics.records import Array, Rectified, check_cooccurrence

MAX_LEVERAGE = 1 - 1e-6  # beyond this a word spans a direction alone, and the other words do not imply its diagonal


@dataclass(frozen=True)
class DiagonalCompletion:
    """Replace the diagonal of C by what its off-diagonal low-rank structure implies; change nothing else.

    Split the words at random into halves. The block between the halves has no diagonal entries, and its leading
    n_topics singular vectors span the rows of the rectified C. Within a half, each diagonal entry then follows from the
    other entries of its column. The result is the median over `n_splits` splits, and at least zero. Exact on exact
    low-rank input. (The authors' code puts the result back in the wrong order.)

    >>> from cotopics import datasets
    >>> C, B, A = datasets.make_cooccurrence(30, 3, random_state=0)
    >>> found = DiagonalCompletion()(C, 3)
    >>> found.C.shape, bool(abs(found.C.toarray() - C).max() < 0.01)  # C has the structure already
    ((30, 30), True)
    """

    n_splits: int = 30
    random_state: int | None = 0

    def memory(self, n_words: int, n_topics: int) -> int:
        return (
            basis_bytes(n_words, n_topics) + 8 * n_words * self.n_splits
        )  # eigenpairs, an estimate per word and split

    def __call__(self, C: Any, n_topics: int) -> Rectified:
        C, row_sums = check_cooccurrence(C, n_topics)
        n, total = C.shape[0], float(row_sums.sum())
        if n_topics > n // 2:
            raise CooccurrenceError(
                f"diagonal completion splits the {n} words into halves, and each half needs n_topics={n_topics} words "
                "or more. Ask for fewer topics, or use rectifier='ap'"
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
                "diagonal completion left nothing: words co-occur only with themselves. Use rectifier='ap' or None"
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
    """d_j = u_jᵀUᵀF_j / (1 − u_jᵀu_j), F_j the column of j in its half without the diagonal; NaN if not implied."""
    P = _across(C, half, half, U) - diagonal[:, None] * U
    leverage = np.einsum("jk,jk->j", U, U)
    estimate = np.einsum("jk,jk->j", U, P) / np.maximum(1 - leverage, 1 - MAX_LEVERAGE)
    return np.where(leverage < MAX_LEVERAGE, estimate, np.nan)
