"""The arrays that metrics need, from arrays or fitted models."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg import leading
from cotopics.records import Anchors, Array, WordIds

ROW_SUM_TOLERANCE = 1e-12  # of the largest sum; smaller sums are rounding errors, and dividing by them gives noise


def topic_matrix(topics: Any) -> Array:
    """B (n_words, n_topics) from an array of that shape or a fitted model."""
    components = getattr(topics, "components_", None)
    if components is not None:
        return np.asarray(components.T)
    return _matrix(topics, "topics", "an array, words × topics, or a fitted model")


def correlation_matrix(topics: Any) -> Array:
    """A (n_topics, n_topics) from an array of that shape or a fitted model."""
    A = _matrix(
        getattr(topics, "topic_correlation_", topics), "correlation", "an array, topics × topics, or a fitted model"
    )
    if A.shape[0] != A.shape[1]:
        raise ParameterError(f"a correlation is topics × topics; this has shape {A.shape}")
    return A


def fitted_part(topics: Any, attribute: str, given: Any, keyword: str) -> Any:
    """What is `given`, or this attribute of a fitted model."""
    part = getattr(topics, attribute, None) if given is None else given
    if part is None:
        name = type(topics).__name__
        who = f"{name} has no {attribute}" if hasattr(topics, "components_") else f"a matrix of topics has no {keyword}"
        raise ParameterError(f"{who}; give {keyword}=, or a fitted model that has them")
    return part


def anchors_of(topics: Any, n_topics: int, n_words: int, given: Any = None) -> Anchors:
    """The anchors `given` (a word id or a group of them for each topic), or those of a fitted model."""
    groups = getattr(topics, "anchor_groups_", None) if given is None else given
    groups = fitted_part(topics, "anchors_", groups, "anchors")
    groups = tuple(np.atleast_1d(group) for group in groups)
    if len(groups) != n_topics:
        raise ParameterError(f"there are {n_topics} topics and anchors for {len(groups)}")
    if not all(
        group.ndim == 1 and group.size and group.dtype.kind in "iu" and group.min() >= 0 and group.max() < n_words
        for group in groups
    ):
        raise ParameterError(f"each topic's anchors must be one or more word ids from 0 to {n_words - 1}")
    return Anchors(groups, rank=n_topics, n_iter=0)


def cooccurrence_of(C: Any, n_words: int) -> Cooccurrence:
    """C as a Cooccurrence with as many words as the topics have."""
    C = as_cooccurrence(C)
    if C.shape[0] != n_words:
        raise ParameterError(f"the topics are over {n_words} words and C has {C.shape[0]}")
    return C


def positive_rows(C: Cooccurrence) -> tuple[Array, WordIds]:
    """Row sums (n_words,), and the words with a positive row; other words are in no pair."""
    row_sums = C.row_sums()
    used = np.flatnonzero(row_sums > ROW_SUM_TOLERANCE * row_sums.max(initial=0))
    if len(used) == 0:
        raise CooccurrenceError("the co-occurrence is zero: no two words were seen together")
    return row_sums, used


def normalised_anchor_rows(C: Cooccurrence, anchors: Anchors) -> Array:
    """C̄_S (n_topics, n_words): the anchors' rows of C, with the rows of a group merged, each divided by its sum."""
    rows = anchors.merged_rows(C)
    sums = rows.sum(axis=1)
    empty = np.flatnonzero(~(sums > 0))
    if len(empty):
        raise CooccurrenceError(
            f"the anchors of topics {empty.tolist()} are in no pair of this co-occurrence, so their rows cannot be "
            "normalised; give the co-occurrence that the model was fitted on, or other anchors"
        )
    return np.asarray(rows / sums[:, None])


def proportions(model: Any, counts: Any) -> Array:
    """W (n_documents, n_topics) by the model's own transform; documents without a known word get the prevalence."""
    if not hasattr(model, "transform"):
        raise ParameterError(f"{type(model).__name__} has no transform, which finds the topics of documents")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*have no word that the topics know")
        warnings.filterwarnings("ignore", message=".*does not have valid feature names")  # counts have lost them
        return np.asarray(model.transform(counts), dtype=np.float64)


def n_without_words(model: Any, counts: Any) -> int:
    """How many documents have no word that the topics know."""
    known = model.components_.sum(axis=0) > 0
    return int((counts[:, known].sum(axis=1) == 0).sum())


def leading_words(B: Array, n_words: int) -> WordIds:
    """The n_words most probable words of each topic, most probable first: (n_words, n_topics)."""
    if n_words < 1:
        raise ParameterError(f"n_words={n_words} must be at least 1")
    return leading(B.T, n_words).T


def _matrix(values: Any, name: str, wanted: str) -> Array:
    try:
        matrix = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        kind = type(values).__name__
        raise ParameterError(f"{name} must be {wanted}; this is {kind}") from None
    if matrix.ndim != 2 or matrix.size == 0:
        raise ParameterError(f"{name} must be {wanted}; this has shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ParameterError(f"{name} contain NaN or infinity")
    return matrix
