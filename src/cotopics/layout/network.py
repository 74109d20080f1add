"""A drawing of a network: what is joined is near, and nothing lies on anything else."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import shortest_path

from cotopics.layout.scaling import classical_scaling
from cotopics.linalg import fix_signs, largest_first
from cotopics.records import Array

MOST_STEPS, STANDS_STILL = 500, 1e-5
APART = 0.6  # of the longest path, and never less than three ties: parts of the network that no path joins
STIR = 1e-2  # of a step of the network: equal points have no direction to part in


def network_positions(weights: Array) -> Array:
    """Points (n, 2) of a network, weights (n, n) symmetric and non-negative, zero where two are not joined.

    A strong tie is half as long as the weakest one could be. Points are then moved until their distances come as near
    to the lengths of the shortest paths as they can: stress majorisation (Gansner, Koren and North 2005) from classical
    scaling. The same weights give the same points.
    """
    n = len(weights)
    W = np.array(weights, dtype=np.float64)
    np.fill_diagonal(W, 0)
    if n < 2:
        return np.zeros((n, 2))
    most = W.max() or 1.0
    paths = shortest_path(np.where(W > 0, 2 - W / most, 0), directed=False)
    joined = np.isfinite(paths)
    paths[~joined] = max(APART * paths[joined].max(), 3.0)
    angle = 2 * np.pi * np.arange(n) / n
    start = classical_scaling(paths) + STIR * np.column_stack([np.cos(angle), np.sin(angle)])
    return _majorise(start, paths)


def _majorise(X: Array, D: Array) -> Array:
    """X (n, 2) moved to a minimum of the stress Σ (‖x_i − x_j‖ / d_ij − 1)²."""
    inverse = 1 / (D + np.eye(len(D)))
    np.fill_diagonal(inverse, 0)
    laplacian = np.linalg.pinv(_laplacian(inverse**2))
    for _ in range(MOST_STEPS):
        distance = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2)) + np.eye(len(X))
        nearer = laplacian @ (_laplacian(inverse / np.maximum(distance, 1e-12)) @ X)
        moved = float(np.abs(nearer - X).max())
        X = nearer
        if moved < STANDS_STILL:
            break
    return _upright(X - X.mean(axis=0))


def _upright(X: Array) -> Array:
    """X (n, 2) turned so that it is wider than high."""
    return fix_signs(X @ largest_first(X.T @ X)[1])


def _laplacian(W: Array) -> Array:
    return np.diag(W.sum(axis=1)) - W


def separate(points: Array, radii: Array, *, within: tuple[Array, Array] | None = None, steps: int = 200) -> Array:
    """Points (n, 2) moved apart, where need be, until circles of these radii (n,) do not overlap.

    within: the least and the largest coordinates that points may have, (2,) or (n, 2) each.

    >>> separate(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, 1.0])).round(2).tolist()
    [[-0.5, 0.0], [1.5, 0.0]]
    """
    X = np.array(points, dtype=np.float64)
    low, high = (-np.inf, np.inf) if within is None else within
    wanted = radii[:, None] + radii[None]
    np.fill_diagonal(wanted, 0)
    for _ in range(steps):
        X = np.clip(X, low, high)
        difference = X[:, None] - X[None]
        distance = np.sqrt((difference**2).sum(axis=2))
        lacking = np.maximum(wanted - distance, 0)
        if lacking.max(initial=0) <= 1e-6 * wanted.max(initial=0):
            break
        unit = difference / np.maximum(distance, 1e-300)[..., None]
        direction = np.where(distance[..., None] > 0, unit, _fan(len(X)))
        X = X + (direction * lacking[..., None]).sum(axis=1) / 2
    return np.clip(X, low, high)


def _fan(n: int) -> Array:
    """A direction for each pair of equal points, (n, n, 2), opposite for the other of the two."""
    i, j = np.mgrid[:n, :n]
    angle = np.pi * (i + j) / max(n, 1)
    return np.where((i > j)[..., None], 1.0, -1.0) * np.stack([np.cos(angle), np.sin(angle)], axis=2)
