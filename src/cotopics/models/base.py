"""How documents and co-occurrences come into every estimator, and what their fits share."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from cotopics.cooccur import (
    Cooccurrence,
    CooccurrenceAccumulator,
    DocumentSums,
    Implicit,
    as_cooccurrence,
    check_counts,
    check_weighting,
)
from cotopics.cooccur.counts import known_names, names_of
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.models.documents import InMemory, is_on_dask
from cotopics.models.fitted import FittedTopics
from cotopics.models.on_dask import fit_partitions
from cotopics.records import WordIds
from cotopics.refine import ExpectationMaximisation, Refined
from cotopics.word_matching import align

_one_fit_at_a_time = RLock()  # for estimators that wait, and several threads that ask

FITTED = (  # what a fit finds in a co-occurrence
    "components_",
    "topic_correlation_",
    "topic_prevalence_",
    "n_topics_",
    "anchors_",
    "anchor_groups_",
    "anchor_cooccurrence_",
    "diagnostics_",
)


def _adds_up(model: TopicEstimator) -> bool:
    """Whether documents can be added and taken out one by one; where not, the methods for that do not exist."""
    if model.weighting != "counts":
        raise ParameterError(f"it needs weighting='counts': the idf of {model.weighting!r} changes with every document")
    return True


class TopicEstimator(FittedTopics):
    """Base of the estimators. A subclass sets its parameters, and fits a co-occurrence in `_fit`."""

    n_topics: int
    weighting: Any
    refine: Any
    random_state: Any
    _gathers_documents = False  # whether a fit needs all documents in one place
    _weight_type: Any = np.float64  # precision of documents weighed by tf-idf
    _statistics: DocumentSums | None

    @abstractmethod
    def _fit(self, C: Cooccurrence) -> Self:
        """Find the topics of a co-occurrence and set every fitted attribute."""

    def fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> Self:
        """Find topics in counts X (documents × words); `feature_names` are the words of its columns.

        X may be on Dask: an array or a dataframe of counts, or a bag or a dataframe of texts, whose words are found on
        the way (docs/scaling.md)."""
        if is_on_dask(X):
            with self._whole_or_not_at_all():
                return fit_partitions(self, X, feature_names)
        with self._whole_or_not_at_all():
            self.__dict__.pop("provenance_", None)  # of documents fitted before
            counts = self._check_documents(X, reset=True)
            self._set_vocabulary(feature_names)
            check_weighting(self.weighting)
            self._refining(True)
            self._prepare(counts)
            if self.weighting != "counts":
                self._statistics = None
                documents = InMemory(counts)
                self._fit(documents.cooccurrence(self.weighting, self._weight_type))  # C is not kept for longer
                return self._refine(documents)
            self._statistics = self._new_statistics().update(counts)
            C = self._statistics.finish()
            return self._fit(C)._refine(_documents_of(C, counts) if self._looks_at_documents() else None)

    def fit_cooccurrence(self, C: Any, *, feature_names: Sequence[str] | None = None) -> Self:
        """Find topics in a co-occurrence: a matrix (words × words), a Cooccurrence, an accumulator or a sketch."""
        C = as_cooccurrence(C)
        with self._whole_or_not_at_all():
            for name in ("feature_names_in_", "provenance_"):  # of documents fitted before
                self.__dict__.pop(name, None)
            self._statistics = None
            self.n_features_in_ = C.shape[0]
            self._set_vocabulary(feature_names)
            documents = _documents_of(C)
            self._refining(documents is not None)
            self._prepare(None)
            return self._fit(C)._refine(documents)

    @available_if(_adds_up)
    def partial_fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> Self:
        """Add the documents of X to those seen so far.

        Only their statistics are taken in. The topics of all documents are found when they are first asked for, so that
        many pieces cost one fit. Words are matched by name where names are known (`feature_names`, or a data frame),
        and new ones may come with any piece; without names, new words are new columns at the end.
        """
        with self._whole_or_not_at_all():
            self._check_parameters()
            _refuse_dask(X)
            if not self._has_seen_documents():
                counts = self._check_documents(X, reset=True, least_documents=1)
                self._set_vocabulary(feature_names)
                self._statistics = self._new_statistics().update(counts)
            else:
                counts = self._check_more_documents(X, feature_names, may_grow=True)
                self._statistics = self._copied_statistics().update(counts)
            return self._wait()

    @available_if(_adds_up)
    def forget(self, X: Any, *, feature_names: Sequence[str] | None = None) -> Self:
        """Take the documents of X out again, as if they had never been seen."""
        with self._whole_or_not_at_all():
            statistics = self._copied_statistics()
            _refuse_dask(X)
            self._statistics = statistics.remove(self._check_more_documents(X, feature_names, may_grow=False))
            C = self._statistics.finish()  # nothing left is an error now, not later
            if self._looks_at_documents() and isinstance(C, Implicit) and C.signs is not None:
                raise CorpusError("some of these documents are not among those added, so they cannot be taken out")
            return self._wait()

    def __getattr__(self, name: str) -> Any:
        """After `partial_fit` and `forget`, whoever asks first for what a fit finds sets it going."""
        if name not in FITTED or not self.__dict__.get("_waiting", False):
            return object.__getattribute__(self, name)  # the error as it was
        with _one_fit_at_a_time:
            if self.__dict__.get("_waiting", False):  # nobody else has done it meanwhile
                _adds_up(self)
                try:
                    with self._whole_or_not_at_all():
                        C = self._statistics.finish()  # type: ignore[union-attr]
                        self._fit(C)._refine(_documents_of(C))
                        self._waiting = False
                except AttributeError as error:  # or Python would take it for the attribute not being there
                    raise RuntimeError(f"the fit failed: {error}") from error
        return self.__dict__[name]

    def _prepare(self, counts: Any) -> None:
        """What a model wants to know of the documents before it is fitted; None where there are none."""

    def _refinement(self, steps: int) -> Any:
        """What so many steps of refinement are."""
        return ExpectationMaximisation(steps)

    def _looks_at_documents(self) -> bool:
        """Whether a fit needs the documents themselves, not just their sums."""
        return bool(self.refine)

    def _refining(self, has_documents: bool) -> Any:
        """The step that parameter `refine` asks for: so many of EM, or an object; None for none. Checked, not done."""
        refine = self.refine
        if isinstance(refine, int | np.integer) and not isinstance(refine, bool) and refine >= 0:
            if refine == 0:
                return None
            refine = self._refinement(int(refine))
        if not callable(refine) or isinstance(refine, type):
            raise ParameterError(f"refine={self.refine!r} must be a number of steps, 0 for none, or a step object")
        if not has_documents:
            raise ParameterError("refine looks at every document, and here are none: fit(X), or set refine=0")
        return refine

    def _refine(self, documents: Any) -> Self:
        """The likelihood finish that parameter `refine` asks for, on documents in memory or on a cluster."""
        refine = self._refining(documents is not None)
        self.__dict__.pop("background_", None)  # of a fit before
        if refine is None:
            return self
        with clock(self.diagnostics_["seconds"], "refinement"):
            known, some = documents.used
            refined: Refined = some.refine(refine, self.components_[:, known].T, self.topic_prevalence_)
        if not isinstance(refined, Refined):
            raise ParameterError(f"refine returned {type(refined).__name__}, not a cotopics.refine.Refined")
        self.components_ = self._give_back(refined.B.T, known)
        self.topic_prevalence_, self.topic_correlation_ = refined.prevalence, refined.A
        self.background_ = documents.shares()
        self.diagnostics_ = {**self.diagnostics_, "refinement": describe_step(refined)}
        self.diagnostics_["correlation"] = describe_correlation(refined.A)
        return self

    def _wait(self) -> Self:
        """Drop what an earlier fit found; `__getattr__` finds it anew."""
        for name in FITTED:
            self.__dict__.pop(name, None)
        self._waiting = True
        return self

    def _has_seen_documents(self) -> bool:
        return "_statistics" in self.__dict__

    def _new_statistics(self) -> DocumentSums:
        return CooccurrenceAccumulator(keep_documents=self._looks_at_documents())

    def _check_more_documents(self, X: Any, feature_names: Sequence[str] | None, *, may_grow: bool) -> Any:
        """Later documents as counts over the words known so far, which grow by those that are new."""
        if feature_names is not None and self.vocabulary_ is None:
            raise ParameterError("the documents before came without feature_names: these cannot be matched with them")
        own_names = getattr(self, "feature_names_in_", None)  # a data frame's names count where they are the words
        if feature_names is not None or (own_names is not None and list(own_names) == list(self.vocabulary_)):
            names = names_of(X, feature_names)
        else:
            names = known_names(X, self.vocabulary_) if own_names is None else None
        if names is not None:
            counts, words = align(check_counts(X), names, self.vocabulary_, may_grow=may_grow)
            self.n_features_in_ = len(words)
            self._set_vocabulary(words)
            if "feature_names_in_" in self.__dict__:
                self.feature_names_in_ = self.vocabulary_.copy()
            return counts
        width = np.shape(X)[1] if len(np.shape(X)) == 2 else self.n_features_in_
        if width > self.n_features_in_ and self.vocabulary_ is None and may_grow:
            self.n_features_in_ = width
            return check_counts(X)
        if width < self.n_features_in_ and self.vocabulary_ is None and not may_grow:
            return check_counts(X)  # documents from before the words grew
        return self._check_documents(X, reset=False)

    @contextmanager
    def _whole_or_not_at_all(self) -> Iterator[None]:
        """A fit that fails, or is interrupted, leaves the model as it was."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _copied_statistics(self) -> DocumentSums:
        """The statistics of the documents so far, to be changed: what fails on the way leaves the old ones whole."""
        statistics = getattr(self, "_statistics", None)
        if statistics is None:
            raise CorpusError(
                "this model keeps no statistics of documents (it was loaded, or fitted from a matrix); fit it again"
            )
        return statistics.copy()

    def _check_parameters(self) -> None:
        """An error now for parameters that a fit would refuse later."""
        self._check_n_topics()

    def _check_n_topics(self) -> int:
        if not isinstance(self.n_topics, int | np.integer) or isinstance(self.n_topics, bool) or self.n_topics < 1:
            raise ParameterError(f"n_topics={self.n_topics!r} must be an integer of at least 1")
        return int(self.n_topics)

    def _used_words(self, C: Cooccurrence, n_topics: int) -> WordIds:
        """Words that share a document with another. The rest are dropped inside and given back by `_give_back`."""
        used = np.flatnonzero(C.row_sums() > 0)
        if n_topics > len(used):
            raise CooccurrenceError(
                f"n_topics={n_topics} is more than the {len(used)} words that occur together with others. "
                "Ask for fewer topics, or keep more words"
            )
        return used

    def _give_back(self, rows: Any, used: WordIds) -> Any:
        """Rows over the used words (k, n_used) → rows over all words, zero elsewhere."""
        full = np.zeros((rows.shape[0], self.n_features_in_))
        full[:, used] = rows
        return full

    def _step(self, name: str, family: Mapping[str, Any]) -> Any:
        """The step that parameter `name` asks for: one of the family by name, seeded where it can be, or an object."""
        step = getattr(self, name)
        if isinstance(step, str) and step in family:
            seeded = "random_state" in family[step].__dataclass_fields__ and self.random_state is not None
            if not seeded:
                return family[step]()
            return family[step](random_state=int(check_random_state(self.random_state).randint(2**31 - 1)))
        if callable(step) and not isinstance(step, type):
            return step
        raise ParameterError(f"{name}={step!r} is unknown; choose one of {', '.join(family)}, or give a step object")

    def _in_enough_documents(self, C: Cooccurrence, name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Mask of the words in as many documents as parameter `name` says: a number (int) or a share (float)."""
        least = getattr(self, name)
        if not isinstance(least, int | float | np.integer | np.floating) or isinstance(least, bool) or not least >= 0:
            raise ParameterError(f"{name}={least!r} must be a number of documents or a share of them")
        if least == 0:
            return np.ones(C.shape[0], dtype=bool)
        if isinstance(least, float | np.floating) and least > 1:
            raise ParameterError(f"{name}={least} is a share above 1; give an int for a number of documents")
        if C.documents is None:
            raise ParameterError(
                f"{name} needs to know which documents words are in, and this co-occurrence does not; "
                "fit documents or an accumulator, or set it to 0"
            )
        if isinstance(least, float | np.floating):
            least = least * C.documents.n_used
        return np.asarray(C.documents.frequency >= least)


def _refuse_dask(X: Any) -> None:
    """Documents that come or go one by one do so in memory; an array on Dask would come here whole, unasked."""
    if is_on_dask(X):
        raise ParameterError("X is on Dask, which `fit` takes with all documents; give some of them, X.compute()")


def _documents_of(C: Cooccurrence, counts: Any = None) -> Any:
    """The documents behind a co-occurrence, or those of `counts` where it does not keep them; None for none."""
    counts = C.counts() if isinstance(C, Implicit) and C.tokens is not None and C.signs is None else counts
    return None if counts is None else InMemory(counts)


@contextmanager
def clock(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Note how long the block took."""
    start = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - start, 4)


def describe_step(step: Any) -> dict[str, Any]:
    """What a step's record says about how it went, in plain numbers that a file can hold."""
    history = {name: [float(value) for value in values] for name, values in step.history.items()}
    described = {"n_iter": int(step.n_iter), "converged": bool(step.converged), "history": history}
    return {**described, "reason": step.reason} if getattr(step, "reason", "") else described


def describe_correlation(A: Any, unmet: Sequence[int] = ()) -> dict[str, Any]:
    """What can be said of A; `unmet` are topics whose anchors say nothing of it, so that it is that of all words."""
    least = float(np.linalg.eigvalsh(A)[0])
    found = {"sum": float(A.sum()), "least_entry": float(A.min()), "least_eigenvalue": least}
    return {**found, "without_anchors": list(unmet)} if unmet else found


def describe_input(C: Cooccurrence, n_words: int, used: WordIds) -> dict[str, Any]:
    """Documents and words that a fit used and left out."""
    documents = C.documents
    return {
        "documents": None if documents is None else {"used": documents.n_used, "left_out": documents.n_left_out},
        "words": {"used": len(used), "without_pairs": n_words - len(used)},
        "representation": "implicit" if isinstance(C, Implicit) else type(C).__name__.lower(),
    }
