"""TOP: topics of which nobody has said how many there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from cotopics.cooccur import Cooccurrence, Implicit, cooccurrence
from cotopics.correlation import topic_correlation
from cotopics.errors import ParameterError, warn_caller
from cotopics.models.checks import RARE_WORDS
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
from cotopics.records import Anchors, Topics, WordIds
from cotopics.top import DecoupledPrograms, FindAnchorWords, SplitHalves, group_rare_words
from cotopics.top.error_bounds import FREQUENCY_SCALE, error_bounds

MANY_TOPICS = 0.1  # a word: hardly a topic has company


class TOP(TopicEstimator):
    """Topics and their number, from all words that are exclusive to a topic; Bing et al. 2020.

    Words that meet one another as often as anything meets them are the anchors of one topic: their groups are found by
    comparing maxima of rows, without optimisation, and there are as many topics as groups. Then all other words are
    expressed by anchors through one small linear program a topic. `cotopics.top` has the steps.

    It needs words that are truly exclusive, and documents long enough to see it. On real text few words are, every
    bursty word looks like a topic of its own, and the number of topics follows c1: look at
    `diagnostics_["n_topics_by_c1"]`, or let `choose_n_topics` weigh it against other evidence.

    Parameters
    ----------
    c0 : float
        How far the inverse of the anchors' co-occurrence may be from exact, as a multiple of the error bounds.
    c1 : float, "cv" or a `cotopics.anchors.SplitHalves` object
        How different two numbers must be to differ, as a multiple of the error bounds: larger finds larger and fewer
        groups. "cv" takes the c1 whose groups in one half of the documents describe the other half best.
    n_repeats : int
        Random choices of one anchor a topic to average over (10: TOP10 of the paper; 1: TOP1, faster).
    min_documents : int or float
        Words in fewer documents (int), or a smaller share of them (float), are rare.
    rare_words : "group", "remove" or "keep"
        "group" makes one word of all rare ones, which is not an anchor, and gives each its share of it afterwards;
        "remove" leaves them out, with a probability of zero; "keep" treats them like all others, and their
        errors decide.
    unit : float or "words"
        What frequencies are multiplied by in the error bounds. "words" is the paper's, the number of words: keeping
        more rare words then makes the bounds narrower for all. 1000, the number in the paper's experiments, does not.
    refine : int or a `cotopics.refine.ExpectationMaximisation` object
        Steps of expectation-maximisation of the likelihood after the fit, from the topics found (0: none). Topics,
        prevalence and correlations are then those of the refined documents; anchors_ stay the words they started from.
    random_state : int, RandomState or None
        Seeds the choices of n_repeats and the splits of c1="cv" (None: a fixed seed, so the same input gives the same
        topics).

    Attributes
    ----------
    n_topics_ : the number of topics found
    components_ : (n_topics, n_words), rows sum to one: p(word | topic)
    topic_correlation_ : (n_topics, n_topics), symmetric: p(topic, topic) of two tokens of a document
    topic_prevalence_ : (n_topics,), sums to one
    anchor_groups_ : a list of arrays of word ids, the most frequent word first; anchors_ : the first of each
    anchor_cooccurrence_ : (n_topics, n_words), p(word | next to the anchors)
    vocabulary_ : the words, or None where X came without names
    diagnostics_ : what each step reported, "c1", and "n_topics_by_c1": how many topics other values would find

    Examples
    --------
    >>> from cotopics import TOP, datasets
    >>> X, B, W = datasets.make_corpus(600, 100, 6, length=400, anchors_per_topic=3, random_state=0)
    >>> model = TOP(random_state=0).fit(X)
    >>> model.n_topics_, sorted(sorted(group.tolist()) for group in model.anchor_groups_)[:2]
    (6, [[0, 1, 2], [3, 4, 5]])
    """

    weighting = "counts"
    _gathers_documents = True

    def __init__(
        self,
        *,
        c0: float = 0.01,
        c1: Any = 1.1,
        n_repeats: int = 10,
        min_documents: float = 0.01,
        rare_words: str = "group",
        unit: float | str = FREQUENCY_SCALE,
        refine: Any = 0,
        random_state: Any = None,
    ) -> None:
        self.c0 = c0
        self.c1 = c1
        self.n_repeats = n_repeats
        self.min_documents = min_documents
        self.rare_words = rare_words
        self.unit = unit
        self.refine = refine
        self.random_state = random_state

    def _start(self, C: Cooccurrence) -> Start:
        recovery = DecoupledPrograms(self.c0, self.n_repeats, self._seed())
        seconds: dict[str, float] = {}
        with clock(seconds, "words"):
            used = self._words_with_pairs(C)
            frequent = self._frequent_words(C, used)
            C_kept, share = self._without_rare_words(C, used, frequent)
            candidates = np.arange(len(frequent))
        with clock(seconds, "cooccurrence"):
            bounds = error_bounds(C_kept, unit=self.unit)
            bounds.rows(candidates[:1])
        with clock(seconds, "c1"):
            splits = self._splits()
            c1 = float(self.c1) if splits is None else splits(C_kept, candidates=candidates, unit=self.unit)
        with clock(seconds, "anchors"):
            anchors: Anchors = FindAnchorWords(c1)(bounds, candidates=candidates)
        by_c1 = {f"{c:.4g}": int(n) for c, n in zip(anchors.history["c1"], anchors.history["n_groups"], strict=True)}
        self._warn_of_number(len(anchors.groups), len(frequent), by_c1)
        with clock(seconds, "recovery"):
            topics: Topics = recovery(bounds, anchors)
            rows = anchors.merge_rows(bounds.rows(anchors.all_words)[0])
            correlation = topic_correlation(C_kept, anchors, topics, rows=rows)
        return Start(
            components=_spread(topics.B.T, frequent, share, C.shape[0]),
            prevalence=topics.prevalence,
            correlation=correlation.A,
            anchor_groups=[frequent[group] for group in anchors.groups],
            anchor_cooccurrence=_spread(rows / rows.sum(axis=1, keepdims=True), frequent, share, C.shape[0]),
            diagnostics={
                **describe_input(C, C.shape[0], used),
                "rare_words": len(used) - len(frequent),
                "c1": c1,
                "n_topics_by_c1": by_c1,
                "anchors": {"rank": anchors.rank, "words": len(anchors.all_words), **describe_step(anchors)},
                "recovery": describe_step(topics),
                "correlation": describe_correlation(correlation.A, correlation.isolated),
                "seconds": seconds,
            },
        )

    def _check_n_topics(self) -> int:
        return 1  # at least: it is found

    def _check_parameters(self) -> None:
        super()._check_parameters()
        DecoupledPrograms(self.c0, self.n_repeats)
        if self._splits() is None:
            try:
                FindAnchorWords(self.c1)
            except ParameterError as error:
                raise ParameterError(f"{error}, 'cv' or a cotopics.anchors.SplitHalves object") from None
        if self.rare_words not in RARE_WORDS:
            raise ParameterError(f"rare_words={self.rare_words!r} is unknown; choose one of {', '.join(RARE_WORDS)}")

    def _splits(self) -> SplitHalves | None:
        """How c1 is found, or None where it is given."""
        if isinstance(self.c1, SplitHalves):
            return self.c1
        return SplitHalves(random_state=self._seed()) if isinstance(self.c1, str) and self.c1 == "cv" else None

    def _seed(self) -> int:
        return 0 if self.random_state is None else int(check_random_state(self.random_state).randint(2**31 - 1))

    def _reads_documents(self) -> bool:
        return True

    def _words_with_pairs(self, C: Cooccurrence) -> WordIds:
        """In documents of two tokens or more every word has pairs, and those are the documents that are counted."""
        return words_with_pairs(C, 1) if C.documents is None else np.flatnonzero(C.documents.frequency)

    def _frequent_words(self, C: Cooccurrence, used: WordIds) -> WordIds:
        """Words to be looked at one by one: those in enough documents, unless rare ones are kept."""
        if C.documents is None or self.rare_words == "keep":
            return used
        frequent = used[in_enough_documents(C, "min_documents", self.min_documents)[used]]
        if len(frequent) == 0:
            raise ParameterError(
                f"no word is in min_documents={self.min_documents} documents; the most frequent one is in "
                f"{C.documents.frequency.max()} of {C.documents.n_used}. Lower min_documents"
            )
        return frequent

    def _without_rare_words(self, C: Cooccurrence, used: WordIds, frequent: WordIds) -> tuple[Cooccurrence, Any]:
        """C of the frequent words, and the share (n_words,) of each word in the last column that rare ones make up.

        The share is None where there is no such column.
        """
        rare = np.setdiff1d(used, frequent)
        if len(rare) == 0:
            return (C if len(frequent) == C.shape[0] else C.restrict(frequent)), None
        documents = error_bounds(C).C  # an error if it does not keep them
        assert isinstance(documents, Implicit)
        if self.rare_words == "remove":
            return cooccurrence(documents.counts()[:, frequent], representation="implicit"), None
        share = np.zeros(C.shape[0])
        share[rare] = C.row_sums()[rare]
        return group_rare_words(documents, frequent), share / share.sum()

    @staticmethod
    def _warn_of_number(n_topics: int, n_words: int, by_c1: dict[str, int]) -> None:
        """Say, before what may be long work, that c1 is far from where topics are."""
        others = ", ".join(f"{n} at c1={c}" for c, n in by_c1.items() if n not in (0, 1, n_topics))
        others = f" There are {others}." if others else ""
        if n_topics == 1:
            warn_caller(
                f"all words look alike within their errors: TOP found one topic.{others} Lower c1, give more or longer "
                "documents, or leave out more rare words (min_documents)"
            )
        elif n_topics > MANY_TOPICS * n_words and n_topics > 20:
            warn_caller(
                f"TOP found {n_topics} topics in {n_words} words, most of them one bursty word each, and that many "
                f"take long to recover.{others} Raise c1, or let choose_n_topics find a number for another method"
            )


def _spread(rows: Any, frequent: WordIds, share: Any, n_words: int) -> Any:
    """Rows over the columns looked at, the last of which may be all rare words → rows over all words."""
    if share is None:
        return over_all_words(rows, frequent, n_words)
    full = np.outer(rows[:, -1], share)
    full[:, frequent] = rows[:, :-1]
    return full
