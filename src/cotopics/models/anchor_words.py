"""Rectified anchor words: the method of Lee et al. 2015, and the frame for its variations."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.anchors import SELECTORS
from cotopics.cooccur import Cooccurrence, CooccurrenceSketch, DocumentSums, cooccurrence
from cotopics.errors import ParameterError
from cotopics.models.anchor_start import Recipe, anchor_start, before_and_after, given_groups
from cotopics.models.estimator import TopicEstimator
from cotopics.models.fit import Start, in_enough_documents
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS


def sketch_columns(n_topics: int) -> int:
    """Width of a sketch from which so many topics are found."""
    return 12 * n_topics + 100


class AnchorWords(TopicEstimator):
    """Topics from anchor words: rectify the co-occurrence, choose anchors, express every word by them.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    weighting : "counts", "tfidf", "balanced" or a Balanced object
        How documents enter the co-occurrence. "counts" is the papers' unbiased estimator; "tfidf" is (1 + log tf) · idf
        with rows of unit length; "balanced" also divides each document by the square root of its degree, so that one
        large group of similar documents does not take all the leading directions. Always give counts as X.
    rectifier : "ap", "enn", "palm", "dc", None or a step object
        Alternating projection on the full matrix; the same on a thin factor (epsilon non-negative), many times
        faster and for vocabularies of any size; a non-negative factor (proximal minimisation), both of Lee et al. 2021;
        diagonal completion; or none.
    selector : "qr", "fast", "spa", "snpa", "xray" or a step object
        How anchors are chosen: column-pivoted QR, or one of the methods that Fu et al. 2019 compare with.
    recovery : "l2", "kl", "score" or a step object
        How words are expressed by anchors: nearest in least squares, in divergence (tens of times slower), or in the
        leading directions of the co-occurrence alone (Topic-SCORE).
    representation : "auto", "dense", "sparse", "implicit" or "sketch"
        How the co-occurrence is kept. "auto" forms the full matrix only for small vocabularies or where the rectifier
        needs it and it takes at most 4 GiB and half of the free memory; "dense" insists. "implicit" keeps the
        documents, "sketch" some hundred columns of what they add up to, so that a stream of any length is fitted in
        memory that does not depend on it (see CooccurrenceSketch). diagnostics_ says what was chosen, and
        the memory expected.
    anchors : list of words, word ids, or groups of them, or None
        Anchors to use: entry k belongs to topic k, and a group acts as one merged word. Topics beyond the list get
        anchors of the selector's choice.
    min_anchor_documents : int or float
        A word must be in this many documents (int) or this share of them (float) for the selector to choose it.
    refine : int or a step object
        Steps of expectation-maximisation of the likelihood after the fit, from the topics found (0: none). Topics,
        prevalence and correlations are then those of the refined documents; anchors stay those found.
    random_state : int, RandomState or None
        Seeds the random halves of rectifier="dc" (None: a fixed seed). Nothing else is random: the same input gives
        the same topics, bit for bit.

    Attributes
    ----------
    components_ : (n_topics, n_words), rows sum to one: p(word | topic)
    topic_correlation_ : (n_topics, n_topics), symmetric: p(topic, topic) of two tokens of a document; Lee et al.
        2015, Eq. 6, or, with a warning, the best fit to all words where no anchor is frequent enough to tell
    topic_prevalence_ : (n_topics,), sums to one
    anchors_ : (n_topics,) word ids; anchor_groups_ : a list of arrays of word ids
    anchor_cooccurrence_ : (n_topics, n_words), p(word | next to the anchor), what characteristic_words ranks by
    vocabulary_ : the words, or None where X came without names
    diagnostics_ : what each step reported

    Examples
    --------
    >>> from cotopics import AnchorWords
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = AnchorWords(n_topics=2).fit(X, feature_names=["cat", "dog", "star", "moon"])
    >>> model.top_words(2)
    [['star', 'moon'], ['dog', 'cat']]
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        weighting: Any = "counts",
        rectifier: Any = "ap",
        selector: Any = "qr",
        recovery: Any = "l2",
        representation: str = "auto",
        anchors: Any = None,
        min_anchor_documents: float = 0,
        refine: Any = 0,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.weighting = weighting
        self.rectifier = rectifier
        self.selector = selector
        self.recovery = recovery
        self.representation = representation
        self.anchors = anchors
        self.min_anchor_documents = min_anchor_documents
        self.refine = refine
        self.random_state = random_state

    def _start(self, C: Cooccurrence) -> Start:
        return anchor_start(C, self._recipe(C))

    def _recipe(self, C: Cooccurrence) -> Recipe:
        n_topics = self._check_n_topics()
        return Recipe(
            n_topics,
            None if self.rectifier is None else self._step("rectifier", RECTIFIERS),
            self._step("selector", SELECTORS),
            self._step("recovery", RECOVERIES),
            candidates=lambda C, n: in_enough_documents(C, "min_anchor_documents", self.min_anchor_documents),
            given=given_groups(self.anchors, C, self.vocabulary_, n_topics),
            representation=self.representation,
        )

    def _before_and_after(self, X: Any, *, most_full: int) -> Any:
        """Words that a fit of X (documents × words) looks at, and their co-occurrence before and after rectification.

        None without a rectifier; an error where the rectifier works on a full matrix of more words than `most_full`.
        """
        C = cooccurrence(X, weighting=self.weighting, representation="implicit")
        return before_and_after(C, self._recipe(C), most_full=most_full)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.representation == "sketch" and self.weighting != "counts":
            raise ParameterError("representation='sketch' adds up documents one by one: it needs weighting='counts'")

    def _check_grows(self) -> None:
        if self.representation == "sketch" and self._reads_documents():
            raise ParameterError("a sketch keeps no documents, and refine looks at all of them: fit(X), or refine=0")

    def _new_statistics(self) -> DocumentSums:
        if self.representation != "sketch":
            return super()._new_statistics()
        return CooccurrenceSketch(sketch_columns(self._check_n_topics()))


def topics_of_topics(model: Any, n_topics: int, **options: Any) -> AnchorWords:
    """Groups of topics by the same method on their correlations; Lee et al. 2015, section 6.

    The matrix of a fitted model's `topic_correlation_` is a co-occurrence of topics. The result is a fitted AnchorWords
    whose words are the model's topics, named "topic 0" and so on: `components_` (n_topics, model.n_topics_) is
    p(topic | group), and a group's anchor is the topic that no other group has. Negative correlations, which AnchorFree
    may have, count as none. `options` are those of AnchorWords.

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> A = np.kron([[0.4, 0.02], [0.02, 0.3]], np.ones((2, 2)))
    >>> groups = topics_of_topics(SimpleNamespace(topic_correlation_=A), 2)
    >>> [sorted(words) for words in groups.top_words(2)]
    [['topic 0', 'topic 1'], ['topic 2', 'topic 3']]
    """
    A = np.maximum(np.asarray(model.topic_correlation_, dtype=float), 0)
    names = [f"topic {k}" for k in range(len(A))]
    return AnchorWords(n_topics, **options).fit_cooccurrence((A + A.T) / 2, feature_names=names)
