"""An order in which what is alike is side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from cotopics.layout.scaling import correlation_distance
from cotopics.records import Array


def clustered_order(R: Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions 0 … n − 1 such that strongly correlated ones are neighbours; R (n, n), symmetric, from −1 to 1.

    The leaves of the tree of average linkage, in the order that makes neighbours nearest (Bar-Joseph et al. 2001).

    >>> R = np.array([[1.0, 0.1, 0.9], [0.1, 1.0, 0.3], [0.9, 0.3, 1.0]])
    >>> clustered_order(R).tolist()
    [1, 2, 0]
    """
    return nearest_neighbours(correlation_distance(R))


def nearest_neighbours(D: Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The same for distances D (n, n), symmetric with a zero diagonal."""
    if len(D) < 3:
        return np.arange(len(D))
    tree = linkage(squareform(D, checks=False), method="average", optimal_ordering=True)
    return np.asarray(leaves_list(tree), dtype=np.int64)
