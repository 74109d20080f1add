"""Dense linear programs with many rows and few unknowns, by an interior-point method whose answer is certified.

    minimise cᵀx  subject to  Rx ≥ 0, bᵀx = 1        (x free; R is n × k with n ≫ k)

A step costs one weighted Gram matrix RᵀDR (k × k), so the time is linear in n. The dual is: maximise ν subject to
Rᵀy + νb = c, y ≥ 0. Any such y proves cᵀx ≥ ν for every feasible x.

Milliseconds for one program, from `benchmarks/anchor_free_solvers.py`:

    n × k         linprog (HiGHS), cold    here
    500 × 10                6               3
    2,000 × 20             41               7
    5,000 × 50            381              23
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from cotopics.arrays import Array
from cotopics.linalg.threads import one_blas_thread

MAX_STEPS = 60
DIVERGENCE_LIMIT = 1e20  # larger unknowns mean that the program is infeasible or unbounded
FEASIBILITY_TOLERANCE = 1e-9  # largest violation of a row of unit norm, relative to ‖x‖
STEP_FRACTION = 0.9995  # of the way to the boundary
MAX_GAP = 1e-8  # largest |cᵀx − ν| relative to 1 + |cᵀx|


class LPError(ValueError):
    """The linear program has no solution: the message says whether it is infeasible or unbounded."""


@dataclass(frozen=True)
class LPSolution:
    """x (k,), its value cᵀx, and its certificate.

    violation is relative to ‖x‖. gap bounds the distance of value from the minimum, relative to 1 + |cᵀx|. method is
    "interior-point", or "highs" if the interior-point answer was not certified.
    """

    x: Array
    value: float
    violation: float
    gap: float
    n_iter: int
    method: str


def solve_lp(c: Array, R: Array, b: Array, *, tolerance: float = 1e-11) -> LPSolution:
    """Minimise cᵀx subject to Rx ≥ 0 and bᵀx = 1; c (k,), R (n, k) with rows of similar norm, b (k,) not zero.

    The predictor–corrector method of Mehrotra 1992, in coordinates where RᵀR = I, then a check of its answer. HiGHS
    solves programs that do not pass the check.
    """
    with one_blas_thread():  # dozens of small steps
        return _solve(c, R, b, tolerance)


def _solve(c: Array, R: Array, b: Array, tolerance: float) -> LPSolution:
    try:
        L = scipy.linalg.cholesky(R.T @ R, lower=True, check_finite=False)
    except np.linalg.LinAlgError:  # the rows do not span the space
        return _highs(c, R, b)
    c_white, b_white = scipy.linalg.solve_triangular(L, np.column_stack([c, b]), lower=True, check_finite=False).T
    c_size, b_size = float(np.linalg.norm(c_white)) or 1.0, float(np.linalg.norm(b_white))
    R_white = np.ascontiguousarray(scipy.linalg.solve_triangular(L, R.T, lower=True, check_finite=False).T)
    found = _interior_point(c_white / c_size, R_white, b_white / b_size, tolerance)
    if found is None:
        return _highs(c, R, b)
    z, gap, n_iter = found
    x = scipy.linalg.solve_triangular(L, z / b_size, lower=True, trans="T", check_finite=False)
    violation = _violation(R, x)
    if violation > FEASIBILITY_TOLERANCE:
        return _highs(c, R, b)
    return LPSolution(x, float(c @ x), violation, gap, n_iter, "interior-point")


def _interior_point(c: Array, R: Array, b: Array, tolerance: float) -> tuple[Array, float, int] | None:
    """x, its gap and the number of steps, for ‖b‖ = ‖c‖ = 1 and RᵀR = I; None if the certificate fails."""
    x, s, y, nu = _start(c, R, b)
    best, best_error, stalled, n_iter = (x, y, nu), np.inf, 0, 0
    try:
        while n_iter < MAX_STEPS:
            n_iter += 1
            r_primal = s - R @ x  # residuals of the three equations Rx = s, bᵀx = 1, Rᵀy + νb = c
            r_sum = 1 - float(b @ x)
            r_dual = c - y @ R - nu * b
            gap = abs(float(c @ x) - nu) / (1 + abs(nu))
            error = max(float(np.abs(r_primal).max()), abs(r_sum), float(np.abs(r_dual).max()), gap)
            stalled = 0 if error < 0.9 * best_error else stalled + 1
            if error < best_error:
                best, best_error = (x, y, nu), error
            if error <= tolerance or not np.isfinite(error) or (stalled >= 2 and best_error <= MAX_GAP):
                break
            if max(float(np.abs(x).max()), float(y.max())) > DIVERGENCE_LIMIT:
                break
            newton = _Newton(R, b, s, y)
            mu = float(s @ y) / len(s)
            dx, ds, dy, dnu = newton.direction(r_primal, r_sum, r_dual, -s * y)
            predicted = float((s + _longest(s, ds) * ds) @ (y + _longest(y, dy) * dy)) / len(s)
            centred = (predicted / mu) ** 3 * mu
            dx, ds, dy, dnu = newton.direction(r_primal, r_sum, r_dual, centred - s * y - ds * dy)
            alpha = STEP_FRACTION * _longest(s, ds, 1 / STEP_FRACTION)
            beta = STEP_FRACTION * _longest(y, dy, 1 / STEP_FRACTION)
            x, s = x + alpha * dx, s + alpha * ds
            y, nu = y + beta * dy, nu + beta * dnu
    except np.linalg.LinAlgError:  # the Gram matrix is singular to working precision: the best point may be enough
        pass
    gap = _certified_gap(c, R, b, *best)
    return None if gap > MAX_GAP else (best[0] / float(b @ best[0]), gap, n_iter)


def _start(c: Array, R: Array, b: Array) -> tuple[Array, Array, Array, float]:
    """Mehrotra's start: least-norm solutions of the equations, moved into the interior."""
    x = b.copy()
    s, y = R @ x, R @ c
    s += max(-1.5 * float(s.min()), 0.0) + 1e-3
    y += max(-1.5 * float(y.min()), 0.0) + 1e-3 / len(R)
    product = float(s @ y)
    return x, s + 0.5 * product / float(y.sum()), y + 0.5 * product / float(s.sum()), 0.0


class _Newton:
    """The linearised optimality conditions at (s, y), reduced to k unknowns: (RᵀDR) dx − b dν = h, bᵀdx = r."""

    def __init__(self, R: Array, b: Array, s: Array, y: Array) -> None:
        self.R, self.s, self.d = R, s, y / s
        W = R * np.sqrt(self.d)[:, None]
        G = W.T @ W
        G[np.diag_indices_from(G)] += 1e-15 * G.trace()
        self.factor = scipy.linalg.cho_factor(G, check_finite=False)
        self.b, self.Gb = b, scipy.linalg.cho_solve(self.factor, b, check_finite=False)

    def direction(self, r_primal: Array, r_sum: float, r_dual: Array, r_mu: Array) -> tuple[Array, Array, Array, float]:
        h = (r_mu / self.s + self.d * r_primal) @ self.R - r_dual
        Gh = scipy.linalg.cho_solve(self.factor, h, check_finite=False)
        dnu = (r_sum - float(self.b @ Gh)) / float(self.b @ self.Gb)
        dx = Gh + dnu * self.Gb
        ds = self.R @ dx - r_primal
        return dx, ds, (r_mu - ds * (self.d * self.s)) / self.s, dnu


def _longest(v: Array, dv: Array, limit: float = 1.0) -> float:
    """The largest step α ≤ limit with v + α dv ≥ 0, for v > 0."""
    ratio = float((dv / v).min())
    return min(limit, -1 / ratio) if ratio < 0 else limit


def _certified_gap(c: Array, R: Array, b: Array, x: Array, y: Array, nu: float) -> float:
    """Bound on the distance of cᵀx from the minimum, relative to 1 + |cᵀx|.

    Every feasible x' has cᵀx' ≥ ν − ‖c − Rᵀy − νb‖ ‖x'‖; the norm of x is used for ‖x'‖.
    """
    total = float(b @ x)
    if not (np.isfinite(x).all() and np.isfinite(y).all() and abs(total - 1) < 1e-6):
        return np.inf
    x, y = x / total, np.maximum(y, 0)
    value = float(c @ x)
    residual = float(np.linalg.norm(c - y @ R - nu * b))
    return (abs(value - nu) + residual * float(np.linalg.norm(x))) / (1 + abs(value))


def _violation(R: Array, x: Array) -> float:
    return max(0.0, -float((R @ x).min(initial=0.0))) / float(np.linalg.norm(x))


def _highs(c: Array, R: Array, b: Array) -> LPSolution:
    from scipy.optimize import linprog

    c_size, b_size = float(np.linalg.norm(c)) or 1.0, float(np.linalg.norm(b))
    c, b = c / c_size, b / b_size
    result = linprog(c, A_ub=-R, b_ub=np.zeros(len(R)), A_eq=b[None, :], b_eq=[1.0], bounds=(None, None))
    if result.status == 2:
        raise LPError("the linear program is infeasible: no x has Rx ≥ 0 and bᵀx = 1")
    if result.status == 3:
        raise LPError("the linear program is unbounded: the rows of R do not close the set Rx ≥ 0, bᵀx = 1")
    if result.x is None:
        raise LPError(f"the linear program could not be solved: {result.message}")
    x = np.asarray(result.x)
    y, nu = -np.asarray(result.ineqlin.marginals), float(result.eqlin.marginals[0])
    gap = _certified_gap(c, R, b, x, np.abs(y), nu)
    return LPSolution(x / b_size, float(c @ x) * c_size / b_size, _violation(R, x), gap, int(result.nit), "highs")
