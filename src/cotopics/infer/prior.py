"""Documents' topic proportions with the topics' correlations as the prior."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.documents import Documents, InMemory, add_all, halves_by_word
from cotopics.errors import ParameterError, warn_caller
from cotopics.infer.base import converged
from cotopics.linalg import likeliest_mixtures, linear_bayes_mixtures, mixture_likelihood, relative_spread
from cotopics.linalg.columns import repeated
from cotopics.linalg.mixture import ScaledRows, Spread, better_mixtures, scaled_rows
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.linalg.threads import map_row_blocks, one_blas_thread
from cotopics.records import Array

NAME = "the prior-aware estimate"  # in warnings
MIN_SUM = 1e-6  # of the absolute entries of A: a smaller sum is rounding
MIN_PREVALENCE = 1e-6  # of a topic without any, so that a word which is in no other topic still has one


@dataclass(frozen=True)
class PriorAware:
    """The mean of w given a document, if w has the mean and the covariance that prevalence and A say.

    A is the second moment of w, so A less the product of its own row sums is the covariance, whatever the distribution
    of w. Two steps alternate for every document: words are divided among topics as in variational Bayes (Blei, Ng and
    Jordan 2003, Eq. 6), and w is the best linear estimate from the N_k words of topic k. If A is that of a Dirichlet,
    the second step is (N_k + α_k)/(n + Σα), and the whole is variational Bayes. If topics correlate, a word of one also
    speaks for the others: from one word known to be of topic k, the estimate is A_k, scaled. In long documents the
    words outweigh the prior, and w tends to the maximum of the likelihood.

    If A cannot be used (it sums to zero, in all or for a topic that has a prevalence, or is not finite), a warning says
    so, and the prior is the Dirichlet whose parameters are the prevalence, and sum to one.

    Parameters
    ----------
    least_spread : float
        The least variance of w in any direction, as a share of the mean over all directions (of variances divided by
        their largest possible value, that of documents of one topic each): A is an estimate and rules nothing out.
    tolerance : float
        A document is done when a step changes w by less than this in all.
    max_iter : int
        Steps at most.
    background : float
        Share of every document that is words as the whole corpus uses them, and belongs to no topic.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> PriorAware()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """

    least_spread: float = 0.25
    tolerance: float = 3e-4
    max_iter: int = 1000
    background: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.background < 1:
            raise ParameterError(f"background={self.background} must be a share of every document below 1")

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        topics, mean, spread, common = self.problem(B, prevalence, A, words)
        mixtures = linear_bayes_mixtures(
            X, topics, mean, spread, common=common, tolerance=self.tolerance, max_iter=self.max_iter
        )
        return converged(mixtures, NAME)

    def problem(
        self, B: Array, prevalence: Array, A: Array, words: Array | None
    ) -> tuple[ScaledRows, Array, Spread, Array]:
        """What is solved for every document: topics, the mean of shares and how they spread, and what is common."""
        mean, spread = prior_of(prevalence, A, self.least_spread)
        if not can_be_used(A, prevalence):
            warn_caller(
                "the topics' correlations are nothing, for some topics or for all, or not finite, so the prior is made "
                "of the topics' prevalence alone. method='em' needs no prior"
            )
        p = B @ mean if words is None else words
        return scaled_rows(B).times(1 - self.background), mean, spread, self.background * p


def prior_of(prevalence: Array, A: Array, least_spread: float = PriorAware.least_spread) -> tuple[Array, Spread]:
    """The mean (n_topics,) of topics' shares, all above zero, and how they spread around it.

    They spread as A says, or, if A cannot be used, as in a Dirichlet whose parameters sum to one."""
    mean = np.maximum(prevalence / prevalence.sum(), MIN_PREVALENCE)
    mean /= mean.sum()
    covariance = (np.diag(mean) - np.outer(mean, mean)) / 2
    if can_be_used(A, prevalence):
        second_moment = A / A.sum()
        sums = second_moment.sum(axis=1)
        covariance = second_moment - np.outer(sums, sums)
    return mean, relative_spread(mean, covariance, least=least_spread)


def can_be_used(A: Array, prevalence: Array) -> bool:
    """Whether A is finite, sums to more than rounding, and holds something of every topic that has a prevalence."""
    if not np.isfinite(A).all():
        return False
    sizes = np.abs(A).sum(axis=1)
    held = sizes > MIN_SUM * prevalence * sizes.sum()
    return bool(A.sum() > MIN_SUM * sizes.sum() and held[prevalence > 0].all())


# --- the prior, estimated from the documents -------------------------------------------------------------------------

ROUNDS = 5  # of documents, and then of the prior
FIRST_STEPS = 8  # of every document in the first round
STEPS = 3  # in later ones
BACKGROUNDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)  # to choose from
MAX_TOKENS = 150_000  # of the documents that choose
UNSEEN = 0.01  # of every prediction is p(word) in all documents
MIN_DIVERGENCE = 0.03  # nats a word between the background and the nearest mixture of the topics
MIXTURE_STEPS = 30  # towards that mixture
MOMENT_ROWS = 1024  # documents whose moments are added up at a time, at least,
MANY_MOMENT_ROWS = 8192  # and at most;
MOMENT_BLOCKS = 32  # so many blocks of them where there are enough, and no more in memory together
SETTLED = 3e-3  # a round that moves the prior by less, in all of A, is the last


@dataclass(frozen=True)
class EstimatedPrior:
    """prevalence (n_topics,), A (n_topics, n_topics) and the share of background that documents speak for."""

    prevalence: Array
    A: Array
    background: float


class ShareSums(NamedTuple):
    """Sums over documents: how many, w (n_topics,), E[wwᵀ] (n_topics, n_topics)."""

    n_documents: float
    shares: Array
    second: Array


def estimate_prior(
    documents: Documents,
    B: Array,
    prevalence: Array,
    A: Array,
    words: Array,
    background: float | None = None,
    before: ShareSums | None = None,
    near: float = 0.0,
) -> EstimatedPrior:
    """The prior of documents' shares, by the documents themselves (empirical Bayes), from a first guess.

    Documents' shares are found with the prior so far; the prior becomes their mean and second moment, to which every
    document adds how uncertain its shares are. So its weight does not grow with the number of topics, and documents of
    few topics get a prior of few topics. The share of background is given, or that which predicts words best.
    B (n_words, n_topics) and words (n_words,), p(word), are over the documents' words. `before` are the sums of other
    documents, which are part of the prior and stay as they are. near: where the share of background is looked for
    first.
    """
    with one_blas_thread():  # many small products
        topics = scaled_rows(B)
        if background is None:
            background = likeliest_background(documents, B, topics, prevalence, A, words, near)
        return _rounds(documents, topics, prevalence, A, words, background, before)


def share_sums(counts: Any, B: Array, prevalence: Array, A: Array, words: Array, background: float) -> ShareSums:
    """What documents (n, n_words) without empty ones add to such sums, if the prior is this one."""
    mean, spread = prior_of(prevalence, A)
    state, steps = first_shares(counts, mean), FIRST_STEPS + (ROUNDS - 1) * STEPS
    topics = scaled_rows(B).times(1 - background)
    return ShareSums(*better_shares(counts, state, topics, background * words, mean, spread, steps))


def _rounds(
    documents: Documents,
    topics: ScaledRows,
    prevalence: Array,
    A: Array,
    words: Array,
    background: float,
    others: ShareSums | None = None,
) -> EstimatedPrior:
    """Documents with the prior so far, and the prior by these documents, in turns."""
    pieces, topics, common = documents.pieces, topics.times(1 - background), background * words
    mean, spread = prior_of(prevalence, A)
    state = pieces.map(first_shares, mean)
    for number in range(ROUNDS):
        steps = STEPS if number else FIRST_STEPS
        state, sums = pieces.update(state, better_shares, topics, common, mean, spread, steps)
        state, sums = pieces.now(state, sums)
        sums = pieces.fetch(sums)
        n_documents, shares, second = sums if others is None else add_all(sums, others)
        before, prevalence, A = A, shares / n_documents, second / n_documents
        mean, spread = prior_of(prevalence, A)
        if np.abs(A - before).sum() < SETTLED:
            break
    return EstimatedPrior(prevalence, A, background)


def likeliest_background(
    documents: Documents,
    B: Array,
    topics: ScaledRows,
    prevalence: Array,
    A: Array,
    words: Array,
    near: float = 0.0,
) -> float:
    """The share of BACKGROUNDS with which one half of the words of some documents predicts the other half best.

    B (n_words, n_topics) are the topics, which are given once more with their rows scaled. near: the share to begin at.
    Zero if the background is itself a mixture of the topics: nothing can tell it from them."""
    counts, _ = documents.sample(MAX_TOKENS)
    halves = halves_by_word(counts, documents.frequency, B[:, 0])
    if not halves[0][0].nnz or is_mixture_of(words, B, documents.n_tokens):
        return 0.0

    @cache
    def likelihood(share: float) -> float:
        prior = _rounds(InMemory(counts), topics, prevalence, A, words, share)
        return _predicted(halves, B, topics.times(1 - share), prior, words)

    first = int(np.argmin(np.abs(np.array(BACKGROUNDS) - near)))
    above = _last_rise(likelihood, BACKGROUNDS[first:])  # the likelihood rises, and then falls
    return above if above > BACKGROUNDS[first] else _last_rise(likelihood, BACKGROUNDS[first::-1])


def _last_rise(f: Callable[[float], float], values: Sequence[float]) -> float:
    """The last of several values up to which f rises from each to the next."""
    for value, following in pairwise(values):
        if f(following) <= f(value):
            return value
    return values[-1]


def _predicted(halves: Any, B: Array, topics: ScaledRows, prior: EstimatedPrior, words: Array) -> float:
    """Log-likelihood of the hidden words of documents, given the seen ones."""
    mean, spread = prior_of(prior.prevalence, prior.A)
    share, total = prior.background, 0.0
    known = (1 - UNSEEN) * (1 - share)
    for seen, hidden in halves:
        W = linear_bayes_mixtures(seen, topics, mean, spread, common=share * words, max_iter=FIRST_STEPS).Y
        total += mixture_likelihood(hidden, W, B, known, (1 - known) * words)
    return total


def is_mixture_of(words: Array, B: Array, n_tokens: float) -> bool:
    """Whether `words` (n_words,), counted in so many tokens, is near a mixture of the topics B (n_words, n_topics).

    A distribution of m words that is counted in n tokens is off by m/2n nats a token, on average."""
    there = words > 0
    p, topics = words[there], B[there]
    likeliest = likeliest_mixtures(sp.csr_array(p[None]), topics, max_iter=MIXTURE_STEPS).Y[0]
    divergence = p @ np.log(p / np.maximum(topics @ likeliest, np.finfo(np.float64).tiny))
    return bool(divergence < MIN_DIVERGENCE + len(p) / (2 * n_tokens))


def first_shares(counts: Any, mean: Array) -> Array:
    """Documents' shares, and in the last column their words that belong to topics: (n_documents, n_topics + 1)."""
    state = repeated(np.append(mean, 0.0), counts.shape[0])
    state[:, -1] = row_sums(counts)
    return state


def better_shares(
    counts: Any,
    state: Array,
    topics: Array | ScaledRows,
    common: Array,
    mean: Array,
    spread: Spread,
    steps: int,
    weights: Array | None = None,
) -> tuple[float, Array, Array]:
    """A few steps of documents' shares; sums over documents: how many, w, E[wwᵀ].

    weights (n_documents,): how often each document counts.

    Given a document, w is taken to be as uncertain as under a Dirichlet of its n words and of the prior's: its
    covariance is (diag(w) − wwᵀ)/(1 + n + Σα), where the mean relative variance of the prior is 1/(1 + Σα).
    """
    better_mixtures(counts, topics, mean, spread, state, common=common, steps=steps)
    d, k = len(spread.v), len(mean)
    v = (spread.v.sum() + (k - 1 - d) * spread.rest) / max(k - 1, 1)

    def block(first: int, last: int) -> tuple[Array, Array, Array]:
        """Sums over some documents: w, (1 − uncertain) wwᵀ, and uncertain · w, each times how often they count."""
        W, uncertain = state[first:last, :-1], 1 / (1 / max(v, 1e-12) + state[first:last, -1])
        times = np.ones(last - first) if weights is None else weights[first:last]
        return times @ W, (W * ((1 - uncertain) * times)[:, None]).T @ W, (uncertain * times) @ W

    n = len(state)
    shares, second, diagonal = np.zeros(k), np.zeros((k, k)), np.zeros(k)
    rows = min(max(-(-n // MOMENT_BLOCKS), MOMENT_ROWS), MANY_MOMENT_ROWS)
    for first in range(0, n, MOMENT_BLOCKS * rows):
        for part in map_row_blocks(block, min(first + MOMENT_BLOCKS * rows, n), block=rows, first=first):
            shares, diagonal = shares + part[0], diagonal + part[2]
            second += part[1]
    return float(n if weights is None else weights.sum()), shares, second + np.diag(diagonal)
