"""Topics come in no particular order: compare them after the best one-to-one matching."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from cotopics.errors import ParameterError
from cotopics.metrics.inputs import topic_matrix
from cotopics.records import Array


def match_topics(found: Any, truth: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Column of `found` that goes with each column of `truth`, (n_topics,), at least total L1 distance.

    Both are topics (n_words, n_topics) with columns that sum to one, or fitted models.

    The second topic found is nearest to the first true one, 0.4 away and not 1.8, and the first to the second:

    >>> found = np.array([[0.1, 0.8], [0.6, 0.2], [0.3, 0.0]])
    >>> match_topics(found, np.array([[1.0, 0.0], [0.0, 0.5], [0.0, 0.5]]))
    array([1, 0])
    """
    F, T = topic_matrix(found), topic_matrix(truth)
    if F.shape[0] != T.shape[0]:
        raise ParameterError(f"topics over {F.shape[0]} and {T.shape[0]} words cannot be compared")
    if F.shape[1] < T.shape[1]:
        raise ParameterError(f"{F.shape[1]} topics cannot be matched with {T.shape[1]}")
    distance = np.array([np.abs(F - t[:, None]).sum(axis=0) for t in T.T])
    return np.asarray(linear_sum_assignment(distance)[1])


class TopicPair(NamedTuple):
    """A topic of one model and its like in another, None where there is none; overlap is Σ_w min(p(w), p'(w))."""

    first: int | None
    second: int | None
    overlap: float


def pair_topics(first: Any, second: Any) -> list[TopicPair]:
    """Topics of two models one to one, the most alike first, then those that are left over in the larger.

    first, second: fitted models; words are matched by name where both know theirs. Or B (n_words, n_topics) of the same
    words. Pairs are those of `match_topics` over the words of both: a word that one model lacks has no probability
    there. An overlap is 1 for the same topic and 0 for two that share no word.

    >>> pair_topics(np.array([[1.0, 0.0], [0.0, 0.4], [0.0, 0.6]]), np.array([[0.0], [1.0], [0.0]]))
    [TopicPair(first=1, second=0, overlap=0.4), TopicPair(first=0, second=None, overlap=0.0)]
    """
    B, other = same_words(first, second)
    pairs = _matched(B, other)
    overlap = [0.0 if None in pair else float(np.minimum(B[:, pair[0]], other[:, pair[1]]).sum()) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda row: (None in pairs[row], -round(overlap[row], 12), row))
    return [TopicPair(*pairs[row], overlap[row]) for row in order]


def same_words(first: Any, second: Any) -> tuple[Array, Array]:
    """Topics of both over the words of both: (n_words, n_topics) each."""
    B, other = topic_matrix(first), topic_matrix(second)
    words, more = getattr(first, "vocabulary_", None), getattr(second, "vocabulary_", None)
    if words is None or more is None or (len(words) == len(more) and (words == more).all()):
        if len(B) != len(other):
            raise ParameterError(
                f"topics over {len(B)} and {len(other)} words without names cannot be compared; fit both models with "
                "feature_names="
            )
        return B, other
    if set(words).isdisjoint(more):
        raise ParameterError(
            f"the two models have none of their {len(words)} and {len(more)} words in common, so their topics cannot "
            "be compared; fit both on texts of the same language, prepared alike"
        )
    place = {word: i for i, word in enumerate(dict.fromkeys([*words, *more]))}
    spread = []
    for topics, names in ((B, words), (other, more)):
        full = np.zeros((len(place), topics.shape[1]))
        np.add.at(full, [place[word] for word in names], topics)
        spread.append(full)
    return spread[0], spread[1]


def _matched(B: Array, other: Array) -> list[tuple[int | None, int | None]]:
    """Pairs of topics, and those left over with None."""
    if B.shape[1] < other.shape[1]:
        return [(b, a) for a, b in _matched(other, B)]
    matched = match_topics(B, other).tolist()
    alone = [k for k in range(B.shape[1]) if k not in matched]
    return [(a, b) for b, a in enumerate(matched)] + [(k, None) for k in alone]


def topic_error(found: Any, truth: Any, *, norm: str = "l1") -> float:
    """Distance between matched topics (n_words, n_topics).

    "l1": mean over topics of Σ|Δ|, "l1inf": largest over topics (004, section 6); "frobenius": ‖Δ‖_F² (000, section 5).

    Both are (n_words, n_topics) with columns that sum to one, or fitted models. Each true topic is compared with a
    topic of its own.

    One topic was found as it is; the other has 1/4 on word 0 and 1/4 on word 1 that belong to word 2:

    >>> truth = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    >>> found = np.array([[0.25, 1.0], [0.25, 0.0], [0.5, 0.0]])
    >>> [topic_error(found, truth, norm=norm) for norm in ("l1", "l1inf", "frobenius")]
    [0.5, 1.0, 0.375]
    """
    F, T = topic_matrix(found), topic_matrix(truth)
    difference = F[:, match_topics(F, T)] - T
    per_topic: Array = np.abs(difference).sum(axis=0)
    if norm == "l1":
        return float(per_topic.mean())
    if norm == "l1inf":
        return float(per_topic.max())
    if norm == "frobenius":
        return float((difference**2).sum())
    raise ParameterError(f"norm={norm!r} is unknown; choose one of l1, l1inf, frobenius")
