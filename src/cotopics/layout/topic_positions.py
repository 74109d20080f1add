"""Where topics go in a picture: their order, their map and their network.

Report and figures draw the same map. It places topics by their lift. Correlation coefficients would not do: the shares
of a document sum to one, so most coefficients are just below zero and most distances would be nearly equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import squareform

from cotopics.linalg import fix_signs, largest_first
from cotopics.metrics import association
from cotopics.records import Array

EIGENVALUE_TOLERANCE = 1e-12  # relative to the largest; smaller eigenvalues are rounding errors
MAX_LIFT = 1e12  # of topics with almost no share; fits single precision
MAP_HEIGHT = 0.75  # the width is 1
MAP_MARGIN = 0.03
MAP_COVERAGE = 0.14  # share of the map that is covered by circles
MIN_RADIUS = 0.006
CIRCLE_GAP = 0.008
MAX_STEPS, MIN_MOVE = 500, 1e-5  # of stress majorisation
NUDGE = 1e-2  # moves points apart that start at the same place
UNCONNECTED = 0.6  # distance of topics that no path joins, as a share of the longest path
MIN_UNCONNECTED = 3.0


def lifts(model: Any) -> Array:
    """p(z₁, z₂) / (p(z₁) p(z₂)) (n_topics, n_topics) of a fitted model or of A: 1 is as often as by chance.

    Estimates below zero become 0. A topic without any share has a lift of 1 with all topics.

    >>> lifts(np.diag([0.5, 0.5])).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    return np.clip(np.nan_to_num(association(model).lift, nan=1.0), 0, MAX_LIFT)


def lift_distance(lift: Array) -> Array:
    """1 / (1 + lift), (n, n): near 0 for topics that are always together, 1 for topics that never are."""
    D = 1 / (1 + (lift + lift.T) / 2)
    np.fill_diagonal(D, 0)
    return D


def correlation_distance(R: Array) -> Array:
    """√(2 − 2R) (n, n): the distance of unit vectors whose inner products are the coefficients R, from −1 to 1.

    An unknown coefficient (NaN) counts as 0.
    """
    D = np.sqrt(np.maximum(2 - 2 * np.nan_to_num(R, nan=0.0), 0))
    np.fill_diagonal(D, 0)
    return D


def clustered_order(R: Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The numbers 0 … n − 1 in an order that puts strongly correlated topics side by side; R (n, n) is symmetric.

    >>> R = np.array([[1.0, 0.1, 0.9], [0.1, 1.0, 0.3], [0.9, 0.3, 1.0]])
    >>> clustered_order(R).tolist()
    [1, 2, 0]
    """
    return nearest_neighbours(correlation_distance(R))


def nearest_neighbours(D: Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The numbers 0 … n − 1 in an order that makes neighbours near; distances D (n, n), symmetric, zero diagonal.

    These are the leaves of an average-linkage tree in their best order (Bar-Joseph et al. 2001).
    """
    if len(D) < 3:
        return np.arange(len(D))
    tree = linkage(squareform(D, checks=False), method="average", optimal_ordering=True)
    return np.asarray(leaves_list(tree), dtype=np.int64)


def topic_circles(lift: Array, prevalence: Array) -> tuple[Array, Array]:
    """The map of topics: centres (n_topics, 2) and radii (n_topics,) in a box of width 1 and height MAP_HEIGHT.

    Areas are proportional to the prevalence, and distances follow `lift_distance`. Overlapping circles are moved apart.
    """
    share = np.maximum(prevalence, 0) / max(np.maximum(prevalence, 0).sum(), 1e-300)
    radius = np.maximum(np.sqrt(share * MAP_COVERAGE * MAP_HEIGHT / np.pi), MIN_RADIUS)
    D = lift_distance(lift)
    centre = _positions(D, np.ones_like(D))
    box = np.array([1, MAP_HEIGHT])
    if np.ptp(centre, axis=0).max(initial=0) > 0:
        room = box - 2 * (radius.max() + MAP_MARGIN)
        centre = (centre - centre.min(axis=0)) * (room / np.maximum(np.ptp(centre, axis=0), 1e-12)).min()
    centre = centre + (box - np.ptp(centre, axis=0)) / 2 - centre.min(axis=0)
    edge = radius[:, None] + MAP_MARGIN / 2
    return separate(centre, radius + CIRCLE_GAP / 2, within=(edge, np.maximum(box - edge, edge))), radius


def network_positions(weights: Array) -> Array:
    """Points (n, 2) for a network of symmetric, non-negative weights (n, n); zero means that two are not joined.

    The strongest tie has length 1 and the weakest up to 2. Distances in the drawing come as near as possible to the
    lengths of the shortest paths. The same weights give the same points.
    """
    W = np.array(weights, dtype=np.float64)
    np.fill_diagonal(W, 0)
    if len(W) < 2:
        return np.zeros((len(W), 2))
    paths = shortest_path(np.where(W > 0, 2 - W / (W.max() or 1.0), 0), directed=False)
    joined = np.isfinite(paths)
    paths[~joined] = max(UNCONNECTED * paths[joined].max(), MIN_UNCONNECTED)
    return _positions(paths, 1 / (paths + np.eye(len(W))) ** 2)


def classical_scaling(D: Array) -> Array:
    """Points (n, 2) whose distances are near D (n, n), symmetric: classical scaling (Torgerson 1952).

    The leading two eigenvectors of −½ J D² J with J = I − 11ᵀ/n, centred and with fixed signs. If D are the distances
    of points in a plane, these points come back up to rotation. A direction that D lacks is zero.

    >>> points = classical_scaling(np.array([[0.0, 3.0, 3.0], [3.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))
    >>> np.abs(points).round(9).tolist()
    [[2.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    n = len(D)
    squares = D**2
    means = squares.mean(axis=0)
    values, vectors = largest_first(-(squares - means - means[:, None] + squares.mean()) / 2)
    values = np.append(values, [0.0, 0.0])[:2]
    vectors = np.column_stack([vectors, np.zeros((n, 2))])[:, :2]
    values = np.where(values > EIGENVALUE_TOLERANCE * max(values[0], 0), np.maximum(values, 0), 0)
    return fix_signs(vectors) * np.sqrt(values)


def _positions(D: Array, weights: Array) -> Array:
    """Points (n, 2) at a minimum of the stress Σ w_ij (‖x_i − x_j‖ − d_ij)², turned to be wider than high.

    Stress majorisation (Gansner, Koren and North 2005) from classical scaling.
    """
    n = len(D)
    angle = 2 * np.pi * np.arange(n) / n
    X = classical_scaling(D) + NUDGE * np.column_stack([np.cos(angle), np.sin(angle)])
    weights = weights * ~np.eye(n, dtype=bool)
    inverse = np.linalg.pinv(_laplacian(weights))
    for _ in range(MAX_STEPS):
        distance = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2)) + np.eye(n)
        nearer = inverse @ (_laplacian(weights * D / np.maximum(distance, 1e-12)) @ X)
        move = float(np.abs(nearer - X).max())
        X = nearer
        if move < MIN_MOVE:
            break
    X = X - X.mean(axis=0)
    return fix_signs(X @ largest_first(X.T @ X)[1])


def _laplacian(W: Array) -> Array:
    return np.diag(W.sum(axis=1)) - W


def separate(points: Array, radii: Array, *, within: tuple[Array, Array] | None = None, steps: int = 200) -> Array:
    """Points (n, 2), moved apart where necessary until circles with these radii (n,) do not overlap.

    within: the smallest and the largest coordinates that points may have, (2,) or (n, 2) each.

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
        overlap = np.maximum(wanted - distance, 0)
        if overlap.max(initial=0) <= 1e-6 * wanted.max(initial=0):
            break
        unit = difference / np.maximum(distance, 1e-300)[..., None]
        direction = np.where(distance[..., None] > 0, unit, _fan(len(X)))
        X = X + (direction * overlap[..., None]).sum(axis=1) / 2
    return np.clip(X, low, high)


def _fan(n: int) -> Array:
    """A direction for each pair of equal points, (n, n, 2); the two points of a pair get opposite directions."""
    i, j = np.mgrid[:n, :n]
    angle = np.pi * (i + j) / max(n, 1)
    return np.where((i > j)[..., None], 1.0, -1.0) * np.stack([np.cos(angle), np.sin(angle)], axis=2)
