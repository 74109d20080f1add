"""Counts from files that are larger than memory, a chunk of documents at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.arrays import Integers
from cotopics.corpus.corpus import Corpus, numbered_words
from cotopics.corpus.documents import Document, DocumentDetails
from cotopics.corpus.files import PACKINGS, read_column
from cotopics.corpus.formats import CountFile
from cotopics.corpus.text import NO_WORD, Prepare, WordNumbers
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.errors import CorpusError, ParameterError
from cotopics.word_matching import move_columns, places_by_name, places_of, word_ids

Chunk = tuple[sp.csr_array, DocumentDetails]


class CountStream(ABC):
    """Counts of documents as an iterable of chunks (documents × words, canonical CSR, float64).

    Every `iter(stream)` is a new pass over the files, with the same chunks in the same order. One chunk is in memory at
    a time, and one shard if the counts are in shards. `vocabulary` has the words of the columns, None if the files do
    not name them; `n_words` is the number of columns. For texts both grow during the first pass, and each chunk is as
    wide as the words seen so far in its pass: give `vocabulary`, or use `keep_frequent`, for a fixed width. `notes` say
    what was left out in the last pass.

    >>> from cotopics.corpus import open_stream
    >>> stream = open_stream([["sun", "moon"], ["moon"], ["cat", "sun", "sun"]], chunk_documents=2)
    >>> [chunk.toarray().tolist() for chunk in stream]
    [[[1.0, 1.0], [0.0, 1.0]], [[2.0, 0.0, 1.0]]]
    >>> stream.vocabulary
    ['sun', 'moon', 'cat']
    """

    vocabulary: list[str] | None
    n_words: int | None
    _name = "the files"  # what messages call the input

    def __iter__(self) -> Iterator[sp.csr_array]:
        for chunk, _ in self._read(with_details=False):
            yield chunk
            del chunk  # or it would stay in memory until the next one is made

    def corpora(self) -> Iterator[Corpus]:
        """The same chunks as records, with the ids, labels, dates and metadata of their documents."""
        names = [] if self.vocabulary is not None else numbered_words(self.n_words or 0)
        for chunk, details in self._read(with_details=True):
            yield Corpus(chunk, (self.vocabulary or names)[: chunk.shape[1]], **details.columns())
            del chunk

    @property
    def notes(self) -> list[str]:
        return []

    def _read(self, with_details: bool) -> Iterator[Chunk]:
        """The chunks, with reports on the progress, and an error if there are no documents."""
        n_documents = 0
        for chunk, details in self._chunks(with_details):
            n_documents += chunk.shape[0]
            progress.tell("reading", n_documents, None)
            yield chunk, details
            del chunk
        if n_documents == 0:
            raise CorpusError("; ".join([f"there are no documents in {self._name}", *self.notes]))

    @abstractmethod
    def _chunks(self, with_details: bool) -> Iterator[Chunk]:
        """Chunks, and what is known of their documents (which may be left out if it is not wanted)."""


def keep_frequent(
    stream: CountStream,
    *,
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
) -> CountStream:
    """The stream with only the words that `keep_words` would keep of all its documents; takes one pass to find them.

    >>> from cotopics.corpus import open_stream
    >>> keep_frequent(open_stream([["sun", "moon"], ["moon"], ["cat", "sun"]]), min_documents=2).vocabulary
    ['sun', 'moon']
    """
    check_vocabulary_size(vocabulary_size)
    occurrences, frequency, n_documents = np.zeros(0), np.zeros(0, dtype=np.int64), 0  # tf, df, M
    for chunk in stream:
        new = (0, chunk.shape[1] - len(frequency))
        chunk_occurrences, chunk_frequency = word_frequencies(chunk)
        occurrences = np.pad(occurrences, new) + chunk_occurrences
        frequency = np.pad(frequency, new) + chunk_frequency
        n_documents += chunk.shape[0]
    kept = frequent_words(
        occurrences,
        frequency,
        n_documents,
        vocabulary_size=vocabulary_size,
        min_documents=min_documents,
        max_documents=max_documents,
    )
    words = None if stream.vocabulary is None else [stream.vocabulary[i] for i in kept]
    return _ColumnStream(stream, places_of(kept, len(frequency)), len(kept), words)


def read_all(stream: CountStream) -> Corpus:
    """The whole stream in memory."""
    chunks, details = [], DocumentDetails()
    for chunk, part in stream._read(with_details=True):
        chunks.append(chunk)
        details.extend(part)
    n_words = max(chunk.shape[1] for chunk in chunks)
    for chunk in chunks:
        chunk.resize(chunk.shape[0], n_words)
    counts = sp.vstack(chunks, format="csr") if len(chunks) > 1 else chunks[0]
    words = stream.vocabulary if stream.vocabulary is not None else numbered_words(n_words)
    return Corpus(counts, words, notes=stream.notes, **details.columns())


def with_vocabulary(stream: CountStream, words: list[str] | None) -> CountStream:
    """The stream with these words as its columns."""
    if words is None:
        return stream
    if stream.vocabulary is None:
        raise CorpusError("vocabulary is given, but no vocab file next to the counts says which word a column is")
    return _ColumnStream(stream, places_by_name(stream.vocabulary, word_ids(words)), len(words), words)


class FileStream(CountStream):
    """Counts of one file, or of shards: a column is the same word in all of them, and they may differ in width."""

    def __init__(self, paths: list[Path], new: type[CountFile], chunk_documents: int) -> None:
        file, words = _vocabulary_file(paths, new)
        self._files = [new(path, words) for path in paths]
        self._lists = DocumentLists(paths)
        self._name = str(paths[0])
        self._chunk_documents = chunk_documents
        widest = max(self._files, key=lambda file: file.n_words)
        self.n_words = self._width = widest.n_words
        self.vocabulary = words
        if file is not None and words is not None and len(words) != widest.n_words:
            raise CorpusError(
                f"{widest.path} has {widest.n_words} words, but {file.name} next to it has {len(words)} lines"
            )

    def _chunks(self, with_details: bool) -> Iterator[Chunk]:
        n_documents = 0
        for file in self._files:
            for rows in file.chunks(self._chunk_documents):
                if rows.shape[1] > self._width:
                    raise CorpusError(f"{file.path} has become wider since it was opened; open the stream again")
                start, n_documents = n_documents, n_documents + rows.shape[0]
                details = self._lists.details(start, n_documents) if with_details else DocumentDetails()
                rows.resize(rows.shape[0], self._width)
                yield rows, details
                del rows
        if with_details:
            self._lists.check(n_documents)


def _vocabulary_file(paths: list[Path], kind: type[CountFile]) -> tuple[Path | None, list[str] | None]:
    """The file next to these that lists their words, and the words; None if there is no such file."""
    found = {path.parent.resolve(): _first_file(path.parent, kind.vocabulary_names(path)) for path in paths}
    files = [file for file in found.values() if file is not None]
    if len(files) > 1:
        raise CorpusError(f"the shards have {len(files)} files vocab.txt next to them; keep one that is for all")
    return (files[0], read_column(files[0])) if files else (None, None)


class DocumentLists:
    """`labels.txt`, `ids.txt` and `dates.txt` next to files of counts, a line per document; read when needed."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths
        self._lists: dict[str, tuple[Path, list[str]]] | None = None

    def details(self, start: int, stop: int) -> DocumentDetails:
        """What is known of documents start to stop − 1."""
        values = {name: lines[start:stop] for name, (_, lines) in self._read().items()}
        for name, lines in values.items():
            if len(lines) < stop - start:
                raise self._error(name, f"{stop} or more")
        labels = [label or None for label in values.get("labels", [])]
        return DocumentDetails([*values.get("ids", [])], labels, [*values.get("dates", [])])

    def check(self, n_documents: int) -> None:
        """CorpusError if there are more lines than documents."""
        for name, (_, lines) in self._read().items():
            if len(lines) != n_documents:
                raise self._error(name, str(n_documents))

    def _read(self) -> dict[str, tuple[Path, list[str]]]:
        if self._lists is None:
            one_folder = len({path.parent.resolve() for path in self._paths}) == 1
            names = ("labels", "ids", "dates") if one_folder else ()
            files = {name: _first_file(self._paths[0].parent, [f"{name}.txt"]) for name in names}
            self._lists = {name: (file, read_column(file) or []) for name, file in files.items() if file is not None}
        return self._lists

    def _error(self, name: str, n_documents: str) -> CorpusError:
        file, lines = self._read()[name]
        counts = self._paths[0] if len(self._paths) == 1 else self._paths[0].parent
        return CorpusError(f"{counts} has {n_documents} documents, but {file.name} next to it has {len(lines)} lines")


def _first_file(folder: Path, names: list[str]) -> Path | None:
    """The first of these files that exists, packed or not."""
    files = (folder / f"{name}{packing}" for name in names for packing in ("", *PACKINGS))
    return next((file for file in files if file.is_file()), None)


class TextStream(CountStream):
    """Counts of documents that are texts or lists of words, which are numbered as they appear unless they are given."""

    def __init__(
        self, documents: Iterable[Document], prepare: Prepare, chunk_documents: int, words: list[str] | None
    ) -> None:
        self._documents = documents
        self._name = str(next(iter(getattr(documents, "paths", [])), "the list"))
        self._chunk_documents = chunk_documents
        self._fixed = words is not None
        self._numbers = WordNumbers(prepare, vocabulary=words)
        self.vocabulary, self.n_words = self._numbers.words, len(self._numbers)

    @property
    def notes(self) -> list[str]:
        skipped = getattr(self._documents, "skipped", None)
        return [] if skipped is None else skipped.notes()

    def _chunks(self, with_details: bool) -> Iterator[Chunk]:
        documents = iter(self._documents)
        width = len(self._numbers) if self._fixed else 0  # words seen in this pass
        waiting: list[DocumentDetails] = []  # of chunks before the first word: a chunk needs a column
        while True:
            details = DocumentDetails()
            chunk = details.collect(islice(documents, self._chunk_documents))
            counts = self._numbers.count(document.text for document in chunk)
            if counts.shape[0] == 0:
                break
            self.vocabulary, self.n_words = self._numbers.words, len(self._numbers)
            width = max(width, int(counts.indices.max(initial=-1)) + 1)
            if width == 0:
                waiting.append(details)
                continue
            for earlier in waiting:
                yield sp.csr_array((self._chunk_documents, width)), earlier
            waiting = []
            counts.resize(counts.shape[0], width)
            yield counts, details
            del counts
        if waiting:
            raise CorpusError(f"{self._name}: {NO_WORD}")


class CorpusStream(CountStream):
    """The documents of a corpus in memory."""

    def __init__(self, corpus: Corpus, chunk_documents: int) -> None:
        self._corpus = corpus
        self._chunk_documents = chunk_documents
        self.vocabulary = corpus.vocabulary
        self.n_words = len(corpus.vocabulary)

    @property
    def notes(self) -> list[str]:
        return self._corpus.notes

    def _chunks(self, with_details: bool) -> Iterator[Chunk]:
        corpus = self._corpus
        for start in range(0, corpus.counts.shape[0], self._chunk_documents):
            rows = slice(start, start + self._chunk_documents)
            details = DocumentDetails(
                list((corpus.ids or [])[rows]),
                list((corpus.labels or [])[rows]),
                list((corpus.dates or [])[rows]),
                {name: values[rows] for name, values in (corpus.metadata or {}).items()},
            )
            yield corpus.counts[rows].astype(np.float64), details


class _ColumnStream(CountStream):
    """Some columns of another stream: its column j becomes column places[j], or is left out where that is −1."""

    def __init__(self, source: CountStream, places: Integers, n_words: int, words: list[str] | None) -> None:
        self._source = source
        self._places = places
        self.n_words = n_words
        self.vocabulary = words

    @property
    def notes(self) -> list[str]:
        return self._source.notes

    def _chunks(self, with_details: bool) -> Iterator[Chunk]:
        for chunk, details in self._source._chunks(with_details):
            chunk = move_columns(chunk, self._places, self.n_words or 0)
            yield chunk, details
            del chunk


def check_vocabulary(vocabulary: Any) -> list[str]:
    """The words as a list, each once, or a ParameterError."""
    words = [] if isinstance(vocabulary, str) else list(vocabulary)
    if not words:
        raise ParameterError("vocabulary must be a list of words, at least one")
    if len(set(words)) < len(words):
        raise ParameterError(f"vocabulary has {len(words) - len(set(words))} words twice; give each once")
    return words
