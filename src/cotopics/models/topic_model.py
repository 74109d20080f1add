"""TopicModel: the model we recommend. What it does is in `recommended.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics.cooccur import Cooccurrence, cooccurrence
from cotopics.documents import Documents
from cotopics.errors import ParameterError
from cotopics.infer import EM, Inference
from cotopics.models.anchor_start import Recipe, before_and_after, given_groups
from cotopics.models.devices import check_device, device_for, inference_on, placed
from cotopics.models.estimator import TopicEstimator, check_n_topics, refine_step, refuse_elsewhere
from cotopics.models.fit import Fit
from cotopics.models.recommended import (
    MANY_RELEVANCE,
    REFINE,
    STARTS,
    WEIGHT_TYPE,
    Finish,
    first_start,
    recommended_fit,
    steps_worth,
)
from cotopics.models.recommended_start import recommended_recipe
from cotopics.models.update import check_can_change, of_words, with_documents, without_documents
from cotopics.registry import TOPICS_PER_DOCUMENT


class TopicModel(TopicEstimator):
    """Topics that read well and tell documents apart: a spectral start and a short likelihood finish.

    Two starts are tried, both by anchor words on tf-idf weights: one with groups of similar documents balanced, so that
    large ones do not take all topics, and one as they are, which is the only one where documents of 40 words or more
    get 50 topics or more. The one that is likelier after a few steps, tried on some of the documents, goes on, by
    expectation-maximisation on damped and idf-weighted counts. Documents are then mixtures of topics, or have one topic
    each, whichever predicts unseen words better. The same input gives the same topics every time.

    Parameters
    ----------
    n_topics : int or "auto"
        Number of topics; "auto" takes what `choose_n_topics` recommends.
    topics_per_document : "auto", "one" or "many"
        Whether a document is a mixture of topics ("many": articles, reports, papers) or has one topic ("one": titles,
        tweets, answers). "auto" decides by which of the two predicts unseen words of some documents better, and says
        which and why in diagnostics_["documents"].
    background : "auto" or float
        The share of every document that is words as the whole corpus uses them, and belongs to no topic, where
        documents have many topics. "auto": topics are found with one half of the weighted words as background, and
        documents are read with the share that makes their words likeliest. A number is used for both.
    anchors : list of words, word ids, or groups of them, or None
        Words that topics should start from: entry k belongs to topic k. Refinement may move on from them.
    refine : int or a step object
        How much expectation-maximisation from the start that is taken, in plain steps; fewer are taken, each of which
        does the work of 1.75 (see `cotopics.refine.ExpectationMaximisation`). 0: the balanced start.
    device : "cpu", "cuda" or "auto"
        Where documents in memory are worked on by `fit` and `transform`. "cuda": on an Nvidia GPU, in single precision,
        which gives the same topics up to the fifth digit or so; it needs CuPy (`pip install 'cotopics[gpu]'`). Where
        there is no GPU, a warning says so, and the processor does the work. "auto": a GPU if there is one.
        diagnostics_["device"] says what `fit` worked on. See docs/gpu.md.
    preparation : Preparation, function or None
        How texts become words where `fit` and `transform` are given texts (`cotopics.corpus.Preparation`); None: its
        defaults. It is saved with the model, and the command line prepares texts the same way. A function from a text
        to its words works too, but no file can hold it.
    random_state : None
        Taken for the sake of other tools; nothing here is random.

    Attributes
    ----------
    fit_ : the record that all of the following are read from
    components_ : (n_topics, n_words), rows sum to one: p(word | topic), beyond what all documents share
    background_ : (n_words,), sums to one: p(word) in the documents
    topic_correlation_ : (n_topics, n_topics): p(topic, topic) of two words of a document
    topic_prevalence_ : (n_topics,), sums to one: the mean of documents' shares
    anchors_, anchor_groups_ : the words that topics started from
    vocabulary_ : the words, or None where X came without names
    diagnostics_ : what each step reported; "documents" says whether they have one topic or many, and why; with
        n_topics="auto" also "choice", why there are so many topics (`Choice.from_dict` makes a Choice of it)

    Examples
    --------
    >>> from cotopics import TopicModel
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = TopicModel(n_topics=2).fit(X, feature_names=["cat", "dog", "star", "moon"])
    >>> sorted(sorted(words) for words in model.top_words(2))
    [['cat', 'dog'], ['moon', 'star']]
    """

    n_topics: Any
    _made_of_anchors = False
    _may_stop_early = ("rectification",)  # two steps of it are a start; refinement goes on from there

    def __init__(
        self,
        n_topics: Any = 10,
        *,
        topics_per_document: str = "auto",
        background: Any = "auto",
        anchors: Any = None,
        refine: Any = REFINE,
        device: str = "cpu",
        preparation: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.topics_per_document = topics_per_document
        self.background = background
        self.anchors = anchors
        self.refine = refine
        self.device = device
        self.preparation = preparation
        self.random_state = random_state

    def partial_fit(
        self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None, n_new: int | str = 0
    ) -> Self:
        """Add the documents of X (texts, a Corpus, or counts, documents × words) to those of the fit, which need not be
        at hand; the first X is fitted as by `fit`.

        Topics keep their numbers; they move as far as the new documents speak for it, and diagnostics_["update"] says
        how far. Words are matched by name where names are known, and new ones may come. What is kept of earlier
        documents are sums (docs/streams.md).

        n_new: how many topics may come, at most, after those that are there: of documents in X that speak of what the
        earlier ones did not. "auto": as many as are large enough to be a topic. With 0 none comes, and
        diagnostics_["update"]["explained_badly"] says which would.

        >>> texts = ["cats and dogs", "dogs, cats and a cow", "the sun in the sky", "sky without sun"] * 5
        >>> model = TopicModel(2).fit(texts)
        >>> model.partial_fit(["a dog with two cats"]).diagnostics_["update"]["added"]
        1
        """
        if "_fitted" not in self.__dict__:
            return self.fit(X, feature_names=feature_names)
        with self._unchanged_on_error():
            self._check_parameters()
            _check_n_new(n_new)
            finish = self._finish(True)
            check_can_change(self._fitted, finish)
            refuse_elsewhere(X)
            counts = self._check_more_documents(X, feature_names, may_grow=True)
            self._fitted = with_documents(self._fitted, counts, finish, n_new)
        return self

    def forget(self, X: Any, *, feature_names: Sequence[str] | None = None) -> Self:
        """Take the documents of X (documents × words) out of the fit.

        Word counts and document frequencies are then those of the other documents, exactly, and words that only X had
        are gone, with their names. What the topics learned from X is subtracted as far as it can be told
        (docs/streams.md says how near that is to a fit without X)."""
        with self._unchanged_on_error():
            check_is_fitted(self, "components_")
            finish = self._finish(True)
            check_can_change(self._fitted, finish)
            refuse_elsewhere(X)
            counts = self._check_more_documents(X, feature_names, may_grow=False)
            counts.resize(counts.shape[0], self.n_features_in_)
            fit = without_documents(self._fitted, counts, finish)
            if self.vocabulary_ is not None:
                fit = self._without_lost_words(fit)
            self._fitted = fit
        return self

    def _without_lost_words(self, fit: Fit) -> Fit:
        """The fit over the words that are still in some document; the names of the others are gone too."""
        words = np.flatnonzero(fit.sums.frequency)  # type: ignore[union-attr]
        if len(words) < self.n_features_in_:
            self.n_features_in_ = len(words)
            self.vocabulary_ = self.vocabulary_[words]
            if "feature_names_in_" in self.__dict__:
                self.feature_names_in_ = self.vocabulary_.copy()
            fit = of_words(fit, words)
        return fit

    def _fit_documents(self, documents: Documents) -> Fit:
        self._statistics = None
        device = device_for(self.device, documents)
        choice = self._choose(documents)
        n_topics, finish = self.n_topics if choice is None else choice.n_topics, self._finish(True)
        with placed(documents.keep(), device, self.device, n_topics) as (documents, place):
            name = first_start(documents, n_topics, finish)
            C = documents.cooccurrence(STARTS[name], WEIGHT_TYPE)
            fit = recommended_fit(C, name, documents, self._recipe(C, n_topics), finish)
        fit = replace(fit, diagnostics={**fit.diagnostics, "device": place})
        return fit if choice is None else replace(fit, diagnostics={**fit.diagnostics, "choice": choice.as_dict()})

    def _fit_cooccurrence(self, C: Cooccurrence, documents: Documents | None) -> Fit:
        if self.n_topics == "auto":
            raise ParameterError("n_topics='auto' looks at the documents: use fit(X), or give a number")
        finish = self._finish(documents is not None)
        return recommended_fit(C, "given", documents, self._recipe(C, self.n_topics), finish)

    def _recipe(self, C: Cooccurrence, n_topics: int) -> Recipe:
        return recommended_recipe(n_topics, given_groups(self.anchors, C, self.vocabulary_, n_topics))

    def _choose(self, documents: Documents) -> Any:
        """With n_topics="auto", how many topics there should be, and why."""
        if self.n_topics != "auto":
            return None
        from cotopics.choose import choose_for  # which asks this model, so that it cannot be imported before

        return choose_for(documents, self._finish(True))

    def _infers(self, infer: Inference) -> Inference:
        return inference_on(self.device, infer)

    def _check_parameters(self) -> None:
        check_device(self.device)
        if self.n_topics != "auto":
            check_n_topics(self.n_topics)
        self._finish(True)

    def _finish(self, has_documents: bool) -> Finish:
        """What parameters ask for after the start, checked."""
        asked, share = self.topics_per_document, self.background
        if asked not in TOPICS_PER_DOCUMENT:
            raise ParameterError(f"topics_per_document={asked!r} must be one of {', '.join(TOPICS_PER_DOCUMENT)}")
        is_number = isinstance(share, int | float | np.integer | np.floating) and not isinstance(share, bool)
        if not (isinstance(share, str) and share == "auto") and not (is_number and 0 <= share < 1):
            raise ParameterError(f"background={share!r} must be 'auto' or a share of every document, from 0 to below 1")
        given = float(share) if is_number else None
        step = refine_step(self.refine, partial(steps_worth, background=given), has_documents)
        steps = int(self.refine) if isinstance(self.refine, int | np.integer) else None
        if asked == "one" and not steps:
            raise ParameterError(f"topics_per_document='one' needs refine to be a number of steps, not {self.refine!r}")
        if asked == "one" and given:
            raise ParameterError("documents of one topic have no background: leave out background, or set it to 0")
        if given is None and steps is None:
            given = getattr(step, "background", None)
        return Finish(step, steps, asked, given)

    def _before_and_after(self, X: Any, *, most_full: int) -> Any:
        """Words that the start of a fit of X looks at, and their co-occurrence before and after rectification."""
        C = cooccurrence(X, weighting=self._start_weighting(), representation="implicit")
        return before_and_after(C, self._recipe(C, self.n_topics_), most_full=most_full)

    def _default_inference(self) -> EM:
        """What early versions, whose files do not say it, did."""
        return EM(smoothing=1.0, by_prevalence=0.5, background=getattr(self.refine, "background", 0.5))

    def _default_relevance(self) -> float:
        return MANY_RELEVANCE

    def _start_weighting(self) -> Any:
        taken = (self.diagnostics_.get("start") or {}).get("weighting", "balanced")
        return STARTS.get(taken, STARTS["balanced"])


def _check_n_new(n_new: Any) -> None:
    is_number = isinstance(n_new, int | np.integer) and not isinstance(n_new, bool)
    if not (isinstance(n_new, str) and n_new == "auto") and not (is_number and n_new >= 0):
        raise ParameterError(f"n_new={n_new!r} must be 'auto' or a number of topics, 0 or more")
