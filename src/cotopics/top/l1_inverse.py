"""An approximate inverse with columns of small L1 norm, by one small linear program per column.

    minimise t  subject to  ‖ω‖₁ ≤ t,  ‖Θω − e_k‖₁ ≤ λt                           (41), (42) of Bing et al. 2020

For λ = 0 the answer is the column of Θ⁻¹, and for small λ it is a few steps of the simplex method from there. With
v = ω/t and τ = 1/t the program is: maximise τ subject to ‖Θv − τe_k‖₁ ≤ λ, ‖v‖₁ ≤ 1. For every y with ‖Θᵀy‖_∞ ≤ a,
‖y‖_∞ ≤ b and y_k = 1, τ = yᵀ(Θv + ρ) ≤ a + λb: the y of the last step proves that no τ is larger. Columns without
this proof are solved by HiGHS.
"""

from dataclasses import dataclass

import numpy as np

from cotopics import progress
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array

PROOF_TOLERANCE = 1e-8  # of the constraints and of the minimum, relative to the size of the column
MANTISSA_UNITS = 2.0**40  # numbers are rounded to twelve digits
MAX_STEPS_PER_ROW = 20  # of the simplex method, before a column is given to HiGHS
COLUMNS_PER_BLOCK = 8  # for one thread
COLUMNS_PER_UPDATE = 128  # of the progress


@dataclass(frozen=True)
class L1Inverse:
    """Ω (K, K), one program per column; the total number of simplex steps; the number of columns solved by HiGHS."""

    omega: Array
    n_iter: int
    n_highs: int


def l1_inverse(theta: Array, lam: float) -> L1Inverse:
    """Ω whose columns solve the program above, Θ (K, K); λ = 0 gives Θ⁻¹, or a LinAlgError if there is none."""
    if lam > 0:  # if a program has several best vertices, rounding errors in Θ and λ must not decide between them
        theta, lam = _rounded(theta), float(_rounded(lam))
    size = float(np.abs(theta).max()) or 1.0  # so that numbers are near one: Θ/s and λ/s have the solution sΩ
    theta, lam = np.ascontiguousarray(theta, dtype=np.float64) / size, lam / size
    K = len(theta)
    try:
        inverse: Array = np.linalg.inv(theta).astype(np.float64)
    except np.linalg.LinAlgError:
        if lam <= 0:
            raise
        inverse = np.full_like(theta, np.nan)
    if lam <= 0:
        return L1Inverse(inverse / size, 0, 0)
    from cotopics.top.kernels import l1_column

    columns, duals = np.empty((K, K)), np.empty((K, K))
    invertible, max_steps = bool(np.isfinite(inverse).all()), MAX_STEPS_PER_ROW * (K + 2)

    def solve(first: int, last: int) -> tuple[int, int]:
        steps, failed = 0, 0
        for k in range(first, last):
            n = l1_column(theta, inverse, k, lam, max_steps, columns[k], duals[k]) if invertible else -1
            if n < 0 or not proven(theta, columns[k], duals[k], k, lam):
                columns[k], n = by_highs(theta, k, lam)
                failed += 1
            steps += n
        return steps, failed

    steps = failed = 0
    for start in range(0, K, COLUMNS_PER_UPDATE):  # a thousand columns are minutes of work
        stop = min(start + COLUMNS_PER_UPDATE, K)
        counts = map_row_blocks(solve, stop, block=COLUMNS_PER_BLOCK, first=start)
        steps, failed = np.array([steps, failed]) + np.sum(counts, axis=0)
        progress.tell("inverting", stop, K)
    return L1Inverse(columns.T / size, int(steps), int(failed))


def _rounded(values: Array | float) -> Array:
    """Each value to twelve digits."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * MANTISSA_UNITS) / MANTISSA_UNITS, exponent)


def proven(theta: Array, omega: Array, y: Array, k: int, lam: float) -> bool:
    """Whether ω satisfies the constraints, and y proves that no ω with a smaller norm does."""
    t = float(np.abs(omega).sum())
    if not (np.isfinite(t) and np.isfinite(y).all() and abs(y[k] - 1) < PROOF_TOLERANCE):
        return False
    error = theta @ omega
    error[k] -= 1
    bound = float(np.abs(y @ theta).max() + lam * np.abs(y).max())  # on every τ = 1/t
    feasible = float(np.abs(error).sum()) <= (lam + PROOF_TOLERANCE) * t
    return feasible and bound * t <= 1 + PROOF_TOLERANCE


def by_highs(theta: Array, k: int, lam: float) -> tuple[Array, int]:
    """The same column by HiGHS, and its number of steps: hundreds of times slower, but it always works."""
    from scipy.optimize import linprog

    K = len(theta)
    I, ones, zeros = np.eye(K), np.ones(2 * K), np.zeros(2 * K)
    result = linprog(
        np.concatenate([zeros, zeros, [-1.0]]),  # v⁺, v⁻, ρ⁺, ρ⁻, τ
        A_ub=np.array([[*ones, *zeros, 0], [*zeros, *ones, 0]]),
        b_ub=[1, lam],
        A_eq=np.hstack([theta, -theta, I, -I, -I[:, [k]]]),
        b_eq=np.zeros(K),
    )
    if result.x is None or result.x[-1] <= 0:
        raise np.linalg.LinAlgError(f"column {k} of the inverse was not found: {result.message}")
    return (result.x[:K] - result.x[K : 2 * K]) / result.x[-1], int(result.nit)
