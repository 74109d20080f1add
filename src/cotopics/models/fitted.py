"""What every model can do once it is fitted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from cotopics.cooccur import check_counts, check_structure
from cotopics.cooccur.counts import counts_over_words_of, known_names
from cotopics.corpus import tag_matrix
from cotopics.documents import is_on_dask
from cotopics.errors import CorpusError, ParameterError, warn_caller
from cotopics.infer import INFERENCES, Inference
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.metrics import held_out_likelihood
from cotopics.models.fit import Fit
from cotopics.models.notebook import ShowsTopics
from cotopics.models.operations import in_order
from cotopics.models.state import to_record
from cotopics.models.texts import counts_for, names_from
from cotopics.models.topic_work import TopicWork
from cotopics.persistence import MODEL, write_record
from cotopics.records import Array
from cotopics.words import largest, leading_words_of

SPARSE_BLOCK = 8192  # documents at a time where the output is sparse: their dense rows are all that is held


def _read_from_fit(name: str, meaning: str) -> Any:
    """A fitted attribute: this entry of the record `fit_`."""
    return property(lambda self: getattr(self.fit_, name), doc=meaning)


class FittedTopics(ShowsTopics, TopicWork, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Topics that show their words, infer documents and save themselves. `estimator.py` adds how they are fitted.

    provenance_ is yours to set: where the documents came from, as a dict of plain values, saved with the model; its
    entry "preparation" says how texts became words. It is None after a fit, and `partial_fit` leaves it as it is.
    """

    _may_stop_early: tuple[str, ...] = ()  # steps that need not converge
    _made_of_anchors = True  # whether anchors explain the topics, or are only where a fit began
    fit_: Any  # what the fit found, a record of all that follows
    components_ = _read_from_fit("components", "p(word | topic) (n_topics, n_words), rows sum to one.")
    topic_correlation_ = _read_from_fit("correlation", "Topics × topics, symmetric.")
    topic_prevalence_ = _read_from_fit("prevalence", "Share of each topic (n_topics,), sums to one.")
    background_ = _read_from_fit("background", "p(word) in the documents (n_words,); None where a fit read none.")
    anchor_cooccurrence_ = _read_from_fit("anchor_cooccurrence", "p(word | next to the anchors), or None.")
    anchors_ = _read_from_fit("anchors", "Word ids, one for each topic; None where a method has no anchors.")
    anchor_groups_ = _read_from_fit("anchor_groups", "Arrays of word ids, one for each topic, or None.")
    n_topics_ = _read_from_fit("n_topics", "The number of topics.")
    relevance = _read_from_fit("relevance", "What top_words ranks by unless it is told otherwise, see there.")
    diagnostics_ = _read_from_fit("diagnostics", "What each step of the fit reported.")
    vocabulary_: Any
    n_features_in_: int
    provenance_: dict[str, Any] | None = None
    _fitted: Fit
    _statistics: Any

    def transform(self, X: Any, method: Any = None, sparse_output: bool = False) -> Any:
        """Each document's topic proportions, (n_documents, n_topics), rows sum to one.

        A share is how much of the document's words, of those that belong to any topic, are of the topic: its mean given
        the document. If documents have one topic each (`TopicModel(topics_per_document="one")`), it is the probability
        that the topic is the one. Shares add up: their mean over the documents of the fit is `topic_prevalence_`.

        X as in `fit`: counts (documents × words), whatever the weighting of the fit; or texts or a `Corpus`, whose
        words become the model's as those of its own documents did. method:

        - "prior": the mean given the document, with the topics' correlations as the prior.
        - "em": maximum likelihood. Better the longer the document, and most proportions are zero.
        - "simplex": least squares on the simplex, exact.
        - "nnls": non-negative least squares, rows made to sum to one; that of the AnchorFree paper.
        - "project": p(topic | word) averaged over the words. One product, and drawn to the prevalence.
        - "one-topic": p(topic | document) if every document has one topic.
        - None: what the model recommends. For the papers' methods "prior", the least error where proportions were
          planted; for TopicModel "prior" or "one-topic", with a prior and a background estimated from the documents.

        or a step object of `cotopics.infer`. With `sparse_output`, a CSR array of what is not zero, which is worth its
        while for "em", "simplex" and "nnls".
        Of documents on Dask, counts or texts, it is a dask array, to be computed when it is asked for.
        A document without any word that the topics know gets the topics' prevalence, with a warning.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.transform([[1, 1, 0, 0], [2, 0, 1, 1]]).round(2).tolist()
        [[1.0, 0.0], [0.5, 0.5]]
        """
        check_is_fitted(self, "components_")
        infer = self.fit_.inference if method is None else _inference(method)
        if is_on_dask(X):
            from cotopics.distributed import transform

            if sparse_output:
                raise ParameterError("sparse_output is for documents in memory, and these are on Dask")
            return transform(self, X, method)
        counts, fit, infer = self._over_own_words(X), self.fit_, self._infers(infer)
        known = fit.components.sum(axis=0) > 0
        if not known.all():
            counts = counts[:, known]
        B = np.ascontiguousarray(fit.inferred.components[:, known].T)
        words = None if fit.background is None else fit.background[known]
        topics = (B, fit.inferred.prevalence, fit.inferred.correlation, words)
        n = counts.shape[0]
        has_words = row_sums(counts) > 0
        if not has_words.all():
            warn_caller(
                f"{np.count_nonzero(~has_words)} of {n} documents have no word that the topics know; "
                "they get the topics' prevalence"
            )
        if not sparse_output:
            return fit.add_up(_shares(infer, counts, has_words, topics))
        blocks = [slice(i, i + SPARSE_BLOCK) for i in range(0, n, SPARSE_BLOCK)]
        parts = [sp.csr_array(fit.add_up(_shares(infer, counts[block], has_words[block], topics))) for block in blocks]
        return sp.csr_array(sp.vstack(parts, format="csr"))

    def score(self, X: Any, y: Any = None) -> float:
        """How well the topics predict documents X: mean log p of a held-out word, in nats; higher is better.

        `metrics.held_out_likelihood` of counts or texts that the model has not seen, so that scikit-learn's searches
        and cross-validation work as they are. Weights that are not whole numbers are rounded up. y is not used.

        >>> from cotopics import TopicModel, datasets
        >>> X, B, W = datasets.make_corpus(200, 60, 3, length=50, anchors_per_topic=2, random_state=0)
        >>> TopicModel(3).fit(X[:150]).score(X[150:]) > TopicModel(1).fit(X[:150]).score(X[150:])
        True
        """
        check_is_fitted(self, "components_")
        return held_out_likelihood(self, self._over_own_words(X).ceil())

    def top_words(
        self, n: int = 10, relevance: float | None = None, feature_names: Sequence[str] | None = None
    ) -> list[list[Any]]:
        """The n leading words of each topic.

        Ranked by relevance · log p(word | topic) + (1 − relevance) · log(p(word | topic) / p(word)): 1 is by
        probability, less than 1 mixes in lift. None is what the model recommends, 1 here. Words come from
        `feature_names`, a list or a fitted vectorizer or Pipeline, or else from the fit; where neither is known they
        are word ids.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.top_words(1)
        [['cat'], ['sun']]
        """
        check_is_fitted(self, "components_")
        return self._named(leading_words_of(self, n, relevance), feature_names)

    def by_size(self) -> Self:
        """A copy of the model whose topics are numbered by their prevalence, the most prevalent is 0.

        This model stays as it is. Nothing is fitted again: `transform` of the copy gives the same shares, in its order.
        The copy keeps no statistics of documents, with which `partial_fit` would find topics in their old order.
        """
        check_is_fitted(self, "components_")
        model = copy(self)
        model._fitted = in_order(self.fit_, np.argsort(-self.topic_prevalence_, kind="stable").tolist())
        model._statistics = None
        return model

    def characteristic_words(self, n: int = 10, feature_names: Sequence[str] | None = None) -> list[list[Any]]:
        """The n words of each topic that co-occur most with its anchor; Lee et al. 2021, section 5.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.characteristic_words(2)
        [['cat', 'dog'], ['sun', 'sky']]
        """
        check_is_fitted(self, "components_")
        if self.anchor_cooccurrence_ is None:
            raise ParameterError(
                f"{type(self).__name__} found no anchors, so there are no characteristic words; use top_words"
            )
        return self._named(largest(self.anchor_cooccurrence_, n), feature_names)

    def top_tags(self, tags: Sequence[str | Sequence[str]], n: int = 3) -> list[list[tuple[str, float, float]]]:
        """The n tags of each topic that stand out, as (tag, share, lift); genres of movies, artists of songs.

        tags: one entry per word or item, in the order of X's columns; a list of strings, or one string that is split
        at `|` if any entry holds one, else at white space. share is the probability that an item drawn from the topic
        has the tag: an item counts for each of its tags in full. lift is share over the same in the whole corpus,
        topic_prevalence_ @ components_. Ranked by share · log(lift), so that neither a tag of everything (lift 1) nor
        one of a rare item (share 0) leads. Tags with a lift of 1 or less do not stand out and are left out.

        Two topics of two equally probable items each. In topic 0 everything is drama, as in 3/4 of the corpus: 1 ·
        log(4/3) = 0.29. Half of it is crime, which topic 1 lacks: 0.5 · log(2) = 0.35.

        >>> from cotopics import AnchorWords
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8)
        >>> for leading in model.top_tags(["drama crime", "drama", "comedy", "comedy drama"]):
        ...     print([(tag, round(share, 2), round(lift, 2)) for tag, share, lift in leading])
        [('crime', 0.5, 2.0), ('drama', 1.0, 1.33)]
        [('comedy', 1.0, 2.0)]
        """
        check_is_fitted(self, "components_")
        if n < 1:
            raise ParameterError(f"n={n} must be at least 1")
        has, names = tag_matrix(tags)
        if has.shape[0] != self.n_features_in_:
            raise ParameterError(
                f"tags has {has.shape[0]} entries and the model {self.n_features_in_} words; give one for each word, "
                "in the order of X's columns, and an empty one for a word without tags"
            )
        share = np.minimum(self.components_ @ has, 1)
        corpus = self.topic_prevalence_ @ share
        lift = np.divide(share, corpus, out=np.ones_like(share), where=(share > 0) & (corpus > 0))
        score = share * np.log(lift)
        leading = [[i for i in np.argsort(-topic, kind="stable")[:n] if topic[i] > 1e-12] for topic in score]
        return [[(names[i], float(share[k, i]), float(lift[k, i])) for i in found] for k, found in enumerate(leading)]

    def save(self, path: str | os.PathLike[str], *, statistics: bool = False) -> None:
        """Write the model to one file (suffix .cotopics by custom) that `cotopics.load` opens; no pickle.

        With `statistics`, the documents' statistics are in it too, and a loaded model goes on with `partial_fit` and
        `forget` as if it had never been away. The file may then be much larger, and hold the documents' counts: see
        `CooccurrenceAccumulator.save`. Without them a loaded model transforms, and fits anew.
        """
        check_is_fitted(self, "components_")
        write_record(path, to_record(self, statistics=statistics), MODEL)

    def report(
        self,
        path: str | os.PathLike[str],
        corpus: Any = None,
        texts: Any = None,
        *,
        choice: Any = None,
        compare: Any = None,
        stability: Any = None,
    ) -> None:
        """Write one HTML page that explains the model and opens from disk in any browser.

        corpus: documents to show and to measure the model on, a `Corpus` or counts (documents × words); texts: their
        texts; choice: what `choose_n_topics` found; compare: another fitted model, shown next to this one;
        stability: what `cotopics.stability.bootstrap` found. See `cotopics.report.write`.
        """
        from cotopics.report import write  # above models: asked for by name, and imported when it is

        write(self, path, corpus, texts, choice, compare, stability)

    def _infers(self, infer: Inference) -> Inference:
        """The same inference, where the model works on documents."""
        return infer

    def _named(self, ids: Any, feature_names: Sequence[str] | None) -> list[list[Any]]:
        words = self.vocabulary_ if feature_names is None else self._check_names(feature_names)
        return [[int(i) if words is None else str(words[i]) for i in topic] for topic in ids]

    def _check_documents(self, X: Any, *, reset: bool, least_documents: int = 2) -> sp.csr_array:
        """X as canonical CSR counts; sets or checks n_features_in_ and feature_names_in_ as scikit-learn does."""
        check_structure(X)  # before scikit-learn may change its format
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype="numeric" if sp.issparse(X) else np.float64,  # sparse counts may stay whole numbers
            ensure_all_finite=False,
            ensure_min_samples=0,
        )
        counts = check_counts(X, may_be_whole=True)
        if reset:
            check_size(counts.shape, least_documents)
        return counts

    def _counts_of(self, X: Any) -> Any:
        """Texts or a Corpus as counts over the model's words; anything else as it is."""
        counts = counts_for(self, X)
        return X if counts is None else counts

    def _over_own_words(self, X: Any) -> sp.csr_array:
        """X as counts over the words of the fit, which columns of a data frame are matched with by name.

        Of a model that was fitted on a data frame, scikit-learn's checks of names say what may come."""
        counts = counts_for(self, X)
        if counts is not None:
            return check_counts(counts)
        if hasattr(self, "feature_names_in_") or known_names(X, self.vocabulary_) is None:
            return self._check_documents(X, reset=False)
        return counts_over_words_of(self, X)

    def _set_vocabulary(self, feature_names: Sequence[str] | None) -> None:
        given = getattr(self, "feature_names_in_", None) if feature_names is None else feature_names
        names = None if given is None else self._check_names(given)
        self.vocabulary_ = None if names is None else np.array([str(name) for name in names], dtype=object)

    def _check_names(self, feature_names: Any) -> Any:
        feature_names = names_from(feature_names)
        if len(feature_names) != self.n_features_in_:
            raise ParameterError(f"feature_names has {len(feature_names)} words, X has {self.n_features_in_}")
        return feature_names

    @property
    def _n_features_out(self) -> int:
        return self.n_topics_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def check_size(shape: tuple[int, int], least_documents: int = 2) -> None:
    """A CorpusError where counts (documents × words) are too few for words to go together."""
    if shape[0] < least_documents:
        raise CorpusError("n_samples=1: one document does not show which words go together; give two or more")
    if shape[1] < 2:
        raise CorpusError("n_features=1: one word goes together with no other; give two or more")


def _shares(infer: Inference, X: sp.csr_array, has_words: Any, topics: tuple[Any, ...]) -> Array:
    """W (n_documents, n_topics); documents without words get the prevalence."""
    if has_words.all():
        return infer(X, *topics)
    W = np.tile(topics[1], (X.shape[0], 1))
    if has_words.any():
        W[has_words] = infer(X[has_words], *topics)
    return W


def _inference(method: Any) -> Inference:
    """The step that `method` asks for: one of INFERENCES by name, or an object."""
    if isinstance(method, str) and method in INFERENCES:
        return INFERENCES[method]()
    if callable(method) and not isinstance(method, type):
        return method
    raise ParameterError(f"method={method!r} is unknown; choose one of {', '.join(INFERENCES)}, or give a step object")
