"""Proportions of mixtures of known distributions, from counts of outcomes; many mixtures at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from cotopics.linalg.threads import map_row_blocks

Array = np.ndarray[Any, np.dtype[np.float64]]

LEAST_SPREAD = 0.01  # a covariance of next to nothing weighs as much as a hundred counts, and no more
BLOCK_ENTRIES = 1 << 22  # of mixtures, looked up for counts at a time: 32 MiB
BLOCK = 256  # mixtures that one thread takes at a time


@dataclass(frozen=True)
class Mixtures:
    """Proportions Y (n, k), one mixture a row; steps (n,) that each took, −1 where it did not converge."""

    Y: Array
    steps: Any


def likeliest_mixtures(
    X: sp.csr_array,
    P: Array,
    *,
    common: Array | None = None,
    smoothing: float | Array = 0.0,
    tolerance: float = 1e-4,
    max_iter: int = 2000,
) -> Mixtures:
    """Maximise Σ_a x_a log (Py + common)_a + Σ_j smoothing_j log y_j over the simplex for every row x of X (n, m).

    P (m, k) holds distributions in its columns, all times 1 − Σ common; common (m,) is what every mixture holds anyhow.
    EM, accelerated; the objective never falls. A row is done when a
    step of EM changes y by less than `tolerance` in all; then entries below `tolerance` on their way to zero are zero.
    """
    # numba is imported by whoever solves, not by whoever imports us
    from cotopics.linalg.kernels.mixture import maximise_likelihood

    P = np.ascontiguousarray(P, dtype=np.float64)
    common = np.zeros(len(P)) if common is None else common
    smoothing = np.full(P.shape[1], smoothing, dtype=np.float64) if np.ndim(smoothing) == 0 else smoothing

    def solve(rows: tuple[Any, Any, Any], Y: Array, steps: Any) -> None:
        maximise_likelihood(*rows, P, common, smoothing, tolerance, max_iter, Y, steps)

    return _solve(solve, X, P.shape[1])


def linear_bayes_mixtures(
    X: sp.csr_array,
    P: Array,
    mean: Array,
    covariance: Array,
    *,
    least: float = 0.25,
    tolerance: float = 3e-4,
    max_iter: int = 1000,
) -> Mixtures:
    """The mean of y given counts x, for every row x of X (n, m), where y has a mean (k,) > 0 and a covariance (k, k).

    Were it known how many N_j of the n outcomes came from distribution j, the best linear estimate of y would be
    mean + √mean ∘ U diag(v/(1 + (n − 1)v)) Uᵀ (N/√mean), where v and U are the eigenpairs of the covariance relative
    to diag(mean), its largest possible value: v = 1 trusts the counts alone. N is in turn estimated from y, by
    variational Bayes. For the moments of a Dirichlet that is exactly its variational posterior mean.
    No v is taken below the share `least` of their mean: what an estimated covariance rules out is only improbable.
    """
    from cotopics.linalg.kernels.mixture import linear_bayes

    P = np.ascontiguousarray(P, dtype=np.float64)
    v, U = _relative_spread(mean, covariance)
    v = np.clip(v, LEAST_SPREAD, 1)
    v = np.maximum(v, least * v.mean()) if len(v) else v

    def solve(rows: tuple[Any, Any, Any], Y: Array, steps: Any) -> None:
        linear_bayes(*rows, P, mean, U, v, tolerance, max_iter, Y, steps)

    return _solve(solve, X, P.shape[1])


def mixture_likelihood(X: sp.csr_array, Y: Array, P: Array, share: float, common: Array) -> float:
    """Σ x_ia log(share · (P y_i)_a + common_a) for counts X (n, m), mixtures Y (n, k), distributions P (m, k)."""
    row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    size = max(1, BLOCK_ENTRIES // Y.shape[1])
    total = 0.0
    for start in range(0, X.nnz, size):
        block = slice(start, start + size)
        outcome = X.indices[block]
        q = share * np.einsum("ik,ik->i", Y[row[block]], P[outcome]) + common[outcome]
        with np.errstate(divide="ignore"):  # log 0 is −∞, as it should be
            total += float(X.data[block] @ np.log(np.maximum(q, 0)))
    return total


def _relative_spread(mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Eigenpairs v (k − 1,), U (k, k − 1) of the covariance divided by √mean on both sides, orthogonal to √mean."""
    root = np.sqrt(mean)
    Q = scipy.linalg.null_space(root[None])
    S = Q.T @ (covariance / np.outer(root, root)) @ Q
    v, V = np.linalg.eigh((S + S.T) / 2)
    return v, np.ascontiguousarray(Q @ V)


def _solve(solve: Callable[[tuple[Any, Any, Any], Array, Any], None], X: sp.csr_array, k: int) -> Mixtures:
    """solve(rows, Y, steps) for some rows of X (n, m) at a time: their numbers as floats, their columns and bounds."""
    Y, steps = np.empty((X.shape[0], k)), np.empty(X.shape[0], dtype=np.int64)

    def some(first: int, last: int) -> None:
        bounds = X.indptr[first : last + 1]
        numbers = slice(bounds[0], bounds[-1])
        data = X.data[numbers].astype(np.float64, copy=False)
        solve((data, X.indices[numbers], bounds - bounds[0]), Y[first:last], steps[first:last])

    map_row_blocks(some, X.shape[0], block=BLOCK)
    return Mixtures(Y, steps)
