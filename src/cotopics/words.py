"""Which words lead a topic. Models, exports, figures and reports all rank words here."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.linalg import leading
from cotopics.records import Array, WordIds

MIN_SHARE_FOR_LIFT = 0.1  # of the topic's largest probability; a few uses can give a rarer word any lift
RARE_PENALTY = 100.0  # in logarithms: puts rarer words behind all others, and makes nearly equal ones ties


def largest(scores: Any, n: int) -> WordIds:
    """Positions of the n largest scores of each row (m, n_words), the largest first, (m, n).

    Scores are compared in single precision, so equal scores keep the order of the words on every machine.
    """
    if n < 1:
        raise ParameterError(f"n={n} must be at least 1")
    return leading(np.asarray(scores).astype(np.float32), n)


def relevances(P: Array, prevalence: Array, relevance: float) -> Array:
    """relevance · log p(word | topic) + (1 − relevance) · log(p(word | topic) / p(word)), (n_topics, n_words).

    P (n_topics, n_words) is p(word | topic), prevalence (n_topics,) is p(topic). Relevance 1 is the probability alone,
    and less than 1 mixes in the lift.
    """
    if not 0 <= relevance <= 1:
        raise ParameterError(f"relevance={relevance} must be from 0 to 1")
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(P) - (1 - relevance) * np.log(prevalence @ P))


def rank_words(P: Array, prevalence: Array, relevance: float, n: int) -> WordIds:
    """Ids of the n words of each topic with the highest `relevances`, the highest first: (n_topics, n).

    Words with less than MIN_SHARE_FOR_LIFT of the topic's largest probability come last, ordered by probability.

    >>> P = np.array([[0.5, 0.45, 0.05], [0.5, 0.0, 0.5]])
    >>> rank_words(P, np.array([0.5, 0.5]), 0.0, 3)[0].tolist()
    [1, 0, 2]
    """
    scores = P
    if relevance != 1:
        with np.errstate(divide="ignore"):
            rare = np.log(P) - RARE_PENALTY
        is_rare = MIN_SHARE_FOR_LIFT * P.max(axis=1, keepdims=True) >= P
        scores = np.where(is_rare, rare, relevances(P, prevalence, relevance))
    return largest(scores, n)


def leading_words_of(model: Any, n: int, relevance: float | None = None) -> WordIds:
    """Ids of the words that `model.top_words(n, relevance)` shows, (n_topics, n); None is the model's own relevance."""
    relevance = float(model.relevance if relevance is None else relevance)
    return rank_words(model.components_, model.topic_prevalence_, relevance, n)
