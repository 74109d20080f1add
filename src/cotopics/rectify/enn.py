"""Epsilon non-negative rectification (ENN): Lee et al. 2021, Algorithm 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.cooccur import LowRank
from cotopics.errors import ParameterError
from cotopics.linalg import Eigenpairs, basis_bytes, largest_first, orthonormal, top_eigenpairs
from cotopics.linalg.thin_factors import relative_change, times_negative_part
from cotopics.linalg.threads import thin_product
from cotopics.records import Array, Rectified, check_cooccurrence
from cotopics.rectify.alternating_projection import missing_share
from cotopics.rectify.path import Step, follow


@dataclass(frozen=True)
class EpsilonNonNegative:
    """Alternating projection on a thin factor Y: C is never formed, and not used after its first eigenpairs are found.

    The non-negative projection of YYᵀ is YYᵀ + E. E can be large only where |y_i||y_j| is large, so only the rows and
    columns of the `n_rows` longest y_i are made non-negative (None: 10 n_topics + 1000). E is multiplied, never stored,
    and in single precision.

    A step makes one product of the operator with a block V that is already close to its leading eigenvectors. With
    θ = VᵀCV, the new factor is Y = CVθ^(−½) (the form of Nyström). That is one power step better than V at no cost, and
    stays close to a full eigendecomposition per step. Vθ^½ would be one step behind and never converge.

    The authors' code always makes 50 or 150 steps. Here 150 are followed, several in one move where the path is smooth,
    and more until the rows of words that can be anchors have settled; `max_iter`, `tolerance` and `converged` are as
    in AlternatingProjection. `precision` is the largest residual of the first eigenpairs, relative to the largest
    eigenvalue.

    >>> from cotopics import datasets
    >>> C, B, A = datasets.make_cooccurrence(30, 3, random_state=0)
    >>> found = EpsilonNonNegative()(C, 3)
    >>> found.C.shape, bool(abs(found.C.toarray() - C).max() < 0.01)  # C has the structure already
    ((30, 30), True)
    """

    max_iter: int = 150
    tolerance: float | None = None
    n_rows: int | None = None
    precision: float = 1e-8

    def __post_init__(self) -> None:
        if self.max_iter < 1:
            raise ParameterError(f"max_iter={self.max_iter} must be at least 1")
        if not 0 < self.precision < 1:
            raise ParameterError(f"precision={self.precision} must be above 0 and below 1")
        if self.n_rows is not None and self.n_rows < 1:
            raise ParameterError(f"n_rows={self.n_rows} must be at least 1, or None for 10 n_topics + 1000")

    def memory(self, n_words: int, n_topics: int) -> int:
        return basis_bytes(n_words, n_topics)  # of the first eigenpairs; later steps need less

    def __call__(self, C: Any, n_topics: int, *, start: Eigenpairs | None = None) -> Rectified:
        """Rectify C. `start`: its leading eigenpairs, n_topics or more, if they are known already."""
        C, row_sums = check_cooccurrence(C, n_topics)
        total = float(row_sums.sum())
        if start is not None and len(start.values) < n_topics:
            raise ParameterError(
                f"start has {len(start.values)} eigenpairs, fewer than n_topics={n_topics}. Compute more, or leave "
                "start out"
            )
        n_rows = min(C.shape[0], 10 * n_topics + 1000 if self.n_rows is None else self.n_rows)
        pairs = top_eigenpairs(C, n_topics, tolerance=self.precision) if start is None else start.leading(n_topics)
        Y = pairs.vectors * np.sqrt(np.maximum(pairs.values, 0) / total)
        step = _ThinStep(pairs.block, n_rows)
        path = follow(step, Y, max_iter=self.max_iter, tolerance=self.tolerance)
        Y = path.Y * (np.sqrt(total) / np.linalg.norm(path.Y.sum(axis=0)))
        return Rectified(LowRank(Y, C.documents), path.n_iter, path.converged, path.history)


class _ThinStep:
    """A step from one factor to the next by one product; it keeps the block that nearly spans the leading vectors."""

    def __init__(self, block: Array, n_rows: int) -> None:
        self.block, self.n_rows = block, n_rows

    def __call__(self, Y: Array) -> Step:
        Z, self.block, negative_mass = _step(Y, self.block, self.n_rows)
        return Step(Z, relative_change(Y, Z), negative_mass)


def _step(Y: Array, block: Array, n_rows: int) -> tuple[Array, Array, float]:
    """The factor and block of Π_NN(Π_NOR(YYᵀ)) = YYᵀ + E + r11ᵀ, from one product with the last block; and E's sum."""
    n, k = Y.shape
    V = orthonormal(block)
    norms = np.einsum("ij,ij->i", Y, Y)
    I = np.sort(np.argsort(-norms, kind="stable")[:n_rows])
    # single precision changes E by 1e-7 of itself, and E is a small part of the operator
    V1 = np.ones((n, V.shape[1] + 1), dtype=np.float32)
    V1[:, :-1] = V
    EV1 = times_negative_part(Y.astype(np.float32), I, V1)
    mass = float(EV1[:, -1].sum(dtype=np.float64))
    sums = Y.sum(axis=0)
    r = missing_share(1 - sums @ sums - mass, n, rounding=1e-7)  # that of `mass`
    W = thin_product(Y, thin_product(Y.T, V))
    W += EV1[:, :-1]
    W += r * V.sum(axis=0)
    values, S = largest_first(thin_product(V.T, W))
    W = thin_product(W, S)
    theta = values[:k]
    positive = theta > 1e-12 * theta[0]
    Y = W[:, :k] * np.where(positive, 1 / np.sqrt(np.where(positive, theta, 1)), 0)
    return Y, W, mass
