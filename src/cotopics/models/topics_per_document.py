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

from cotopics.documents import Documents, halves_by_word
from cotopics.infer.one_topic import shares_of, word_scores
from cotopics.linalg import linear_bayes_mixtures, mixture_likelihood
from cotopics.linalg.mixture import ScaledRows, Spread, scaled_rows
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation, OneTopicPerDocument
from cotopics.refine.tokens import LARGEST_SINGLE

MAX_TOKENS = 400_000  # of the documents to look at
N_PARTS = 5  # one is set aside
ENOUGH_PREDICTED = 5000  # words: where one part has fewer, others are set aside too
STEPS = 5  # of both
SHARPNESS = (1.0, 0.7, 0.5, 0.35)  # of p(topic | document), to choose from
CONCENTRATIONS = (0.3, 1.0, 3.0, 10.0, 30.0)  # Σα of a Dirichlet
BACKGROUNDS = (0.0, 0.3)  # shares of documents that belong to no topic; to choose from, too
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
    which = numbers % np.uint64(N_PARTS)
    n_words, parts = 0, []
    for test in range(N_PARTS):
        train, tested = sp.csr_array(counts[which != test]), sp.csr_array(counts[which == test])
        halves = halves_by_word(tested, documents.frequency, B[:, 0])
        if not train.nnz or not sum(hidden.nnz for _, hidden in halves):
            continue
        parts.append(_SetAside(train, halves, B, prevalence))
        n_words += int(sum(hidden.data.sum() for _, hidden in halves))
        if n_words >= ENOUGH_PREDICTED:
            break

    def one(i: int) -> float:
        return sum(part.if_one(SHARPNESS[i]) for part in parts) / max(n_words, 1)

    def many(background: float, i: int) -> float:
        return sum(part.if_many(CONCENTRATIONS[i], background) for part in parts) / max(n_words, 1)

    sharpness, by_topic = climb(one, 0, len(SHARPNESS))
    here, found = len(CONCENTRATIONS) // 2, []
    for background in BACKGROUNDS:
        here, by_mixture = climb(partial(many, background), here, len(CONCENTRATIONS))
        found.append(by_mixture)
    return Evidence(by_topic, max(found), SHARPNESS[sharpness], counts.shape[0], n_words)


def climb(value: Callable[[int], float], start: int, n: int) -> tuple[int, float]:
    """The number below n, and the value there, that neither neighbour exceeds: uphill from `start`.

    Likelihoods rise and then fall with what is chosen here, so that a few of them need not be looked at."""
    known = {start: value(start)}
    while True:
        here = max(known, key=lambda i: known[i])
        unknown = [i for i in (here - 1, here + 1) if i not in known and 0 <= i < n]
        if not unknown:
            return here, known[here]
        known[unknown[0]] = value(unknown[0])


class _SetAside:
    """Documents that are set aside, and topics of both kinds that were learned from others, `train`.

    halves: seen and hidden words of the documents, twice."""

    def __init__(self, train: sp.csr_array, halves: Any, B: Array, prevalence: Array) -> None:
        frequency = train.sum(axis=0) + 1.0
        self.halves, self.frequency = halves, frequency / frequency.sum()
        single = train.data.max(initial=0) <= LARGEST_SINGLE
        many = ExpectationMaximisation(STEPS, single=single)(train, B, prevalence)
        self.many, self.rows = (many.B, many.prevalence), scaled_rows(many.B)
        one = OneTopicPerDocument(STEPS, annealed=0)(train, B, prevalence)
        self.one, self.scores = (one.B, one.prevalence), [word_scores(seen, one.B) for seen, _ in halves]
        self.nothing = self._likelihood(self.frequency[:, None], [np.ones((seen.shape[0], 1)) for seen, _ in halves])

    def if_one(self, sharpness: float) -> float:
        """By how much all hidden words are likelier than by their frequency, in nats, if documents have one topic."""
        B, prevalence = self.one
        W = [shares_of(sharpness * scores, prevalence) for scores in self.scores]
        return self._likelihood(B, W) - self.nothing

    def if_many(self, concentration: float, background: float) -> float:
        """The same if they have many topics, whose shares have a Dirichlet as their prior."""
        (B, prevalence), common = self.many, background * self.frequency
        W = [_dirichlet_mean(self.rows, prevalence, seen, concentration, common) for seen, _ in self.halves]
        return self._likelihood(B, W, background) - self.nothing

    def _likelihood(self, topics: Array, shares: list[Array], background: float = 0.0) -> float:
        """Of hidden words, given shares (n, n_topics) of the documents of both halves."""
        rest = (1 - UNSEEN) * (1 - background)
        common, pairs = (1 - rest) * self.frequency, zip(self.halves, shares, strict=True)
        return float(sum(mixture_likelihood(hidden, W, topics, rest, common) for (_, hidden), W in pairs))


def _dirichlet_mean(
    topics: ScaledRows, prevalence: Array, counts: sp.csr_array, concentration: float, common: Array
) -> Array:
    """Documents' mean shares, the prior a Dirichlet of this Σα; common (n_words,) is part of every document."""
    mean = np.maximum(prevalence, 1e-6)
    spread = Spread(np.empty((len(mean), 0)), np.empty(0), 1 / (1 + concentration))
    rest = topics.times(float(1 - common.sum()))
    return linear_bayes_mixtures(counts, rest, mean / mean.sum(), spread, common=common, max_iter=100).Y
