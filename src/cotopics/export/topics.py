"""A model's topics, words and correlations as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics.errors import ParameterError
from cotopics.export.tables import Table
from cotopics.metrics import association
from cotopics.words import rank_words, relevances, uses_of_words


def topics_table(model: Any, n: int = 10) -> Table:
    """One row per topic: topic, name, prevalence, anchor, n words in one cell, n characteristic_words in one cell.

    Anchor and characteristic words are None if the method has none. `topic_words_table` has a row for each word.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> table = topics_table(AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"]), n=2)
    >>> table.as_dict()["words"]
    ['cat dog', 'sun sky']
    """
    check_is_fitted(model, "components_")
    names, groups = vocabulary(model), model.anchor_groups_
    characteristic = None if model.anchor_cooccurrence_ is None else model.characteristic_words(n)
    anchors = None if groups is None else [[names[word] for word in group] for group in groups]
    nothing: list[str | None] = [None] * model.n_topics_
    return Table(
        ("topic", "name", "prevalence", "anchor", "words", "characteristic_words"),
        (
            np.arange(model.n_topics_),
            list(model.topic_names_),
            model.topic_prevalence_,
            nothing if anchors is None else listed(anchors),
            listed(model.top_words(n)),
            nothing if characteristic is None else listed(characteristic),
        ),
    )


def topic_words_table(model: Any, n: int | None = None, relevance: float | None = None) -> Table:
    """One row for each topic and word: topic, name, rank (from 1), word, probability, relevance.

    n: words of each topic, None for all; words of probability zero are left out. Ranks are those of `top_words(n,
    relevance)`, and the column relevance is `words.relevances`.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> topic_words_table(model, 1).as_dict()["word"]
    ['cat', 'sun']
    """
    check_is_fitted(model, "components_")
    if n is not None and n < 1:
        raise ParameterError(f"n={n} must be at least 1, or None for all words")
    weight = float(model.relevance if relevance is None else relevance)
    P, prevalence = model.components_, model.topic_prevalence_
    uses = uses_of_words(model)
    scores = relevances(P, prevalence, weight, uses)
    ranked = rank_words(P, prevalence, weight, P.shape[1] if n is None else n, uses)
    topic, place = np.nonzero(np.take_along_axis(P, ranked, axis=1) > 0)
    found, names, topics = ranked[topic, place], vocabulary(model), model.topic_names_
    return Table(
        ("topic", "name", "rank", "word", "probability", "relevance"),
        (
            topic,
            [topics[k] for k in topic],
            place + 1,
            [names[word] for word in found],
            P[topic, found],
            scores[topic, found],
        ),
    )


def correlation_table(model: Any) -> Table:
    """One row per pair of topics, each topic with itself too: topic, other (topic ≤ other), joint, lift, correlation,
    and the names of both.

    joint is p(z₁, z₂), lift is p(z₁, z₂) / (p(z₁) p(z₂)), and correlation is the coefficient of the topics' shares over
    documents, from −1 to 1; all three come from `topic_correlation_`. NaN if a topic has no share, or the same share
    everywhere. Shares sum to one, so most pairs correlate a little below zero.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> table = correlation_table(model).as_dict()
    >>> table["topic"].tolist(), table["other"].tolist(), table["lift"].round(2).tolist()
    ([0, 0, 1], [0, 1, 1], [1.5, 0.0, 3.0])
    """
    check_is_fitted(model, "components_")
    found = association(model)
    topic, other = np.triu_indices(len(found.joint))
    columns = (topic, other, *(of[topic, other] for of in (found.joint, found.lift, found.correlation)))
    all_names = model.topic_names_
    names = [[all_names[k] for k in ids] for ids in (topic, other)]
    return Table(("topic", "other", "joint", "lift", "correlation", "name", "other_name"), (*columns, *names))


def vocabulary(model: Any) -> list[str]:
    """The model's words, or the numbers of its columns if it does not know the words."""
    words = range(model.n_features_in_) if model.vocabulary_ is None else model.vocabulary_
    return [str(word) for word in words]


def listed(groups: Sequence[Sequence[Any]]) -> list[str | None]:
    """Each group of words in one text, separated by blanks; by semicolons in all groups if a word has a blank."""
    separator = "; " if any(" " in str(word) for words in groups for word in words) else " "
    return [separator.join(str(word) for word in words) for words in groups]
