"""Topics of documents that count several times, from topics that are there: the few steps of one draw.

A document that was drawn m times is worked on once, and what it adds to sums over documents counts m times: the result
is that of m copies, and the third of the documents that were not drawn costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.weighting import inverse_frequency
from cotopics.infer import OneTopic
from cotopics.infer.prior import better_shares, first_shares, prior_of
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation, OneTopicPerDocument
from cotopics.refine.em import next_topics
from cotopics.refine.one_topic import SIZE_SHARE, document_step, topics_from
from cotopics.refine.one_topic import Topics as OneTopicTopics
from cotopics.refine.tokens import Mixture, Tokens, damped

STEPS = 10  # of topics, over-relaxed where the fit's own were
DOCUMENT_STEPS = 2  # of documents' shares before topics move
PRIOR_ROUNDS, FIRST_STEPS, PRIOR_STEPS = 2, 5, 3  # of the prior of shares, and steps of documents in each


@dataclass(frozen=True)
class Topics:
    """B (n_words, n_topics), prevalence (n_topics,) and A (n_topics, n_topics) of one draw."""

    B: Array
    prevalence: Array
    A: Array


class WeightedTokens(Tokens):
    """Tokens of documents (n_documents, n_words) whose sums count weights (n_documents,) times."""

    def __init__(self, X: sp.csr_array, weights: Array) -> None:
        super().__init__(X)
        self.weights = weights

    def _words(self, block: Any, W: Array, tokens: Array) -> None:
        super()._words(block, W * self.weights[block.rows, None].astype(W.dtype), tokens)


def topics_of_draw(counts: sp.csr_array, weights: Array, start: Topics, step: Any, fit: Any) -> Topics:
    """Topics of documents (n, n_words) that count `weights` (n,) times, from those of the fit over the same words."""
    drawn = np.flatnonzero(weights)
    some, m = sp.csr_array(counts[drawn]), weights[drawn].astype(np.float64)
    if isinstance(fit.inference, OneTopic):
        return _one_topic(some, m, start, fit)
    B = _mixture_topics(some, m, start, step)
    p = np.asarray(some.T @ m).ravel()
    share = getattr(fit.inference, "background", 0.0)
    return Topics(B, *_prior(some, m, B, start, share, p / p.sum()))


def _mixture_topics(counts: sp.csr_array, m: Array, start: Topics, em: ExpectationMaximisation) -> Array:
    """Steps of expectation-maximisation as the fit takes them (`refine/em.py`), of documents with weights."""
    dtype = np.float32 if em.single else np.float64
    if em.weighting == "damped":
        frequency = np.asarray(sp.csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), counts.shape).T @ m)
        tokens = WeightedTokens(damped(counts, inverse_frequency(frequency, m.sum()), dtype), m)
    else:
        tokens = WeightedTokens(sp.csr_array(counts, dtype=dtype), m)
    p = np.asarray(tokens.X.T @ m.astype(dtype), dtype=np.float64).ravel()
    model = Mixture(em.background * p / p.sum(), em.document_smoothing)
    B, W = start.B, tokens.first_topics(start.prevalence)
    for _ in range(DOCUMENT_STEPS):
        tokens.update_documents(W, B, model, em.over_relax)
    for number in range(STEPS):
        relax = em.over_relax and number < STEPS - 1
        sums = tokens.step(W, B, model, False, relax)
        B = next_topics(sums, B, em.topic_smoothing, relax)
    return B


def _prior(counts: sp.csr_array, m: Array, B: Array, start: Topics, share: float, p: Array) -> tuple[Array, Array]:
    """Prevalence and A that the documents speak for, from those of the fit (`infer/prior.py`)."""
    prevalence, A = start.prevalence, start.A
    mean, spread = prior_of(prevalence, A)
    state = first_shares(counts, mean)
    for number in range(PRIOR_ROUNDS):
        steps = PRIOR_STEPS if number else FIRST_STEPS
        n, shares, second = better_shares(counts, state, (1 - share) * B, share * p, mean, spread, steps, m)
        prevalence, A = shares / n, second / n
        mean, spread = prior_of(prevalence, A)
    return prevalence, A


def _one_topic(counts: sp.csr_array, m: Array, start: Topics, fit: Any) -> Topics:
    """Steps of topics of which every document has one (`refine/one_topic.py`), of documents with weights."""
    n, K = m.sum(), start.B.shape[1]
    one = OneTopicPerDocument()
    smoothing = one.smoothing_of(float(m @ np.asarray(counts.sum(axis=1)).ravel()), len(start.B), K)
    tokens, P = Tokens(counts), np.zeros((counts.shape[0], K), np.float32)
    topics = OneTopicTopics(start.B, np.ones(K), n * start.prevalence, np.log(start.B))
    for _ in range(STEPS):
        found = document_step(tokens, P, topics, smoothing, SIZE_SHARE * n / K, 1.0, m)
        topics = topics_from(found, smoothing)
    B = np.exp(topics.table)
    W = fit.inference(counts, B, topics.sizes / topics.sizes.sum(), None)
    return Topics(B, m @ W / n, (W * m[:, None]).T @ W / n)
