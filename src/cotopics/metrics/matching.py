"""Topics come in no particular order: compare them after the best one-to-one matching."""

from __future__ import annotations

from typing import Any

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
