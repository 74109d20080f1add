"""TopicModel: the model we recommend. `recommended_fit` is what it does, from top to bottom."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cotopics.anchors import PivotedQR
from cotopics.choose import choose_n_topics
from cotopics.cooccur import Balanced, Cooccurrence, cooccurrence
from cotopics.documents import Documents, InMemory
from cotopics.errors import ParameterError
from cotopics.infer import EM
from cotopics.models.anchor_start import Recipe, anchor_start, before_and_after, given_groups
from cotopics.models.estimator import TopicEstimator, check_n_topics, refine_step
from cotopics.models.fit import Fit, Start, clock, in_enough_documents, over_all_words, refine, refined_fit
from cotopics.records import WordIds
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import EpsilonNonNegative
from cotopics.refine import ExpectationMaximisation, word_shares
from cotopics.refine.em import RELAXED_STEP

STARTS: dict[str, Any] = {"balanced": Balanced(2 / 3), "tfidf": "tfidf"}  # weightings; the first is preferred
PREFERRED = 1.05  # the second must gain so many times as much as the first: large groups weigh more in the likelihood
TRIAL = 6  # plain steps' worth from each start
BACKGROUND = 0.5  # share of every document
WEIGHT_TYPE = np.float32  # of tf-idf weights: enough for eigenvectors to three digits
MIN_ANCHOR_SHARE = 0.005  # of documents that an anchor is in
MIN_SHARE = 0.002  # of documents that a word of the start is in; refinement adds the others
MAX_WORDS = 5000  # of the start, and those in as many documents: its cost does not grow with the vocabulary
MIN_WORDS = 20  # a topic that the start looks at even if they are rarer


def recommended_fit(C: Cooccurrence, name: str, documents: Documents | None, recipe: Recipe, em: Any) -> Fit:
    """Two starts by anchor words, a trial of both, and expectation-maximisation from the likelier one.

    C is the co-occurrence of the first start, and `name` what diagnostics call it; em is the likelihood finish, or None
    for the first start as it is. Half of every document is background, words as the whole corpus uses them, so topics
    keep the words that set them apart.
    """
    starts = {name: anchor_start(C, recipe)}
    del C  # its weights are as large as the counts
    if em is None or documents is None:
        return _as_fit(starts[name], None if documents is None else word_shares(documents), BACKGROUND)
    starts["tfidf"] = anchor_start(documents.cooccurrence(STARTS["tfidf"], WEIGHT_TYPE), recipe)

    words, some = documents.used
    trial = steps_worth(TRIAL)
    prepared = trial.prepare(some)  # for all steps from both starts
    p, gains = word_shares(some, trial.weighting), {}
    for key, start in starts.items():
        starts[key], gains[key] = _tried(start, trial, prepared, words, p)
    taken = "tfidf" if gains["tfidf"] - gains[name] > (PREFERRED - 1) * abs(gains[name]) else name
    start = starts[taken]
    start.diagnostics["start"] = {"weighting": taken, "gain": gains}

    shares_tokens = isinstance(em, ExpectationMaximisation) and replace(em, steps=trial.steps) == trial
    with clock(start.diagnostics["seconds"], "refinement"):
        B = start.components[:, words].T
        refined = em(prepared, B, start.prevalence) if shares_tokens else refine(em, some, B, start.prevalence)
    fit = refined_fit(start, refined, words, documents)
    return _as_fit(fit, fit.background, getattr(em, "background", BACKGROUND))


def _tried(start: Start, trial: ExpectationMaximisation, documents: Any, words: WordIds, p: Any) -> tuple[Start, float]:
    """The start after a few steps, and by how much a token is likelier then than by p(word), in logarithms."""
    refined = trial(documents, start.components[:, words].T, start.prevalence)
    components = over_all_words(refined.B.T, words, start.components.shape[1])
    p = p[p > 0]
    gain = float(refined.history["likelihood"][-1] - p @ np.log(p))
    return replace(start, components=components, prevalence=refined.prevalence), gain


def _as_fit(found: Start, background: Any, share: float) -> Fit:
    """A fit whose documents are inferred with the share of background that its topics were found with."""
    return Fit(**{**vars(found), "background": background, "inference": recommended_inference(share)})


def recommended_inference(background: float = BACKGROUND) -> EM:
    return EM(smoothing=1.0, by_prevalence=0.5, background=background)


def steps_worth(plain_steps: int) -> ExpectationMaximisation:
    """The recommended EM, as much as so many plain steps."""
    steps = math.ceil(plain_steps / RELAXED_STEP)
    return ExpectationMaximisation(steps, weighting="damped", background=BACKGROUND, over_relax=True, single=True)


def recommended_recipe(n_topics: int, given: tuple[WordIds, ...] = ()) -> Recipe:
    """How both starts find topics. Two steps of rectification are a start; weak topics have small eigenvalues."""
    return Recipe(
        n_topics,
        EpsilonNonNegative(max_iter=2, precision=1e-3, n_rows=500),
        PivotedQR(),
        SimplexLeastSquares(),
        candidates=_widespread,
        given=given,
        words=partial(_start_words, given=given),
        representation="implicit",
    )


def _start_words(C: Cooccurrence, words: WordIds, n_topics: int, *, given: tuple[WordIds, ...]) -> WordIds:
    """Words that the start looks at: widespread ones, and those that the user gave.

    The most frequent first: eigenvectors that are good enough for a start, and no better, are then the same, up to
    rounding, whatever the order of the columns."""
    if C.documents is None:
        return words
    frequency = C.documents.frequency[words]
    chosen = frequency >= max(MIN_SHARE * C.documents.n_used, np.sort(frequency)[-MAX_WORDS:][0])
    chosen |= frequency >= np.sort(frequency)[-min(MIN_WORDS * n_topics, len(frequency))]  # with all that tie
    for group in given:
        chosen |= np.isin(words, group)
    return words[chosen][np.lexsort((-C.row_sums()[words[chosen]], -frequency[chosen]))]


def _widespread(C: Cooccurrence, n_topics: int) -> Any:
    """Mask of the words that may be anchors: in enough documents, or the most frequent where too few are.

    Of a matrix nobody knows what documents its words are in, so all may."""
    if C.documents is None:
        return np.ones(C.shape[0], dtype=bool)
    enough, frequency = in_enough_documents(C, "min_anchor_documents", MIN_ANCHOR_SHARE), C.documents.frequency
    n_topics = min(n_topics, len(frequency))
    return enough if enough.sum() >= n_topics else frequency >= max(np.sort(frequency)[-n_topics], 1)


class TopicModel(TopicEstimator):
    """Topics that read well and tell documents apart: a spectral start and a short likelihood finish.

    Two starts are tried, both AnchorWords on tf-idf weights with anchors in 0.5 % of the documents or more: one with
    groups of similar documents balanced, so that large ones do not take all topics, and one as they are. The one that
    is likelier after a few steps goes on, by expectation-maximisation on damped and idf-weighted counts. Half of
    every document is taken to be words as the whole corpus uses them, which no topic need explain. The same input gives
    the same topics every time.

    Parameters
    ----------
    n_topics : int or "auto"
        Number of topics; "auto" takes what `choose_n_topics` recommends.
    anchors : list of words, word ids, or groups of them, or None
        Words that topics should start from: entry k belongs to topic k. Refinement may move on from them.
    refine : int or a step object
        How much expectation-maximisation after what chooses the start, in plain steps; fewer are taken, each of which
        does the work of 1.75 (see `cotopics.refine.ExpectationMaximisation`). 0: the balanced start.
    random_state : None
        Taken for the sake of other tools; nothing here is random.

    Attributes
    ----------
    components_ : (n_topics, n_words), rows sum to one: p(word | topic), beyond what all documents share
    background_ : (n_words,), sums to one: p(word) in the documents
    topic_correlation_ : (n_topics, n_topics): p(topic, topic) in the refined documents
    topic_prevalence_ : (n_topics,), sums to one
    anchors_, anchor_groups_ : the words that topics started from
    vocabulary_ : the words, or None where X came without names
    diagnostics_ : what each step reported; with n_topics="auto" also "choice", why there are so many topics
        (`Choice.from_dict` makes a Choice of it)

    Examples
    --------
    >>> from cotopics import TopicModel
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = TopicModel(n_topics=2).fit(X, feature_names=["cat", "dog", "star", "moon"])
    >>> sorted(sorted(words) for words in model.top_words(2))
    [['cat', 'dog'], ['moon', 'star']]
    """

    n_topics: Any
    _may_stop_early = ("rectification",)  # two steps of it are a start; refinement goes on from there
    relevance = 0.7  # what top_words ranks by unless it is told otherwise

    def __init__(self, n_topics: Any = 10, *, anchors: Any = None, refine: Any = 30, random_state: Any = None) -> None:
        self.n_topics = n_topics
        self.anchors = anchors
        self.refine = refine
        self.random_state = random_state

    def _fit_documents(self, documents: Documents) -> Fit:
        self._statistics = None
        choice = self._choose(documents)
        documents = documents.keep()
        name = "balanced"
        C = documents.cooccurrence(STARTS[name], WEIGHT_TYPE)
        recipe = self._recipe(C, self.n_topics if choice is None else choice.n_topics)
        fit = recommended_fit(C, name, documents, recipe, self._refine_step(True))
        return fit if choice is None else replace(fit, diagnostics={**fit.diagnostics, "choice": choice.as_dict()})

    def _fit_cooccurrence(self, C: Cooccurrence, documents: Documents | None) -> Fit:
        if self.n_topics == "auto":
            raise ParameterError("n_topics='auto' looks at the documents: use fit(X), or give a number")
        step = self._refine_step(documents is not None)
        return recommended_fit(C, "given", documents, self._recipe(C, self.n_topics), step)

    def _recipe(self, C: Cooccurrence, n_topics: int) -> Recipe:
        return recommended_recipe(n_topics, given_groups(self.anchors, C, self.vocabulary_, n_topics))

    def _choose(self, documents: Documents) -> Any:
        """With n_topics="auto", how many topics there should be, and why."""
        if self.n_topics != "auto":
            return None
        if not isinstance(documents, InMemory):
            raise ParameterError("n_topics='auto' looks at documents in memory: try choose_n_topics on some of them")
        return choose_n_topics(documents.counts)

    def _check_parameters(self) -> None:
        if self.n_topics != "auto":
            check_n_topics(self.n_topics)
        self._refine_step(True)

    def _refine_step(self, has_documents: bool) -> Any:
        return refine_step(self.refine, steps_worth, has_documents)

    def _before_and_after(self, X: Any, *, most_full: int) -> Any:
        """Words that the start of a fit of X looks at, and their co-occurrence before and after rectification."""
        C = cooccurrence(X, weighting=self._start_weighting(), representation="implicit")
        return before_and_after(C, self._recipe(C, self.n_topics_), most_full=most_full)

    def _default_inference(self) -> EM:
        return recommended_inference(getattr(self.refine, "background", BACKGROUND))

    def _start_weighting(self) -> Any:
        taken = (self.diagnostics_.get("start") or {}).get("weighting", "balanced")
        return STARTS.get(taken, STARTS["balanced"])
