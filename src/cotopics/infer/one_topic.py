"""p(topic | document) of documents that have one topic each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.linalg.threads import map_row_blocks
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
        W = word_scores(X, B)
        W *= self.sharpness
        return shares_of(W, prevalence)


def word_scores(X: Any, B: Array) -> Array:
    """Σ_i h_i log B_ik for every document h, (n_documents, n_topics)."""
    table = np.log(np.maximum(B, MIN_PROBABILITY))
    scores = np.empty((X.shape[0], B.shape[1]))

    def block(first: int, last: int) -> None:
        scores[first:last] = X[first:last] @ table

    map_row_blocks(block, X.shape[0], block=BLOCK)  # a product with whole numbers makes a copy of them
    return scores


def shares_of(scores: Array, prevalence: Array) -> Array:
    """w_k ∝ prevalence_k exp(score_k) for every row of scores (n_documents, n_topics), which becomes w."""
    prior = np.log(np.maximum(prevalence, MIN_PREVALENCE))

    def block(first: int, last: int) -> None:
        W = scores[first:last]
        W += prior
        W -= W.max(axis=1, keepdims=True)
        np.exp(W, out=W)
        W /= W.sum(axis=1, keepdims=True)

    map_row_blocks(block, len(scores), block=BLOCK)
    return scores
