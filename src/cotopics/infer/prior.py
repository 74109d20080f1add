"""Documents' topic proportions with the topics' correlations as the prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.infer.base import converged
from cotopics.linalg import linear_bayes_mixtures
from cotopics.records import Array

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
    """

    least_spread: float = 0.25
    tolerance: float = 3e-4
    max_iter: int = 1000

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        mean = np.maximum(prevalence / prevalence.sum(), LEAST)
        second_moment = A / A.sum()
        sums = second_moment.sum(axis=1)
        mixtures = linear_bayes_mixtures(
            X,
            B,
            mean / mean.sum(),
            second_moment - np.outer(sums, sums),
            least=self.least_spread,
            tolerance=self.tolerance,
            max_iter=self.max_iter,
        )
        return converged(mixtures, "the prior-aware estimate")
