"""What every recovery is given and gives back, and what they share: anchors' rows before, Bayes' rule after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.linalg import SimplexSolution
from cotopics.records import Anchors, Array, Topics

Recovery = Callable[[Any, Anchors], Topics]


def held_nonnegative(C: Any, anchors: Anchors) -> Cooccurrence:
    """C with the anchors' rows, and those that sum to nothing, held non-negative: what is normalised is a distribution.

    Changes a low-rank C alone (002's LAW; there E is the negative part of these rows).
    """
    C = as_cooccurrence(C)
    return C.nonnegative_rows(np.union1d(anchors.all_words, np.flatnonzero(C.row_sums() <= 0)))


def anchor_rows(C: Cooccurrence, anchors: Anchors) -> Array:
    """C̄_S (n_topics, n_words): the anchors' merged rows, each divided by its sum."""
    X = anchors.merged_rows(C)
    X /= X.sum(axis=1, keepdims=True)
    return X


def as_topics(solution: SimplexSolution, used: Array, row_sums: Array, anchors: Anchors) -> Topics:
    """Topics from p(topic | word): one row of the solution for every word of `used`, a mask (n_words,)."""
    membership = np.zeros((len(used), len(anchors.groups)))
    membership[used] = solution.Y
    for k, group in enumerate(anchors.groups):
        if len(group) == 1:  # an anchor is its own nearest point, to the last digit
            membership[group] = 0
            membership[group, k] = 1
    B, prevalence = by_bayes(membership, np.where(used, row_sums, 0))
    history = {"gap": [float(solution.gap.max(initial=0))]}
    return Topics(B, membership, prevalence, solution.n_iter, solution.converged, history)


def by_bayes(membership: Array, row_sums: Array) -> tuple[Array, Array]:
    """B_ik ∝ p(topic k | word i) p(word i) and p(topic); 001, section 3."""
    joint = membership * (row_sums / row_sums.sum())[:, None]
    prevalence = joint.sum(axis=0)
    empty = np.flatnonzero(prevalence <= 1e-12)
    if len(empty):
        raise CooccurrenceError(
            f"topics {empty.tolist()} get no words: their anchors' rows lie among those of "
            "the other anchors. Give them other anchor words, or ask for fewer topics"
        )
    return joint / prevalence, prevalence
