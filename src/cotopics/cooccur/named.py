"""Counts whose words have names: those that come later, and those that a model is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.counts import check_counts
from cotopics.errors import ParameterError

AMBIGUOUS = -1


def word_ids(vocabulary: Iterable[Any]) -> dict[str, int]:
    """Word → id; AMBIGUOUS for a word that is there more than once."""
    ids: dict[str, int] = {}
    for i, word in enumerate(map(str, vocabulary)):
        ids[word] = AMBIGUOUS if word in ids else i
    return ids


def align(
    counts: sp.csr_array, names: Sequence[str], vocabulary: Sequence[str], *, may_grow: bool
) -> tuple[sp.csr_array, list[str]]:
    """Counts (documents × names) as counts over `vocabulary`, to which unknown names are appended, and the vocabulary.

    Words are matched by name, so later documents may come with their columns in any order and with words missing.
    """
    names, known = [str(name) for name in names], [str(word) for word in vocabulary]
    if len(names) != counts.shape[1]:
        raise ParameterError(f"feature_names has {len(names)} words, X has {counts.shape[1]}")
    if names == known:
        return counts, known
    ids = word_ids(known)
    among_names = word_ids(names)
    twice = [name for name in names if AMBIGUOUS in (among_names[name], ids.get(name))]
    if twice:
        raise ParameterError(f"{twice[0]!r} is more than once among the words, which are matched by name; rename one")
    new = [name for name in names if name not in ids]
    if new and not may_grow:
        raise ParameterError(f"{new[0]!r} is not among the words of the documents seen; they cannot hold it")
    ids |= {name: len(known) + i for i, name in enumerate(new)}
    column = np.array([ids[name] for name in names], dtype=counts.indices.dtype)
    moved = sp.csr_array(
        (counts.data, column[counts.indices], counts.indptr), shape=(counts.shape[0], len(known) + len(new))
    )
    return moved.sorted_indices(), known + new  # a copy: the data may be the caller's own


def names_of(X: Any, feature_names: Sequence[str] | None) -> Sequence[str] | None:
    """The words of X's columns: as given, or those of a data frame."""
    if feature_names is not None:
        return feature_names
    columns = getattr(X, "columns", None)
    return None if columns is None or not all(isinstance(c, str) for c in columns) else list(columns)


def known_names(X: Any, vocabulary: Sequence[str] | None) -> Sequence[str] | None:
    """The names of a data frame's columns, where some are words of the vocabulary; None where they say nothing."""
    names = names_of(X, None)
    if names is None or vocabulary is None or set(names).isdisjoint(map(str, vocabulary)):
        return None
    return names


def counts_over_words_of(model: Any, X: Any) -> sp.csr_array:
    """X as counts over the words of a fitted model, in their order.

    Columns of a data frame are matched with them by name, words that are missing are in no document, and others are
    left out. Of a model that was fitted on a data frame the columns must be the same, as scikit-learn has it.
    """
    counts, n_words, vocabulary = check_counts(X), model.components_.shape[1], getattr(model, "vocabulary_", None)
    fitted = getattr(model, "feature_names_in_", None)
    if fitted is not None:
        names = names_of(X, None)
        if names is not None and list(names) != list(fitted):
            raise ParameterError("the columns of X are not those that the model was fitted on, or in another order")
    else:
        names = known_names(X, vocabulary)
        if names is not None and vocabulary is not None:
            counts = align(counts, names, vocabulary, may_grow=True)[0][:, :n_words]
    if counts.shape[1] != n_words:
        raise ParameterError(f"the model is over {n_words} words and X has {counts.shape[1]}; give the same columns")
    return counts
