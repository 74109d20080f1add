"""Proportions of mixtures of known distributions, from counts of outcomes; many mixtures at once.

A row of X (n, m) holds the counts of m outcomes in one mixture. Rows are solved on several threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.linalg.columns import block_rows
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.linalg.threads import map_row_blocks

MIN_RELATIVE_VARIANCE = 0.01  # a smaller prior variance would outweigh more than a hundred counts
LEAST_WORK, MOST_WORK = 1 << 16, 1 << 19  # of rows that one thread solves at a time: non-zeros, times k
MAX_BLOCK = 256  # rows, at most
BLOCKS = 128  # of rows, as far as that is enough work for each


@dataclass(frozen=True)
class Mixtures:
    """Proportions Y (n, k), one mixture per row, and the steps (n,) that each took; −1 if it did not converge.

    explained (n,): how many counts belong to the k distributions, where some may belong to none of them.
    """

    Y: Array
    steps: Any
    explained: Array | None = None


class ScaledRows(NamedTuple):
    """Distributions P (m, k) as loops read them: each row divided by its largest entry, and these entries (m,)."""

    rows: Array
    largest: Array

    def times(self, share: float) -> ScaledRows:
        """The same of share · P."""
        return ScaledRows(self.rows, share * self.largest)


def scaled_rows(P: Array) -> ScaledRows:
    """Made once where the same distributions (m, k) serve several times."""
    rows, largest = np.empty(P.shape), np.empty(len(P))

    def block(first: int, last: int) -> None:
        largest[first:last] = P[first:last].max(axis=1, initial=0.0)
        largest[first:last][largest[first:last] == 0] = 1
        np.divide(P[first:last], largest[first:last, None], out=rows[first:last])

    map_row_blocks(block, len(P), block=block_rows(P))
    return ScaledRows(rows, largest)


def likeliest_mixtures(
    X: sp.csr_array,
    P: Array | ScaledRows,
    *,
    common: Array | None = None,
    smoothing: float | Array = 0.0,
    tolerance: float = 1e-4,
    max_iter: int = 2000,
) -> Mixtures:
    """Maximise Σ_a x_a log (Py + common)_a + Σ_j smoothing_j log y_j over the simplex for every row x of X (n, m).

    P (m, k) holds the distributions in its columns, multiplied by 1 − Σ common, as they are or as `scaled_rows` gives
    them; common (m,) is part of every mixture.
    Accelerated EM; the objective never falls. A row is done when the sum of changes of a step is below `tolerance`;
    entries below `tolerance` that are still falling are then set to zero.
    """
    from cotopics.linalg.kernels.mixture import maximise_likelihood

    P, offsets = _read(P, common)
    k = P.shape[1]
    smoothing = np.full(k, smoothing, dtype=np.float64) if np.ndim(smoothing) == 0 else smoothing

    def solve(rows: tuple[Any, Any, Any], Y: Array, steps: Any, first: int, last: int) -> None:
        maximise_likelihood(*rows, P, offsets, smoothing, tolerance, max_iter, Y, steps)

    return _solve(solve, X, k)


class Spread(NamedTuple):
    """A covariance relative to diag(mean), its largest possible value, on the simplex of k shares with this mean.

    v (d,) is that in the directions U (k, d), orthonormal and orthogonal to √mean; `rest` that in all other ones.
    """

    U: Array
    v: Array
    rest: float


def relative_spread(mean: Array, covariance: Array, *, least: float = 0.25, most_directions: int = 16) -> Spread:
    """The covariance (k, k) of shares with a mean (k,) > 0, relative to its largest possible value.

    No v is smaller than `least` times the mean v: a direction that an estimated covariance excludes is only improbable.
    Beyond `most_directions`, those nearest to the median v are taken to be alike: k shares then cost no k × k product.
    """
    v, U = _relative_covariance(mean, covariance)
    if len(v) == 0:
        return Spread(U, v, 1.0)
    v = np.clip(v, MIN_RELATIVE_VARIANCE, 1)
    v = np.maximum(v, least * v.mean())
    if len(v) <= most_directions:
        return Spread(U, v, float(v.mean()))
    apart = np.argsort(-np.abs(np.log(v / np.median(v))), kind="stable")
    kept, others = np.sort(apart[:most_directions]), apart[most_directions:]
    return Spread(np.ascontiguousarray(U[:, kept]), v[kept], float(v[others].mean()))


def linear_bayes_mixtures(
    X: sp.csr_array,
    P: Array | ScaledRows,
    mean: Array,
    spread: Spread,
    *,
    common: Array | None = None,
    tolerance: float = 3e-4,
    max_iter: int = 1000,
) -> Mixtures:
    """The mean of y given counts x, for every row x of X (n, m), if y has a mean (k,) > 0 and this spread.

    If we knew that N_j of the n outcomes came from distribution j, the best linear estimate of y would be
    mean + √mean ∘ U diag(v/(1 + (n − 1)v)) Uᵀ (N/√mean): at v = 1 only the counts matter. N is estimated from y by
    variational Bayes, in turn. With the moments of a Dirichlet this is exactly its variational posterior mean. P (m, k)
    holds the distributions in its columns, multiplied by 1 − Σ common; common (m,) is part of every mixture, and what
    it explains is not counted in N.
    """
    from cotopics.linalg.kernels.mixture import linear_bayes

    P, offsets = _read(P, common)
    explained = row_sums(X)

    def solve(rows: tuple[Any, Any, Any], Y: Array, steps: Any, first: int, last: int) -> None:
        Y[:] = mean
        linear_bayes(*rows, P, offsets, mean, *spread, tolerance, max_iter, Y, explained[first:last], steps)

    return replace(_solve(solve, X, P.shape[1]), explained=explained)


def better_mixtures(
    X: sp.csr_array, P: Array | ScaledRows, mean: Array, spread: Spread, state: Array, *, common: Array, steps: int
) -> None:
    """So many steps of `linear_bayes_mixtures` from Y (n, k) and explained (n,), in place.

    Both are in `state` (n, k + 1), `explained` in the last column."""
    from cotopics.linalg.kernels.mixture import linear_bayes

    P, offsets = _read(P, common)

    def solve(rows: tuple[Any, Any, Any], first: int, last: int) -> None:
        Y, explained = state[first:last, :-1].copy(), state[first:last, -1].copy()
        taken = np.empty(last - first, dtype=np.int64)
        linear_bayes(*rows, P, offsets, mean, *spread, 0.0, steps, Y, explained, taken)
        state[first:last, :-1], state[first:last, -1] = Y, explained

    _share_rows(solve, X, P.shape[1])


def mixture_likelihood(X: sp.csr_array, Y: Array, P: Array, share: float, common: Array) -> float:
    """Σ x_ia log(share · (P y_i)_a + common_a) for counts X (n, m), mixtures Y (n, k), distributions P (m, k)."""
    from cotopics.linalg.kernels.mixture import log_likelihood

    Y, P = (np.ascontiguousarray(array, dtype=np.float64) for array in (Y, P))

    def block(first: int, last: int) -> float:
        return float(log_likelihood(X.data, X.indices, X.indptr, first, last, Y, P, share, common))

    return sum(map_row_blocks(block, X.shape[0], block=_rows_at_a_time(X, Y.shape[1])))


def _relative_covariance(mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Eigenpairs v (k − 1,), U (k, k − 1) of the covariance divided by √mean on both sides, orthogonal to √mean."""
    root = np.sqrt(mean)
    w = root / np.linalg.norm(root)
    w[0] += 1  # a Householder reflection takes root to the first axis, and the other axes to what is orthogonal to root
    Q = np.eye(len(w))[:, 1:] - np.outer(w, w[1:] / w[0])
    S = Q.T @ (covariance / np.outer(root, root)) @ Q
    v, V = np.linalg.eigh((S + S.T) / 2)
    return v, np.ascontiguousarray(Q @ V)


def _read(P: Array | ScaledRows, common: Array | None) -> tuple[Array, Array]:
    """The rows of P (m, k) divided by their largest entries, and `common` (m,) divided by these too."""
    rows, largest = P if isinstance(P, ScaledRows) else scaled_rows(P)
    return rows, np.zeros(len(rows)) if common is None else common / largest


def _solve(solve: Callable[..., None], X: sp.csr_array, k: int) -> Mixtures:
    """Call solve(rows, Y, steps, first, last) for blocks of rows of X (n, m): their counts, outcomes and bounds."""
    Y, steps = np.empty((X.shape[0], k)), np.empty(X.shape[0], dtype=np.int64)

    def solve_rows(rows: tuple[Any, Any, Any], first: int, last: int) -> None:
        solve(rows, Y[first:last], steps[first:last], first, last)

    _share_rows(solve_rows, X, k)
    return Mixtures(Y, steps)


def _share_rows(solve: Callable[[Any, int, int], None], X: sp.csr_array, k: int) -> None:
    """Call solve(rows, first, last) for blocks of rows of X (n, m): their counts, outcomes and bounds."""

    def block(first: int, last: int) -> None:
        bounds = X.indptr[first : last + 1]
        numbers = slice(bounds[0], bounds[-1])
        data = X.data[numbers].astype(np.float64, copy=False)
        solve((data, X.indices[numbers], bounds - bounds[0]), first, last)

    map_row_blocks(block, X.shape[0], block=_rows_at_a_time(X, k))


def _rows_at_a_time(X: sp.csr_array, k: int) -> int:
    """Few enough for many threads, and enough to be worth starting one; the same for any number of threads."""
    least, most = (work * X.shape[0] // max(X.nnz * k, 1) for work in (LEAST_WORK, MOST_WORK))
    return int(max(min(max(X.shape[0] // BLOCKS, least), most, MAX_BLOCK), 1))
