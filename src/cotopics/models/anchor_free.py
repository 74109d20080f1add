"""AnchorFree: topics without anchor words."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.anchor_free import ANCHOR_FREE, CorrelatedTopics
from cotopics.cooccur import Cooccurrence
from cotopics.models.anchor_start import check_full_matrix
from cotopics.models.estimator import TopicEstimator
from cotopics.models.fit import (
    Start,
    clock,
    describe_correlation,
    describe_input,
    describe_step,
    in_enough_documents,
    over_all_words,
    words_with_pairs,
)
from cotopics.records import WordIds
from cotopics.rectify import RECTIFIERS

MIN_CONSTRAINED = 10  # words a topic that are constrained even if they are rare


class AnchorFree(TopicEstimator):
    """Topics that no word needs to be exclusive to: of all non-negative factorisations of the co-occurrence, the one
    whose topics spread the least; Fu et al. 2019.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    solver : "auto", "lp", "pds", "printed" or a step object of `cotopics.anchor_free`
        Linear programs (Algorithm 1), penalty dual splitting (Algorithms 2 and 3), or whichever was measured to be
        faster at that size. "printed" is splitting with the paper's own step (Eq. 23), for comparison: it is slow.
    weighting : "balanced", "tfidf", "counts" or a `cotopics.cooccur.Balanced` object
        How documents enter the co-occurrence; see AnchorWords. "balanced" is what gives the paper's clusterings;
        `Balanced(power=0.75)` finds classes better where a few are huge, and worse in short texts.
    rectifier : None, "enn", "ap", "palm", "dc" or a step object
        Rectify the co-occurrence first, as AnchorWords does: low rank, positive semidefinite and non-negative. For
        weighting="counts", whose diagonal is noisy; tf-idf is positive semidefinite as it is.
    min_constraint_documents : int or float
        A word must be in this many documents (int) or this share of them (float) for its probabilities to be held
        non-negative; those of rarer words are clipped. Every constrained word weighs the same however badly it is
        estimated, so leaving rare words out makes topics more robust; at least ten words a topic are constrained. Where
        the documents are not known (a matrix is fitted), all words are.
    refine : int or a `cotopics.refine.ExpectationMaximisation` object
        Steps of expectation-maximisation of the likelihood after the fit, from the topics found (0: none). Topics,
        prevalence and correlations are then those of the refined documents.
    random_state : None
        Taken for the sake of other tools; nothing here is random.

    Attributes
    ----------
    components_ : (n_topics, n_words), rows sum to one: p(word | topic)
    topic_correlation_ : (n_topics, n_topics), symmetric positive semidefinite: E of the paper, whose entries may be
        negative where topics avoid each other; refined, p(topic, topic) in the documents
    topic_prevalence_ : (n_topics,), sums to one
    anchors_, anchor_groups_ : None, there are none
    vocabulary_ : the words, or None where X came without names
    diagnostics_ : what each step reported

    Examples
    --------
    >>> from cotopics import AnchorFree
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = AnchorFree(n_topics=2).fit(X, feature_names=["cat", "dog", "star", "moon"])
    >>> sorted(sorted(words) for words in model.top_words(2))
    [['cat', 'dog'], ['moon', 'star']]
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        solver: Any = "auto",
        weighting: Any = "balanced",
        rectifier: Any = None,
        min_constraint_documents: float = 0.01,
        refine: Any = 0,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.solver = solver
        self.weighting = weighting
        self.rectifier = rectifier
        self.min_constraint_documents = min_constraint_documents
        self.refine = refine
        self.random_state = random_state

    def _start(self, C: Cooccurrence) -> Start:
        n_topics, n_words = self._check_n_topics(), C.shape[0]
        solver = self._step("solver", ANCHOR_FREE)
        words = words_with_pairs(C, n_topics)
        constrained = self._constrained_words(C, words, n_topics)
        seconds: dict[str, float] = {}
        C = C if len(words) == n_words else C.restrict(words)
        rectified = None
        if self.rectifier is not None:
            rectifier = self._step("rectifier", RECTIFIERS)
            check_full_matrix(C.shape[0], rectifier)
            with clock(seconds, "rectification"):
                rectified = rectifier(C, n_topics)
                C = rectified.C
        with clock(seconds, "topics"):
            topics: CorrelatedTopics = solver(C, n_topics, constrained=constrained)
        return Start(
            components=over_all_words(topics.B.T, words, n_words),
            prevalence=topics.prevalence,
            correlation=topics.A,
            diagnostics={
                **describe_input(C, n_words, words),
                "constrained_words": int(constrained.sum()),
                **({} if rectified is None else {"rectification": describe_step(rectified)}),
                "topics": describe_step(topics),
                "correlation": describe_correlation(topics.A),
                "seconds": seconds,
            },
        )

    def _constrained_words(self, C: Cooccurrence, words: WordIds, n_topics: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Mask over these words: those well enough estimated to have a say."""
        if C.documents is None:
            return np.ones(len(words), dtype=bool)
        constrained = in_enough_documents(C, "min_constraint_documents", self.min_constraint_documents)[words]
        if constrained.sum() < MIN_CONSTRAINED * n_topics:
            frequency = C.documents.frequency[words]
            constrained[np.argsort(-frequency, kind="stable")[: MIN_CONSTRAINED * n_topics]] = True
        return constrained
