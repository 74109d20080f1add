"""Every row of C̄ as a convex combination of the anchors' rows, then Bayes' rule; RecoverL2 and RecoverKL.

Lee et al. 2015, section 3; Arora et al. 2013. On a low-rank C this is also the recovery of LAW (Lee et al. 2021,
Algorithm 5): the anchors' rows, and rows with a sum of zero or less, are first made non-negative, so that the topic
correlation has no negative entry. Where YYᵀ ≥ 0 this changes nothing, and the result is that of the full matrix
(their Lemma 2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg import SimplexSolution, exponentiated_gradient, simplex_kl, simplex_least_squares
from cotopics.records import Anchors, Array, Topics

Recovery = Callable[[Any, Anchors], Topics]

SOLVERS = {"active-set": simplex_least_squares, "exponentiated-gradient": exponentiated_gradient}
EMPTY_PREVALENCE = 1e-12  # a topic with this prevalence or less has no words


@dataclass(frozen=True)
class SimplexLeastSquares:
    """RecoverL2: min ‖C̄_i − yᵀC̄_S‖² over the simplex for every word i.

    solver="active-set" is exact. "exponentiated-gradient" is the solver of the papers and stops at a duality gap of
    1e-5 or after 500 steps. One product with C reduces all problems to K dimensions.

    >>> from cotopics.records import Anchors
    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18
    >>> anchors = Anchors((np.array([0]), np.array([1])), rank=2, n_iter=2)
    >>> SimplexLeastSquares()(C, anchors).membership.round(2).tolist()  # p(topic | word)
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """

    solver: str = "active-set"

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        if self.solver not in SOLVERS:
            raise ParameterError(f"solver={self.solver!r} is unknown; choose one of {', '.join(SOLVERS)}")
        C = with_nonnegative_anchors(C, anchors)
        row_sums = C.row_sums()
        used = row_sums > 0
        X = anchor_rows(C, anchors)
        F = (C @ X.T)[used] / row_sums[used, None]  # C̄ C̄_Sᵀ
        progress.tell("recovering topics", 0, None)
        return as_topics(SOLVERS[self.solver](X @ X.T, F), used, row_sums, anchors)


@dataclass(frozen=True)
class KullbackLeibler:
    """RecoverKL: min KL(C̄_i ‖ yᵀC̄_S) over the simplex for every word i.

    Each row is fitted to `tolerance` nats of its minimum, certified by a duality gap. The divergence needs whole rows;
    they are computed block by block, so C need not be formed.

    >>> from cotopics.records import Anchors
    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18
    >>> anchors = Anchors((np.array([0]), np.array([1])), rank=2, n_iter=2)
    >>> KullbackLeibler()(C, anchors).membership.round(2).tolist()  # p(topic | word)
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """

    tolerance: float = 1e-9
    max_iter: int = 100

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        C = with_nonnegative_anchors(C, anchors)
        row_sums = C.row_sums()
        used = row_sums > 0
        X = np.maximum(anchor_rows(C, anchors), 0)  # a low-rank C has entries slightly below zero
        parts = []
        for block in C.row_blocks():
            progress.tell("recovering topics", int(block[0]), C.shape[0])
            words = block[used[block]]
            R = np.maximum(C.rows(words), 0)
            R /= R.sum(axis=1, keepdims=True)
            parts.append(simplex_kl(X, R, tolerance=self.tolerance, max_iter=self.max_iter))
        solution = SimplexSolution(
            np.concatenate([part.Y for part in parts]),
            np.concatenate([part.gap for part in parts]),
            max(part.n_iter for part in parts),
            all(part.converged for part in parts),
        )
        return as_topics(solution, used, row_sums, anchors)


def with_nonnegative_anchors(C: Any, anchors: Anchors) -> Cooccurrence:
    """C with non-negative rows of the anchors, and of words whose row sums to zero or less. Changes a low-rank C only.

    Normalised, each of these rows is then a distribution.
    """
    C = as_cooccurrence(C)
    return C.nonnegative_rows(np.union1d(anchors.all_words, np.flatnonzero(C.row_sums() <= 0)))


def anchor_rows(C: Cooccurrence, anchors: Anchors) -> Array:
    """C̄_S (n_topics, n_words): the anchors' merged rows, each divided by its sum."""
    X = anchors.merged_rows(C)
    X /= X.sum(axis=1, keepdims=True)
    return X


def as_topics(solution: SimplexSolution, used: Array, row_sums: Array, anchors: Anchors) -> Topics:
    """Topics from p(topic | word): the solution has one row for every word of `used`, a mask (n_words,)."""
    membership = np.zeros((len(used), len(anchors.groups)))
    membership[used] = solution.Y
    for k, group in enumerate(anchors.groups):
        if len(group) == 1:  # an anchor is its own nearest point, to the last digit
            membership[group] = 0
            membership[group, k] = 1
    row_sums = np.where(used, row_sums, 0)
    joint = membership * (row_sums / row_sums.sum())[:, None]  # p(topic | word) p(word)
    prevalence = joint.sum(axis=0)
    empty = np.flatnonzero(prevalence <= EMPTY_PREVALENCE)
    if len(empty):
        raise CooccurrenceError(
            f"topics {empty.tolist()} have no words: the rows of their anchors are combinations of those of the other "
            "anchors. Give them other anchor words, or ask for fewer topics"
        )
    history = {"gap": [float(solution.gap.max(initial=0))]}
    return Topics(joint / prevalence, membership, prevalence, solution.n_iter, solution.converged, history)
