"""How different topics are from one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.metrics.inputs import leading_words, topic_matrix
from cotopics.metrics.measure import Measure


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


DISSIMILARITY = Measure(
    "higher", "of a topic's 20 leading words, those in no other's", lambda g: dissimilarity(g.model),
    good="20 is best: no leading word is shared",
)  # fmt: skip


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


SIMILARITY_COUNT = Measure(
    "lower", "words shared by two topics' leading 20, over all pairs", lambda g: similarity_count(g.model),
    good="0 is best: no leading word is shared",
)  # fmt: skip


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


TOPIC_DIVERSITY = Measure(
    "higher", "share of distinct words among the leading 25", lambda g: topic_diversity(g.model),
    good="1 is best; below 0.7 topics repeat one another",
)  # fmt: skip


def exclusivity(topics: Any, *, n_words: int = 10) -> float:
    """Mean over topics, and over their `n_words` most probable words, of p(w | z) / Σ_z' p(w | z'). Higher is better.

    The definition is that of Mallet's diagnostics; stm's has the same ratio, but ranks words by it and mixes in their
    frequency (FREX). From 1/n_topics, where all topics are alike, to 1, where no two share a leading word. Words that a
    topic gives no probability are none of its words and are left out of its mean; a topic without any word counts 0.
    `topics` is B (words × topics) or a fitted model.

    Topic 0 has 3/4 of word 0 and all of word 1; topic 1 has all of word 2 and 1/4 of word 0:

    >>> B = np.array([[0.6, 0.2], [0.4, 0.0], [0.0, 0.8]])
    >>> round(exclusivity(B, n_words=2), 4), (3 / 4 + 1 + 1 + 1 / 4) / 4
    (0.75, 0.75)
    """
    B = topic_matrix(topics)
    leading = leading_words(B, n_words)
    p = np.take_along_axis(B, leading, axis=0)
    share = np.divide(p, B.sum(axis=1)[leading], out=np.zeros_like(p), where=p > 0)
    return float((share.sum(axis=0) / np.maximum(np.count_nonzero(p > 0, axis=0), 1)).mean())


EXCLUSIVITY = Measure(
    "higher", "p(word | topic) over all topics' p, of the leading 10", lambda g: exclusivity(g.model),
    good="1 is best: leading words belong to one topic alone",
)  # fmt: skip
