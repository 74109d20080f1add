"""How different topics are from one another."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cotopics.metrics.inputs import topic_matrix


def dissimilarity(topics: Any, *, n_words: int = 20) -> float:
    """Mean number of a topic's `n_words` most probable words that are in no other topic's; 001, section 4.

    A count from 0 (every word is shared) to n_words (all distinct). `topics` is B (words × topics) or a fitted model.

    Of the two leading words of each of these topics, word 0 is shared:

    >>> B = np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]])
    >>> dissimilarity(B, n_words=2)
    1.0
    """
    B = topic_matrix(topics)
    n = min(n_words, B.shape[0])
    leading = np.argsort(-B, axis=0, kind="stable")[:n]
    uses = Counter(leading.ravel().tolist())
    return sum(uses[word] == 1 for word in leading.ravel().tolist()) / B.shape[1]
