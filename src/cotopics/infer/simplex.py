"""Documents' topic proportions by least squares on the simplex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.linalg import simplex_least_squares
from cotopics.records import Array


@dataclass(frozen=True)
class SimplexLS:
    """min ‖h/n − Bw‖² over the simplex for every document h of n words.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> SimplexLS()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        return simplex_least_squares(B.T @ B, X @ B / X.sum(axis=1)[:, None]).Y
