"""Which words lead a topic. Models, exports, figures and reports all rank words here."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.linalg import leading
from cotopics.records import Array, WordIds

STANDARD_ERRORS = 2.0  # that are taken off a word's relevance: a few uses can give a rare word any lift
MIN_SHARE_FOR_LIFT = 0.1  # of the topic's largest probability, where it is not known how many words there were
RARE_PENALTY = 100.0  # in logarithms: puts rarer words behind all others, and makes nearly equal ones ties


def largest(scores: Any, n: int) -> WordIds:
    """Positions of the n largest scores of each row (m, n_words), the largest first, (m, n).

    Scores are compared in single precision, so equal scores keep the order of the words on every machine.
    """
    if n < 1:
        raise ParameterError(f"n={n} must be at least 1")
    return leading(np.asarray(scores).astype(np.float32), n)


def relevances(P: Array, prevalence: Array, relevance: float, uses: Array | None = None) -> Array:
    """relevance · log p(word | topic) + (1 − relevance) · log(p(word | topic) / p(word)), (n_topics, n_words).

    P (n_topics, n_words) is p(word | topic), prevalence (n_topics,) is p(topic). Relevance 1 is the probability alone,
    and less than 1 mixes in the lift. If it is known how often words were used (n_words,), it is a lower bound instead:
    less two standard errors of log p(word | topic), which are 1/√n of a word that the topic has n times. So a word that
    was seen a handful of times does not lead a topic, in short texts nor in long ones.
    """
    if not 0 <= relevance <= 1:
        raise ParameterError(f"relevance={relevance} must be from 0 to 1")
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.log(P) - (1 - relevance) * np.log(prevalence @ P)
        if uses is not None and relevance < 1:
            in_topic = np.minimum(P * (prevalence[:, None] * uses.sum()), uses)
            scores = np.where(in_topic > 0, scores - STANDARD_ERRORS / np.sqrt(in_topic), -np.inf)
    return np.asarray(scores)


def rank_words(P: Array, prevalence: Array, relevance: float, n: int, uses: Array | None = None) -> WordIds:
    """Ids of the n words of each topic with the highest `relevances`, the highest first: (n_topics, n).

    If it is not known how often words were used, those with less than MIN_SHARE_FOR_LIFT of the topic's largest
    probability come last, ordered by probability.

    >>> P = np.array([[0.5, 0.45, 0.05], [0.5, 0.0, 0.5]])
    >>> rank_words(P, np.array([0.5, 0.5]), 0.0, 3)[0].tolist()
    [1, 0, 2]
    """
    scores = P
    if relevance != 1:
        scores = relevances(P, prevalence, relevance, uses)
        if uses is None:
            with np.errstate(divide="ignore"):
                rare = np.log(P) - RARE_PENALTY
            scores = np.where(MIN_SHARE_FOR_LIFT * P.max(axis=1, keepdims=True) >= P, rare, scores)
    return largest(scores, n)


def leading_words_of(model: Any, n: int, relevance: float | None = None) -> WordIds:
    """Ids of the words that `model.top_words(n, relevance)` shows, (n_topics, n); None is the model's own relevance."""
    relevance = float(model.relevance if relevance is None else relevance)
    return rank_words(model.components_, model.topic_prevalence_, relevance, n, uses_of_words(model))


def uses_of_words(model: Any) -> Array | None:
    """How often each word is in a fitted model's documents (n_words,), where that is known."""
    fit = getattr(model, "fit_", None)
    if fit is None or fit.n_tokens is None or fit.background is None:
        return None
    return np.asarray(fit.n_tokens * fit.background)
