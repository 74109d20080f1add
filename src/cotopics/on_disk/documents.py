"""Counts packed into a scratch file, and what a fit asks of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, CooccurrenceAccumulator, DocumentSums, check_counts
from cotopics.corpus import CountStream, open_stream
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words
from cotopics.errors import CorpusError
from cotopics.in_pieces import InPieces, Partitioned, partitioned, stacked
from cotopics.on_disk.pieces import DiskPieces
from cotopics.on_disk.scratch import ScratchFile, get, put
from cotopics.records import WordIds
from cotopics.word_matching import move_columns, places_of

PIECE_NUMBERS = 1 << 21  # non-zeros of a piece: some 100 MB of memory when it is at work
PIECE_DOCUMENTS = 1 << 16


def is_stream(X: Any) -> bool:
    """Whether X is a stream of counts, documents packed from one, or paths of files: a `Path`, or a list of them."""
    paths = X if isinstance(X, list | tuple) else [X]
    return isinstance(X, CountStream | OnDisk) or (len(paths) > 0 and all(isinstance(p, os.PathLike) for p in paths))


def as_stream(X: Any) -> CountStream:
    """A stream of counts: itself, or that of the files at these paths."""
    return X if isinstance(X, CountStream) else open_stream(X)


@dataclass(frozen=True)
class OnDisk(InPieces):
    """`cotopics.documents.Documents` on disk: counts (documents × words) in pieces, canonical CSR each, in order.

    It is a context manager: its scratch file is gone when the block ends, and whenever nobody uses it any more.

    Parameters
    ----------
    pieces : DiskPieces of the counts
    n_words : how many columns they have
    vocabulary : the words of the columns, or None
    notes : what was left out on the way
    """

    pieces: DiskPieces = field(repr=False)
    n_words: int
    vocabulary: list[str] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    file: ScratchFile | None = field(default=None, repr=False)

    @cached_property
    def used(self) -> tuple[WordIds, OnDisk]:
        words = np.flatnonzero(self.frequency)
        if len(words) == self.n_words and self.facts.n_with_words == self.n_documents:
            return words, self
        return words, self._over(words, without_empty=True)

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
        return partitioned(self, weighting, dtype)

    def add_up(self, empty: DocumentSums) -> DocumentSums:
        """`empty` statistics with all documents added. An accumulator comes back without the documents themselves."""
        sums = CooccurrenceAccumulator() if isinstance(empty, CooccurrenceAccumulator) else empty
        for read in self.pieces.readers:
            sums.update(read())
        return sums

    def keep(self) -> Self:
        return self

    def gather(self) -> sp.csr_array:
        """All counts, in memory."""
        return stacked([read() for read in self.pieces.readers])

    def keep_frequent(
        self,
        *,
        min_documents: int | float = 5,
        max_documents: int | float | None = None,
        vocabulary_size: int | None = None,
    ) -> OnDisk:
        """Only the words that `keep_words` would keep; they are packed anew."""
        check_vocabulary_size(vocabulary_size)
        kept = frequent_words(
            self.facts.occurrences,
            self.facts.frequency,
            self.n_documents,
            min_documents=min_documents,
            max_documents=max_documents,
            vocabulary_size=vocabulary_size,
        )
        return self if len(kept) == self.n_words else self._over(kept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the scratch file; these documents cannot be read afterwards."""
        if self.file is not None:
            self.file.close()

    def _over(self, words: Any, without_empty: bool = False) -> OnDisk:
        """The same with these columns only, in this order, packed into a file of their own."""
        places = places_of(words, self.n_words)
        counts = (_moved(read(), places, len(words), without_empty) for read in self.pieces.readers)
        vocabulary = None if self.vocabulary is None else [self.vocabulary[i] for i in words]
        return _packed(counts, self.pieces.folder, len(words), vocabulary, self.notes)


def pack(X: Any, scratch: str | os.PathLike[str] | None = None) -> OnDisk:
    """The counts of a stream, or of files, packed into a scratch file in one pass: documents for `fit`.

    X: `cotopics.corpus.open_stream(…)`, a `Path`, or a list of them. scratch: the folder for scratch files, which take
    2 to 4 bytes for every word of every document, and a fit as much again and 4 to 8 bytes for every document and
    topic; by default where the system keeps temporary files. Some systems keep these in memory.

    >>> from cotopics import TopicModel
    >>> from cotopics.corpus import open_stream
    >>> documents = [["sun", "moon"], ["moon", "star", "sun"], ["cat", "dog"], ["dog", "cat", "cow"]] * 5
    >>> with pack(open_stream(documents)) as packed:
    ...     model = TopicModel(2).fit(packed)
    >>> sorted(sorted(words) for words in model.top_words(2))
    [['cat', 'dog'], ['moon', 'sun']]
    """
    stream = as_stream(X)
    folder = None if scratch is None else os.fspath(scratch)
    n_words = 0

    def chunks() -> Iterator[sp.csr_array]:
        nonlocal n_words
        first = 0
        for chunk in stream:
            n_words = max(n_words, chunk.shape[1])
            yield check_counts(chunk, first=first)
            first += chunk.shape[0]

    packed = _packed(chunks(), folder, lambda: max(n_words, stream.n_words or 0), None, ())
    return OnDisk(packed.pieces, packed.n_words, stream.vocabulary, tuple(stream.notes), packed.file)


def _packed(
    chunks: Iterable[sp.csr_array], folder: str | None, n_words: Any, vocabulary: list[str] | None, notes: Any
) -> OnDisk:
    """Counts in a file; n_words may be a function, asked when all chunks are there."""
    file = ScratchFile(folder)
    stored = [put(file, (piece.data, piece.indices, piece.indptr)) for piece in pieces_of(chunks)]
    if not stored:
        raise CorpusError("there are no documents")
    width = n_words() if callable(n_words) else n_words
    pieces = DiskPieces(tuple(partial(get, file, one) for one in stored), file.folder).map(_counts, width)
    return OnDisk(pieces, width, vocabulary, tuple(notes), file)


def pieces_of(chunks: Iterable[sp.csr_array]) -> Iterator[sp.csr_array]:
    """The same documents in pieces of about PIECE_NUMBERS non-zeros: small neighbours are joined, large chunks cut."""
    waiting: list[sp.csr_array] = []
    n_numbers = n_documents = 0
    for chunk in chunks:
        for part in _cut(chunk):
            if waiting and (n_numbers + part.nnz > PIECE_NUMBERS or n_documents + part.shape[0] > PIECE_DOCUMENTS):
                yield _joined(waiting)
                waiting, n_numbers, n_documents = [], 0, 0
            waiting.append(part)
            n_numbers, n_documents = n_numbers + part.nnz, n_documents + part.shape[0]
    if waiting:
        yield _joined(waiting)


def _cut(counts: sp.csr_array) -> Iterator[sp.csr_array]:
    first, n = 0, counts.shape[0]
    while first < n:
        enough = counts.indptr[first] + PIECE_NUMBERS
        last = int(np.searchsorted(counts.indptr, enough, side="right")) - 1
        last = min(max(last, first + 1), first + PIECE_DOCUMENTS, n)
        yield counts if last - first == n else sp.csr_array(counts[first:last])
        first = last


def _joined(parts: list[sp.csr_array]) -> sp.csr_array:
    widest = max(part.shape[1] for part in parts)
    for part in parts:
        part.resize(part.shape[0], widest)
    return stacked(parts)


def _counts(arrays: tuple[Any, Any, Any], n_words: int) -> sp.csr_array:
    data, indices, indptr = arrays
    return sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_words))


def _moved(counts: sp.csr_array, places: Any, n_words: int, without_empty: bool) -> sp.csr_array:
    moved = move_columns(counts, places, n_words)
    return sp.csr_array(moved[np.diff(moved.indptr) > 0]) if without_empty else moved
