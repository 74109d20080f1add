"""Kullback-Leibler fits over the simplex for many right-hand sides at once."""

from typing import Any

import numpy as np

from cotopics.arrays import Array
from cotopics.linalg.simplex import SimplexSolution, simplex_least_squares
from cotopics.linalg.threads import map_row_blocks

BLOCK_ROWS = 64  # rows that advance together: their products with X are one matrix product
SLOPE_TOLERANCE = 1e-13  # smaller slopes are rounding errors, if r sums to one
RIDGE = 1e-6  # relative to the diagonal; keeps a Hessian in single precision definite
DOUBLE_PRECISION_FROM = 20  # after these steps, a problem is so ill-conditioned that its Hessian needs more digits
UNIFORM_SHARE = 0.05  # of the start, if least squares leaves out a point that the fit needs


def simplex_kl(X: Array, R: Array, *, tolerance: float = 1e-9, max_iter: int = 100) -> SimplexSolution:
    """Minimise KL(r ‖ yᵀX) over the simplex for every row r of R (n, m); R and X (k, m) are non-negative.

    Sequential quadratic programming from the least-squares fit: each step minimises the second-order model over the
    simplex exactly, then searches on the line to its minimiser, so the last steps are Newton steps. With q = yᵀX and
    d = X(r/q), the gap max d − Σr bounds the distance from the minimum; a row stops when it is below `tolerance` · Σr.
    Columns in which X is zero are left out, because no y can fit them; a row with no other columns gets the uniform y.
    """
    reached = X.max(axis=0) > 0
    X, R = np.ascontiguousarray(X[:, reached]), R[:, reached]
    mass = R.sum(axis=1)
    R = R / np.where(mass > 0, mass, 1)[:, None]
    Y = simplex_least_squares(X @ X.T, R @ X.T).Y
    Y[mass == 0] = 1 / len(X)
    gap, steps = np.empty(len(R)), np.empty(len(R), dtype=np.int64)

    def solve(first: int, last: int) -> None:
        rows = slice(first, last)
        Y[rows], gap[rows], steps[rows] = _fit(X, R[rows], Y[rows], tolerance, max_iter)

    map_row_blocks(solve, len(R), block=BLOCK_ROWS)
    return SimplexSolution(Y, gap * mass, int(steps.max(initial=0)), bool((gap <= tolerance).all()))


def _fit(X: Array, R: Array, Y: Array, tolerance: float, max_iter: int) -> tuple[Array, Array, Any]:
    """Y, gap and steps of a block of rows that advance together; each row of R sums to one, or is zero and done."""
    from cotopics.linalg.kernels.kl import newton_points

    X_single = X.astype(np.float32)
    Y, Q = _start(X, R, Y)
    gap, steps = np.zeros(len(R)), np.zeros(len(R), dtype=np.int64)
    left = np.flatnonzero(R.any(axis=1))
    for step in range(max_iter + 1):
        r, q, y = R[left], Q[left], Y[left]
        ratio = np.divide(r, q, out=np.zeros_like(r), where=r > 0)
        d = ratio @ X.T  # minus the gradient; Σ y d = 1
        gap[left] = np.maximum(d.max(axis=1) - 1, 0)
        running = gap[left] > tolerance
        left, r, q, y, d, ratio = left[running], r[running], q[running], y[running], d[running], ratio[running]
        if step == max_iter or not len(left):
            break
        steps[left] = step + 1
        curvature = np.divide(ratio, q, out=ratio, where=r > 0)
        z = np.empty_like(y)
        X_used, ridge = (X_single, RIDGE) if step < DOUBLE_PRECISION_FROM else (X, RIDGE**2)
        newton_points(X_used, curvature, y, d, ridge, 1e-3 * tolerance, z)
        slope = np.einsum("ij,ij->i", y - z, d)
        lost = np.flatnonzero(~(slope < SLOPE_TOLERANCE))  # too ill-conditioned for the model
        z[lost] = np.eye(len(X))[d[lost].argmax(axis=1)]  # the direction of Frank and Wolfe always descends
        qz = z @ X
        alpha = _search(r, q, qz)[:, None]
        Y[left] = y + alpha * (z - y)
        Q[left] = q + alpha * (qz - q)
    return Y, gap, steps


def _start(X: Array, R: Array, Y: Array) -> tuple[Array, Array]:
    """Y and Q = YX. If q is zero at an entry where r is positive, the row of Y is mixed with the uniform point."""
    Q = Y @ X
    missing = ((R > 0) & (Q <= 0)).any(axis=1)
    Y[missing] = (1 - UNIFORM_SHARE) * Y[missing] + UNIFORM_SHARE / len(X)
    Q[missing] = Y[missing] @ X
    return Y, Q


def _search(R: Array, Q: Array, Qz: Array) -> Array:
    """Step lengths (n,) from Q towards Qz, at most 1.

    The objective is convex on the line. The length is 1 if the objective still falls or hardly rises there; else
    secants and bisection find a point where the slope is at most a tenth of the slope at the start.
    """
    n = len(R)
    change = Qz - Q
    low, high, alpha = np.zeros(n), np.ones(n), np.ones(n)
    slope_low, slope_high = _slope(R, Q, change, low), np.full(n, np.inf)
    small = np.maximum(0.1 * np.abs(slope_low), SLOPE_TOLERANCE)
    left = np.arange(n)
    for step in range(60):
        slope = _slope(R[left], Q[left], change[left], alpha[left])
        rises = slope > small[left]
        falls = (slope < -small[left]) & (alpha[left] < 1)
        high[left[rises]], slope_high[left[rises]] = alpha[left[rises]], slope[rises]
        low[left[falls]], slope_low[left[falls]] = alpha[left[falls]], slope[falls]
        left = left[rises | falls]
        if not len(left):
            break
        secant = slope_low[left] / (slope_low[left] - slope_high[left])
        share = 0.5 if step % 2 else np.clip(secant, 0.1, 0.9)
        alpha[left] = low[left] + share * (high[left] - low[left])
    return alpha


def _slope(R: Array, Q: Array, change: Array, alpha: Array) -> Array:
    """Slope of −Σ r log q at q = Q + alpha · change; infinite if q is zero where r is positive."""
    q = Q + alpha[:, None] * change
    needed = R > 0
    terms = np.divide(R * change, q, out=np.zeros_like(q), where=needed & (q > 0))
    slope: Array = -terms.sum(axis=1)
    slope[(needed & (q <= 0)).any(axis=1)] = np.inf
    return slope
