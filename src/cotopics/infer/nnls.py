"""Documents' topic proportions by non-negative least squares; 000, section 6.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cotopics.linalg import nonnegative_least_squares
from cotopics.records import Array


@dataclass(frozen=True)
class NNLS:
    """min ‖h/n − Bw‖² over w ≥ 0 for every document h of n words, then w is made to sum to one.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> NNLS()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        W = nonnegative_least_squares(B.T @ B, X @ B / X.sum(axis=1)[:, None])
        return W / W.sum(axis=1, keepdims=True)
