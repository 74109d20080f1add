"""A positive semidefinite matrix from its product with a thin one."""

from typing import Any

import numpy as np

from cotopics.linalg.eigen import largest_first

Array = np.ndarray[Any, np.dtype[np.float64]]

RANK_TOLERANCE = 1e-12  # directions of the core this small, relative to the largest, are rounding


def nystrom_factor(Z: Array, core: Array) -> Array:
    """F (n, r) with FFᵀ = Z (ΩᵀZ)⁺ Zᵀ for Z = GΩ (n, m) of a positive semidefinite G (n, n), and core = ΩᵀZ.

    Exact when G has rank m or less and Ω misses none of it; never more than G, in the order of positive semidefinite
    matrices.
    """
    sizes = np.sqrt(np.maximum(np.diag(core), 0))
    scale = np.divide(1, sizes, out=np.zeros_like(sizes), where=sizes > 0)  # columns of G differ by orders of magnitude
    values, S = largest_first(core * np.outer(scale, scale))
    kept = values > RANK_TOLERANCE * values[0]
    return Z @ ((scale[:, None] * S[:, kept]) / np.sqrt(values[kept]))
