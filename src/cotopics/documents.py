"""Documents that a fit reads several times, wherever they are.

A fit asks the same few questions of documents in memory (`InMemory`), on disk (`cotopics.on_disk.OnDisk`) and on a
cluster (`cotopics.distributed.Partitions`): all are `Documents`. Whatever needs all documents is a map over their
pieces and a sum of the answers (`Pieces`), so that an algorithm is one loop for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, DocumentSums, cooccurrence
from cotopics.cooccur.weighting import rows_where, tfidf_cooccurrence
from cotopics.linalg.sparse_matrices import column_counts, row_keys, scattered
from cotopics.records import WordIds

MIN_SAMPLED = 50  # documents, about: counts may be thousands, and fewer documents say nothing of the others


class Pieces(Protocol):
    """One value for each piece of the documents (its counts, or what was made of them), kept where the piece is.

    What `update` and `once` return is kept there too: `now` sets the work going, and `fetch` waits for a result.
    """

    def map(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Pieces of function(value, *arguments), which does not change the value."""

    def keep(self) -> Any:
        """The same, made once and kept, for those who ask again."""

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The sum of function(value, *arguments) over the pieces, in their order."""

    def update(self, state: Any, function: Callable[..., Any], *arguments: Any) -> tuple[Any, Any]:
        """New state, and the sum of what function(value, state of the piece, *arguments) returns.

        The function changes the state of a piece in place; `state` is Pieces too, and must not be used afterwards."""

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """function(*arguments), of results that are kept there."""

    def now(self, *results: Any) -> tuple[Any, ...]:
        """The same Pieces and results, and the work behind them is set going."""

    def fetch(self, result: Any) -> Any:
        """A result, here."""

    def rows(self, n_columns: int) -> Any:
        """Values that are arrays (·, n_columns), one below the other, as far as memory is certain to hold them."""


class Documents(Protocol):
    """Counts, documents × words, wherever they are."""

    @property
    def n_words(self) -> int: ...

    @property
    def n_documents(self) -> int: ...

    @property
    def frequency(self) -> WordIds:
        """In how many documents each word is, (n_words,)."""

    @property
    def n_tokens(self) -> float:
        """How many words all documents have."""

    @property
    def pieces(self) -> Pieces:
        """The counts, CSR each."""

    @property
    def used(self) -> tuple[WordIds, Documents]:
        """The words that are in some document, and the documents with any word, over these words alone."""

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Cooccurrence:
        """C of these documents, valid while they do not change; `dtype` is that of tf-idf weights."""

    def can_add_up(self, representation: str) -> bool:
        """Whether statistics of all documents can be kept here, for a fit that asks for this form of C."""

    def add_up(self, empty: DocumentSums) -> Any:
        """`empty` statistics with all documents added."""

    def keep(self) -> Documents:
        """The same, ready to be read several times."""

    def sample(self, max_tokens: int) -> tuple[sp.csr_array, Any]:
        """Counts of some documents, here, with about so many words at most; and a number for each (`sample_rows`)."""


class WorkedOnHere:
    """Pieces that this process works on, one after the other: a result is there as soon as it is asked for."""

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def now(self, *results: Any) -> tuple[Any, ...]:
        return results

    def fetch(self, result: Any) -> Any:
        return result


@dataclass(frozen=True)
class LocalPieces(WorkedOnHere):
    """Pieces in the memory of this process."""

    values: tuple[Any, ...]

    def map(self, function: Callable[..., Any], *arguments: Any) -> LocalPieces:
        return LocalPieces(tuple(function(value, *arguments) for value in self.values))

    def keep(self) -> LocalPieces:
        return self

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return reduce(add_all, (function(value, *arguments) for value in self.values))

    def update(self, state: LocalPieces, function: Callable[..., Any], *arguments: Any) -> tuple[LocalPieces, Any]:
        pairs = zip(self.values, state.values, strict=True)
        return state, reduce(add_all, (function(value, one, *arguments) for value, one in pairs))

    def rows(self, n_columns: int) -> Any:
        return self.values[0] if len(self.values) == 1 else np.concatenate(self.values)


def add_all(left: Any, right: Any) -> Any:
    """The sum of two arrays or numbers, or of two tuples of them, entry by entry. Neither is changed."""
    if isinstance(left, tuple):
        entries = (add_all(a, b) for a, b in zip(left, right, strict=True))
        return type(left)(*entries) if hasattr(left, "_fields") else tuple(entries)
    return add(left, right)


@dataclass(frozen=True)
class InMemory:
    """Counts (documents × words, CSR) in memory, in one piece."""

    counts: sp.csr_array

    @property
    def n_documents(self) -> int:
        return int(self.counts.shape[0])

    @property
    def n_words(self) -> int:
        return int(self.counts.shape[1])

    @cached_property
    def n_tokens(self) -> float:
        return float(self.counts.data.sum(dtype=np.float64))

    @property
    def pieces(self) -> LocalPieces:
        return LocalPieces((self.counts,))

    @cached_property
    def frequency(self) -> WordIds:
        return column_counts(self.counts)

    @cached_property
    def used(self) -> tuple[WordIds, InMemory]:
        counts = rows_where(self.counts, np.diff(self.counts.indptr) > 0)
        words = np.flatnonzero(self.frequency)
        if len(words) == self.n_words:
            return words, InMemory(counts)
        place = (np.cumsum(self.frequency > 0) - 1).astype(counts.indices.dtype)  # new column of each word
        shape = (counts.shape[0], len(words))
        return words, InMemory(sp.csr_array((counts.data, place[counts.indices], counts.indptr), shape=shape))

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Cooccurrence:
        if weighting == "counts":
            return cooccurrence(self.counts, representation="implicit")
        return tfidf_cooccurrence(self.counts, weighting, dtype)

    def can_add_up(self, representation: str) -> bool:
        return True

    def add_up(self, empty: DocumentSums) -> DocumentSums:
        return empty.update(self.counts)

    def keep(self) -> InMemory:
        return self

    def sample(self, max_tokens: int) -> tuple[sp.csr_array, Any]:
        return sample_rows(self.counts, self.frequency, one_in(self.n_documents, self.n_tokens, max_tokens))


def one_in(n_documents: int, n_tokens: float, max_tokens: int) -> int:
    """One of how many documents gives about max_tokens words; more words where few documents have so many."""
    return max(1, min(math.ceil(n_tokens / max_tokens), n_documents // MIN_SAMPLED))


def sample_rows(counts: sp.csr_array, frequency: WordIds, step: int) -> tuple[sp.csr_array, Any]:
    """About one row in `step`, and a number for each of them that looks random, to divide them into parts by.

    Both follow from the rows' words, by the number of documents (n_words,) that each word is in: so the order of
    documents and of words does not matter, and documents with the same words are in the same part."""
    number = scattered(row_keys(counts, scattered(frequency.astype(np.uint64)), with_numbers=False))
    taken = number % np.uint64(max(step, 1)) == 0
    return sp.csr_array(counts[taken]), scattered(number[taken])


def halves_by_word(counts: sp.csr_array, frequency: WordIds, ties: Any) -> list[tuple[sp.csr_array, sp.csr_array]]:
    """Documents in two halves, seen and hidden, twice, the second time the other way round; those that have both.

    The halves have different words: every other one in the order of frequency (n_words,) and of `ties` (n_words,), so
    that the order of columns does not matter."""
    is_odd = np.zeros(len(frequency), dtype=bool)
    is_odd[np.lexsort((ties, frequency))[1::2]] = True
    one, other = split_words(counts, is_odd)
    return [(one, other), (other, one)]


def split_words(counts: sp.csr_array, is_seen: Any) -> tuple[sp.csr_array, sp.csr_array]:
    """Words of documents that are seen and hidden, of the documents that have both; is_seen (n_words,) says which."""
    seen, hidden = counts.multiply(is_seen[None, :]).tocsr(), counts.multiply(~is_seen[None, :]).tocsr()
    seen.eliminate_zeros()
    hidden.eliminate_zeros()
    has_both = (np.diff(seen.indptr) > 0) & (np.diff(hidden.indptr) > 0)
    return sp.csr_array(seen[has_both]), sp.csr_array(hidden[has_both])


def n_copies(counts: sp.csr_array) -> int:
    """How many rows have the same counts as another before them."""
    rows = row_keys(counts, scattered(np.arange(1, counts.shape[1] + 1, dtype=np.uint64)), with_numbers=True)
    rows.sort()
    return int(np.count_nonzero(rows[1:] == rows[:-1]))


def is_on_dask(X: Any) -> bool:
    """Whether X is a Dask collection, or partitions made of one; nothing is imported to find out."""
    return type(X).__module__.startswith(("dask.", "cotopics.distributed."))
