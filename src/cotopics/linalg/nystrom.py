"""A positive semidefinite matrix from some of its columns."""

from typing import Any

import numpy as np

from cotopics.linalg.eigen import largest_first

Array = np.ndarray[Any, np.dtype[np.float64]]

RANK_TOLERANCE = 1e-12  # directions of G_LL this small, relative to the largest, are rounding


def nystrom_factor(G_L: Array, L: np.ndarray[Any, np.dtype[np.integer[Any]]]) -> Array:
    """F (n, r) with FFᵀ = G_L (G_LL)⁺ G_Lᵀ from the columns L (m,) of a positive semidefinite G, G_L (n, m).

    Exact when G has rank m or less and these columns span it; never more than G, in the sense of the order of
    positive semidefinite matrices.
    """
    core = G_L[L]
    scale = np.sqrt(np.maximum(np.diag(core), 0))  # words' sizes differ by orders of magnitude: compare directions
    scale = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)
    values, S = largest_first(core * np.outer(scale, scale))
    kept = values > RANK_TOLERANCE * max(values[0], 0) if len(values) else np.zeros(0, dtype=bool)
    return G_L @ ((scale[:, None] * S[:, kept]) / np.sqrt(values[kept]))
