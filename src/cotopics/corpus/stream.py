"""Counts from files that are larger than memory, a chunk of documents at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.corpus.beside import DocumentsBeside, words_beside
from cotopics.corpus.documents import About, Document
from cotopics.corpus.formats import CountFile
from cotopics.corpus.record import Corpus, canonical, numbered_words
from cotopics.corpus.text import NO_WORD
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.errors import CorpusError, ParameterError

Part = tuple[sp.csr_array, About]


class CountStream(ABC):
    """Counts of documents as an iterable of chunks (documents × words, canonical CSR, float64).

    Every `iter(stream)` is a fresh pass over the files, with the same chunks in the same order. One chunk is in memory
    at a time, and one shard where counts come in shards. `vocabulary` has the words of the columns, None if the files
    name none; `n_words` is the number of columns. Over texts both grow during the first pass, and the chunks of every
    pass are as wide as the words seen up to there: open with `vocabulary`, or use `keep_frequent`, for a fixed width.
    `notes` says what was left out in the last pass.
    """

    vocabulary: list[str] | None
    n_words: int | None
    _name = "the files"  # what a message calls what is read

    def __iter__(self) -> Iterator[sp.csr_array]:
        for chunk, _ in self._told(described=False):
            yield chunk
            del chunk  # or it would stay until the next one is made

    def corpora(self) -> Iterator[Corpus]:
        """The same chunks as records, with the ids, labels, dates and metadata of their documents."""
        names = [] if self.vocabulary is not None else numbered_words(self.n_words or 0)
        for chunk, about in self._told(described=True):
            yield Corpus(chunk, (self.vocabulary or names)[: chunk.shape[1]], **about.columns())
            del chunk

    @property
    def notes(self) -> list[str]:
        return []

    def _told(self, described: bool) -> Iterator[Part]:
        n_documents = 0
        for chunk, about in self._parts(described):
            n_documents += chunk.shape[0]
            progress.tell("reading", n_documents, None)
            yield chunk, about
            del chunk
        if n_documents == 0:
            raise CorpusError("; ".join([f"there are no documents in {self._name}", *self.notes]))

    @abstractmethod
    def _parts(self, described: bool) -> Iterator[Part]:
        """Chunks with what is known of their documents, which is empty unless it is asked for."""


def keep_frequent(
    stream: CountStream,
    *,
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
) -> CountStream:
    """The stream with only the words that `keep_words` would keep of all its documents; takes one pass to find them."""
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
    place = np.full(len(frequency), -1)
    place[kept] = np.arange(len(kept))
    words = None if stream.vocabulary is None else [stream.vocabulary[i] for i in kept]
    return _ColumnStream(stream, place, len(kept), words)


def stacked(stream: CountStream) -> Corpus:
    """All of a stream in memory."""
    chunks, about = [], About()
    for chunk, part in stream._told(described=True):
        chunks.append(chunk)
        about.extend(part)
    n_words = max(chunk.shape[1] for chunk in chunks)
    for chunk in chunks:
        chunk.resize(chunk.shape[0], n_words)
    counts = sp.vstack(chunks, format="csr") if len(chunks) > 1 else chunks[0]
    words = stream.vocabulary if stream.vocabulary is not None else numbered_words(n_words)
    return Corpus(counts, words, notes=stream.notes, **about.columns())


def with_vocabulary(stream: CountStream, words: list[str] | None) -> CountStream:
    """The stream with these words as its columns."""
    if words is None:
        return stream
    if stream.vocabulary is None:
        raise CorpusError("vocabulary is given, but no vocab file beside the counts says which word a column is")
    new = {word: i for i, word in enumerate(words)}
    place = np.array([new.get(word, -1) for word in stream.vocabulary])
    return _ColumnStream(stream, place, len(words), words)


class FileStream(CountStream):
    """Counts of one file, or of shards: a column is the same word in all of them, and they may differ in width."""

    def __init__(self, paths: list[Any], new: type[CountFile], chunk_documents: int) -> None:
        listed, words = words_beside(paths, new)
        self._files = [new(path, words) for path in paths]
        self._beside = DocumentsBeside(paths)
        self._name = str(paths[0])
        self._chunk_documents = chunk_documents
        widest = max(self._files, key=lambda file: file.n_words)
        self.n_words = self._width = widest.n_words
        self.vocabulary = words
        if words is not None and len(words) != widest.n_words:
            raise CorpusError(
                f"{widest.path} has {widest.n_words} words and {listed.name} beside it {len(words)} lines"  # type: ignore[union-attr]
            )

    def _parts(self, described: bool) -> Iterator[Part]:
        n_documents = 0
        for file in self._files:
            for rows in file.chunks(self._chunk_documents):
                if rows.shape[1] > self._width:
                    raise CorpusError(f"{file.path} has become wider since it was opened; open the stream again")
                start, n_documents = n_documents, n_documents + rows.shape[0]
                about = self._beside.about(start, n_documents) if described else About()
                rows.resize(rows.shape[0], self._width)
                yield rows, about
                del rows
        if described:
            self._beside.check(n_documents)


class TextStream(CountStream):
    """Counts of documents that come as words; without a given vocabulary, words are numbered as they appear."""

    def __init__(
        self,
        documents: Iterable[Document],
        tokens: Callable[[str], Iterable[str]],
        chunk_documents: int,
        words: list[str] | None,
    ) -> None:
        self._documents, self._tokens = documents, tokens
        self._name = str(next(iter(getattr(documents, "paths", [])), "the list"))
        self._chunk_documents = chunk_documents
        self._fixed = words is not None
        self._ids = {word: i for i, word in enumerate(words or [])}
        self._show_words()

    @property
    def notes(self) -> list[str]:
        skipped = getattr(self._documents, "skipped", None)
        return [] if skipped is None else skipped.notes()

    def _parts(self, described: bool) -> Iterator[Part]:
        documents = iter(self._documents)
        width = len(self._ids) if self._fixed else 0  # words seen in this pass
        waiting: list[About] = []  # of first chunks, before any word: they wait until there is a column
        while True:
            ids, ends, about = self._numbered(islice(documents, self._chunk_documents))
            if len(ends) == 1:
                break
            self._show_words()
            indices = np.array(ids, dtype=np.int32)
            width = max(width, int(indices.max(initial=-1)) + 1)
            if width == 0:
                waiting.append(about)
                continue
            for earlier in waiting:
                yield sp.csr_array((self._chunk_documents, width)), earlier
            waiting = []
            yield canonical(sp.csr_array((np.ones(len(ids)), indices, ends), shape=(len(ends) - 1, width))), about
        if waiting:
            raise CorpusError(f"{self._name}: {NO_WORD}")

    def _numbered(self, documents: Iterable[Document]) -> tuple[array[int], list[int], About]:
        """The word ids of documents one after another, where each document ends, and what else is known of them."""
        ids, ends, about = array("i"), [0], About()
        for document in documents:
            words = self._tokens(document.text) if isinstance(document.text, str) else document.text
            ids.extend(self._number(words))
            ends.append(len(ids))
            about.add(document)
        return ids, ends, about

    def _number(self, words: Iterable[str]) -> Iterator[int]:
        ids = self._ids
        if self._fixed:
            return (ids[word] for word in words if word in ids)
        return (ids.setdefault(word, len(ids)) for word in words)

    def _show_words(self) -> None:
        self.vocabulary = list(self._ids)
        self.n_words = len(self._ids)


class CorpusStream(CountStream):
    """The documents of a corpus that is in memory."""

    def __init__(self, corpus: Corpus, chunk_documents: int) -> None:
        self._corpus = corpus
        self._chunk_documents = chunk_documents
        self.vocabulary = corpus.vocabulary
        self.n_words = len(corpus.vocabulary)

    @property
    def notes(self) -> list[str]:
        return self._corpus.notes

    def _parts(self, described: bool) -> Iterator[Part]:
        corpus = self._corpus
        for start in range(0, corpus.counts.shape[0], self._chunk_documents):
            rows = slice(start, start + self._chunk_documents)
            about = About(
                list((corpus.ids or [])[rows]),
                list((corpus.labels or [])[rows]),
                list((corpus.dates or [])[rows]),
                {name: values[rows] for name, values in (corpus.metadata or {}).items()},
            )
            yield corpus.counts[rows].astype(np.float64), about


class _ColumnStream(CountStream):
    """Some columns of another stream: column j of it becomes column place[j], or is left out where that is −1."""

    def __init__(self, source: CountStream, place: Any, n_words: int, words: list[str] | None) -> None:
        self._source = source
        self._place = place
        self.n_words = n_words
        self.vocabulary = words

    @property
    def notes(self) -> list[str]:
        return self._source.notes

    def _parts(self, described: bool) -> Iterator[Part]:
        for chunk, about in self._source._parts(described):
            chunk = moved_columns(chunk, self._place, self.n_words or 0)
            yield chunk, about
            del chunk


def moved_columns(counts: sp.csr_array, place: Any, n_words: int) -> sp.csr_array:
    """Counts over n_words in which column j is column place[j], or is left out where that is −1."""
    places = place[counts.indices]
    kept = places >= 0
    indptr = np.concatenate([[0], np.cumsum(kept)])[counts.indptr]
    return canonical(sp.csr_array((counts.data[kept], places[kept], indptr), shape=(counts.shape[0], n_words)))


def distinct(vocabulary: Iterable[str]) -> list[str]:
    words = [] if isinstance(vocabulary, str) else list(vocabulary)
    if not words:
        raise ParameterError("vocabulary must be a list of words, at least one")
    if len(set(words)) < len(words):
        raise ParameterError(f"vocabulary has {len(words) - len(set(words))} words twice; give each once")
    return words
