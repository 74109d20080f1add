"""Points in a plane at given distances."""

from __future__ import annotations

import numpy as np

from cotopics.linalg import fix_signs, largest_first
from cotopics.records import Array

ROUNDING = 1e-12  # of the largest eigenvalue


def correlation_distance(R: Array) -> Array:
    """√(2 − 2R): how far apart unit vectors of these inner products are; R (n, n), coefficients from −1 to 1.

    A coefficient that is not known (NaN) counts as 0.
    """
    D = np.sqrt(np.maximum(2 - 2 * np.nan_to_num(R, nan=0.0), 0))
    np.fill_diagonal(D, 0)
    return D


def classical_scaling(D: Array) -> Array:
    """Points (n, 2) whose distances are near D (n, n), symmetric: classical scaling (Torgerson 1952).

    The leading two eigenvectors of −½ J D² J with J = I − 11ᵀ/n, centred and with fixed signs: exact where D are the
    distances of points in a plane, up to rotation. A direction that D does not have is zero.

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
    values = np.where(values > ROUNDING * max(values[0], 0), np.maximum(values, 0), 0)
    return fix_signs(vectors) * np.sqrt(values)
