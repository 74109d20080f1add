"""Non-negative least squares for many right-hand sides at once, by way of the simplex."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.linalg.simplex import simplex_least_squares

Array = np.ndarray[Any, np.dtype[np.float64]]


def nonnegative_least_squares(G: Array, F: Array) -> Array:
    """Minimise ½ wᵀGw − fᵀw over w ≥ 0 for every row f of F (n, k); G (k, k) is shared and positive definite.

    Within Σw < s, w/s is a point of the simplex with one more coordinate that costs nothing. s starts from a guess and
    doubles for the rows that come to its edge, so every answer is the unrestricted one. Rows with f ≤ 0 give w = 0.
    """
    k = len(G)
    padded = np.zeros((k + 1, k + 1))
    padded[:k, :k] = G
    W = np.zeros_like(F, dtype=np.float64)
    left = np.flatnonzero((F > 0).any(axis=1))
    # along any one coordinate the best is f/G; the sum over all of them is more than enough to start with
    scale = 2 * np.maximum(F[left], 0) @ (1 / np.diag(G))
    while len(left):
        # w = s·y: dividing the objective by s² leaves G as it is and divides f by s
        rows = np.column_stack([F[left] / scale[:, None], np.zeros(len(left))])
        Y = simplex_least_squares(padded, rows).Y
        W[left] = Y[:, :k] * scale[:, None]
        at_edge = Y[:, k] <= 1e-9
        left, scale = left[at_edge], 2 * scale[at_edge]
    return W
