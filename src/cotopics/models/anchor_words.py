"""Rectified anchor words: 001's method, and the frame for its variations."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from cotopics.anchors import SELECTORS, resolve_groups
from cotopics.cooccur import (
    WEIGHTINGS,
    Cooccurrence,
    CooccurrenceAccumulator,
    as_cooccurrence,
    cooccurrence,
    represent,
)
from cotopics.correlation import anchor_correlation
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.models.base import TopicEstimator
from cotopics.records import Anchors, WordIds
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS

FULL_MATRIX_LIMIT = 4 << 30  # bytes of a full words × words matrix that nobody asked for by name


def _adds_up(model: AnchorWords) -> bool:
    """Whether documents can be added and taken out one by one; where not, the methods for that do not exist."""
    if model.weighting != "counts":
        raise ParameterError(f"it needs weighting='counts': the idf of {model.weighting!r} changes with every document")
    return True


class AnchorWords(TopicEstimator):
    """Topics from anchor words: rectify the co-occurrence, choose anchors, express every word by them.

    Parameters
    ----------
    n_topics : int
        Number of topics.
    weighting : "counts", "tfidf" or "balanced"
        How documents enter the co-occurrence. "counts" is the papers' unbiased estimator; "tfidf" is (1 + log tf) · idf
        with rows of unit length; "balanced" also divides each document by the square root of its degree, so that one
        large group of similar documents does not take all the leading directions. Always give counts as X.
    rectifier : "ap", "dc", None or a step object
        Alternating projection, diagonal completion, or none.
    selector : "qr" or a step object
        How anchors are chosen: column-pivoted QR.
    recovery : "l2" or a step object
        How words are expressed by anchors: least squares on the simplex.
    representation : "auto", "dense", "sparse" or "implicit"
        How the co-occurrence is kept. "auto" forms the full matrix only for small vocabularies or where the rectifier
        needs it and it takes at most 4 GiB; "dense" insists.
    anchors : list of words, word ids, or groups of them, or None
        Anchors to use: entry k belongs to topic k, and a group acts as one merged word. Topics beyond the list get
        anchors of the selector's choice.
    min_anchor_documents : int or float
        A word must be in this many documents (int) or this share of them (float) for the selector to choose it.
    random_state : int, RandomState or None
        Seeds the random halves of rectifier="dc" (None: a fixed seed). Nothing else is random: the same input gives
        the same topics, bit for bit.

    Attributes
    ----------
    components_ : (n_topics, n_words), rows sum to one: p(word | topic)
    topic_correlation_ : (n_topics, n_topics), symmetric: p(topic, topic) of two tokens of a document; 001, Eq. 6
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

    _statistics: CooccurrenceAccumulator | None

    def __init__(
        self,
        n_topics: int = 10,
        *,
        weighting: str = "counts",
        rectifier: Any = "ap",
        selector: Any = "qr",
        recovery: Any = "l2",
        representation: str = "auto",
        anchors: Any = None,
        min_anchor_documents: float = 0,
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
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> AnchorWords:
        """Find topics in counts X (documents × words); `feature_names` are the words of its columns."""
        counts = self._check_documents(X, reset=True)
        self._set_vocabulary(feature_names)
        if self.weighting == "counts":
            self._statistics = CooccurrenceAccumulator(counts.shape[1]).update(counts)
            return self._fit(self._statistics.finish())
        self._statistics = None
        return self._fit(cooccurrence(counts, weighting=self.weighting, representation="implicit"))

    def fit_cooccurrence(self, C: Any, *, feature_names: Sequence[str] | None = None) -> AnchorWords:
        """Find topics in a co-occurrence: a matrix (words × words), a Cooccurrence or an accumulator."""
        C = as_cooccurrence(C)
        self._statistics = None
        self.n_features_in_ = C.shape[0]
        self._set_vocabulary(feature_names)
        return self._fit(C)

    @available_if(_adds_up)
    def partial_fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> AnchorWords:
        """Add the documents of X to those seen so far and find the topics of all of them.

        The topics are found anew each time; to add many pieces and fit once, use CooccurrenceAccumulator.
        """
        first = not hasattr(self, "components_")
        counts = self._check_documents(X, reset=first)
        if first:
            self._set_vocabulary(feature_names)
            self._statistics = CooccurrenceAccumulator(counts.shape[1])
        return self._fit(self._kept_statistics().update(counts).finish())

    @available_if(_adds_up)
    def forget(self, X: Any) -> AnchorWords:
        """Take the documents of X out again, as if they had never been seen, and find the topics of the rest."""
        counts = self._check_documents(X, reset=False)
        return self._fit(self._kept_statistics().remove(counts).finish())

    def _fit(self, C: Cooccurrence) -> AnchorWords:
        n_topics = self._check_n_topics()
        steps = self._steps()
        seconds: dict[str, float] = {}
        used = np.flatnonzero(C.row_sums() > 0)  # words that never share a document with another are given back below
        if n_topics > len(used):
            raise CooccurrenceError(
                f"n_topics={n_topics} is more than the {len(used)} words that occur together with others. "
                "Ask for fewer topics, or keep more words"
            )
        self._check_memory(steps["rectifier"], len(used))
        candidates, given = self._anchor_words(C, used, n_topics)

        with _clock(seconds, "cooccurrence"):
            C = represent(C if len(used) == C.shape[0] else C.restrict(used), self.representation)
        with _clock(seconds, "rectification"):
            rectified = steps["rectifier"](C, n_topics) if steps["rectifier"] is not None else None
            C_rect = C if rectified is None else rectified.C
        with _clock(seconds, "anchors"):
            anchors: Anchors = steps["selector"](C_rect, n_topics, candidates=candidates, given=given)
        with _clock(seconds, "recovery"):
            topics = steps["recovery"](C_rect, anchors)
            A = anchor_correlation(C_rect, anchors, topics.B)

        rows = anchors.merged_rows(C_rect)
        self.components_ = self._give_back(topics.B.T, used)
        self.anchor_cooccurrence_ = self._give_back(rows / rows.sum(axis=1, keepdims=True), used)
        self.topic_correlation_ = A
        self.topic_prevalence_ = topics.prevalence
        self.n_topics_ = n_topics
        self.anchor_groups_ = [used[group] for group in anchors.groups]
        self.anchors_ = used[anchors.words]
        self.diagnostics_ = {
            "documents": _describe_documents(C),
            "words": {"used": len(used), "without_pairs": self.n_features_in_ - len(used)},
            "representation": type(C).__name__.lower(),
            "rectification": None if rectified is None else _describe(rectified),
            "anchors": {"rank": anchors.rank, **_describe(anchors)},
            "recovery": _describe(topics),
            "correlation": {"sum": float(A.sum()), "least_eigenvalue": float(np.linalg.eigvalsh(A)[0])},
            "seconds": seconds,
        }
        self._warn()
        return self

    def _give_back(self, rows: Any, used: Any) -> Any:
        """Rows over the used words (k, n_used) → rows over all words, zero elsewhere."""
        full = np.zeros((rows.shape[0], self.n_features_in_))
        full[:, used] = rows
        return full

    def _anchor_words(self, C: Cooccurrence, used: Any, n_topics: int) -> tuple[WordIds, list[WordIds]]:
        """Candidates and the user's groups, both as positions among the used words."""
        position = np.full(C.shape[0], -1)
        position[used] = np.arange(len(used))
        names = None if self.vocabulary_ is None else {str(word): i for i, word in enumerate(self.vocabulary_)}
        groups = [] if self.anchors is None else resolve_groups(self.anchors, C.shape[0], names)
        if len(groups) > n_topics:
            raise ParameterError(f"anchors are given for {len(groups)} topics, and n_topics={n_topics}")
        for word in np.concatenate(groups) if groups else []:
            if position[word] < 0:
                name = word if self.vocabulary_ is None else repr(self.vocabulary_[word])
                raise ParameterError(f"anchor {name} never occurs together with another word; choose another")
        frequent = used[self._is_frequent(C)[used]]
        return position[frequent], [position[group] for group in groups]

    def _is_frequent(self, C: Cooccurrence) -> Any:
        least = self.min_anchor_documents
        if not isinstance(least, int | float | np.integer | np.floating) or isinstance(least, bool) or least < 0:
            raise ParameterError(f"min_anchor_documents={least!r} must be a number of documents or a share of them")
        if least == 0:
            return np.ones(C.shape[0], dtype=bool)
        if C.documents is None:
            raise ParameterError(
                "min_anchor_documents needs to know which documents words are in, and this co-occurrence does not; "
                "fit documents or an accumulator, or leave it at 0"
            )
        if isinstance(least, float | np.floating):
            if least > 1:
                raise ParameterError(
                    f"min_anchor_documents={least} is a share above 1; give an int for a number of documents"
                )
            least = least * C.documents.n_used
        return C.documents.frequency >= least

    def _check_n_topics(self) -> int:
        if not isinstance(self.n_topics, int | np.integer) or isinstance(self.n_topics, bool) or self.n_topics < 1:
            raise ParameterError(f"n_topics={self.n_topics!r} must be an integer of at least 1")
        return int(self.n_topics)

    def _check_memory(self, rectifier: Any, n_words: int) -> None:
        needed = 8 * n_words**2
        if (
            not getattr(rectifier, "needs_full_matrix", False)
            or self.representation == "dense"
            or needed <= FULL_MATRIX_LIMIT
        ):
            return
        raise CooccurrenceError(
            f"{type(rectifier).__name__} works on the full {n_words} × {n_words} matrix, "
            f"{needed / 2**30:.1f} GiB. "
            "Keep fewer words, use rectifier='dc' or None, or insist with representation='dense'"
        )

    def _steps(self) -> dict[str, Any]:
        if self.weighting not in WEIGHTINGS:
            raise ParameterError(f"weighting={self.weighting!r} is unknown; choose one of {', '.join(WEIGHTINGS)}")
        families: dict[str, dict[str, Any]] = {"rectifier": RECTIFIERS, "selector": SELECTORS, "recovery": RECOVERIES}
        return {name: self._step(name, family) for name, family in families.items()}

    def _step(self, name: str, family: dict[str, Any]) -> Any:
        step = getattr(self, name)
        if step is None and name == "rectifier":
            return None
        if isinstance(step, str) and step in family:
            seeded = "random_state" in family[step].__dataclass_fields__ and self.random_state is not None
            if not seeded:
                return family[step]()
            return family[step](random_state=int(check_random_state(self.random_state).randint(2**31 - 1)))
        if callable(step) and not isinstance(step, type):
            return step
        raise ParameterError(f"{name}={step!r} is unknown; choose one of {', '.join(family)}, or give a step object")

    def _kept_statistics(self) -> CooccurrenceAccumulator:
        statistics = getattr(self, "_statistics", None)
        if statistics is None:
            raise CorpusError(
                "this model keeps no statistics of documents (it was loaded, or fitted from a matrix); fit again"
            )
        return statistics


@contextmanager
def _clock(seconds: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - start, 4)


def _describe(step: Any) -> dict[str, Any]:
    return {"n_iter": step.n_iter, "converged": step.converged, "history": step.history}


def _describe_documents(C: Cooccurrence) -> dict[str, int] | None:
    if C.documents is None:
        return None
    return {"used": C.documents.n_used, "left_out": C.documents.n_left_out}
