"""What a user does with the topics of a fitted model: name, merge, drop, split, find. `operations.py` does it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from cotopics.corpus.preparation import saved_preparation
from cotopics.errors import ParameterError, warn_caller
from cotopics.hierarchy import Tree, topic_tree
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.models import operations
from cotopics.models.fit import Fit, Start
from cotopics.models.split import split
from cotopics.names import suggest_names, topic_names
from cotopics.records import Array, topics_of_words
from cotopics.word_matching import word_ids

Topic = int | str  # its number, or its name


class TopicWork:
    """Methods that name, change and look up topics. What changes a model makes a new one; the old one stays as it was.

    A topic is given by its number or by its name.
    """

    fit_: Any
    vocabulary_: Any
    provenance_: Any
    components_: Any
    topic_prevalence_: Any
    n_features_in_: int
    _fitted: Fit
    _statistics: Any

    # --- names -------------------------------------------------------------------------------------------------------

    @property
    def topic_names_(self) -> list[str]:
        """One name for each topic: the one given, or its leading words, such as "orbit, space, solar"."""
        return topic_names(self)

    def rename(self, names: Mapping[Topic, str | None] | Sequence[str]) -> Self:
        """A model with these names: {3: "courts"}, or one name for each topic; None takes a given name away.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.rename({1: "weather"}).topic_names_
        ['cat, dog', 'weather']
        """
        check_is_fitted(self, "components_")
        if not isinstance(names, Mapping):
            if isinstance(names, str) or len(names) != self.fit_.n_topics:
                raise ParameterError(f"names={names!r:.80} must be a dict, or one name for each topic")
            return self._edited_to(operations.rename(self.fit_, dict(enumerate(names))))
        return self._edited_to(operations.rename(self.fit_, {self._topic(k): name for k, name in names.items()}))

    def suggest_names(self, X: Any, texts: Iterable[str]) -> list[str]:
        """Names made of words and of phrases of the texts, for `rename`; see `cotopics.names.suggest_names`."""
        check_is_fitted(self, "components_")
        return suggest_names(self, self._counts(X), texts)

    # --- new models --------------------------------------------------------------------------------------------------

    def merge(self, groups: Iterable[Iterable[Topic]]) -> Self:
        """A model in which the topics of each group are one, in the place of the first: merge([[1, 4], [7, 9]]).

        Its words are the mixture of theirs, weighted by prevalence, and its share of every document is the sum of
        theirs, exactly. Later topics move up to fill the gaps.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.merge([[0, 1]]).components_.round(2).tolist()
        [[0.33, 0.33, 0.17, 0.17]]
        """
        check_is_fitted(self, "components_")
        return self._edited_to(operations.merge(self.fit_, self._groups(groups)))

    def drop(self, topics: Topic | Iterable[Topic]) -> Self:
        """A model without these topics. Documents are inferred anew: the others share out what the topics held.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.drop(0).top_words(2)
        [['sun', 'sky']]
        """
        check_is_fitted(self, "components_")
        one = isinstance(topics, int | str | np.integer) or not isinstance(topics, Iterable)
        chosen = [self._topic(topic) for topic in ([topics] if one else topics)]  # type: ignore[union-attr]
        return self._edited_to(operations.drop(self.fit_, chosen), keeps_statistics=False)

    def split(self, topic: Topic, into: int = 2, *, X: Any) -> Self:
        """A model in which one topic is several, found in the share of the documents X that is the topic's.

        The first of them has its number, the others come last. Merged again, they are the topic that was split.

        >>> from cotopics import TopicModel, datasets
        >>> X, B, W = datasets.make_corpus(200, 60, 3, length=50, anchors_per_topic=2, random_state=0)
        >>> TopicModel(2).fit(X).split(0, into=2, X=X).n_topics_
        3
        """
        check_is_fitted(self, "components_")
        fit = split(self.fit_, self._topic(topic), into, self._counts(X), self._shares_by, self._find_topics)
        return self._edited_to(fit, keeps_statistics=False)

    def reduce(self, n_topics: int) -> Self:
        """A model of n_topics: those that come together first in `hierarchy()` are merged.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.reduce(1).n_topics_
        1
        """
        return self.merge(self.hierarchy().cut(n_topics))

    def hierarchy(self) -> Tree:
        """Which topics come together at which level, by their words and their correlations.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.hierarchy().cut(2)
        [[0], [1]]
        """
        check_is_fitted(self, "components_")
        fit = self.fit_
        return topic_tree(fit.components, fit.prevalence, fit.correlation, self.topic_names_)

    def refit(self, X: Any, *, without: Iterable[str | int] = (), **parameters: Any) -> Self:
        """A new fit of the counts X, with the numbers and names of this one: topics are matched by their words.

        without: words that are left out, besides those left out before; texts are not read again. parameters: of the
        estimator, such as anchors or n_topics, where they are to change. Merged topics are merged again; what was
        dropped or split is not repeated.

        >>> from cotopics import TopicModel
        >>> X = [[3, 2, 0, 0, 1], [2, 4, 0, 0, 1], [0, 0, 5, 2, 1], [0, 0, 2, 2, 1], [1, 1, 1, 1, 1]]
        >>> model = TopicModel(2).fit(X, feature_names=["cat", "dog", "star", "moon", "say"])
        >>> model.refit(X, without=["say"]).find_topics("say")
        Traceback (most recent call last):
        ...
        cotopics.errors.ParameterError: ...
        """
        check_is_fitted(self, "components_")
        left_out = sorted({*self._left_out(), *(self._word(word) for word in without)})
        counts = self._counts(X).copy()
        counts.data[np.isin(counts.indices, left_out)] = 0
        counts.eliminate_zeros()
        model: Any = clone(self).set_params(**parameters)
        model.fit(counts, feature_names=self.vocabulary_)
        if hasattr(self, "feature_names_in_"):
            model.feature_names_in_ = self.feature_names_in_.copy()
        if self.provenance_ is not None:
            model.provenance_ = self.provenance_
        fit = operations.follow(self.fit_, model.fit_)
        model._fitted = operations.noted(fit, {"without": left_out}) if left_out else fit
        return model

    # --- finding -----------------------------------------------------------------------------------------------------

    def word_topics(self, word: str | int) -> list[tuple[int, float]]:
        """(topic, p(topic | word)) of the topics that have the word, the largest first; shares sum to one.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.word_topics("sun")
        [(1, 1.0)]
        """
        check_is_fitted(self, "components_")
        share = topics_of_words(self.components_[:, [self._word(word)]].T, self.topic_prevalence_)[0]
        return [(int(k), float(share[k])) for k in np.argsort(-share, kind="stable") if share[k] > 0]

    def find_topics(self, words: str | Iterable[str], n: int = 5) -> list[tuple[int, float]]:
        """(topic, score) of the n topics that words, or a text, speak for most: the mean of p(topic | word).

        Words that the model does not know are named in a warning.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.find_topics("cat sun", n=1)
        [(0, 0.5)]
        """
        check_is_fitted(self, "components_")
        if n < 1:
            raise ParameterError(f"n={n} must be at least 1")
        ids, unknown = self._known_words(words)
        if not ids:
            raise ParameterError(f"the model knows none of the words {', '.join(map(repr, unknown))}")
        if unknown:
            warn_caller(f"the model does not know the words {', '.join(map(repr, unknown))}")
        score = topics_of_words(self.components_[:, ids].T, self.topic_prevalence_).mean(axis=0)
        return [(int(k), float(score[k])) for k in np.argsort(-score, kind="stable")[:n] if score[k] > 0]

    def documents_of(self, X: Any, topic: Topic, n: int = 5) -> list[tuple[int, float]]:
        """(row, share) of the n documents of X (documents × words) that show a topic best, the largest share first.

        >>> from cotopics import AnchorWords
        >>> words = ["cat", "dog", "sun", "sky"]
        >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12, feature_names=words)
        >>> model.documents_of([[1, 0, 0, 0], [0, 0, 2, 1]], topic=1, n=1)
        [(1, 1.0)]
        """
        check_is_fitted(self, "components_")
        if n < 1:
            raise ParameterError(f"n={n} must be at least 1")
        k, counts = self._topic(topic), self._counts(X)
        rows = np.flatnonzero(row_sums(counts[:, self.components_.sum(axis=0) > 0]) > 0)
        if not len(rows):
            return []
        share = self._shares_by(self.fit_, counts[rows])[:, k]
        return [(int(rows[i]), float(share[i])) for i in np.argsort(-share, kind="stable")[:n]]

    # --- what these share --------------------------------------------------------------------------------------------

    def _edited_to(self, fit: Fit, *, keeps_statistics: bool = True) -> Self:
        """A model like this one with another fit."""
        model = copy.copy(self)
        model._fitted = fit
        if not keeps_statistics:
            model._statistics = None
            model.__dict__.pop("_edited", None)
        return model

    def _topic(self, topic: Any) -> int:
        """The number of a topic that is given by its number or its name."""
        if not isinstance(topic, str):
            return operations.check_topic(topic, self.fit_.n_topics)
        found = [k for k, name in enumerate(self.topic_names_) if name == topic]
        if len(found) != 1:
            raise ParameterError(f"{len(found) or 'no'} topics have the name {topic!r}; see topic_names_")
        return found[0]

    def _groups(self, groups: Any) -> Any:
        """Groups in which names of topics are numbers; what is no group is left to `operations`."""
        if isinstance(groups, str) or not isinstance(groups, Iterable):
            return groups
        listed = [[*group] if isinstance(group, Iterable) and not isinstance(group, str) else group for group in groups]
        return [[self._topic(k) for k in group] if isinstance(group, list) else group for group in listed]

    def _word(self, word: Any) -> int:
        """The id of a word that is given by itself or by its id."""
        if isinstance(word, int | np.integer) and not isinstance(word, bool) and 0 <= word < self.n_features_in_:
            return int(word)
        ids = {} if self.vocabulary_ is None else word_ids(self.vocabulary_)
        if not isinstance(word, str) or ids.get(word, -1) < 0:
            raise ParameterError(f"the model does not know the word {word!r}")
        return ids[word]

    def _known_words(self, words: str | Iterable[str]) -> tuple[list[int], list[str]]:
        """Ids of words, or of the words of a text, that some topic has; and those that the model does not know."""
        if self.vocabulary_ is None:
            raise ParameterError("the model does not know its words; fit with feature_names to find topics by words")
        ids = word_ids(self.vocabulary_)
        given = words.split() if isinstance(words, str) else [str(word) for word in words]
        if isinstance(words, str):  # of a text: what is no word of the model as it stands is prepared as its texts were
            prepare = saved_preparation(self.provenance_)
            prepared = [[word] if ids.get(word, -1) >= 0 else list(prepare(word)) for word in given]
            given = [word for part in prepared for word in part] or given
        has_topic = self.components_.any(axis=0)
        known = [ids[word] for word in given if ids.get(word, -1) >= 0 and has_topic[ids[word]]]
        return known, [word for word in given if ids.get(word, -1) < 0 or not has_topic[ids[word]]]

    def _left_out(self) -> list[int]:
        """Words that were left out of this fit when it was made again."""
        edits = self.fit_.diagnostics.get("edits", [])
        return [int(word) for edit in edits for word in edit.get("without", [])]

    def _counts(self, X: Any) -> sp.csr_array:
        """X as counts over the model's words."""
        return self._over_own_words(X)  # type: ignore[attr-defined]

    def _shares_by(self, fit: Fit, counts: sp.csr_array) -> Array:
        """Documents' shares (n_documents, n_topics) by a fit of this model's words."""
        from cotopics.metrics.inputs import proportions

        return proportions(self._edited_to(fit), counts)

    def _find_topics(self, counts: sp.csr_array, n_topics: int, has_one: bool) -> Start:
        """Topics of counts by the recommended model, which every estimator splits its topics with."""
        from cotopics.models.topic_model import TopicModel  # above this file

        kind = "one" if has_one else "many"
        documents = counts[row_sums(counts) > 0]
        return TopicModel(n_topics, topics_per_document=kind).fit(documents).fit_
