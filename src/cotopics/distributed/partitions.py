"""Documents on a cluster, in partitions, each of which is on some worker."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, DocumentSums
from cotopics.cooccur.accumulate import MAX_PAIRS
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.distributed.cooccurrence import Partitioned, partitioned
from cotopics.distributed.sums import add_up, join_neighbours
from cotopics.distributed.tasks import ClusterPieces, compute, persist, task
from cotopics.documents import sample_rows
from cotopics.errors import CorpusError
from cotopics.records import Array, WordIds
from cotopics.word_matching import move_columns


class Facts(NamedTuple):
    """How many documents there are and how many have words; df (n_words,) and tf (n_words,) of every word."""

    n_documents: int
    n_with_words: int
    frequency: Any
    occurrences: Array


@dataclass(frozen=True)
class Partitions:
    """`cotopics.documents.Documents` on a cluster: counts (documents × words) in parts, canonical CSR each, in order.

    Parameters
    ----------
    parts : delayed CSR arrays
    n_words : how many columns they have
    vocabulary : the words of the columns, or None
    preparation : what made words of texts, None for counts
    notes : what was left out on the way
    sizes : how many documents each part has, or None where that is not known
    is_kept : whether the parts are in the workers' memory
    """

    parts: tuple[Any, ...] = field(repr=False)
    n_words: int
    vocabulary: list[str] | None = field(default=None, repr=False)
    preparation: Any = None
    notes: list[str] = field(default_factory=list)
    sizes: tuple[int, ...] | None = None
    is_kept: bool = False

    def __post_init__(self) -> None:
        if not self.parts:
            raise CorpusError("there are no partitions, and so no documents")

    @cached_property
    def pieces(self) -> ClusterPieces:
        return ClusterPieces(self.keep().parts)

    def keep(self) -> Self:
        """The same in the workers' memory, for those who read documents often.

        Small neighbours are joined; which ones depends on their sizes alone."""
        if self.is_kept:
            return self
        parts = persist(self.parts)
        sizes = compute(task(list, [task(_size, part) for part in parts]))
        joined = [task(_stacked, parts[first:last]) for first, last in join_neighbours(sizes, self.n_words)]
        return replace(self, parts=tuple(persist(joined)), sizes=None, is_kept=True)

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The sum of function(part, *arguments); parts are not kept for it."""
        return ClusterPieces(self.parts).sum(function, *arguments)

    @cached_property
    def facts(self) -> Facts:
        return Facts(*self.sum(_facts))

    @property
    def n_documents(self) -> int:
        return self.facts.n_documents

    @property
    def frequency(self) -> WordIds:
        return self.facts.frequency

    @cached_property
    def used(self) -> tuple[WordIds, Self]:
        """The words that are in some document, and the documents with any word, over these words alone."""
        words = np.flatnonzero(self.frequency)
        return words, self.with_words().columns(words)

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
        """C of all documents, which stay where they are; `dtype` is that of tf-idf weights."""
        return partitioned(self.keep(), weighting, dtype)

    def can_add_up(self, representation: str) -> bool:
        """Whether statistics fit into memory here; where not, documents stay on their workers."""
        few_pairs = representation != "implicit" and self.n_words**2 <= MAX_PAIRS
        return representation == "sketch" or few_pairs

    def add_up(self, empty: DocumentSums) -> Any:
        """`empty` statistics with all documents added. An accumulator comes back without the documents themselves."""
        return add_up(self.parts, self.n_words, empty)

    def provenance(self) -> dict[str, Any] | None:
        """What a model keeps of where its words came from; None for counts."""
        if not hasattr(self.preparation, "to_json"):
            return None
        return {"preparation": self.preparation.to_json(), "notes": self.notes}

    def with_words(self) -> Self:
        """The same without the documents that have no word."""
        if self.facts.n_with_words == self.facts.n_documents:
            return self
        return self._mapped(_with_words, sizes=None)

    def columns(self, words: np.ndarray[Any, np.dtype[np.integer[Any]]]) -> Self:
        """The same with these columns only, in this order."""
        if np.array_equal(words, np.arange(self.n_words)):
            return self
        place = np.full(self.n_words, -1)
        place[words] = np.arange(len(words))
        vocabulary = None if self.vocabulary is None else [self.vocabulary[i] for i in words]
        return self._mapped(move_columns, place, len(words), n_words=len(words), vocabulary=vocabulary)

    def over(self, vocabulary: Sequence[str]) -> Self:
        """The same over these words, matched by name; others are left out."""
        if self.vocabulary is not None and list(vocabulary) == self.vocabulary:
            return self
        ids = {word: i for i, word in enumerate(vocabulary)}
        if self.vocabulary is None:
            raise CorpusError("the words of these counts have no names to match; put vocab.txt into their folder")
        place = np.array([ids.get(word, -1) for word in self.vocabulary])
        return self._mapped(move_columns, place, len(ids), n_words=len(ids), vocabulary=list(vocabulary))

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

    @property
    def n_tokens(self) -> float:
        return float(self.facts.occurrences.sum())

    def sample(self, max_tokens: int) -> tuple[sp.csr_array, Any]:
        """Counts of some documents, here, with about so many words at most; and a number for each: `sample_rows`."""
        step = math.ceil(self.n_tokens / max_tokens)
        parts = compute(list(ClusterPieces(self.parts).map(sample_rows, self.frequency, step).values))
        return _stacked([counts for counts, _ in parts]), np.concatenate([numbers for _, numbers in parts])

    def gather(self) -> sp.csr_array:
        """All counts, here."""
        return _stacked(compute(list(self.parts)))

    def _mapped(self, function: Callable[..., Any], *arguments: Any, **changed: Any) -> Self:
        parts = ClusterPieces(self.parts).map(function, *arguments).values
        return replace(self, parts=parts, **changed)


def _facts(counts: sp.csr_array) -> Facts:
    occurrences, frequency = word_frequencies(counts)
    return Facts(counts.shape[0], int(np.count_nonzero(np.diff(counts.indptr))), frequency, occurrences)


def _with_words(counts: sp.csr_array) -> sp.csr_array:
    return counts[np.diff(counts.indptr) > 0]


def _size(counts: sp.csr_array) -> int:
    return int(counts.nnz)


def _stacked(pieces: Sequence[sp.csr_array]) -> sp.csr_array:
    return pieces[0] if len(pieces) == 1 else sp.csr_array(sp.vstack(list(pieces), format="csr"))
