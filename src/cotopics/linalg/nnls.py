"""Non-negative least squares for many right-hand sides at once, by way of the simplex."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.linalg.simplex import simplex_least_squares

MOST_DOUBLINGS = 64  # numbers have 52 binary digits: a minimum that is further away than this cannot be told from none

Array = np.ndarray[Any, np.dtype[np.float64]]


def nonnegative_least_squares(G: Array, F: Array) -> Array:
    """Minimise ½ wᵀGw − fᵀw over w ≥ 0 for every row f of F (n, k); G (k, k) is shared and positive definite.

    Within Σw < s, w/s is a point of the simplex with one more coordinate that costs nothing. s starts from a guess and
    doubles for the rows that come to its edge, so every answer is the unrestricted one. Rows with f ≤ 0 give w = 0.
    Where G is not definite there may be no minimum: then s ends at 2^MOST_DOUBLINGS times the guess.
    """
    k = len(G)
    padded = np.zeros((k + 1, k + 1))
    padded[:k, :k] = G
    W = np.zeros_like(F, dtype=np.float64)
    left = np.flatnonzero((F > 0).any(axis=1))
    # along any one coordinate the best is f/G; the sum over all of them is more than enough to start with
    sizes = np.diag(G)
    scale = 2 * np.maximum(F[left], 0) @ np.divide(1, sizes, out=np.ones(k), where=sizes > 0)
    for _ in range(MOST_DOUBLINGS):
        if len(left) == 0:
            break
        # w = s·y: dividing the objective by s² leaves G as it is and divides f by s
        rows = np.column_stack([F[left] / scale[:, None], np.zeros(len(left))])
        Y = simplex_least_squares(padded, rows).Y
        W[left] = Y[:, :k] * scale[:, None]
        at_edge = Y[:, k] <= 1e-9
        left, scale = left[at_edge], 2 * scale[at_edge]
    return W
