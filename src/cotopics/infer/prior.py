"""Documents' topic proportions with the topics' correlations as the prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import warn_caller
from cotopics.infer.base import converged
from cotopics.linalg import linear_bayes_mixtures
from cotopics.records import Array

LEAST_SUM = 1e-6  # of the absolute entries of A: what adds up to less is rounding
LEAST = 1e-6  # prevalence of a topic without any, so that a word which is in no other still has a topic


@dataclass(frozen=True)
class PriorAware:
    """The mean of w given a document, where w has the mean and the covariance that prevalence and A say.

    A is the second moment of w, so A less the product of its own row sums is the covariance, whatever the distribution
    of w. Two steps alternate for every document: words are shared out among topics as in variational Bayes (Blei, Ng
    and Jordan 2003, Eq. 6), and w is the best linear estimate from these N_k words of topic k. Where A is that of a
    Dirichlet, the second is (N_k + α_k)/(n + Σα), and the whole is variational Bayes. Where topics correlate, a word of
    one also speaks for the others: of one word known to be of topic k, the estimate is A_k, scaled.
    Long documents outweigh the prior, and w tends to the maximum of the likelihood.

    least_spread: the least variance that w is believed to have in any direction, as a share of the mean over all
    directions (of variances divided by their largest possible value, that of documents of one topic each); so that A,
    which is an estimate, rules out nothing. A document is done when a step changes w by less than `tolerance` in all.
    Where A is of no use (it sums to nothing, in all or for a topic that has a prevalence, or is not finite), a warning
    says so, and the prior is the Dirichlet whose parameters are the prevalence, and sum to one.
    """

    least_spread: float = 0.25
    tolerance: float = 3e-4
    max_iter: int = 1000

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        mean = np.maximum(prevalence / prevalence.sum(), LEAST)
        mean /= mean.sum()
        mixtures = linear_bayes_mixtures(
            X,
            B,
            mean,
            _covariance(A, prevalence, mean),
            least=self.least_spread,
            tolerance=self.tolerance,
            max_iter=self.max_iter,
        )
        return converged(mixtures, "the prior-aware estimate")


def _covariance(A: Array, prevalence: Array, mean: Array) -> Array:
    """Of topics' shares, from their second moment A up to a factor, or from their mean alone where A is of no use."""
    if _is_of_use(A, prevalence):
        second_moment = A / A.sum()
        sums = second_moment.sum(axis=1)
        return np.asarray(second_moment - np.outer(sums, sums))
    warn_caller(
        "the topics' correlations are nothing, for some topics or for all, or not finite, so the prior is made of the "
        "topics' prevalence alone. method='em' needs no prior"
    )
    return np.asarray((np.diag(mean) - np.outer(mean, mean)) / 2)


def _is_of_use(A: Array, prevalence: Array) -> bool:
    """Whether A is finite, sums to more than rounding, and holds something of every topic that has a prevalence."""
    if not np.isfinite(A).all():
        return False
    sizes = np.abs(A).sum(axis=1)
    held = sizes > LEAST_SUM * prevalence * sizes.sum()
    return bool(A.sum() > LEAST_SUM * sizes.sum() and held[prevalence > 0].all())
