"""How documents and co-occurrences come into every estimator, and where its fits are made."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from cotopics.documents import Documents, InMemory, is_on_dask
from cotopics.errors import CorpusError, ParameterError
from cotopics.infer import PriorAware
from cotopics.models.fit import Fit, Start, documents_of, finish, warn_of
from cotopics.models.fitted import FittedTopics, check_size
from cotopics.models.operations import follow
from cotopics.models.support import check_support
from cotopics.models.texts import counted, counts_for, more_counted, names_from_pipeline
from cotopics.on_disk import OnDisk, is_stream, pack
from cotopics.refine import ExpectationMaximisation
from cotopics.word_matching import align

_one_fit_at_a_time = RLock()  # where several threads ask for a fit that is still to be made


def _documents_add_up(model: TopicEstimator) -> bool:
    """Whether documents can be added and taken out one by one; where not, the methods for that do not exist."""
    weighting = getattr(model, "weighting", None)
    if weighting is None:
        raise ParameterError(f"{type(model).__name__} reads all documents at once: fit them together")
    if weighting != "counts":
        raise ParameterError(f"it needs weighting='counts': the idf of {weighting!r} changes with every document")
    return True


class TopicEstimator(FittedTopics):
    """Base of the estimators: a shell that checks what it is given, has a fit made, and keeps it.

    A subclass has its parameters, and finds topics in `_start`; one that needs more overrides `_fit_cooccurrence` and
    `_fit_documents`.

    >>> from cotopics import TopicModel
    >>> issubclass(TopicModel, TopicEstimator)
    True
    """

    n_topics: int
    weighting: Any
    refine: Any
    random_state: Any
    _gathers_documents = False  # whether a fit needs all documents in one place
    _statistics: DocumentSums | None
    _edited: Fit  # the last fit that a user had named or merged topics of, where documents came or went since

    @abstractmethod
    def _start(self, C: Cooccurrence) -> Start:
        """The topics of a co-occurrence."""

    # --- fitting -----------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> Self:
        """Find topics in documents X.

        X: counts (documents × words), whose words are `feature_names`, a fitted vectorizer, or the columns of a data
        frame; in a Pipeline they come from its vectorizer. Or texts: a list, or a column of pandas, polars or Arrow.
        They become words as `cotopics.corpus.Preparation` says, which the model remembers; words in fewer than 5
        documents are left out (of fewer than 250 documents, words in less than one of 50). Or a `Corpus`.
        X may be larger than memory (docs/streams.md): a stream (`cotopics.corpus.open_stream`), a `Path` or a list of
        them, or `cotopics.on_disk.OnDisk`. X may be on Dask: an array or a dataframe of counts, or a bag or a dataframe
        of texts, whose words are found on the way (docs/scaling.md).

        >>> from cotopics import TopicModel
        >>> texts = ["cats and dogs", "dogs, cats and a cow", "the sun in the sky", "sky without sun"] * 5
        >>> model = TopicModel(2).fit(texts)
        >>> sorted(sorted(words) for words in model.top_words(2))
        [['cats', 'dogs'], ['sky', 'sun']]
        """
        if is_stream(X) and not isinstance(X, OnDisk):
            self._check_parameters()
            with pack(X) as packed:
                return self.fit(packed, feature_names=feature_names)
        with self._unchanged_on_error():
            self._check_parameters()
            documents = self._read(X, feature_names)
            self.__dict__.pop("_edited", None)
            check_support(self, documents)
            self._keep(self._fit_documents(documents))
        return self

    def fit_cooccurrence(self, C: Any, *, feature_names: Sequence[str] | None = None) -> Self:
        """Find topics in a co-occurrence: a matrix (words × words), a Cooccurrence, an accumulator or a sketch.

        >>> from cotopics import AnchorWords
        >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
        >>> AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"]).top_words(2)
        [['cat', 'dog'], ['sun', 'sky']]
        """
        C = as_cooccurrence(C)
        with self._unchanged_on_error():
            self._check_parameters()
            for name in ("feature_names_in_", "provenance_", "_edited"):  # of documents fitted before
                self.__dict__.pop(name, None)
            self._statistics = None
            self.n_features_in_ = C.shape[0]
            self._set_vocabulary(feature_names)
            self._keep(self._fit_cooccurrence(C, documents_of(C)))
        return self

    def _fit_documents(self, documents: Documents) -> Fit:
        """The fit of documents, in memory or not. Their statistics are kept where they can be added up."""
        in_memory, reads_documents = isinstance(documents, InMemory), self._reads_documents()
        adds_up = self.weighting == "counts" and documents.can_add_up(getattr(self, "representation", "auto"))
        if reads_documents or not adds_up:
            documents = documents.keep()
        self._statistics = None
        if adds_up:
            sums = documents.add_up(self._new_statistics())
            if in_memory or not reads_documents:  # sums from a cluster are without the documents, which are needed
                self._statistics = sums
        C = sums.finish() if adds_up else documents.cooccurrence(self.weighting)
        if C.documents is not None:
            check_size((C.documents.n_used + C.documents.n_left_out, documents.n_words))
        if in_memory and adds_up and reads_documents:
            documents = documents_of(C) or documents  # as `partial_fit` has them
        return self._fit_cooccurrence(C, documents if reads_documents else None)

    def _fit_cooccurrence(self, C: Cooccurrence, documents: Documents | None) -> Fit:
        step = self._refine_step(documents is not None)
        return finish(self._start(C), step, documents)

    def _keep(self, fit: Fit) -> None:
        self._fitted = fit
        warn_of(fit, (*self._may_stop_early, "refinement"))  # a refinement that stops early is as good

    # --- documents that come and go ----------------------------------------------------------------------------------

    @available_if(_documents_add_up)
    def partial_fit(self, X: Any, y: Any = None, *, feature_names: Sequence[str] | None = None) -> Self:
        """Add the documents of X to those seen so far.

        Only their statistics are taken in. The topics of all documents are found when they are first asked for, so that
        many pieces cost one fit. Words are matched by name where names are known (`feature_names`, or a data frame),
        and new ones may come with any piece; without names, new words are new columns at the end.
        """
        with self._unchanged_on_error():
            self._check_parameters()
            self._check_grows()
            refuse_elsewhere(X)
            X, feature_names, provenance = counted(self, X, feature_names, every_word=True)
            if "_statistics" not in self.__dict__:
                counts = self._check_documents(X, reset=True, least_documents=1)
                self._set_vocabulary(feature_names)
                if provenance is not None:
                    self.provenance_ = provenance
                self._statistics = self._new_statistics().update(counts)
            else:
                counts = self._check_more_documents(X, feature_names, may_grow=True)
                self._statistics = self._copied_statistics().update(counts)
            self._outdate()
        return self

    @available_if(_documents_add_up)
    def forget(self, X: Any, *, feature_names: Sequence[str] | None = None) -> Self:
        """Take the documents of X out again, as if they had never been seen."""
        with self._unchanged_on_error():
            statistics = self._copied_statistics()
            refuse_elsewhere(X)
            known = counts_for(self, X)
            X = X if known is None else known
            self._statistics = statistics.remove(self._check_more_documents(X, feature_names, may_grow=False))
            C = self._statistics.finish()  # nothing left is an error now, not later
            if self._reads_documents() and isinstance(C, Implicit) and C.signs is not None:
                raise CorpusError("some of these documents are not among those added, so they cannot be taken out")
            self._outdate()
        return self

    @property
    def fit_(self) -> Fit:
        """What the fit found, as one record.

        After `partial_fit` and `forget`, whoever asks first for it, or for an attribute that is read from it, has it
        made: fifty pieces cost one fit, and a first piece too small for so many topics is not an error.
        """
        if "_fitted" in self.__dict__:
            return self._fitted
        if self.__dict__.get("_statistics") is None:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet; call fit first")
        with _one_fit_at_a_time:
            if "_fitted" not in self.__dict__:  # no other thread has made it meanwhile
                _documents_add_up(self)
                try:
                    C = self._statistics.finish()  # type: ignore[union-attr]
                    fit = self._fit_cooccurrence(C, documents_of(C))
                    self._keep(follow(self._edited, fit) if "_edited" in self.__dict__ else fit)
                except AttributeError as error:  # or Python would take it for the attribute not being there
                    raise RuntimeError(f"the fit failed: {error}") from error
        return self._fitted

    def _outdate(self) -> None:
        """The fit is to be made anew; names and merged topics of this one are found again in it, by their words."""
        fit = self.__dict__.pop("_fitted", None)
        if fit is not None and (fit.names is not None or fit.parts is not None):
            self._edited = fit

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted" in self.__dict__ or self.__dict__.get("_statistics") is not None

    # --- parameters --------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        """An error before any work for parameters that a fit would refuse later."""
        self._check_n_topics()
        check_weighting(self.weighting)
        self._refine_step(True)

    def _check_grows(self) -> None:
        """An error where documents cannot be added later, for other reasons than their weighting."""

    def _check_n_topics(self) -> int:
        return check_n_topics(self.n_topics)

    def _refine_step(self, has_documents: bool) -> Any:
        return refine_step(self.refine, ExpectationMaximisation, has_documents)

    def _reads_documents(self) -> bool:
        """Whether a fit needs the documents themselves, not just their sums."""
        return bool(self.refine)

    def _default_inference(self) -> Any:
        """How documents are inferred where a file does not say, as those of early versions."""
        return PriorAware()

    def _before_and_after(self, X: Any, *, most_full: int) -> Any:
        """The words of a fit of X, and their co-occurrence before and after rectification; None without one."""
        return None

    def _default_relevance(self) -> float:
        """What words are ranked by where a file does not say it, as those of early versions."""
        return 1.0

    def _start_weighting(self) -> Any:
        """How documents entered the co-occurrence that topics were found in."""
        return self.weighting

    def _new_statistics(self) -> DocumentSums:
        return CooccurrenceAccumulator(keep_documents=self._reads_documents())

    def _copied_statistics(self) -> DocumentSums:
        """The statistics of the documents so far, to be changed: an error on the way leaves the old ones whole."""
        statistics = getattr(self, "_statistics", None)
        if statistics is None:
            raise CorpusError(
                "this model keeps no statistics of documents (it was loaded, or fitted from a matrix, or topics were "
                "dropped or split); fit it again"
            )
        return statistics.copy()

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

    # --- input -------------------------------------------------------------------------------------------------------

    def _read(self, X: Any, feature_names: Sequence[str] | None) -> Documents:
        """X, checked, as documents in memory, on disk or on a cluster; sets what is known of the words."""
        self.__dict__.pop("provenance_", None)  # of documents fitted before
        documents: Any = X
        if is_on_dask(X):
            from cotopics.distributed import as_partitions

            documents = as_partitions(X, feature_names)
            self.provenance_ = documents.provenance()
            feature_names = documents.vocabulary
        elif isinstance(X, OnDisk):
            check_size((X.n_documents, X.n_words))
            feature_names = X.vocabulary if feature_names is None else feature_names
        else:
            X, feature_names, provenance = counted(self, X, feature_names)
            counts = self._check_documents(X, reset=True)
            self._set_vocabulary(names_from_pipeline(self, counts.shape[1]) if feature_names is None else feature_names)
            if provenance is not None:
                self.provenance_ = provenance
            return InMemory(counts)
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = documents.n_words
        self._set_vocabulary(feature_names)
        if self._gathers_documents:
            return InMemory(self._check_documents(documents.gather(), reset=True))
        return documents

    def _check_more_documents(self, X: Any, feature_names: Sequence[str] | None, *, may_grow: bool) -> Any:
        """Later documents as counts over the words known so far, which grow by those that are new."""
        X, feature_names = more_counted(self, X, feature_names) if may_grow else (self._counts_of(X), feature_names)
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
    def _unchanged_on_error(self) -> Iterator[None]:
        """A fit that fails, or is interrupted, leaves the model as it was."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise


def check_n_topics(n_topics: Any) -> int:
    if not isinstance(n_topics, int | np.integer) or isinstance(n_topics, bool) or n_topics < 1:
        raise ParameterError(f"n_topics={n_topics!r} must be an integer of at least 1")
    return int(n_topics)


def refine_step(refine: Any, steps: Callable[[int], Any], has_documents: bool) -> Any:
    """What parameter `refine` asks for: `steps` of a number, or an object; None for none."""
    step = refine
    if isinstance(refine, int | np.integer) and not isinstance(refine, bool) and refine >= 0:
        if refine == 0:
            return None
        step = steps(int(refine))
    if not callable(step) or isinstance(step, type):
        raise ParameterError(f"refine={refine!r} must be a number of steps, 0 for none, or a step object")
    if not has_documents:
        raise ParameterError("refine looks at every document, and there are none: use fit(X), or set refine=0")
    return step


def refuse_elsewhere(X: Any) -> None:
    """Documents that come or go one by one do so in memory; an array on Dask would come here whole, unasked."""
    if is_stream(X):
        raise ParameterError("X is a stream, which `fit` takes with all documents; give its chunks, one by one")
    if is_on_dask(X):
        raise ParameterError("X is on Dask, which `fit` takes with all documents; give some of them, X.compute()")
