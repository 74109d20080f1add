"""Topics of a fit, counted again in documents: p(word | topic) in words as they are.

A fit may learn topics from weighted words and set a background aside, as `TopicModel` does: they read well, but what
such a topic calls probable is not how often its documents use a word, and shares that are found with it spread too far
or too little. A few rounds of expectation-maximisation on plain counts, from the topics of the fit, mend that: the
topics stay, and their words become as frequent in them as the documents say.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.infer.prior import FIRST_STEPS, STEPS, better_shares, first_shares, prior_of
from cotopics.linalg.columns import columns_to_one
from cotopics.linalg.threads import one_blas_thread
from cotopics.records import Array
from cotopics.refine.tokens import Mixture, Tokens

ROUNDS = 10
OWN_TOKENS = 0.1  # for each word, of the fit's topics, added to every topic: few documents change little


def topics_in_counts(counts: sp.csr_array, B: Array, prevalence: Array, A: Array) -> tuple[Array, Array]:
    """Topics (n_words, n_topics) and their prevalence in documents (n, n_words) that all have a word.

    B (n_words, n_topics): p(word | a document of this topic alone) by the fit (`Fit.document_words`); every word is in
    some topic. Documents' shares are their means under a prior that they speak for, found in turn with the topics."""
    counts, B = sp.csr_array(counts, dtype=np.float64), columns_to_one(np.array(B, order="C"))
    mean, spread = prior_of(prevalence, A)
    own, nothing = OWN_TOKENS * len(B) * B, np.zeros(len(B))
    state, tokens = first_shares(counts, mean), Tokens.of_counts(counts, None, np.float64)
    with one_blas_thread():
        for number in range(ROUNDS):
            steps = STEPS if number else FIRST_STEPS
            n, shares, second = better_shares(counts, state, B, nothing, mean, spread, steps)
            W = np.array(state[:, :-1], order="C")  # a copy: a step changes it
            found, *_ = tokens.step(W, B, Mixture(nothing, 0.0), False, False)
            B = columns_to_one(found + own)
            mean, spread = prior_of(shares / n, second / n)
    return B, mean


def topics_of_documents(fit: Any, counts: sp.csr_array, known: Any) -> tuple[Array, Array]:
    """The inferred topics of a fit (n_words, n_topics), counted again in the known ones of these documents, and their
    prevalence. Words that no topic has stay so."""
    topics = fit.inferred
    has_topic = topics.components.sum(axis=0) > 0
    some = sp.csr_array(counts[np.flatnonzero(known)][:, has_topic])
    B, mean = topics_in_counts(
        some, fit.document_words(of_parts=True)[has_topic], topics.prevalence, topics.correlation
    )
    result = np.zeros((len(has_topic), B.shape[1]))
    result[has_topic] = B
    return result, mean
