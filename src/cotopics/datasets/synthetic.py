"""Statistics and corpora with topics planted in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.records import Array


def make_cooccurrence(
    n_words: int,
    n_topics: int,
    *,
    density: float = 0.5,
    n_anchored: int = 0,
    random_state: int | np.random.Generator | None = None,
) -> tuple[Array, Array, Array]:
    """An exact co-occurrence C = BABᵀ and the topics B and correlations A in it; 000, section 5.

    B (n_words, n_topics): exponential entries, each kept with probability `density`, columns scaled to sum to one. The
    first `n_anchored` topics get anchor words: row k is a multiple of the k-th unit vector. A = UUᵀ/n_topics + I with U
    uniform on [0, 1]. As in the paper, C is not divided by its sum.

    >>> C, B, A = make_cooccurrence(100, 4, n_anchored=4, random_state=0)
    >>> bool(np.allclose(C, B @ A @ B.T)), B[0].round(4).tolist()
    (True, [0.0227, 0.0, 0.0, 0.0])
    """
    if not 0 <= n_anchored <= n_topics <= n_words:
        raise ParameterError(f"need 0 <= n_anchored={n_anchored} <= n_topics={n_topics} <= n_words={n_words}")
    if not 0 < density <= 1:
        raise ParameterError(f"density={density} must be above 0 and at most 1")
    rng = np.random.default_rng(random_state)
    B: Array = rng.exponential(size=(n_words, n_topics)) * (rng.random((n_words, n_topics)) < density)
    B[:n_anchored] = np.eye(n_topics)[:n_anchored]
    for topic in np.flatnonzero(B.sum(axis=0) == 0):  # only in tiny problems: a topic needs a word
        B[n_anchored + topic % (n_words - n_anchored), topic] = 1.0
    B /= B.sum(axis=0)
    U = rng.random((n_topics, n_topics))
    A: Any = U @ U.T / n_topics + np.eye(n_topics)
    C = B @ A @ B.T
    return (C + C.T) / 2, B, A
