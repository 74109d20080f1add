"""Exponentiated gradient: the papers' solver for simplex least squares (001, section 3; Arora et al. 2013)."""

from typing import Any

import numpy as np

from cotopics.linalg.simplex import SimplexSolution

Array = np.ndarray[Any, np.dtype[np.float64]]


def exponentiated_gradient(G: Array, F: Array, *, max_iter: int = 500, tolerance: float = 1e-5) -> SimplexSolution:
    """Minimise ½ yᵀGy − fᵀy over the simplex for every row f of F (n, k) by multiplicative steps from uniform.

    The step 1/max|G| is the one that never increases the objective (its gradient is max|G|-Lipschitz from ‖·‖₁ to
    ‖·‖_∞), where released implementations fix it at 50 whatever the data. Stops a row when its duality gap
    yᵀg − min g is below `tolerance` relative to max|G|, and the rest after `max_iter` steps.
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
