"""Documents on a cluster, in partitions, each of which is on some worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, DocumentSums
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words
from cotopics.distributed.sums import add_up, join_neighbours
from cotopics.distributed.tasks import ClusterPieces, compute, persist, task
from cotopics.errors import CorpusError
from cotopics.in_pieces import InPieces, Partitioned, partitioned, stacked
from cotopics.records import WordIds
from cotopics.word_matching import move_columns


@dataclass(frozen=True)
class Partitions(InPieces):
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
        joined = [task(stacked, parts[first:last]) for first, last in join_neighbours(sizes, self.n_words)]
        return replace(self, parts=tuple(persist(joined)), sizes=None, is_kept=True)

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The sum of function(part, *arguments); parts are not kept for it."""
        return self.read_once.sum(function, *arguments)

    @property
    def read_once(self) -> ClusterPieces:
        """The parts as they are; none is kept for whoever reads them once."""
        return ClusterPieces(self.parts)

    @cached_property
    def used(self) -> tuple[WordIds, Self]:
        """The words that are in some document, and the documents with any word, over these words alone."""
        words = np.flatnonzero(self.frequency)
        return words, self.with_words().columns(words)

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
        """C of all documents, which stay where they are; `dtype` is that of tf-idf weights."""
        return partitioned(self.keep(), weighting, dtype)

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

    def gather(self) -> sp.csr_array:
        """All counts, here."""
        return stacked(compute(list(self.parts)))

    def _mapped(self, function: Callable[..., Any], *arguments: Any, **changed: Any) -> Self:
        parts = self.read_once.map(function, *arguments).values
        return replace(self, parts=parts, **changed)


def _with_words(counts: sp.csr_array) -> sp.csr_array:
    return counts[np.diff(counts.indptr) > 0]


def _size(counts: sp.csr_array) -> int:
    return int(counts.nnz)
