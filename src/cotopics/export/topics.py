"""A model's topics, words and correlations as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics.errors import ParameterError
from cotopics.export.table import Table
from cotopics.metrics import association
from cotopics.models.fitted import EVIDENCE
from cotopics.records import Array, WordIds


def topics_table(model: Any, n: int = 10) -> Table:
    """One row a topic: topic, prevalence, anchor, and n words and characteristic_words side by side in one cell.

    Anchor and characteristic words are None where the method has none. `topic_words_table` has a row for each word.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> table = topics_table(AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"]), n=2)
    >>> table.as_dict()["words"]
    ['cat dog', 'sun sky']
    """
    check_is_fitted(model, "components_")
    names, groups = vocabulary(model), model.anchor_groups_
    words = model.top_words(n)
    beside = None if model.anchor_cooccurrence_ is None else model.characteristic_words(n)
    anchors = None if groups is None else [[names[word] for word in group] for group in groups]
    nothing: list[str | None] = [None] * model.n_topics_
    return Table(
        ("topic", "prevalence", "anchor", "words", "characteristic_words"),
        (
            np.arange(model.n_topics_),
            model.topic_prevalence_,
            nothing if anchors is None else listed(anchors),
            listed(words),
            nothing if beside is None else listed(beside),
        ),
    )


def topic_words_table(model: Any, n: int | None = None, relevance: float | None = None) -> Table:
    """One row for each topic and word: topic, rank (from 1), word, probability, relevance.

    n: words of each topic, None for all that it has; words of probability zero are left out. Ranks and relevance are
    those of `top_words(n, relevance)`: relevance · log p(word | topic) + (1 − relevance) · log(p(word | topic) /
    p(word)); words too rare in the topic to be ranked by lift come after the others, by probability.
    """
    check_is_fitted(model, "components_")
    if n is not None and n < 1:
        raise ParameterError(f"n={n} must be at least 1, or None for all words")
    weight = float(model.relevance if relevance is None else relevance)
    if not 0 <= weight <= 1:
        raise ParameterError(f"relevance={relevance} must be from 0 to 1")
    marginal = model.topic_prevalence_ @ model.components_
    leading = [_leading(p, marginal, weight, n) for p in model.components_]
    found = np.concatenate([words for words, _ in leading])
    lengths = [len(words) for words, _ in leading]
    topic = np.repeat(np.arange(len(lengths)), lengths)
    names = vocabulary(model)
    return Table(
        ("topic", "rank", "word", "probability", "relevance"),
        (
            topic,
            np.concatenate([np.arange(1, length + 1) for length in lengths]),
            [names[word] for word in found],
            model.components_[topic, found],
            np.concatenate([scores for _, scores in leading]),
        ),
    )


def correlation_table(model: Any) -> Table:
    """One row for each pair of topics, with itself too: topic, other (topic ≤ other), joint, lift, correlation.

    joint is p(z₁, z₂), lift is p(z₁, z₂) / (p(z₁) p(z₂)), and correlation is the coefficient of the topics' shares over
    documents, from −1 to 1; all three from `topic_correlation_`. NaN where a topic has no share, or the same one
    everywhere. Shares sum to one, so most pairs correlate a little below zero.
    """
    check_is_fitted(model, "components_")
    found = association(model)
    topic, other = np.triu_indices(len(found.joint))
    measures = (found.joint, found.lift, found.correlation)
    columns = (topic, other, *(measure[topic, other] for measure in measures))
    return Table(("topic", "other", "joint", "lift", "correlation"), columns)


def vocabulary(model: Any) -> list[str]:
    """The model's words, or where it does not know them the numbers of its columns."""
    words = range(model.n_features_in_) if model.vocabulary_ is None else model.vocabulary_
    return [str(word) for word in words]


def listed(groups: Sequence[Sequence[Any]]) -> list[str | None]:
    """Words beside one another; all keep apart by semicolons where one of them holds a blank."""
    between = "; " if any(" " in str(word) for words in groups for word in words) else " "
    return [between.join(str(word) for word in words) for words in groups]


def _leading(p: Array, marginal: Array, weight: float, n: int | None) -> tuple[WordIds, Array]:
    """Words of one topic p (n_words,), in order, and their relevance."""
    words = np.flatnonzero(p > 0)
    p = p[words]
    with np.errstate(divide="ignore"):
        relevance = np.log(p) - (1 - weight) * np.log(marginal[words])
    ranked_by_lift = p > EVIDENCE * p.max(initial=0) if weight < 1 else np.zeros(len(p), dtype=bool)
    score = np.where(ranked_by_lift, relevance, p).astype(np.float32)  # as in top_words, ties keep the words' order
    order = np.lexsort((words, -score, ~ranked_by_lift))[:n]
    return words[order], relevance[order]
