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

    >>> match_topics(np.array([[0.1, 0.8], [0.9, 0.2]]), np.array([[1.0, 0.0], [0.0, 1.0]]))
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

    >>> truth = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> topic_error(np.array([[0.25, 1.0], [0.75, 0.0]]), truth)
    0.25
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
