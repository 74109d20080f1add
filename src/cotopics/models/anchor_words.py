"""Rectified anchor words: 001's method, and the frame for its variations."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from cotopics.anchors import SELECTORS, resolve_groups
from cotopics.cooccur import Cooccurrence, CooccurrenceSketch, DocumentSums, Sketch, cooccurrence, represent
from cotopics.correlation import topic_correlation
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.models.base import TopicEstimator, clock, describe_correlation, describe_input, describe_step
from cotopics.models.memory import expected_bytes, largest_full_matrix
from cotopics.records import Anchors, Topics, WordIds
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS, DiagonalCompletion
from cotopics.word_matching import word_ids


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
        Alternating projection on the full matrix; the same on a thin factor (epsilon non-negative, 002), many times
        faster and for vocabularies of any size; a non-negative factor (proximal minimisation, 002); diagonal
        completion; or none.
    selector : "qr", "fast", "spa", "snpa", "xray" or a step object
        How anchors are chosen: column-pivoted QR, or one of the methods that 000 compares with.
    recovery : "l2", "kl" or a step object
        How words are expressed by anchors: nearest in least squares, or in divergence (tens of times slower).
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
    topic_correlation_ : (n_topics, n_topics), symmetric: p(topic, topic) of two tokens of a document; 001, Eq. 6, or,
        with a warning, the best fit to all words where no anchor is frequent enough to tell
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

    def _fit(self, C: Cooccurrence) -> Self:
        n_topics = self._check_n_topics()
        rectifier = None if self.rectifier is None else self._step("rectifier", RECTIFIERS)
        selector, recovery = self._step("selector", SELECTORS), self._step("recovery", RECOVERIES)
        paired = self._used_words(C, n_topics)
        used = self._start_words(C, paired, n_topics)
        candidates, given = self._anchor_words(C, used, n_topics)
        seconds: dict[str, float] = {}

        with clock(seconds, "cooccurrence"):
            C = C if np.array_equal(used, np.arange(C.shape[0])) else C.restrict(used)
            C, memory = self._represent(C, rectifier, n_topics)
        with clock(seconds, "rectification"):
            rectified = None if rectifier is None else rectifier(C, n_topics)
            C_rect = C if rectified is None else rectified.C
        with clock(seconds, "anchors"):
            anchors: Anchors = selector(C_rect, n_topics, candidates=candidates, given=given)
        with clock(seconds, "recovery"):
            topics: Topics = recovery(C_rect, anchors)
            correlation = topic_correlation(C_rect, anchors, topics)

        rows = anchors.merged_rows(C_rect.nonnegative_rows(anchors.all_words))
        self.components_ = self._give_back(topics.B.T, used)
        self.anchor_cooccurrence_ = self._give_back(rows / rows.sum(axis=1, keepdims=True), used)
        self.topic_correlation_ = correlation.A
        self.topic_prevalence_ = topics.prevalence
        self.n_topics_ = n_topics
        self.anchor_groups_ = [used[group] for group in anchors.groups]
        self.anchors_ = used[anchors.words]
        self.diagnostics_ = {
            **describe_input(C, self.n_features_in_, paired),
            "rare_words": len(paired) - len(used),
            "expected_bytes": memory,
            "rectification": None if rectified is None else describe_step(rectified),
            "anchors": {"rank": anchors.rank, **describe_step(anchors)},
            "recovery": describe_step(topics),
            "correlation": describe_correlation(correlation.A, correlation.unmet),
            "seconds": seconds,
        }
        self._warn()
        return self

    def _before_and_after(self, X: Any, *, most_full: int) -> tuple[WordIds, Cooccurrence, Cooccurrence]:
        """Words that a fit of X (documents × words) looks at, and their co-occurrence before and after rectification.

        An error where the rectifier works on a full matrix of more words than `most_full`.
        """
        rectifier, n_topics = self._step("rectifier", RECTIFIERS), self.n_topics_
        C: Cooccurrence = cooccurrence(X, weighting=self._start_weighting(), representation="implicit")
        used = self._start_words(C, self._used_words(C, n_topics), n_topics)
        if getattr(rectifier, "needs_full_matrix", False) and len(used) > most_full:
            raise CooccurrenceError(f"{type(rectifier).__name__} of {len(used)} words is too much work to repeat")
        C, _ = self._represent(C.restrict(used), rectifier, n_topics)
        return used, C, rectifier(C, n_topics).C

    def _start_weighting(self) -> Any:
        """How documents entered the co-occurrence that the anchors were found in."""
        return self.weighting

    def _start_words(self, C: Cooccurrence, paired: WordIds, n_topics: int) -> WordIds:
        """Words to be looked at, of those that occur together with others; the rest are rare words."""
        return paired

    def _anchor_words(self, C: Cooccurrence, used: WordIds, n_topics: int) -> tuple[WordIds, list[WordIds]]:
        """Candidates and the user's groups, both as positions among the used words."""
        position = np.full(C.shape[0], -1)
        position[used] = np.arange(len(used))
        names = None if self.vocabulary_ is None else word_ids(self.vocabulary_)
        groups = [] if self.anchors is None else resolve_groups(self.anchors, C.shape[0], names)
        if len(groups) > n_topics:
            raise ParameterError(f"anchors are given for {len(groups)} topics, and n_topics={n_topics}")
        for word in np.concatenate(groups) if groups else []:
            if position[word] < 0:
                name = word if self.vocabulary_ is None else repr(self.vocabulary_[word])
                raise ParameterError(f"anchor {name} never occurs together with another word; choose another")
        frequent = used[self._in_enough_documents(C, "min_anchor_documents")[used]]
        return position[frequent], [position[group] for group in groups]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.representation == "sketch" and self._looks_at_documents():
            raise ParameterError("a sketch keeps no documents, and refine looks at all of them: fit(X), or refine=0")

    def _new_statistics(self) -> DocumentSums:
        if self.representation != "sketch":
            return super()._new_statistics()
        return CooccurrenceSketch(sketch_columns(self._check_n_topics()))

    def _represent(self, C: Cooccurrence, rectifier: Any, n_topics: int) -> tuple[Cooccurrence, int]:
        """C in the form asked for, and the bytes that the fit is expected to take; an error before too many are."""
        n_words, limit = C.shape[0], largest_full_matrix()
        needed = 8 * n_words**2 if getattr(rectifier, "needs_full_matrix", False) else 0
        if needed > limit and self.representation != "dense":
            raise CooccurrenceError(
                f"{type(rectifier).__name__} works on the full {n_words} × {n_words} matrix, "
                f"{needed / 2**30:.1f} GiB, and {limit / 2**30:.1f} GiB may be taken unasked. Use "
                "rectifier='enn', which comes close to it and never forms it, keep fewer words, or insist with "
                "representation='dense'"
            )
        if isinstance(C, Sketch) and (rectifier is None or isinstance(rectifier, DiagonalCompletion)):
            raise ParameterError("a sketch has entries below zero, which must be rectified; use rectifier='enn'")
        if self.representation == "sketch" and self.weighting != "counts":
            raise ParameterError("representation='sketch' adds up documents one by one: it needs weighting='counts'")
        C = C if self.representation == "sketch" else represent(C, self.representation)
        return C, expected_bytes(C, rectifier, n_topics)
