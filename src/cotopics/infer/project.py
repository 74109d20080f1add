"""Documents' topic proportions by one product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.records import Array

LEAST = 1e-12  # prevalence of a topic without any, so that a word which is in no other still has a topic


@dataclass(frozen=True)
class Project:
    """w = Σ_i p(topic | word i) h_i/n for every document h of n words.

    Each word is read by itself, whatever the others say, so w tends to the prevalence and does not come to the truth
    however long the document is. It is exact where every word is in one topic alone.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> Project()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[0.9, 0.1], [0.5, 0.5]]
    """

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        membership = B * np.maximum(prevalence, LEAST)
        membership /= membership.sum(axis=1, keepdims=True)
        W = X @ membership
        return np.asarray(W / W.sum(axis=1, keepdims=True))
