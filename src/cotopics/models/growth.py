"""Documents that come later, with words of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.anchors.given import AMBIGUOUS, word_ids
from cotopics.errors import ParameterError


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
