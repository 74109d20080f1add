"""TopicModel: the model we recommend."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from cotopics.anchors import resolve_groups
from cotopics.choose import Choice, choose_n_topics
from cotopics.cooccur import Balanced, Cooccurrence
from cotopics.errors import ParameterError
from cotopics.infer import EM
from cotopics.models.anchor_words import AnchorWords
from cotopics.models.base import FITTED
from cotopics.models.documents import is_on_dask
from cotopics.records import WordIds
from cotopics.rectify import EpsilonNonNegative
from cotopics.refine import ExpectationMaximisation
from cotopics.refine.em import LEAP
from cotopics.word_matching import word_ids

STARTS = (Balanced(2 / 3), "tfidf")  # weightings of documents; the first is preferred
PREFERRED = 1.05  # times the gain of the first that the second must show: large groups weigh more in the likelihood
TRIAL = 6  # steps' worth from each start
BACKGROUND = 0.5  # of every document
LEAST_SHARE = 0.002  # of documents that a word of the start is in; refinement adds the others
MOST_WORDS = 5000  # of the start, and those in as many documents: what it costs does not grow with the vocabulary
LEAST_WORDS = 20  # a topic that the start looks at even if they are rarer


class TopicModel(AnchorWords):
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

    weighting = STARTS[0]
    rectifier = EpsilonNonNegative(max_iter=2, precision=1e-3, n_rows=500)  # weak topics have small eigenvalues
    selector = "qr"
    recovery = "l2"
    representation = "implicit"
    min_anchor_documents = 0.005
    _weight_type = np.float32  # enough for eigenvectors to three digits
    _may_stop_early = ("rectification",)  # two steps of it are a start; refinement goes on from there
    _choice: Choice | None = None
    _is_given = False
    inference = EM(smoothing=1.0, by_prevalence=0.5, background=BACKGROUND)
    relevance = 0.7  # what top_words ranks by unless it is told otherwise

    def __init__(
        self, n_topics: int | str = 10, *, anchors: Any = None, refine: Any = 30, random_state: Any = None
    ) -> None:
        self.n_topics = n_topics  # type: ignore[assignment]
        self.anchors = anchors
        self.refine = refine
        self.random_state = random_state

    def _prepare(self, counts: Any) -> None:
        self._is_given = counts is None  # a co-occurrence, not documents
        if self._chooses() and is_on_dask(counts):
            raise ParameterError("n_topics='auto' looks at documents in memory: try choose_n_topics on some of them")
        self._choice = choose_n_topics(counts) if self._chooses() and counts is not None else None

    def _chooses(self) -> bool:
        return str(self.n_topics) == "auto"

    def _check_n_topics(self) -> int:
        if not self._chooses():
            return super()._check_n_topics()
        if self._choice is None:
            raise ParameterError("n_topics='auto' looks at the documents: use fit(X), or give a number")
        return self._choice.n_topics

    def _refine(self, documents: Any) -> Self:
        if self._choice is not None:
            self.diagnostics_["choice"] = self._choice.as_dict()
        if self._refining(documents is not None) is not None:
            self._take_the_better_start(documents)
        super()._warn()
        super()._refine(documents)
        self.background_ = None if documents is None else documents.shares()
        return self

    def _warn(self) -> None:
        """Not before it is known which start is taken."""

    def _take_the_better_start(self, documents: Any) -> None:
        """Try the other start too; components_ and what belongs to them are then those of the likelier one."""
        starts, gains = [self._found()], []
        self._fit(documents.cooccurrence(STARTS[1], self._weight_type))
        starts.append(self._found())  # before steps keep documents in memory
        for start in starts:
            self.__dict__.update(start)
            gains.append(self._gain(documents))
            start.update(self._found())
        better = gains[1] - gains[0] > (PREFERRED - 1) * abs(gains[0])
        self.__dict__.update(starts[better])
        names = ("given" if self._is_given else "balanced", "tfidf")
        self.diagnostics_["start"] = {"weighting": names[better], "gain": dict(zip(names, gains, strict=True))}

    def _found(self) -> dict[str, Any]:
        """What a fit has found so far."""
        return {name: vars(self)[name] for name in FITTED if name in vars(self)}

    def _start_weighting(self) -> Any:
        taken = (self.diagnostics_.get("start") or {}).get("weighting")
        return STARTS[1] if taken == "tfidf" else STARTS[0]

    def _gain(self, documents: Any) -> float:
        """Take a few steps from here; by how much a token is likelier then than in the whole corpus, in logarithms."""
        known, some = documents.used
        trial = some.refine(_steps(TRIAL), self.components_[:, known].T, self.topic_prevalence_)
        self.components_ = self._give_back(trial.B.T, known)
        self.topic_prevalence_ = trial.prevalence
        p = some.shares("damped")
        p = p[p > 0]
        return float(trial.history["likelihood"][-1] - p @ np.log(p))

    def _start_words(self, C: Cooccurrence, paired: WordIds, n_topics: int) -> WordIds:
        """Words that the start looks at: widespread ones, and those that the user gave.

        In an order of their own, the most frequent first: eigenvectors that are good enough for a start, and no better,
        are then the same, up to rounding, whatever the order of the columns."""
        if C.documents is None:
            return paired
        frequency = C.documents.frequency[paired]
        chosen = frequency >= max(LEAST_SHARE * C.documents.n_used, np.sort(frequency)[-MOST_WORDS:][0])
        chosen |= frequency >= np.sort(frequency)[-min(LEAST_WORDS * n_topics, len(frequency))]  # with all that tie
        if self.anchors is not None:
            names = None if self.vocabulary_ is None else word_ids(self.vocabulary_)
            for group in resolve_groups(self.anchors, C.shape[0], names):
                chosen |= np.isin(paired, group)
        return paired[chosen][np.lexsort((-C.row_sums()[paired[chosen]], -frequency[chosen]))]

    def _in_enough_documents(self, C: Cooccurrence, name: str) -> Any:
        """Of a matrix nobody knows what documents its words are in; of very short texts, the most frequent words do."""
        if C.documents is None:
            return np.ones(C.shape[0], dtype=bool)
        enough, frequency = super()._in_enough_documents(C, name), C.documents.frequency
        n_topics = min(self._check_n_topics(), len(frequency))
        return enough if enough.sum() >= n_topics else frequency >= max(np.sort(frequency)[-n_topics], 1)

    def _refinement(self, steps: int) -> ExpectationMaximisation:
        return _steps(steps)


def _steps(worth: int) -> ExpectationMaximisation:
    """As much as so many plain steps."""
    steps = math.ceil(worth / LEAP)
    return ExpectationMaximisation(steps, weighting="damped", background=BACKGROUND, over_relax=True, single=True)
