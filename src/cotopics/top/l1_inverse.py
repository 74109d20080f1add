"""An approximate inverse with columns of small L1 norm, by one small linear program a column.

    minimise t  subject to  ‖ω‖₁ ≤ t,  ‖Θω − e_k‖₁ ≤ λt                           (41), (42) of Bing et al. 2020

For λ = 0 the answer is the column of Θ⁻¹, and for small λ it is a few steps of the simplex method away from it. With
v = ω/t and τ = 1/t the program is: maximise τ subject to ‖Θv − τe_k‖₁ ≤ λ, ‖v‖₁ ≤ 1. For every y with ‖Θᵀy‖_∞ ≤ a,
‖y‖_∞ ≤ b and y_k = 1, τ = yᵀ(Θv + ρ) ≤ a + λb: the y of the last step proves that no τ is larger.
HiGHS solves the columns that are not proven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cotopics import progress
from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array

EXACT = 1e-8  # how far a column may be from its constraints, and from the best, relative to the numbers in it
DIGITS = 2.0**40  # what numbers are rounded to: twelve digits
STEPS = 20  # simplex steps a row before a column is given to HiGHS
COLUMNS = 8  # for a thread at a time
WAVE = 128  # columns between two words on progress


@dataclass(frozen=True)
class L1Inverse:
    """Ω (K, K), one column a program; steps of the simplex method in all, and how many columns HiGHS solved."""

    omega: Array
    n_iter: int
    n_highs: int


def l1_inverse(theta: Array, lam: float) -> L1Inverse:
    """Ω whose columns solve the program above, Θ (K, K); λ = 0 gives Θ⁻¹. A LinAlgError where λ = 0 and Θ has none."""
    if lam > 0:  # programs with several best vertices: rounding in Θ and λ must not decide between them
        theta, lam = _rounded(theta), float(_rounded(lam))
    size = float(np.abs(theta).max()) or 1.0  # numbers near one: Θ/s and λ/s have the solution sΩ
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
    invertible = bool(np.isfinite(inverse).all())

    def solve(first: int, last: int) -> tuple[int, int]:
        steps, failed = 0, 0
        for k in range(first, last):
            n = l1_column(theta, inverse, k, lam, STEPS * (K + 2), columns[k], duals[k]) if invertible else -1
            if n < 0 or not proven(theta, columns[k], duals[k], k, lam):
                columns[k], n = by_highs(theta, k, lam)
                failed += 1
            steps += n
        return steps, failed

    steps = failed = 0
    for start in range(0, K, WAVE):  # a thousand columns are minutes of work
        counts = map_row_blocks(solve, min(start + WAVE, K), block=COLUMNS, first=start)
        steps, failed = np.array([steps, failed]) + np.sum(counts, axis=0)
        progress.tell("inverting", min(start + WAVE, K), K)
    return L1Inverse(columns.T / size, int(steps), int(failed))


def _rounded(values: Array | float) -> Array:
    """To twelve digits each, whatever the size."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * DIGITS) / DIGITS, exponent)


def proven(theta: Array, omega: Array, y: Array, k: int, lam: float) -> bool:
    """Whether ω keeps its constraints, and y shows that no other does with a smaller norm."""
    t = float(np.abs(omega).sum())
    if not (np.isfinite(t) and np.isfinite(y).all() and abs(y[k] - 1) < EXACT):
        return False
    error = theta @ omega
    error[k] -= 1
    bound = float(np.abs(y @ theta).max() + lam * np.abs(y).max())  # on every τ = 1/t
    feasible = float(np.abs(error).sum()) <= (lam + EXACT) * t
    return feasible and bound * t <= 1 + EXACT


def by_highs(theta: Array, k: int, lam: float) -> tuple[Array, int]:
    """The same column by HiGHS from nothing, and its steps: hundreds of times slower, and never at a loss."""
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
