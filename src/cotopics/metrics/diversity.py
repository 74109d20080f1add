"""How different topics are from one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.metrics.inputs import leading_words, topic_matrix


def dissimilarity(topics: Any, *, n_words: int = 20) -> float:
    """Mean number of a topic's `n_words` most probable words that are in no other topic's; 001, section 4.

    A count from 0 (every word is shared) to n_words (all distinct). `topics` is B (words × topics) or a fitted model.

    Of the two leading words of each of these topics, word 0 is shared:

    >>> B = np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]])
    >>> dissimilarity(B, n_words=2)
    1.0
    """
    B = topic_matrix(topics)
    uses = np.bincount(leading_words(B, n_words).ravel())
    return float(np.count_nonzero(uses == 1) / B.shape[1])


def similarity_count(topics: Any, *, n_words: int = 20) -> int:
    """Number of leading words that topics share, added up over all pairs of topics; 000, section 6.2. Lower is better.

    Each unordered pair of topics counts the words that are among the `n_words` most probable of both. Below, the two
    topics share word 0 alone:

    >>> B = np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]])
    >>> similarity_count(B, n_words=2)
    1
    """
    uses = np.bincount(leading_words(topic_matrix(topics), n_words).ravel())
    return int((uses * (uses - 1) // 2).sum())


def topic_diversity(topics: Any, *, n_words: int = 25) -> float:
    """Share of distinct words among the `n_words` most probable words of all topics: 1 if no two share any.

    At least 1/n_topics, where all topics lead with the same words. `topics` is B (words × topics) or a fitted model.

    Of the four leading words of these topics, two each, word 0 comes twice:

    >>> B = np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]])
    >>> topic_diversity(B, n_words=2)
    0.75
    """
    leading = leading_words(topic_matrix(topics), n_words)
    return len(np.unique(leading)) / leading.size
