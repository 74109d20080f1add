"""Whether documents have one topic each or mixtures of several: which of the two says more about unseen words.

Both are fitted to four fifths of some documents, for a few steps, from the same topics. In each of the other documents
one half of the words says what the topics are, and how well it predicts the other half is counted. The halves are made
of different words: even and odd ones in the order of their frequency. Titles and tweets have one topic by this measure,
articles have several; where both predict alike (40 words or so), one topic tells labelled documents apart as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.documents import Documents
from cotopics.infer import OneTopic
from cotopics.linalg import linear_bayes_mixtures, mixture_likelihood
from cotopics.linalg.mixture import Spread
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation, OneTopicPerDocument, Refined

MAX_TOKENS = 400_000  # of the documents to look at
TEST_EVERY = 5  # documents one is set aside
STEPS = 5  # of both
SHARPNESS = (1.0, 0.7, 0.5, 0.35)  # of p(topic | document), to choose from
CONCENTRATIONS = (0.3, 1.0, 3.0, 10.0)  # Σα of a Dirichlet, to choose from
UNSEEN = 0.01  # of every prediction is p(word) in all documents
MIN_PREDICTED = 20  # words: fewer say nothing


@dataclass(frozen=True)
class Evidence:
    """How much better unseen words are predicted than by their frequency, in nats a word, if documents have one topic
    or many; the sharpness of p(topic | document) that predicts best; how many documents and words this was tried on.
    """

    one: float
    many: float
    sharpness: float
    n_documents: int
    n_words: int

    @property
    def is_one(self) -> bool:
        return self.one > self.many

    def sentence(self) -> str:
        if self.n_words < MIN_PREDICTED:
            return "there are too few words to tell whether documents have one topic each, so they may have many"
        kinds = "one topic a document", "a mixture of topics a document"
        better, other = kinds if self.is_one else kinds[::-1]
        return (
            f"{better} predicts unseen words better than {other}: {max(self.one, self.many):.3f} against "
            f"{min(self.one, self.many):.3f} nats a word more than their frequency ({self.n_documents:,} documents)"
        )


def compare(documents: Documents, B: Array, prevalence: Array) -> Evidence:
    """The evidence for one topic a document and for many, from topics B (n_words, n_topics)."""
    train, test = documents.train_and_test(MAX_TOKENS, TEST_EVERY)
    n_documents = train.shape[0] + test.shape[0]
    order = np.lexsort((B[:, 0], documents.frequency))  # that of columns does not matter
    is_odd = np.zeros(len(order), dtype=bool)
    is_odd[order[1::2]] = True
    halves = [_halves(test, is_odd), _halves(test, ~is_odd)]
    n_words = int(sum(hidden.data.sum() for _, hidden in halves))
    if n_words < MIN_PREDICTED or not train.nnz:
        return Evidence(0.0, 0.0, 1.0, n_documents, 0)
    frequency = train.sum(axis=0) + 1.0
    frequency /= frequency.sum()

    def score(topics: Array, infer: Callable[[Any], Array]) -> float:
        """Mean log-likelihood of the hidden words, given the topics of the seen ones."""
        common = UNSEEN * frequency
        total = sum(mixture_likelihood(hidden, infer(seen), topics, 1 - UNSEEN, common) for seen, hidden in halves)
        return total / n_words

    nothing = score(frequency[:, None], lambda seen: np.ones((seen.shape[0], 1)))
    many = ExpectationMaximisation(STEPS, single=True)(train, B, prevalence)
    one = OneTopicPerDocument(STEPS, annealed=0)(train, B, prevalence)
    by_mixture = [score(many.B, partial(_dirichlet_mean, many, concentration=c)) for c in CONCENTRATIONS]
    by_topic = [score(one.B, partial(_one_topic, one, sharpness=s)) for s in SHARPNESS]
    sharpness = SHARPNESS[int(np.argmax(by_topic))]
    return Evidence(max(by_topic) - nothing, max(by_mixture) - nothing, sharpness, n_documents, n_words)


def _halves(counts: sp.csr_array, is_seen: Any) -> tuple[sp.csr_array, sp.csr_array]:
    """Words of documents that are seen and hidden, of the documents that have both."""
    seen, hidden = counts.multiply(is_seen[None, :]).tocsr(), counts.multiply(~is_seen[None, :]).tocsr()
    seen.eliminate_zeros()
    hidden.eliminate_zeros()
    has_both = (np.diff(seen.indptr) > 0) & (np.diff(hidden.indptr) > 0)
    return sp.csr_array(seen[has_both]), sp.csr_array(hidden[has_both])


def _dirichlet_mean(topics: Refined, counts: sp.csr_array, concentration: float) -> Array:
    """Documents' mean shares, the prior a Dirichlet of this Σα."""
    mean = np.maximum(topics.prevalence, 1e-6)
    spread = Spread(np.empty((len(mean), 0)), np.empty(0), 1 / (1 + concentration))
    return linear_bayes_mixtures(counts, topics.B, mean / mean.sum(), spread, max_iter=100).Y


def _one_topic(topics: Refined, counts: sp.csr_array, sharpness: float) -> Array:
    return OneTopic(sharpness)(counts, topics.B, topics.prevalence, topics.A)
