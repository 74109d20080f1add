"""Documents in pieces, each of which lives on some worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.distributed.tasks import add, compute, held, in_order, persist, task
from cotopics.errors import CorpusError
from cotopics.records import Array
from cotopics.word_matching import move_columns

LEAST = 250_000  # non-zeros of a piece that is worth a task, or
LEAST_PER_WORD = 32  # for every word, where that is more: what is made of fewer costs more to add up than to make


class Facts(NamedTuple):
    """How many documents there are and how many have words; df (n_words,) and tf (n_words,) of every word."""

    n_documents: int
    n_with_words: int
    frequency: Any
    occurrences: Array


@dataclass(frozen=True)
class Pieces:
    """Counts (documents × words) as delayed pieces, canonical CSR each, in order.

    `vocabulary` are the words of the columns, or None. `preparation` is what made words of texts, None for counts.
    `notes` say what was left out on the way, `sizes` how many documents each piece has, where that is known."""

    pieces: tuple[Any, ...] = field(repr=False)
    n_words: int
    vocabulary: list[str] | None = field(default=None, repr=False)
    preparation: Any = None
    notes: list[str] = field(default_factory=list)
    sizes: tuple[int, ...] | None = None
    is_kept: bool = False

    def __post_init__(self) -> None:
        if not self.pieces:
            raise CorpusError("there are no partitions, and so no documents")

    def map(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """function(piece, *arguments) of every piece, delayed."""
        return [task(function, piece, *arguments) for piece in self.pieces]

    def sum(self, function: Callable[..., Any], *arguments: Any, merge: Callable[[Any, Any], Any] = add) -> Any:
        """The sum of function(piece, *arguments) over the pieces, in their order."""
        return compute(in_order(self.map(function, *arguments), merge))

    def keep(self) -> Self:
        """The same in the workers' memory, for those who look at documents often.

        Small neighbours are joined; which ones depends on their sizes alone."""
        if self.is_kept:
            return self
        pieces = persist(self.pieces)
        sizes = compute(task(list, [task(_size, piece) for piece in pieces]))
        joined = [task(_stacked, pieces[first:last]) for first, last in neighbours(sizes, self.n_words)]
        return replace(self, pieces=tuple(persist(joined)), sizes=None, is_kept=True)

    @cached_property
    def facts(self) -> Facts:
        return Facts(*self.sum(_facts))

    def with_words(self) -> Self:
        """The same without the documents that have no word."""
        if self.facts.n_with_words == self.facts.n_documents:
            return self
        return replace(self, pieces=tuple(self.map(_with_words)), sizes=None)

    def columns(self, words: np.ndarray[Any, np.dtype[np.integer[Any]]]) -> Self:
        """The same with these columns only, in this order."""
        if np.array_equal(words, np.arange(self.n_words)):
            return self
        place = np.full(self.n_words, -1)
        place[words] = np.arange(len(words))
        pieces = self.map(move_columns, held(place), len(words))
        vocabulary = None if self.vocabulary is None else [self.vocabulary[i] for i in words]
        return replace(self, pieces=tuple(pieces), n_words=len(words), vocabulary=vocabulary)

    def over(self, vocabulary: Sequence[str]) -> Self:
        """The same over these words, matched by name; others are left out."""
        if self.vocabulary is not None and list(vocabulary) == self.vocabulary:
            return self
        ids = {word: i for i, word in enumerate(vocabulary)}
        if self.vocabulary is None:
            raise CorpusError("the words of these counts have no names to match; put vocab.txt beside them")
        place = np.array([ids.get(word, -1) for word in self.vocabulary])
        pieces = self.map(move_columns, held(place), len(ids))
        return replace(self, pieces=tuple(pieces), n_words=len(ids), vocabulary=list(vocabulary))

    def keep_frequent(
        self,
        *,
        min_documents: int | float = 1,
        max_documents: int | float | None = None,
        vocabulary_size: int | None = None,
    ) -> Self:
        """Only the words that `keep_words` would keep of all documents; takes one pass to find them."""
        check_vocabulary_size(vocabulary_size)
        kept = frequent_words(
            self.facts.occurrences,
            self.facts.frequency,
            self.facts.n_documents,
            min_documents=min_documents,
            max_documents=max_documents,
            vocabulary_size=vocabulary_size,
        )
        return self.columns(kept)

    def gather(self) -> sp.csr_array:
        """All counts, here."""
        return _stacked(compute(list(self.pieces)))


def _facts(counts: sp.csr_array) -> Facts:
    occurrences, frequency = word_frequencies(counts)
    return Facts(counts.shape[0], int(np.count_nonzero(np.diff(counts.indptr))), frequency, occurrences)


def _with_words(counts: sp.csr_array) -> sp.csr_array:
    return counts[np.diff(counts.indptr) > 0]


def _size(counts: sp.csr_array) -> int:
    return int(counts.nnz)


def _stacked(pieces: Sequence[sp.csr_array]) -> sp.csr_array:
    return pieces[0] if len(pieces) == 1 else sp.csr_array(sp.vstack(list(pieces), format="csr"))


def neighbours(sizes: Sequence[int], n_words: int) -> Iterator[tuple[int, int]]:
    """(first, last) of consecutive pieces of so many non-zeros that are worth an array of words together."""
    enough, first, held_so_far = max(LEAST, LEAST_PER_WORD * n_words), 0, 0
    for number, size in enumerate(sizes, 1):
        held_so_far += size
        if held_so_far >= enough or number == len(sizes):
            yield first, number
            first, held_so_far = number, 0
