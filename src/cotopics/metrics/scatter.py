"""Whether words are scattered widely enough for AnchorFree, and topics for TOP: what determines them.

Fu et al. 2019, Assumption 2; Bing et al. 2020, Assumption 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.linalg.lp import LPError, solve_lp
from cotopics.metrics.association import association
from cotopics.metrics.inputs import topic_matrix
from cotopics.records import Array

MAX_PROGRAMS = 30  # from each start
GAIN = 1e-6  # of the norm: a smaller one ends the search


def scatteredness(topics: Any, *, n_starts: int = 10, random_state: int = 0) -> float:
    """1 if nothing speaks against AnchorFree's condition, less if topics of these words are not determined.

    Rows of B (words × topics) are scattered sufficiently if no x with Bx ≥ 0 and Σx = 1 is longer than 1; such an x is
    a mixture of topics, some with negative weight, that is non-negative on all words as well. The longest one is looked
    for by linear programs from `n_starts` random directions and from the topics themselves, and the result is 1/‖x‖.
    Below 1 the condition fails for certain; 1 means that no counter-example was found (to find the longest is as hard
    as any problem of its kind). Words that are exclusive to their topics, one for each, make it 1: then only the topics
    themselves are that long. Rows may be scaled, so rare words count as much as frequent ones.

    >>> scatteredness(np.array([[1.0, 0.0], [0.0, 1.0]]))
    1.0

    Each topic has a little of the other's words, so they can be pulled apart:

    >>> round(scatteredness(np.array([[0.9, 0.1], [0.1, 0.9]])), 3)
    0.883
    """
    B = topic_matrix(topics)
    n_topics = B.shape[1]
    norms = np.linalg.norm(B, axis=1)
    R = B[norms > 0] / norms[norms > 0, None]
    if np.linalg.matrix_rank(R) < n_topics:
        raise ParameterError("the topics are linearly dependent, so no words determine them. Ask for fewer topics")
    rng = np.random.default_rng(random_state)
    starts = np.vstack([np.eye(n_topics), rng.standard_normal((n_starts, n_topics))])
    longest = max(_longest_from(start, R) for start in starts)
    return float(1 / max(longest, 1.0))


def topic_separation(topics: Any) -> float:
    """ν: the least by which two topics' lifts with themselves exceed that with each other; Bing et al. 2020, Eq. 23.

        ν = min over pairs k < l of min(L_kk, L_ll) − L_kl        L_kl = A_kl / (p_k p_l), p the row sums of A

    topics: a fitted model, or its A (n_topics, n_topics). L are lifts as in `association`. Above 0 (Assumption 3 says
    this) the anchor words of every topic have their largest lift with each other, and TOP finds all topics in an exact
    co-occurrence. At 0 or below, a topic goes with another at least as strongly as one of the two with itself, and TOP
    may take the anchor words of one for words of both. In counts, lifts have errors of up to δ (Eq. 50), and all topics
    are certain to be found only if ν exceeds 4δ. One topic gives inf: there is no other.

    Lifts are 15/8 and 25/18 with themselves and 5/12 with each other:

    >>> round(topic_separation(np.array([[0.3, 0.1], [0.1, 0.5]])), 4)
    0.9722
    """
    lift = association(topics).lift
    undefined = np.flatnonzero(np.isnan(np.diag(lift)))
    if len(undefined):
        raise ParameterError(
            f"topics {undefined.tolist()} have no share above zero in the correlation, so their lifts are not defined"
        )
    k, l = np.triu_indices(len(lift), 1)
    own = np.diag(lift)
    return float((np.minimum(own[k], own[l]) - lift[k, l]).min(initial=np.inf))


def _longest_from(direction: Array, R: Array) -> float:
    """‖x‖ at a local maximum: the norm is convex, so moving to the far end along x never makes it shorter."""
    b, length = np.ones(R.shape[1]), 0.0
    for _ in range(MAX_PROGRAMS):
        try:
            x = solve_lp(-direction, R, b).x
        except LPError:
            return length
        found = float(np.linalg.norm(x))
        if found <= length * (1 + GAIN):
            return max(found, length)
        length, direction = found, x / found
    return length
