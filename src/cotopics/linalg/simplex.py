"""Points of the simplex: projection onto it, and least squares over it for many right-hand sides at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from cotopics.linalg.threads import map_row_blocks

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class SimplexSolution:
    """Minimisers Y (n, k), one a row, and the certificate of each: gap (n,), an upper bound on f(y) − min f.

    n_iter is the largest number of steps that a row took; converged says that every gap is within tolerance.
    """

    Y: Array
    gap: Array
    n_iter: int
    converged: bool


def project_to_simplex(V: Array) -> Array:
    """Nearest point of the simplex to each row of V (n, k); Duchi et al. 2008, Fig. 1."""
    U = -np.sort(-V, axis=1)  # mu in the paper
    theta = (U.cumsum(axis=1) - 1) / np.arange(1, V.shape[1] + 1)
    rho = np.count_nonzero(theta < U, axis=1) - 1
    return np.maximum(V - np.take_along_axis(theta, rho[:, None], axis=1), 0)


def simplex_least_squares(G: Array, F: Array, *, tolerance: float = 1e-11) -> SimplexSolution:
    """Minimise ½ yᵀGy − fᵀy over the simplex for every row f of F (n, k); G (k, k) is shared.

    With G = XXᵀ and f = Xv this is min ‖Xᵀy − v‖² over convex combinations of the rows of X. Exact: an active-set
    method, compiled, one problem a row. The gap yᵀg − min g at the gradient g certifies each answer;
    `tolerance` is relative to the largest |entry| of G.
    """
    # numba is imported by whoever solves, not by whoever imports us
    from cotopics.linalg.kernels.simplex import active_set

    scale = float(np.abs(G).max()) or 1.0
    G = np.ascontiguousarray(G / scale, dtype=np.float64)
    F = np.ascontiguousarray(F / scale, dtype=np.float64)
    guess = _minimise_on_plane(G, F)
    Y = np.empty_like(F)
    gap, steps = np.empty(len(F)), np.empty(len(F), dtype=np.int64)

    def solve(first: int, last: int) -> None:
        active_set(G, F, guess, tolerance, first, last, Y, gap, steps)

    map_row_blocks(solve, len(F), block=256)
    converged = bool((gap <= 10 * tolerance).all())
    return SimplexSolution(Y, gap * scale, int(steps.max(initial=0)), converged)


def _minimise_on_plane(G: Array, F: Array) -> Array:
    """Minimisers with Σy = 1 but any sign: where they are positive is where the active-set method starts."""
    H = scipy.linalg.pinvh(G + 1)
    U, w = F @ H, H.sum(axis=1)
    return U - np.outer((U.sum(axis=1) - 1) / w.sum(), w)
