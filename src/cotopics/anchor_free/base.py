"""What both solvers share: from C to the problem in M, and from M to topics; 000, section 4.1.

C (P in the paper) is approximated by its F largest eigenpairs, UΛUᵀ, and UΛ^½ is what the paper calls B. Sought are
topics UΛ^½M with columns on the simplex and |det M| as large as can be, Eq. 13. The solvers work with N = Λ^½M: the
topics are UN, det N is det M times a constant, and UᵀU = I.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cotopics.cooccur import as_cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.records import Array, Topics, WordIds

RANK = 1e-10  # eigenvalues below this share of the largest are rounding
ROUNDING = 1e-10  # so are rows of U below this share of the largest: such words get no say and no probability

DEPENDENT = 1e-6  # least over largest singular value of topics: below it they are no independent topics, and A is noise

LEAST_SHARE = 0.01  # of an even share: what a topic's prevalence is raised to, so that it keeps words of its own


@dataclass(frozen=True)
class CorrelatedTopics(Topics):
    """Topics, most prevalent first, together with their correlation.

    A (n_topics, n_topics), symmetric positive semidefinite: E of the paper, C ≈ BABᵀ, in the scale of C. Its entries
    may be negative where topics avoid each other. history holds "log_det", log|det M| after each round (larger is
    better), and one number each: "violation", the most negative probability before clipping relative to the largest
    of its topic, and "clipped", the share of the mass that was set to zero.
    """

    A: Array = field(kw_only=True)


Solver = Callable[..., CorrelatedTopics]


@dataclass(frozen=True)
class Problem:
    """max |det N| subject to RN ≥ 0 and bᵀN = 1ᵀ; Eq. 13 in the coordinates of U.

    U (n_words, F), orthonormal, zero rows for words that never co-occur; values (F,), largest first. R (n, F) are the
    rows of U that impose UN ≥ 0, divided by their `norms` (n,), which changes none of the constraints and keeps a
    solver's tolerances meaningful for rare words; b (F,) is the sum of those rows as they are in U.
    """

    U: Array
    values: Array
    R: Array
    norms: Array

    @property
    def b(self) -> Array:
        return self.norms @ self.R

    @property
    def n_topics(self) -> int:
        return len(self.values)

    def log_det(self, N: Array) -> float:
        """log|det M| of the paper's M = Λ^-½N."""
        return float(np.linalg.slogdet(N)[1] - 0.5 * np.log(self.values).sum())


def pose(C: Any, n_topics: int, constrained: Sequence[int] | WordIds | Array | None = None) -> Problem:
    """The problem for a co-occurrence C (n_words, n_words).

    `constrained` (a mask or word ids) says which words impose non-negativity; None: all. Each word is a half-space
    whatever its frequency, so a few badly estimated rare words can shrink the set of feasible topics by much.
    """
    C = as_cooccurrence(C)
    n_words = C.shape[0]
    if not 1 <= n_topics <= n_words:
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many words, and there are {n_words}. Ask for fewer topics"
        )
    row_sums = C.row_sums()
    if not row_sums.sum() > 0:
        raise CooccurrenceError("the co-occurrence is zero: no two words were seen together")
    pairs = top_eigenpairs(C, n_topics)
    rank = int(np.count_nonzero(pairs.values > RANK * pairs.values[0]))
    if rank < n_topics:
        raise CooccurrenceError(
            f"the co-occurrence has numerical rank {rank} in its positive part, too little for n_topics={n_topics}. "
            f"Ask for at most {rank} topics, or give more documents"
        )
    U = pairs.vectors.copy()
    U[row_sums <= 0] = 0
    norms = np.linalg.norm(U, axis=1)
    says = (norms > ROUNDING * norms.max()) & _mask(constrained, n_words)
    U *= np.where(U[says].sum(axis=0) < 0, -1.0, 1.0)  # b ≥ 0: then M = I can be moved onto bᵀN = 1ᵀ
    R = U[says] / norms[says, None]
    spread = np.linalg.eigvalsh(R.T @ R)
    if not spread[0] > 1e-13 * spread[-1]:
        raise CooccurrenceError(
            f"the {np.count_nonzero(says)} constrained words do not span {n_topics} topics. Constrain more words"
        )
    return Problem(U, pairs.values, R, norms[says])


def finish(
    problem: Problem, N: Array, n_iter: int, converged: bool, history: dict[str, list[float]]
) -> CorrelatedTopics:
    """B = UN, clipped and renormalised; A = M⁻¹M⁻ᵀ, which is (BᵀB)⁻¹BᵀCB(BᵀB)⁻¹ of Algorithm 1, line 7."""
    B = problem.U @ N
    violation = float((-B.min(axis=0) / np.abs(B).max(axis=0)).max())
    clipped = clipped_mass(B)
    B = np.maximum(B, 0)
    sums = B.sum(axis=0)
    N = N / np.where(sums > 0, sums, 1)
    if not (sums > 0).all() or not _independent(N):
        raise no_such_topics(problem.n_topics)
    root = np.sqrt(problem.values)
    M_inverse = np.linalg.solve(N, np.diag(root))
    A = M_inverse @ M_inverse.T
    # p(word) = C1 = BA1, where large entries of A would cancel; noise can make a rare topic's share negative
    prevalence = M_inverse @ (root * np.linalg.solve(N.T, np.ones(problem.n_topics)))
    prevalence = np.maximum(prevalence, LEAST_SHARE * max(prevalence.sum(), 0) / problem.n_topics)
    prevalence /= prevalence.sum()
    order = np.argsort(-prevalence, kind="stable")
    B, A, prevalence = (B / sums)[:, order], A[np.ix_(order, order)], prevalence[order]
    joint = B * prevalence
    total = joint.sum(axis=1, keepdims=True)
    membership = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
    history = {**history, "violation": [max(violation, 0.0)], "clipped": [clipped]}
    return CorrelatedTopics(B, membership, prevalence, n_iter, converged, history, A=A)


def _independent(N: Array) -> bool:
    """Whether topics UN, N (F, F), span F dimensions by more than rounding."""
    if not np.isfinite(N).all():
        return False
    spread = np.linalg.svd(N / np.linalg.norm(N, axis=0), compute_uv=False)
    return bool(spread[-1] > DEPENDENT * spread[0])


def clipped_mass(B: Array) -> float:
    """Share of the absolute mass of topics B (n_words, n_topics) that is negative."""
    return float(np.maximum(-B, 0).sum() / np.abs(B).sum())


def no_such_topics(n_topics: int) -> CooccurrenceError:
    """What to raise when det N cannot be kept away from zero."""
    return CooccurrenceError(
        f"no {n_topics} independent topics are non-negative on the constrained words. "
        "Ask for another number of topics (where groups of documents are equally large, for as many as there are), or "
        "leave rare words out (`constrained`; min_constraint_documents of AnchorFree)"
    )


def _mask(words: Any, n_words: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if words is None:
        return np.ones(n_words, dtype=bool)
    words = np.asarray(words)
    if words.dtype == bool:
        if words.shape != (n_words,):
            raise ParameterError(f"constrained is a mask of shape {words.shape}, and there are {n_words} words")
        return words
    mask = np.zeros(n_words, dtype=bool)
    mask[words.astype(np.int64)] = True
    return mask
