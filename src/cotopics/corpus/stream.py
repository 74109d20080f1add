"""Counts from files that are larger than memory, a chunk of documents at a time."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.corpus.files import UNREADABLE, kind_of, load_counts, not_counts, read_column
from cotopics.corpus.parquet import check_parquet, read_parquet
from cotopics.corpus.readers import read_texts
from cotopics.corpus.record import canonical
from cotopics.corpus.text import NO_WORD, tokenizer
from cotopics.corpus.uci import UciFile
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.errors import CorpusError, ParameterError

KINDS = (".npz", ".parquet", ".jsonl", ".txt")
IN_FOLDERS = (".npz", ".parquet")


class CountStream(ABC):
    """Counts of documents as an iterable of chunks (documents × words, canonical CSR, float64).

    Every `iter(stream)` is a fresh pass over the files, with the same chunks in the same order. One chunk is in memory
    at a time, and one shard where counts come in shards. `vocabulary` has the words of the columns, None if the files
    name none; `n_words` is the number of columns. Over texts both grow during the first pass, and the chunks of every
    pass are as wide as the words seen up to there: open with `vocabulary`, or use `keep_frequent`, for a fixed width.
    """

    vocabulary: list[str] | None
    n_words: int | None

    def __iter__(self) -> Iterator[sp.csr_array]:
        n_documents = 0
        for chunk in self._chunks():
            n_documents += chunk.shape[0]
            progress.tell("reading", n_documents, None)
            yield chunk
            del chunk  # or it would stay until the next one is made
        if n_documents == 0:
            raise CorpusError("there are no documents in the files")

    @abstractmethod
    def _chunks(self) -> Iterator[sp.csr_array]: ...


def open_stream(
    path: str | Path | Sequence[str | Path],
    *,
    chunk_documents: int = 20_000,
    text_field: str = "text",
    stop_words: str | Iterable[str] | None = "english",
    vocabulary: Iterable[str] | None = None,
) -> CountStream:
    """Open files of documents to be read in chunks of at most `chunk_documents`; give one file, a folder or a list.

    - `docword*.txt`: UCI bag of words, sorted by document, with the words in `vocab*.txt` beside it.
    - `.npz`: counts as written by `scipy.sparse.save_npz`, one file or shards, with the words in one `vocab.txt` beside
      them. Shards may differ in width: a column is the same word in all of them. One shard is in memory at a time.
    - `.parquet`: texts in the column `text_field`, or lists of tokens, taken as they are. A missing text has no words.
    - `.jsonl`, `.txt`: as `read_corpus` reads them.

    Of a folder the `.npz` or `.parquet` files are read, in the order of their names; a list is read in its own order.
    `.txt` and `.jsonl` may be compressed (`.gz`). Texts become words as in `count_words` with these `stop_words`,
    numbered in order of first appearance. `vocabulary` fixes the columns: only these words are counted.
    """
    if chunk_documents < 1:
        raise ParameterError(f"chunk_documents={chunk_documents} must be at least 1")
    words = None if vocabulary is None else _distinct(vocabulary)
    paths = _files(path)
    kinds = {kind_of(file, KINDS) for file in paths}
    if len(kinds) > 1:
        raise CorpusError(f"the files are {' and '.join(sorted(kinds))}; give files of one kind")
    kind = kinds.pop()
    if kind == ".npz":
        return _with_vocabulary(_ShardStream(paths, chunk_documents), words)
    if kind == ".txt" and any(file.name.startswith("docword") for file in paths):
        if len(paths) > 1:
            raise CorpusError("give one docword file; each has a vocabulary of its own")
        return _with_vocabulary(_UciStream(paths[0], chunk_documents), words)

    tokens = tokenizer(stop_words)
    if kind == ".parquet":
        for file in paths:
            check_parquet(file, text_field)

    def documents() -> Iterator[list[str]]:
        for file in paths:
            if kind == ".parquet":
                yield from read_parquet(file, text_field, tokens)
            else:
                yield from (tokens(text) for text, _ in read_texts(file, text_field=text_field))

    return _TextStream(documents, chunk_documents, words)


def keep_frequent(stream: CountStream, *, min_documents: int = 5, vocabulary_size: int | None = None) -> CountStream:
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
        occurrences, frequency, n_documents, vocabulary_size=vocabulary_size, min_documents=min_documents
    )
    place = np.full(len(frequency), -1)
    place[kept] = np.arange(len(kept))
    words = None if stream.vocabulary is None else [stream.vocabulary[i] for i in kept]
    return _ColumnStream(stream, place, len(kept), words)


class _UciStream(CountStream):
    def __init__(self, path: Path, chunk_documents: int) -> None:
        self._file = UciFile(path)
        self._chunk_documents = chunk_documents
        self.n_words = self._file.n_words
        beside = path.with_name(path.name.removesuffix(".gz").replace("docword", "vocab", 1))
        self.vocabulary = _words_beside(path, beside, self._file.n_words)

    def _chunks(self) -> Iterator[sp.csr_array]:
        return self._file.chunks(self._chunk_documents)


class _ShardStream(CountStream):
    def __init__(self, paths: list[Path], chunk_documents: int) -> None:
        self._paths = paths
        self._chunk_documents = chunk_documents
        self._width, widest = max((_width(path), path) for path in paths)
        self.n_words = self._width
        folders = {path.parent.resolve() for path in paths}
        lists = [folder / "vocab.txt" for folder in folders if (folder / "vocab.txt").exists()]
        if len(lists) > 1:
            raise CorpusError(f"the shards have {len(lists)} files vocab.txt beside them; keep the one that is for all")
        self.vocabulary = _words_beside(widest, lists[0], self._width) if lists else None

    def _chunks(self) -> Iterator[sp.csr_array]:
        for path in self._paths:
            yield from self._cut(path)  # nothing here holds on to a shard while the next is loaded

    def _cut(self, path: Path) -> Iterator[sp.csr_array]:
        shard = load_counts(path)
        if shard.shape[1] > self._width:
            raise CorpusError(f"{path} has become wider since it was opened; open the stream again")
        for start in range(0, shard.shape[0], self._chunk_documents):
            rows = shard[start : start + self._chunk_documents].astype(np.float64)  # a copy, not a view of the shard
            yield canonical(sp.csr_array((rows.data, rows.indices, rows.indptr), shape=(rows.shape[0], self._width)))


class _TextStream(CountStream):
    """Counts of documents that come as words; without a given vocabulary, words are numbered as they appear."""

    def __init__(
        self, documents: Callable[[], Iterator[Iterable[str]]], chunk_documents: int, words: list[str] | None
    ) -> None:
        self._documents = documents
        self._chunk_documents = chunk_documents
        self._fixed = words is not None
        self._ids = {word: i for i, word in enumerate(words or [])}
        self._show_words()

    def _chunks(self) -> Iterator[sp.csr_array]:
        documents = self._documents()
        width = len(self._ids) if self._fixed else 0  # words seen in this pass
        n_wordless = 0  # first chunks, before any word: they wait until there is a column
        while True:
            ids, ends = array("i"), [0]
            for words in islice(documents, self._chunk_documents):
                ids.extend(self._number(words))
                ends.append(len(ids))
            if len(ends) == 1:
                break
            self._show_words()
            indices = np.array(ids, dtype=np.int32)
            width = max(width, int(indices.max(initial=-1)) + 1)
            if width == 0:
                n_wordless += 1
                continue
            for _ in range(n_wordless):
                yield sp.csr_array((self._chunk_documents, width))
            n_wordless = 0
            yield canonical(sp.csr_array((np.ones(len(ids)), indices, ends), shape=(len(ends) - 1, width)))
        if n_wordless:
            raise CorpusError(NO_WORD)

    def _number(self, words: Iterable[str]) -> Iterator[int]:
        ids = self._ids
        if self._fixed:
            return (ids[word] for word in words if word in ids)
        return (ids.setdefault(word, len(ids)) for word in words)

    def _show_words(self) -> None:
        self.vocabulary = list(self._ids)
        self.n_words = len(self._ids)


class _ColumnStream(CountStream):
    """Some columns of another stream: column j of it becomes column place[j], or is left out where that is −1."""

    def __init__(self, source: CountStream, place: Any, n_words: int, words: list[str] | None) -> None:
        self._source = source
        self._place = place
        self.n_words = n_words
        self.vocabulary = words

    def _chunks(self) -> Iterator[sp.csr_array]:
        return map(self._pick, self._source._chunks())

    def _pick(self, chunk: sp.csr_array) -> sp.csr_array:
        places = self._place[chunk.indices]
        kept = places >= 0
        indptr = np.concatenate([[0], np.cumsum(kept)])[chunk.indptr]
        shape = (chunk.shape[0], self.n_words)
        return canonical(sp.csr_array((chunk.data[kept], places[kept], indptr), shape=shape))


def _with_vocabulary(stream: CountStream, words: list[str] | None) -> CountStream:
    """The stream with these words as its columns."""
    if words is None:
        return stream
    if stream.vocabulary is None:
        raise CorpusError("vocabulary is given, but no vocab file beside the counts says which word a column is")
    new = {word: i for i, word in enumerate(words)}
    place = np.array([new.get(word, -1) for word in stream.vocabulary])
    return _ColumnStream(stream, place, len(words), words)


def _distinct(vocabulary: Iterable[str]) -> list[str]:
    words = [] if isinstance(vocabulary, str) else list(vocabulary)
    if not words:
        raise ParameterError("vocabulary must be a list of words, at least one")
    if len(set(words)) < len(words):
        raise ParameterError(f"vocabulary has {len(words) - len(set(words))} words twice; give each once")
    return words


def _files(path: str | Path | Sequence[str | Path]) -> list[Path]:
    """The files to read, in order."""
    if not isinstance(path, str | os.PathLike):
        paths = [Path(file) for file in path]
        if not paths:
            raise CorpusError("the list of files is empty")
        return paths
    path = Path(path)
    if not path.is_dir():
        return [path]
    found = [file for file in sorted(path.iterdir()) if file.suffix in IN_FOLDERS and not file.name.startswith(".")]
    if not found:
        raise CorpusError(f"{path} is a folder without {' or '.join(IN_FOLDERS)} files; give a file or a list of files")
    return found


def _width(path: Path) -> int:
    """Number of words of a file of counts, without reading the counts."""
    try:
        with np.load(path, allow_pickle=False) as file:
            _, n_words = file["shape"]
            return int(n_words)
    except UNREADABLE as error:
        raise not_counts(path, error) from None


def _words_beside(path: Path, beside: Path, n_words: int) -> list[str] | None:
    words = read_column(beside)
    if words is not None and len(words) != n_words:
        raise CorpusError(f"{path} has {n_words} words and {beside.name} beside it {len(words)} lines")
    return words
