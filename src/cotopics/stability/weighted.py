"""Topics of documents that count several times, from topics that are there: the few steps of one draw.

A document that was drawn m times is worked on once, and what it adds to sums over documents counts m times: the result
is that of m copies, and the third of the documents that were not drawn costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

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

DOCUMENT_STEPS = 10  # of documents before any draw, until they are as the model's own topics have them


class Steps(NamedTuple):
    """Steps of topics in a draw, over-relaxed where the fit's own were; rounds of the prior of shares, and steps of
    documents in each."""

    topics: int
    rounds: int
    documents: int


QUICK, WHOLE = Steps(7, 1, 2), Steps(18, 5, 3)  # the first steps of a draw, and as many as a fit takes


@dataclass(frozen=True)
class Topics:
    """B (n_words, n_topics), prevalence (n_topics,) and A (n_topics, n_topics) of one draw."""

    B: Array
    prevalence: Array
    A: Array


class Shares(NamedTuple):
    """Documents as the model's own topics have them, from where every draw begins: W (n, n_topics) of expectation-
    maximisation, and of the prior, with the words that belong to topics (n, n_topics + 1); None if they have one topic.
    """

    W: Any
    state: Any

    def rows(self, drawn: Any) -> Shares:
        return Shares(*(None if rows is None else rows[drawn] for rows in self))


def shares_of_documents(counts: sp.csr_array, start: Topics, em: ExpectationMaximisation, fit: Any) -> Shares:
    """Documents (n, n_words) as the fit's topics over the same words have them."""
    if isinstance(fit.inference, OneTopic):
        return Shares(None, None)
    tokens, model = _tokens(counts, np.ones(counts.shape[0]), em)
    W = tokens.first_topics(start.prevalence)
    for _ in range(DOCUMENT_STEPS):
        tokens.update_documents(W, start.B, model, em.over_relax)
    mean, spread = prior_of(start.prevalence, start.A)
    state, share = first_shares(counts, mean), getattr(fit.inference, "background", 0.0)
    p = _word_shares(counts, np.ones(counts.shape[0]))
    better_shares(counts, state, (1 - share) * start.B, share * p, mean, spread, DOCUMENT_STEPS)
    return Shares(W, state)


def topics_of_draw(
    counts: sp.csr_array,
    weights: Array,
    start: Topics,
    shares: Shares,
    em: ExpectationMaximisation,
    fit: Any,
    steps: Steps = QUICK,
) -> Topics:
    """Topics of documents (n, n_words) that count `weights` (n,) times, from those of the fit over the same words."""
    drawn = np.flatnonzero(weights)
    some, m, shares = sp.csr_array(counts[drawn]), weights[drawn].astype(np.float64), shares.rows(drawn)
    if isinstance(fit.inference, OneTopic):
        return _one_topic(some, m, start, fit, steps.topics)
    B = _mixture_topics(some, m, start, shares.W, em, steps.topics)
    share = getattr(fit.inference, "background", 0.0)
    return Topics(B, *_prior(some, m, B, start, shares.state, share, steps))


def _mixture_topics(
    counts: sp.csr_array, m: Array, start: Topics, W: Any, em: ExpectationMaximisation, steps: int
) -> Array:
    """Steps of expectation-maximisation as the fit takes them (`refine/em.py`), of documents with weights."""
    tokens, model = _tokens(counts, m, em)
    B = start.B
    for number in range(steps):
        relax = em.over_relax and number < steps - 1
        B = next_topics(tokens.step(W, B, model, False, relax), B, em.topic_smoothing, relax)
    return B


def _tokens(counts: sp.csr_array, m: Array, em: ExpectationMaximisation) -> tuple[Tokens, Mixture]:
    """Documents that count m (n,) times, ready for steps."""
    dtype = np.float32 if em.single else np.float64
    if em.weighting == "damped":
        frequency = np.bincount(counts.indices, np.repeat(m, np.diff(counts.indptr)), counts.shape[1])
        tokens = Tokens(damped(counts, inverse_frequency(frequency, m.sum()), dtype), m)
    else:
        tokens = Tokens(sp.csr_array(counts, dtype=dtype), m)
    return tokens, Mixture(em.background * _word_shares(tokens.X, m), em.document_smoothing)


def _word_shares(tokens: sp.csr_array, m: Array) -> Array:
    """p(word) (n_words,) in documents that count m (n,) times."""
    p = np.bincount(tokens.indices, tokens.data * np.repeat(m, np.diff(tokens.indptr)), tokens.shape[1])
    return np.asarray(p / p.sum())


def _prior(
    counts: sp.csr_array, m: Array, B: Array, start: Topics, state: Array, share: float, steps: Steps
) -> tuple[Array, Array]:
    """Prevalence and A that the documents speak for, from those of the fit (`infer/prior.py`)."""
    prevalence, A, p = start.prevalence, start.A, _word_shares(counts, m)
    mean, spread = prior_of(prevalence, A)
    for _ in range(steps.rounds):
        n, shares, second = better_shares(counts, state, (1 - share) * B, share * p, mean, spread, steps.documents, m)
        prevalence, A = shares / n, second / n
        mean, spread = prior_of(prevalence, A)
    return prevalence, A


def _one_topic(counts: sp.csr_array, m: Array, start: Topics, fit: Any, steps: int) -> Topics:
    """Steps of topics of which every document has one (`refine/one_topic.py`), of documents with weights."""
    n, K = m.sum(), start.B.shape[1]
    one = OneTopicPerDocument()
    smoothing = one.smoothing_of(float(m @ np.asarray(counts.sum(axis=1)).ravel()), len(start.B), K)
    tokens, P = Tokens(counts, m), np.zeros((counts.shape[0], K), np.float32)
    B = np.ascontiguousarray(start.B)
    topics = OneTopicTopics(B, np.ones(K), n * start.prevalence, np.log(B))
    for _ in range(steps):
        found = document_step(tokens, P, topics, smoothing, SIZE_SHARE * n / K, 1.0)
        topics = topics_from(found, smoothing)
    B = topics.B
    W = fit.inference(counts, B, topics.sizes / topics.sizes.sum(), None)
    return Topics(B, m @ W / n, (W * m[:, None]).T @ W / n)
