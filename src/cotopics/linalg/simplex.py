"""Least squares over the simplex and over non-negative numbers, for many right-hand sides at once.

The simplex solver works on G + 11ᵀ: on the simplex this is the same problem, and it is definite whenever the points are
affinely independent. It starts from the support of the minimiser on the plane Σy = 1, which is often nearly right.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from cotopics.arrays import Array
from cotopics.linalg.threads import map_row_blocks

BLOCKS, MIN_ROWS, MAX_ROWS = 128, 16, 256  # of rows that threads take, as far as that is enough work for each
MAX_DOUBLINGS = 64  # numbers have 52 binary digits: a minimum farther away than this is the same as none


@dataclass(frozen=True)
class SimplexSolution:
    """Minimisers Y (n, k), one per row, and for each its gap (n,): an upper bound on f(y) − min f.

    n_iter is the largest number of steps that a row took; converged means that every gap is within the tolerance.
    """

    Y: Array
    gap: Array
    n_iter: int
    converged: bool


def simplex_least_squares(G: Array, F: Array, *, tolerance: float = 1e-11) -> SimplexSolution:
    """Minimise ½ yᵀGy − fᵀy over the simplex for every row f of F (n, k); G (k, k) is shared.

    With G = XXᵀ and f = Xv this is min ‖Xᵀy − v‖² over convex combinations of the rows of X. Exact: a compiled
    active-set method, one problem per row. With the gradient g, the gap yᵀg − min g certifies each answer; `tolerance`
    is relative to the largest |entry| of G.
    """
    from cotopics.linalg.kernels.simplex import active_set

    scale = float(np.abs(G).max()) or 1.0
    G = np.ascontiguousarray(G / scale, dtype=np.float64)
    F = np.ascontiguousarray(F / scale, dtype=np.float64)
    guess = _minimise_on_plane(G, F)
    Y = np.empty_like(F)
    gap, steps = np.empty(len(F)), np.empty(len(F), dtype=np.int64)

    def solve(first: int, last: int) -> None:
        active_set(G, F, guess, tolerance, first, last, Y, gap, steps)

    map_row_blocks(solve, len(F), block=max(MIN_ROWS, min(len(F) // BLOCKS, MAX_ROWS)))
    converged = bool((gap <= 10 * tolerance).all())
    return SimplexSolution(Y, gap * scale, int(steps.max(initial=0)), converged)


def _minimise_on_plane(G: Array, F: Array) -> Array:
    """Minimisers with Σy = 1 and any sign. The active-set method starts from the entries that are positive."""
    H = scipy.linalg.pinvh(G + 1)
    U, w = F @ H, H.sum(axis=1)
    return U - np.outer((U.sum(axis=1) - 1) / w.sum(), w)


def exponentiated_gradient(G: Array, F: Array, *, max_iter: int = 500, tolerance: float = 1e-5) -> SimplexSolution:
    """The same problem by multiplicative steps from the uniform point; Arora et al. 2013, Lee et al. 2015, section 3.

    The step 1/max|G| never increases the objective, because the gradient is max|G|-Lipschitz from ‖·‖₁ to ‖·‖_∞;
    published implementations use 50 for all data. A row stops when its duality gap yᵀg − min g is below `tolerance`
    relative to max|G|, or after `max_iter` steps.
    """
    n, k = F.shape
    scale = float(np.abs(G).max()) or 1.0
    Gs, Fs = G / scale, F / scale
    Y = np.full((n, k), 1.0 / k)
    gap = np.full(n, np.inf)
    left = np.arange(n)
    step = 0
    while len(left):
        y = Y[left]
        g = y @ Gs - Fs[left]
        gap[left] = np.einsum("ij,ij->i", y, g) - g.min(axis=1)
        running = gap[left] > tolerance
        left, y, g = left[running], y[running], g[running]
        if step == max_iter or not len(left):
            break
        step += 1
        y = y * np.exp(-(g - g.min(axis=1, keepdims=True)))
        Y[left] = y / y.sum(axis=1, keepdims=True)
    return SimplexSolution(Y, gap * scale, step, not len(left))


def nonnegative_least_squares(G: Array, F: Array) -> Array:
    """Minimise ½ wᵀGw − fᵀw over w ≥ 0 for every row f of F (n, k); G (k, k) is shared and positive definite.

    If Σw < s, then w/s is a point of the simplex with one more coordinate, which costs nothing. s starts from a guess
    and doubles for rows that reach Σw = s, so s never restricts the answer. Rows with f ≤ 0 give w = 0. If G is not
    definite there may be no minimum: then s ends at 2^MAX_DOUBLINGS times the guess.
    """
    k = len(G)
    padded = np.zeros((k + 1, k + 1))
    padded[:k, :k] = G
    W = np.zeros_like(F, dtype=np.float64)
    left = np.flatnonzero((F > 0).any(axis=1))
    # along one coordinate the best value is f/G; the sum over all coordinates is a generous first guess of s
    sizes = np.diag(G)
    scale = 2 * np.maximum(F[left], 0) @ np.divide(1, sizes, out=np.ones(k), where=sizes > 0)
    for _ in range(MAX_DOUBLINGS):
        if len(left) == 0:
            break
        # w = s·y: dividing the objective by s² keeps G and divides f by s
        rows = np.column_stack([F[left] / scale[:, None], np.zeros(len(left))])
        Y = simplex_least_squares(padded, rows).Y
        W[left] = Y[:, :k] * scale[:, None]
        at_edge = Y[:, k] <= 1e-9
        left, scale = left[at_edge], 2 * scale[at_edge]
    return W
