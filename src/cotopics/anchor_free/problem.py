"""What both solvers share: from C to the problem in M, and from M to topics; Fu et al. 2019, section 4.1.

C (P in the paper) is approximated by its F largest eigenpairs, UΛUᵀ; UΛ^½ is the paper's B. The topics are UΛ^½M, with
columns on the simplex and the largest |det M|, Eq. 13. The solvers work with N = Λ^½M: the topics are UN, det N is
det M times a constant, and UᵀU = I.

Each constrained word is a half-space, even if it is badly estimated, so a few rare words can make the set of possible
topics much smaller. Constraining only words in 1 % of the documents or more costs no accuracy, and topics share a third
fewer words (`benchmarks/results/anchor_free_constraints.md`, `anchor_free_bbc.md`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.records import Array, Topics, WordIds, check_cooccurrence, topics_of_words

EIGENVALUE_TOLERANCE = 1e-10  # smaller eigenvalues, relative to the largest, are rounding errors
TIED = 1e-9  # relative difference of eigenvalues that are equal up to rounding
MIN_ROW_NORM = 1e-10  # of a row of U, relative to the largest: words below it impose no constraint
MIN_SINGULAR_RATIO = 1e-6  # smallest over largest singular value: below it topics are not independent, and A is noise
MIN_PREVALENCE = 0.01  # of a topic, relative to an even share: with less, a topic would have no words of its own


@dataclass(frozen=True)
class CorrelatedTopics(Topics):
    """Topics, most prevalent first, with their correlation.

    A (n_topics, n_topics), symmetric positive semidefinite: the paper's E, with C ≈ BABᵀ in the scale of C. Entries are
    negative if topics avoid each other. history holds "log_det", log|det M| after each round (larger is better), and
    one number each: "violation", the most negative probability before clipping relative to the largest of its topic,
    and "clipped", the share of the mass that was set to zero.
    """

    A: Array = field(kw_only=True)


Solver = Callable[..., CorrelatedTopics]


@dataclass(frozen=True)
class Problem:
    """max |det N| subject to RN ≥ 0 and bᵀN = 1ᵀ; Eq. 13 in the coordinates of U.

    U (n_words, F) is orthonormal, with zero rows for words that never co-occur; values (F,), largest first. R (n, F)
    are the rows of U that impose UN ≥ 0, divided by their `norms` (n,). That changes no constraint, and a solver's
    tolerances then mean the same for rare words. b (F,) is the sum of those rows of U.
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


def determinant_problem(C: Any, n_topics: int, constrained: Sequence[int] | WordIds | Array | None = None) -> Problem:
    """The problem for a co-occurrence C (n_words, n_words).

    `constrained` (a mask or word ids) are the words that impose non-negativity; None: all.
    """
    C, row_sums = check_cooccurrence(C, n_topics)
    pairs = top_eigenpairs(C, n_topics)
    rank = int(np.count_nonzero(pairs.values > EIGENVALUE_TOLERANCE * pairs.values[0]))
    if rank < n_topics:
        raise CooccurrenceError(
            f"the co-occurrence has numerical rank {rank} in its positive part, too low for n_topics={n_topics}. "
            f"Ask for at most {rank} topics, or give more documents"
        )
    if _is_tied(C, pairs):
        raise no_such_topics(n_topics)
    U = pairs.vectors.copy()
    U[row_sums <= 0] = 0
    norms = np.linalg.norm(U, axis=1)
    imposes = (norms > MIN_ROW_NORM * norms.max()) & _mask(constrained, C.shape[0])
    U *= np.where(U[imposes].sum(axis=0) < 0, -1.0, 1.0)  # b ≥ 0: then M = I can be moved onto bᵀN = 1ᵀ
    R = U[imposes] / norms[imposes, None]
    spread = np.linalg.eigvalsh(R.T @ R)
    if not spread[0] > 1e-13 * spread[-1]:
        raise CooccurrenceError(
            f"the {np.count_nonzero(imposes)} constrained words do not span {n_topics} topics. Constrain more words"
        )
    return Problem(U, pairs.values, R, norms[imposes])


def _is_tied(C: Any, pairs: Eigenpairs) -> bool:
    """Whether the next eigenvalue equals the last: which eigenvectors are the first ones is then anybody's guess."""
    k = len(pairs.values)
    if pairs.block.shape[1] <= k:
        return False
    v = pairs.block[:, k]
    return bool(v @ np.asarray(C @ v) >= (1 - TIED) * pairs.values[-1] * (v @ v) > 0)


def topics_from(
    problem: Problem, N: Array, n_iter: int, converged: bool, history: dict[str, list[float]]
) -> CorrelatedTopics:
    """B = UN, clipped and normalised; A = M⁻¹M⁻ᵀ, which is (BᵀB)⁻¹BᵀCB(BᵀB)⁻¹ of Algorithm 1, line 7."""
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
    # A1, written so that large entries of A do not cancel; noise can make the share of a rare topic negative
    prevalence = M_inverse @ (root * np.linalg.solve(N.T, np.ones(problem.n_topics)))
    prevalence = np.maximum(prevalence, MIN_PREVALENCE * max(prevalence.sum(), 0) / problem.n_topics)
    prevalence /= prevalence.sum()
    order = np.argsort(-prevalence, kind="stable")
    B, A, prevalence = (B / sums)[:, order], A[np.ix_(order, order)], prevalence[order]
    history = {**history, "violation": [max(violation, 0.0)], "clipped": [clipped]}
    return CorrelatedTopics(B, topics_of_words(B, prevalence), prevalence, n_iter, converged, history, A=A)


def _independent(N: Array) -> bool:
    """Whether the topics UN, N (F, F), are linearly independent beyond rounding errors."""
    if not np.isfinite(N).all():
        return False
    spread = np.linalg.svd(N / np.linalg.norm(N, axis=0), compute_uv=False)
    return bool(spread[-1] > MIN_SINGULAR_RATIO * spread[0])


def clipped_mass(B: Array) -> float:
    """Share of the absolute mass of topics B (n_words, n_topics) that is negative."""
    return float(np.maximum(-B, 0).sum() / np.abs(B).sum())


def no_such_topics(n_topics: int) -> CooccurrenceError:
    """The error to raise if det N cannot be kept away from zero."""
    return CooccurrenceError(
        f"no {n_topics} independent topics are non-negative on the constrained words. "
        "Ask for another number of topics (for as many as there are groups of documents, if these are equally large), "
        "or leave out rare words (`constrained`; min_constraint_documents of AnchorFree)"
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
