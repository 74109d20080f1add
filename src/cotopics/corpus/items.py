"""Ratings, baskets and tags of items → counts: data that is not text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.corpus.corpus import Corpus
from cotopics.corpus.files import read_column
from cotopics.corpus.text import WordNumbers
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.sparse_matrices import fault_of
from cotopics.word_matching import word_ids

MAX_STARS = 2.0**40  # more is a mistake of units, and the number of copies would not be exact
WHOLE_TOLERANCE = 1e-4  # between copies · stars and a whole number: 3.3 stars in float32 are 3.29999995


def counts_from_ratings(ratings: Any, *, copies: int = 2) -> sp.csr_array:
    """Star ratings, users × items → counts: `copies` of an item for every star; Lee et al. 2015, section 4.

    A user rates a movie once, so occurrences would not tell how much it was liked, and C would have no diagonal. Lee et
    al. count 2 × stars, which is a whole number for half stars too. ratings: any scipy format, an array, a pandas or
    polars frame. Not rated is 0, or NaN in a table (as from `DataFrame.pivot`), or no entry in a sparse matrix. The
    result has the shape of ratings, whole numbers, and no stored zeros.

    The second user rates the first item half a star, the second item five, and not the third:

    >>> counts_from_ratings([[4, 0, 2.5], [0.5, 5, float("nan")]]).toarray().tolist()
    [[8, 0, 5], [1, 10, 0]]
    """
    if not _is_whole(copies) or copies < 1:
        raise ParameterError(f"copies={copies!r} must be a whole number, 1 or more: copies of an item for each star")
    stars = _ratings(ratings)
    scaled = stars.data * int(copies)
    whole = np.rint(scaled)
    _refuse(stars, stars.data < 0, "is negative. Ratings are above 0; shift the scale so that the worst is above 0")
    _refuse(stars, (np.abs(scaled - whole) > WHOLE_TOLERANCE) | (whole == 0), (
        f"is not a multiple of 1/{copies}, so {copies} copies per star are not a whole number. "
        "Round the ratings, or give the `copies` that makes them whole"
    ))  # fmt: skip
    return sp.csr_array((whole.astype(np.int64), stars.indices, stars.indptr), shape=stars.shape)


def counts_from_baskets(baskets: Iterable[Iterable[str | int]]) -> Corpus:
    """Lists of item names (shopping baskets, playlists, sessions) → counts, one row per basket.

    The items are sorted by name, so the order of the baskets changes only the order of the rows. An item that is twice
    in a basket counts twice; an empty basket keeps its row. Names are strings, or whole numbers, which become strings.
    `keep_words` leaves out rare items.

    >>> corpus = counts_from_baskets([["tea", "milk", "tea"], [], ["milk"]])
    >>> corpus.vocabulary, corpus.counts.toarray().tolist()
    (['milk', 'tea'], [[1, 2], [0, 0], [1, 0]])
    """
    if isinstance(baskets, str | bytes):
        raise CorpusError("baskets is one string; give a list with one list of item names per basket")
    numbers, n_baskets = WordNumbers(str.split), 0
    for number, basket in enumerate(baskets):
        if isinstance(basket, str | bytes | Mapping) or not isinstance(basket, Iterable):
            raise CorpusError(f"basket {number} is {basket!r:.80}; give a list of the names of its items")
        numbers.add(_name(item, number) for item in basket)
        n_baskets += 1
    if not len(numbers):
        raise CorpusError(f"none of the {n_baskets} baskets holds an item")
    vocabulary, places = numbers.in_order()
    return Corpus(numbers.take(places, dtype=np.int64), vocabulary)


def read_tags(path: str | Path) -> list[str]:
    """The tags of every item, from a text file with a line per item; the line of an item without tags is blank.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "kinds.txt")
    >>> _ = path.write_text("drink breakfast\\n\\ndrink\\n")
    >>> read_tags(path)
    ['drink breakfast', '', 'drink']
    """
    lines = read_column(Path(path))
    if lines is None:
        raise CorpusError(f"there is no file {path}")
    return lines


def tag_matrix(tags: Iterable[str | Iterable[str]]) -> tuple[sp.csr_array, list[str]]:
    """Which item has which tag, (n_items, n_tags), zeros and ones, and the tags of the columns, sorted.

    tags: one entry per item, a list of strings or one string. Strings are split at `|` if any of them contains it, so
    tags may contain blanks, and at white space otherwise. The entry of an item without tags is empty.

    >>> has, names = tag_matrix(["Drama Crime", ["Drama"], ""])
    >>> names, has.toarray().tolist()
    (['Crime', 'Drama'], [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    """
    if isinstance(tags, str | bytes | Mapping):
        raise ParameterError(
            f"tags is one {type(tags).__name__}; give a list with one entry per item, such as "
            "[tags_of[item] for item in vocabulary]"
        )
    entries = list(tags)
    separator = "|" if any(isinstance(entry, str) and "|" in entry for entry in entries) else None
    lists = [_tags(entry, number, separator) for number, entry in enumerate(entries)]
    names = sorted({name for entry in lists for name in entry})
    column = word_ids(names)
    indices = [column[name] for entry in lists for name in sorted(entry)]
    ends = np.cumsum([0, *map(len, lists)])
    return sp.csr_array((np.ones(len(indices)), indices, ends), shape=(len(lists), len(names))), names


def _ratings(ratings: Any) -> sp.csr_array:
    """Ratings as canonical float64 CSR: no stored zeros, no missing or infinite values."""
    if sp.issparse(ratings):
        if ratings.ndim != 2 or ratings.dtype.kind not in "biuf":
            raise CorpusError(f"ratings are {ratings.ndim}-dimensional {ratings.dtype}; give numbers, users × items")
        if fault := fault_of(ratings):
            raise CorpusError(f"ratings are a damaged sparse matrix: {fault}. Build it again")
        stars = sp.csr_array(ratings, dtype=np.float64, copy=True)
    else:
        stars = sp.csr_array(_table(ratings))
    stars.sum_duplicates()
    stars.eliminate_zeros()
    _refuse(stars, ~(np.abs(stars.data) <= MAX_STARS), (
        "is not a number of stars. Leave out what is not rated: no entry in a sparse matrix, 0 or NaN in a table"
    ))  # fmt: skip
    return stars


def _table(ratings: Any) -> Array:
    """A dense table with 0 where nothing was rated."""
    try:
        if type(ratings).__module__.split(".")[0] == "pandas":  # numpy does not know the missing values of pandas
            ratings = ratings.to_numpy(dtype=np.float64, na_value=np.nan)
        table = np.array(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CorpusError(
            f"ratings are not a table of numbers ({error}). Give stars, users × items: one row per user, one column "
            "per item; lists of item names are for `counts_from_baskets`"
        ) from None
    if table.ndim != 2:
        raise CorpusError(f"ratings have {table.ndim} dimensions; give a table, users × items")
    table[np.isnan(table)] = 0
    return table


def _refuse(stars: sp.csr_array, bad: Any, why: str) -> None:
    if bad.any():
        entry = int(np.argmax(bad))
        user = int(np.searchsorted(stars.indptr, entry, side="right")) - 1
        raise CorpusError(f"the rating {stars.data[entry]:g} of user {user}, item {stars.indices[entry]} {why}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _name(item: Any, basket: int) -> str:
    if _is_whole(item):
        return str(int(item))
    if not isinstance(item, str) or not item.strip():
        raise CorpusError(
            f"basket {basket} holds {item!r:.80}, which is not the name of an item; give strings that are not blank"
        )
    return str(item)


def _tags(entry: Any, number: int, separator: str | None) -> set[str]:
    """The tags of one item."""
    parts = entry.split(separator) if isinstance(entry, str) else entry
    if isinstance(parts, bytes) or not isinstance(parts, Iterable):
        raise ParameterError(
            f"the tags of item {number} are {entry!r:.80}; give a list of strings or one string, empty for none"
        )
    names = list(parts)
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(f"the tags of item {number} are {names!r:.80}, and not all of them are strings")
    return {name.strip() for name in names} - {""}
