"""Words are matched by name here, and the columns of counts are moved accordingly.

Documents for a fitted model, or for statistics that are kept, may come with their columns in any order, without some of
the known words and with new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Integers, WordIds
from cotopics.errors import ParameterError

AMBIGUOUS = -1


def word_ids(vocabulary: Iterable[Any]) -> dict[str, int]:
    """Word → id; AMBIGUOUS for a word that is there more than once."""
    ids: dict[str, int] = {}
    for i, word in enumerate(map(str, vocabulary)):
        ids[word] = AMBIGUOUS if word in ids else i
    return ids


def places_by_name(names: Iterable[str], ids: Mapping[str, int]) -> WordIds:
    """The id of each name, −1 for a name without one."""
    return np.array([ids.get(name, -1) for name in names], dtype=np.int64)


def places_of(columns: Any, n_columns: int) -> WordIds:
    """Where each of n_columns goes if only `columns` are kept, in this order; −1 for the others.

    >>> places_of([2, 0], 4).tolist()
    [1, -1, 0, -1]
    """
    places = np.full(n_columns, -1)
    places[columns] = np.arange(len(columns))
    return places


def move_columns(counts: sp.csr_array, places: Integers, n_words: int) -> sp.csr_array:
    """A copy of counts over n_words: column j becomes column places[j], or is left out where that is −1.

    Columns that get the same place are added.
    """
    columns = places[counts.indices]
    kept = columns >= 0
    if kept.all():
        data, indptr = counts.data.copy(), counts.indptr.copy()
    else:
        columns, data = columns[kept], counts.data[kept]
        indptr = np.concatenate([[0], np.cumsum(kept)])[counts.indptr]
    moved = sp.csr_array((data, columns, indptr), shape=(counts.shape[0], n_words))
    moved.sum_duplicates()
    return moved


def counts_over(counts: sp.csr_array, names: Sequence[str], vocabulary: Sequence[str]) -> tuple[sp.csr_array, int]:
    """Counts (documents × names) as counts over `vocabulary`, and how many names it does not have, which are left out.

    A word that no column has the name of gets a column of zeros.
    """
    names, known = _as_strings(counts, names), [str(word) for word in vocabulary]
    if names == known:
        return counts, 0
    places = places_by_name(names, _unambiguous_ids(names, known))
    return move_columns(counts, places, len(known)), int(np.count_nonzero(places < 0))


def align(
    counts: sp.csr_array, names: Sequence[str], vocabulary: Sequence[str], *, may_grow: bool
) -> tuple[sp.csr_array, list[str]]:
    """Counts (documents × names) as counts over `vocabulary` with the unknown names appended, and that vocabulary.

    With may_grow=False, an unknown name is an error.
    """
    names, known = _as_strings(counts, names), [str(word) for word in vocabulary]
    if names == known:
        return counts, known
    ids = _unambiguous_ids(names, known)
    new = [name for name in names if name not in ids]
    if new and not may_grow:
        raise ParameterError(f"{new[0]!r} is not among the words of the documents seen, so they cannot contain it")
    words = known + new
    ids |= {name: len(known) + i for i, name in enumerate(new)}
    return move_columns(counts, places_by_name(names, ids), len(words)), words


def _as_strings(counts: sp.csr_array, names: Sequence[str]) -> list[str]:
    if len(names) != counts.shape[1]:
        raise ParameterError(f"feature_names has {len(names)} words, X has {counts.shape[1]}")
    return [str(name) for name in names]


def _unambiguous_ids(names: list[str], known: list[str]) -> dict[str, int]:
    """The ids of the known words, if every name stands for one word only."""
    ids, among_names = word_ids(known), word_ids(names)
    twice = [name for name in names if AMBIGUOUS in (among_names[name], ids.get(name))]
    if twice:
        raise ParameterError(f"{twice[0]!r} is more than once among the words, which are matched by name; rename one")
    return ids
