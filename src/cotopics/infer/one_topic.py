"""p(topic | document) of documents that have one topic each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.records import Array

MIN_PROBABILITY = 1e-300  # of a word in a topic that lacks it
MIN_PREVALENCE = 1e-12
BLOCK = 1024  # documents at a time


@dataclass(frozen=True)
class OneTopic:
    """w_k ∝ prevalence_k Π_i B_ik^(sharpness · h_i) for documents h.

    Words of a document are less independent than tokens that are drawn one by one, and with sharpness 1 the answer is
    too sure of itself where documents have many words. TopicModel finds the sharpness with which one half of a
    document's words says most of the other half.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> OneTopic()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """

    sharpness: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.sharpness < np.inf:
            raise ParameterError(f"sharpness={self.sharpness} must be above 0")

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        table = self.sharpness * np.log(np.maximum(B, MIN_PROBABILITY))
        prior = np.log(np.maximum(prevalence, MIN_PREVALENCE))
        W = np.empty((X.shape[0], len(prior)))
        for first in range(0, X.shape[0], BLOCK):  # a product with whole numbers makes a copy of them
            rows = slice(first, first + BLOCK)
            S = X[rows] @ table + prior
            W[rows] = np.exp(S - S.max(axis=1, keepdims=True))
        W /= W.sum(axis=1, keepdims=True)
        return W
