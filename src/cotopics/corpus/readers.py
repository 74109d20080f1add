"""Files and objects → a corpus of counts, whole or as a stream."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.corpus.corpus import Corpus
from cotopics.corpus.corpus_file import load_corpus
from cotopics.corpus.dates import iso_dates
from cotopics.corpus.documents import Document, DocumentDetails, Documents, Fields, as_name, read_documents
from cotopics.corpus.inputs import Paths, find_files, holds_paths
from cotopics.corpus.inspection import Inspection
from cotopics.corpus.objects import from_object
from cotopics.corpus.stream import (
    CorpusStream,
    CountStream,
    FileStream,
    TextStream,
    check_vocabulary,
    read_all,
    with_vocabulary,
)
from cotopics.corpus.text import Preparation, Prepare, count_words, prepare_or_default
from cotopics.corpus.vocabulary import keep_long, keep_words
from cotopics.errors import CorpusError, ParameterError
from cotopics.registry import COUNTS

CHUNK_DOCUMENTS = 20_000


def read_corpus(
    path: Any,
    *,
    text_field: str = "text",
    label_field: str | None = "label",
    id_field: str | None = "id",
    date_field: str | None = "date",
    metadata_fields: Iterable[str] = (),
    stop_words: str | Iterable[str] | None = "english",
    prepare: Prepare | None = None,
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
    min_length: int = 0,
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
    delimiter: str | None = None,
    date_format: str | None = None,
    drop_duplicates: bool = False,
) -> Corpus:
    """Read a corpus from a file, a folder, a list of files, or "-" for standard input; see `open_stream` for the kinds.

    Labels, ids, dates and `metadata_fields` come from the fields or columns of that name, if there are any; for counts
    they come from `labels.txt`, `ids.txt` and `dates.txt` next to them, a line per document. Everything else that
    `as_corpus` takes, such as a data frame, is read too. Texts become words by `prepare`, a `Preparation` or any
    function, or by the default one with these `stop_words`. Words and documents are kept as in `keep_words`. on_error:
    "raise", or "skip" documents that cannot be read; the `notes` of the corpus say how many and why.

    delimiter: what separates the cells of a .csv or .tsv file; None: what its header shows. date_format: how dates are
    written, as in `datetime.strptime`; None: ISO 8601, or else the common format that fits most of them. The notes say
    which, and how many dates are not understood; these stay as they are. drop_duplicates: leave out a document with the
    text of an earlier one; the notes count them in any case.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/notes.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("text,label\\nThe moon rose.,night\\nMoon and stars!,night\\nThe sun,day\\n")
    >>> corpus = read_corpus(path, min_documents=1)
    >>> corpus.vocabulary, corpus.labels
    (['moon', 'rose', 'stars', 'sun'], ['night', 'night', 'day'])
    """
    fields = Fields(text_field, label_field, id_field, date_field, metadata_fields)
    kept: dict[str, Any] = {
        "min_documents": min_documents,
        "max_documents": max_documents,
        "vocabulary_size": vocabulary_size,
        "min_length": min_length,
    }
    prepare = prepare_or_default(prepare, stop_words)
    if not holds_paths(path):
        kept |= {"date_format": date_format, "drop_duplicates": drop_duplicates}
        return _as_corpus(path, fields, prepare, **kept)
    if (saved := _saved(path)) is not None:
        return _with_iso_dates(keep_words(saved, **kept), date_format)
    paths, found = find_files(path, kind)
    if found in COUNTS:
        counted = read_all(FileStream(paths, COUNTS[found], CHUNK_DOCUMENTS))
        return _with_iso_dates(keep_words(counted, **kept), date_format)
    documents = Documents(paths, found, fields=fields, on_error=on_error, encoding=encoding, delimiter=delimiter)
    corpus = _count(documents, f"{paths[0]} is empty", prepare, drop_duplicates=drop_duplicates, **kept)
    return _with_iso_dates(corpus, date_format)


def as_corpus(
    data: Any,
    vocabulary: Any = None,
    *,
    labels: Iterable[Any] | None = None,
    ids: Iterable[Any] | None = None,
    dates: Iterable[Any] | None = None,
    text_field: str = "text",
    label_field: str | None = "label",
    id_field: str | None = "id",
    date_field: str | None = "date",
    metadata_fields: Iterable[str] = (),
    stop_words: str | Iterable[str] | None = "english",
    prepare: Prepare | None = None,
    min_documents: int | float = 0,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
    min_length: int = 0,
    date_format: str | None = None,
    drop_duplicates: bool = False,
) -> Corpus:
    """A corpus from what other libraries have in memory.

    Counts (documents × words): a scipy matrix, an array, or a pandas or polars frame of numbers, whose columns are the
    words; a gensim corpus, an iterable with a list of (id, count) for each document. `vocabulary` names the words: a
    list, a fitted scikit-learn vectorizer, or a gensim Dictionary. Texts: a frame with a column of texts, a column
    (Series, Arrow array), or an iterable of strings, of lists of words (used as they are), of dictionaries, or of
    `Document`s. `text_field` and the others say which column or key holds what, as in `read_corpus`. Frames may be of
    any library that narwhals knows, or offer themselves as Arrow. By default no word is left out; `min_documents` and
    the following options are those of `read_corpus`.

    >>> as_corpus(["a cat and a dog", "a cat"], labels=["x", "y"]).vocabulary
    ['cat', 'dog']
    >>> as_corpus([[(0, 2)], [(1, 1), (0, 1)]], vocabulary=["cat", "dog"]).counts.toarray().tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    columns: dict[str, Any] = {} if labels is None else {"labels": list(labels)}
    for name, values in (("ids", ids), ("dates", dates)):
        if values is not None:
            columns[name] = [as_name(value) or "" for value in values]
    kept: dict[str, Any] = {
        "min_documents": min_documents,
        "max_documents": max_documents,
        "vocabulary_size": vocabulary_size,
    }
    fields = Fields(text_field, label_field, id_field, date_field, metadata_fields)
    prepare = prepare_or_default(prepare, stop_words)
    kept |= {"min_length": min_length, "date_format": date_format, "drop_duplicates": drop_duplicates}
    return _as_corpus(data, fields, prepare, vocabulary, columns, **kept)


def _as_corpus(
    data: Any,
    fields: Fields,
    prepare: Prepare,
    vocabulary: Any = None,
    columns: dict[str, Any] | None = None,
    *,
    min_length: int,
    date_format: str | None,
    drop_duplicates: bool,
    **kept: Any,
) -> Corpus:
    """The corpus of an object; `columns` are known of its documents besides what the object says."""
    columns = columns or {}
    found = from_object(data, vocabulary, fields)
    if isinstance(found, Corpus):
        return _with_iso_dates(keep_words(replace(found, **columns), min_length=min_length, **kept), date_format)
    if vocabulary is not None:
        raise ParameterError("vocabulary is for counts, and these are texts")
    if columns and drop_duplicates:
        raise ParameterError(
            "drop_duplicates needs labels, ids and dates in the same object as the texts; give a frame"
        )
    corpus = replace(_count(found, "data is empty", prepare, drop_duplicates=drop_duplicates, **kept), **columns)
    return _with_iso_dates(keep_long(corpus, min_length), date_format)


def _with_iso_dates(corpus: Corpus, date_format: str | None) -> Corpus:
    """The corpus with its dates in ISO 8601, as far as they are understood, and notes on them."""
    dates, notes = iso_dates(corpus.dates or [], date_format)
    return corpus if corpus.dates is None else replace(corpus, dates=dates, notes=[*corpus.notes, *notes])


def open_stream(
    path: Any,
    *,
    chunk_documents: int = CHUNK_DOCUMENTS,
    text_field: str = "text",
    label_field: str | None = "label",
    id_field: str | None = "id",
    date_field: str | None = "date",
    metadata_fields: Iterable[str] = (),
    stop_words: str | Iterable[str] | None = "english",
    prepare: Prepare | None = None,
    vocabulary: Iterable[str] | None = None,
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
    delimiter: str | None = None,
) -> CountStream:
    """Open documents to read them in chunks of at most `chunk_documents`; give one file, a folder or a list of files.

    Documents, as in `read_documents`: `.txt`, `.jsonl`, `.csv`, `.tsv`, `.parquet`, a folder of `.txt` files. Texts
    become words as in `read_corpus`, numbered in the order of first appearance; lists of words are used as they are.

    Counts:
    - `.npz`: as written by `scipy.sparse.save_npz`, one file or shards, with the words in one `vocab.txt` next to them.
      Shards may differ in width: a column is the same word in all of them. One shard is in memory at a time.
    - `docword*.txt`: UCI bag of words, sorted by document, with the words in `vocab*.txt` next to it.
    - `.ldac`, `.lda-c`, `.dat`: Blei's lda-c, with the words in `vocab.txt` or a `.vocab` of the same stem.
    - `.mtx`: MatrixMarket, documents × words, with the words next to it; words × documents if only this fits their
      number. It is read into memory if it is not sorted by document.
    - `.corpus`: what `save_corpus` or a `CorpusWriter` wrote.

    In a folder, the files of one such kind are read, sorted by name; a list is read in its own order. Text files may be
    packed (`.gz`, `.bz2`, `.xz`, `.zst`). "-" is standard input. `vocabulary` fixes the columns: only these words are
    counted.

    >>> stream = open_stream([["sun", "moon"], ["moon"], ["cat"]], chunk_documents=2)  # a list of words is a document
    >>> [chunk.shape for chunk in stream]
    [(2, 2), (1, 3)]
    """
    if chunk_documents < 1:
        raise ParameterError(f"chunk_documents={chunk_documents} must be at least 1")
    words = None if vocabulary is None else check_vocabulary(vocabulary)
    fields = Fields(text_field, label_field, id_field, date_field, metadata_fields)
    prepare = prepare_or_default(prepare, stop_words)
    if not holds_paths(path):
        return _open_object(path, fields, prepare, chunk_documents, words)
    if (saved := _saved(path)) is not None:
        return with_vocabulary(CorpusStream(saved, chunk_documents), words)
    paths, found = find_files(path, kind)
    if found in COUNTS:
        return with_vocabulary(FileStream(paths, COUNTS[found], chunk_documents), words)
    documents = Documents(paths, found, fields=fields, on_error=on_error, encoding=encoding, delimiter=delimiter)
    documents.check()
    return TextStream(documents, prepare, chunk_documents, words)


def _saved(path: Any) -> Corpus | None:
    """The corpus of a file that `save_corpus` or a CorpusWriter wrote, if its suffix is .corpus."""
    return load_corpus(path) if isinstance(path, str | os.PathLike) and str(path).endswith(".corpus") else None


def read_texts(path: Paths, *, text_field: str = "text", label_field: str = "label") -> Iterator[tuple[Any, Any]]:
    """(text, label) of every document of a file, as in `read_documents`; a missing label is None.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/notes.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("text,label\\nThe moon rose.,night\\nThe sun,day\\n")
    >>> list(read_texts(path))
    [('The moon rose.', 'night'), ('The sun', 'day')]
    """
    for document in read_documents(path, text_field=text_field, label_field=label_field):
        yield document.text, document.label


def _open_object(
    data: Any, fields: Fields, prepare: Prepare, chunk_documents: int, words: list[str] | None
) -> CountStream:
    if isinstance(data, Iterator):
        raise CorpusError("a stream is read more than once, but this can be read only once; give a list or a file")
    found = from_object(data, None, fields)
    if isinstance(found, Corpus):
        return with_vocabulary(CorpusStream(found, chunk_documents), words)
    return TextStream(found, prepare, chunk_documents, words)


def _count(
    documents: Iterable[Document],
    empty: str,
    prepare: Prepare,
    *,
    min_length: int = 0,
    drop_duplicates: bool = False,
    **kept: Any,
) -> Corpus:
    """The corpus of documents: they are counted in one pass, and no text is kept."""
    details = DocumentDetails()
    strips_markup = isinstance(prepare, Preparation) and prepare.html
    inspection = Inspection(drop_duplicates=drop_duplicates, strips_markup=strips_markup)
    rest = _with_progress(details.collect(inspection(documents)))
    seen: list[Document] = []
    for document in rest:
        seen.append(document)
        if document.text:
            break
    if not seen:
        raise CorpusError("; ".join([f"{empty}: there are no documents in it", *_skipped_notes(documents)]))
    kind = type(seen[-1].text)
    corpus = count_words(_texts(chain(seen, rest), kind), prepare=prepare, **kept)
    counts = corpus.counts.astype(np.float64) if kind is list else corpus.counts
    notes = [*_skipped_notes(documents), *inspection.notes(), *corpus.notes]
    known = {"preparation": None if kind is list else corpus.preparation, **details.columns()}
    return keep_long(replace(corpus, counts=counts, notes=notes, **known), min_length)


def _with_progress(documents: Iterable[Document]) -> Iterator[Document]:
    for number, document in enumerate(documents, 1):
        if number % 1000 == 0:
            progress.tell("reading", number, None)
        yield document


def _texts(documents: Iterable[Document], kind: type) -> Iterator[str | list[str]]:
    """Texts, or lists of words if `kind` is list; an empty one may be either."""
    for number, document in enumerate(documents):
        if document.text and not isinstance(document.text, kind):
            this, others = ("a text", "lists of words") if kind is list else ("a list of words", "texts")
            raise CorpusError(f"document {number} is {this}, but others are {others}; give only one of the two")
        yield document.text or kind()


def _skipped_notes(documents: Any) -> list[str]:
    return documents.skipped.notes() if hasattr(documents, "skipped") else []
