"""What every rectifier is given and gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.linalg.threads import thin_product
from cotopics.records import Array, Rectified

START = 1e-8  # residual of eigenpairs to start from, relative to the largest

Rectifier = Callable[[Any, int], Rectified]


def check_problem(C: Any, n_topics: int) -> tuple[Cooccurrence, float]:
    """C as a Cooccurrence and the sum of its entries, or an error if it cannot hold n_topics."""
    C = as_cooccurrence(C)
    if not 1 <= n_topics <= C.shape[0]:
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many words, and there are {C.shape[0]}. Ask for fewer topics"
        )
    total = float(C.row_sums().sum())
    if not total > 0:
        raise CooccurrenceError("the co-occurrence is zero: no two words were seen together")
    return C, total


def relative_change(Y: Array, Z: Array) -> float:
    """‖YYᵀ − ZZᵀ‖_F / ‖ZZᵀ‖_F from k × k products: signs and rotations of Y and Z do not matter."""
    YY, ZZ, YZ = (float(np.vdot(G, G)) for G in map(thin_product, (Y.T, Z.T, Y.T), (Y, Z, Z)))
    return float(np.sqrt(max(YY + ZZ - 2 * YZ, 0) / ZZ))


def missing_share(missing: float, n: int, *, rounding: float = 1e-13) -> float:
    """What each of n² entries gets when `missing` is added to a sum of one; nothing where that is rounding.

    A row of C may sum to 1e-8, and 1e-15 spread evenly is then its largest error: farther than an anchor.
    """
    return missing / n**2 if abs(missing) > rounding else 0.0
