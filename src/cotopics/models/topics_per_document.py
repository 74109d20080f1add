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
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.documents import Documents, halves_by_word
from cotopics.infer import OneTopic
from cotopics.linalg import linear_bayes_mixtures, mixture_likelihood
from cotopics.linalg.mixture import ScaledRows, Spread, scaled_rows
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation, OneTopicPerDocument, Refined

MAX_TOKENS = 400_000  # of the documents to look at
N_PARTS = 5  # one is set aside
ENOUGH_PREDICTED = 5000  # words: where one part has fewer, others are set aside too
STEPS = 5  # of both
SHARPNESS = (1.0, 0.7, 0.5, 0.35)  # of p(topic | document), to choose from
CONCENTRATIONS = (0.3, 1.0, 3.0, 10.0, 30.0)  # Σα of a Dirichlet
BACKGROUNDS = (0.0, 0.3)  # shares of documents that belong to no topic
MIXTURES = tuple(product(CONCENTRATIONS, BACKGROUNDS))  # to choose from
UNSEEN = 0.01  # of every prediction is p(word) in all documents
MIN_PREDICTED = 20  # words: fewer say nothing
MIN_GAIN = 0.02  # where mixtures say hardly more, one topic tells documents apart better
NOISE = 1.0  # nats, over the root of the number of words: two standard errors of the difference, on short texts


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
        """Many topics must say more by a few percent, and by more than chance does in so many words."""
        chance = NOISE / np.sqrt(max(self.n_words, 1))
        return self.n_words >= MIN_PREDICTED and self.one > 0 and self.many <= (1 + MIN_GAIN) * self.one + chance

    def sentence(self) -> str:
        if self.n_words < MIN_PREDICTED:
            return "there are too few words to tell whether documents have one topic each, so they may have many"
        more = f"nats per word more than by frequency alone, in {self.n_documents:,} documents"
        if self.one > self.many:
            found = "unseen words are predicted better with one topic per document than with several"
            return f"{found}: {self.one:.3f} against {self.many:.3f} {more}"
        if self.is_one:
            found = "unseen words are predicted as well with one topic per document as with several"
            return f"{found}: {self.one:.3f} against {self.many:.3f} {more}"
        found = "unseen words are predicted better with several topics per document than with one"
        return f"{found}: {self.many:.3f} against {self.one:.3f} {more}"


def compare(documents: Documents, B: Array, prevalence: Array) -> Evidence:
    """The evidence for one topic a document and for many, from topics B (n_words, n_topics).

    Parts of the documents are set aside one after the other, until enough words were predicted."""
    counts, numbers = documents.sample(MAX_TOKENS)
    part = numbers % np.uint64(N_PARTS)
    n_words, by_topic, by_mixture = 0, np.zeros(len(SHARPNESS)), np.zeros(len(MIXTURES))
    for test in range(N_PARTS):
        train, tested = sp.csr_array(counts[part != test]), sp.csr_array(counts[part == test])
        halves = halves_by_word(tested, documents.frequency, B[:, 0])
        if not train.nnz or not sum(hidden.nnz for _, hidden in halves):
            continue
        one, many = _gains(train, halves, B, prevalence)
        by_topic, by_mixture = by_topic + one, by_mixture + many
        n_words += int(sum(hidden.data.sum() for _, hidden in halves))
        if n_words >= ENOUGH_PREDICTED:
            break
    by_topic, by_mixture = by_topic / max(n_words, 1), by_mixture / max(n_words, 1)
    sharpness = SHARPNESS[int(np.argmax(by_topic))]
    return Evidence(float(by_topic.max()), float(by_mixture.max()), sharpness, counts.shape[0], n_words)


def _gains(train: sp.csr_array, halves: Any, B: Array, prevalence: Array) -> tuple[Array, Array]:
    """How much likelier hidden words are than by their frequency, in nats, for every SHARPNESS and for all MIXTURES."""
    frequency = train.sum(axis=0) + 1.0
    frequency /= frequency.sum()

    def score(topics: Array, infer: Callable[[Any], Array], background: float = 0.0) -> float:
        rest = (1 - UNSEEN) * (1 - background)
        common = (1 - rest) * frequency
        return float(sum(mixture_likelihood(hidden, infer(seen), topics, rest, common) for seen, hidden in halves))

    nothing = score(frequency[:, None], lambda seen: np.ones((seen.shape[0], 1)))
    many = ExpectationMaximisation(STEPS, single=True)(train, B, prevalence)
    one = OneTopicPerDocument(STEPS, annealed=0)(train, B, prevalence)
    by_topic = [score(one.B, partial(_one_topic, one, sharpness=s)) for s in SHARPNESS]
    read = partial(_dirichlet_mean, scaled_rows(many.B), many.prevalence)
    by_mixture = [score(many.B, partial(read, concentration=c, common=b * frequency), b) for c, b in MIXTURES]
    return np.array(by_topic) - nothing, np.array(by_mixture) - nothing


def _dirichlet_mean(
    topics: ScaledRows, prevalence: Array, counts: sp.csr_array, concentration: float, common: Array
) -> Array:
    """Documents' mean shares, the prior a Dirichlet of this Σα; common (n_words,) is part of every document."""
    mean = np.maximum(prevalence, 1e-6)
    spread = Spread(np.empty((len(mean), 0)), np.empty(0), 1 / (1 + concentration))
    rest = topics.times(float(1 - common.sum()))
    return linear_bayes_mixtures(counts, rest, mean / mean.sum(), spread, common=common, max_iter=100).Y


def _one_topic(topics: Refined, counts: sp.csr_array, sharpness: float) -> Array:
    return OneTopic(sharpness)(counts, topics.B, topics.prevalence, topics.A)
