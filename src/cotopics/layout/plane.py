"""Words of a co-occurrence in two dimensions; Lee et al. 2015, Fig. 1, and Lee et al. 2021, Fig. 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.linalg import top_eigenpairs
from cotopics.metrics.inputs import positive_rows
from cotopics.records import Array, WordIds

EIGENPAIR_TOLERANCE = 1e-8  # far less than the width of a dot


@dataclass(frozen=True)
class _Scatter:
    """J C̄C̄ᵀJ (n_words, n_words), as products with blocks of vectors: C̄ is C with normalised rows, J centres."""

    C: Cooccurrence
    sums: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.C.shape

    def __matmul__(self, V: Array) -> Array:
        V = V - V.mean(axis=0)
        V = (self.C @ (self.C @ (V / self.sums[:, None]))) / self.sums[:, None]
        return np.asarray(V - V.mean(axis=0))


def word_plane(C: Any) -> tuple[Array, Array]:
    """Principal components (n_words, 2) of the rows of C divided by their sums, and these sums (n_words,).

    Words without pairs are NaN. C is whatever `as_cooccurrence` accepts; words × words is never formed. A mixture of
    the anchors' rows stays one in the plane, so all words of an exact C lie in the hull of the anchors.
    """
    C = as_cooccurrence(C)
    sums, used = positive_rows(C)
    plane = np.full((C.shape[0], 2), np.nan)
    pairs = top_eigenpairs(_Scatter(C.restrict(used), sums[used]), min(2, len(used)), tolerance=EIGENPAIR_TOLERANCE)
    plane[used] = 0
    plane[used, : len(pairs.values)] = pairs.vectors * np.sqrt(np.maximum(pairs.values, 0))
    return plane, sums


def convex_hull(points: Array) -> WordIds:
    """The corners of the hull of points (n, 2), anticlockwise from the leftmost point. Equal points count once.

    Andrew's monotone chain (1979). Points on a line give the two ends.

    >>> convex_hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0]])).tolist()
    [0, 1, 3, 4]
    """
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    order = [i for n, i in enumerate(order) if n == 0 or (points[i] != points[order[n - 1]]).any()]
    if len(order) < 3:
        return np.array(order, dtype=np.int64)
    return np.array(_chain(points, order)[:-1] + _chain(points, order[::-1])[:-1], dtype=np.int64)


def _chain(points: Array, order: list[int]) -> list[int]:
    """One side of the hull: the points of a walk in this order that only turns left."""
    chain: list[int] = []
    for i in order:
        while len(chain) > 1:
            (ax, ay), (bx, by) = points[chain[-1]] - points[chain[-2]], points[i] - points[chain[-1]]
            if ax * by - ay * bx > 0:
                break
            chain.pop()
        chain.append(i)
    return chain
