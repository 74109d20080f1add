"""Whatever a user has on Dask, or in files that workers can read → partitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from dask.delayed import Delayed

from cotopics.cooccur import check_counts
from cotopics.corpus.corpus import canonical, numbered_words
from cotopics.corpus.documents import Documents, Fields
from cotopics.corpus.formats import COUNTS
from cotopics.corpus.inputs import Paths, find_files
from cotopics.corpus.objects import ObjectDocuments
from cotopics.corpus.readers import CHUNK_DOCUMENTS
from cotopics.corpus.stream import FileStream, check_vocabulary
from cotopics.corpus.text import Prepare, prepare_or_default
from cotopics.distributed.cluster import has_cluster
from cotopics.distributed.partitions import Partitions
from cotopics.distributed.tasks import held, persist, task
from cotopics.distributed.vocabulary import Counted, count, fixed_vocabulary, with_vocabulary
from cotopics.errors import CorpusError, ParameterError

KNOWN = "a dask array of counts, a dask dataframe, a dask bag of texts or lists of words, or Partitions"


def as_partitions(
    data: Any,
    vocabulary: Iterable[str] | None = None,
    *,
    text_field: str = "text",
    stop_words: str | Iterable[str] | None = "english",
    prepare: Prepare | None = None,
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
) -> Partitions:
    """Documents of a Dask collection, for the `fit` of every estimator, which calls this with its defaults.

    - A dask array of counts (documents × words), of arrays or scipy's sparse ones. `vocabulary` names the words.
    - A dask dataframe with a column `text_field` of texts or lists of words, such a column alone, or a dataframe of
      counts, a column a word.
    - A dask bag of texts, of lists of words, or of dictionaries with a field `text_field`.

    Texts become words as in `count_words`: by `prepare`, or the default with these `stop_words`. The words are those
    that it would keep of all documents, in its order; a first pass over all partitions finds them. With a `vocabulary`
    only these words are counted, in one pass. Of counts every word is kept.

    >>> import dask.bag
    >>> texts = ["sun and moon", "moon, stars, sun", "cats, dogs", "dogs, cats, cows"] * 3
    >>> documents = as_partitions(dask.bag.from_sequence(texts, npartitions=2), min_documents=1)
    >>> documents.n_documents, documents.vocabulary
    (12, ['cats', 'cows', 'dogs', 'moon', 'stars', 'sun'])
    """
    if isinstance(data, Partitions):
        if vocabulary is not None and list(vocabulary) != data.vocabulary:
            raise ParameterError("these documents have their words already; leave feature_names out")
        return data
    words = None if vocabulary is None else list(vocabulary)
    if isinstance(data, Delayed):  # which has every attribute that it is asked for
        raise ParameterError(f"data is one delayed object; give {KNOWN}")
    if hasattr(data, "chunks") and hasattr(data, "to_delayed"):
        return _of_array(data, words)
    if not hasattr(data, "to_delayed"):
        raise ParameterError(f"data is {type(data).__name__}; give {KNOWN}")
    if holds_counts(data, text_field):
        return _of_table(data, words, text_field)
    parts = data.to_delayed()
    if isinstance(parts, Delayed):  # an item of a bag, or a number of a dataframe
        raise ParameterError(f"data is one {type(data).__name__}; give {KNOWN}")
    prepare = prepare_or_default(prepare, stop_words)
    fields = Fields(text_field)
    words = None if words is None else check_vocabulary(words)
    known = held(words)
    counted = [
        task(_count_entries, part, fields, prepare, known, f"partition {number}") for number, part in enumerate(parts)
    ]
    return _texts(counted, words, prepare, min_documents, max_documents, vocabulary_size)


def holds_counts(data: Any, text_field: str = "text") -> bool:
    """Whether a Dask collection is taken for counts: an array, or a dataframe that has no texts.

    Where all columns are numbers, one that is called `text_field` is the counts of this word."""
    if not hasattr(data, "columns") or data.ndim == 1:  # no dataframe, or one column of it
        return hasattr(data, "chunks")
    return text_field not in list(data.columns) or not _has_texts(data)


def _has_texts(frame: Any) -> bool:
    return any(dtype.kind not in "biuf" for dtype in frame.dtypes)


def open_partitions(
    path: Paths,
    *,
    text_field: str = "text",
    stop_words: str | Iterable[str] | None = "english",
    prepare: Prepare | None = None,
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
    vocabulary: Iterable[str] | None = None,
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
    delimiter: str | None = None,
) -> Partitions:
    """Documents of files that all workers can read, a partition each: a folder, a list of files, or one file.

    The kinds of files and the options are those of `open_stream`, of which words are kept those of `read_corpus`."""
    paths, found = find_files(path, kind)
    paths = [file.absolute() for file in paths]
    words = None if vocabulary is None else check_vocabulary(vocabulary)
    sieve: dict[str, Any] = {
        "min_documents": min_documents,
        "max_documents": max_documents,
        "vocabulary_size": vocabulary_size,
    }
    if found in COUNTS:
        stream = FileStream(paths, COUNTS[found], CHUNK_DOCUMENTS)
        n_words = stream.n_words or 0
        names = held(stream.vocabulary)
        pieces = tuple(task(_read_counts, file, found, names, n_words) for file in paths)
        documents = Partitions(pieces, n_words, stream.vocabulary)
        if words is not None:
            return documents.over(words)
        return replace(documents, vocabulary=stream.vocabulary or numbered_words(n_words)).keep_frequent(**sieve)
    prepare = prepare_or_default(prepare, stop_words)
    options = {"fields": Fields(text_field), "on_error": on_error, "encoding": encoding, "delimiter": delimiter}
    Documents(paths, found, **options)  # type: ignore[arg-type]  # an error now for options that are wrong
    known = held(words)
    counted = [task(_count_file, file, found, options, prepare, known) for file in paths]
    return _texts(counted, words, prepare, **sieve)


def _texts(
    counted: list[Any],
    words: list[str] | None,
    prepare: Any,
    min_documents: int | float,
    max_documents: int | float | None,
    vocabulary_size: int | None,
) -> Partitions:
    if words is not None:
        return fixed_vocabulary(counted, words, prepare)
    if has_cluster():
        counted = persist(counted)  # in the workers' memory, or on their disks: texts are read once
    return with_vocabulary(
        counted,
        preparation=prepare,
        min_documents=min_documents,
        max_documents=max_documents,
        vocabulary_size=vocabulary_size,
    )


def _of_array(X: Any, words: list[str] | None) -> Partitions:
    if X.ndim != 2:
        raise CorpusError(f"X has {X.ndim} dimensions; give counts as a table, documents × words")
    if np.isnan(X.shape[1]):
        raise CorpusError("X does not know how many words it has; call X.compute_chunk_sizes() first")
    n_words = int(X.shape[1])
    if words is not None and len(words) != n_words:
        raise ParameterError(f"feature_names has {len(words)} words, X has {n_words}")
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    rows = [None if np.isnan(n) else int(n) for n in X.chunks[0]]
    sizes = None if None in rows else tuple(n for n in rows if n is not None)
    firsts = [None] * len(rows) if sizes is None else np.cumsum([0, *sizes])[:-1].tolist()
    blocks = enumerate(zip(X.to_delayed().ravel(), firsts, strict=True))
    pieces = [task(_checked, block, n_words, number, first) for number, (block, first) in blocks]
    return Partitions(tuple(pieces), n_words, words, sizes=sizes)


def _of_table(frame: Any, words: list[str] | None, text_field: str) -> Partitions:
    names = [str(name) for name in frame.columns]
    if _has_texts(frame):
        listed = ", ".join(map(repr, names[:20]))
        raise CorpusError(
            f"the dataframe has no column {text_field!r} of texts, and its columns are not all counts: {listed}. Name "
            "the column of the text in as_partitions"
        )
    if words is None:
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise CorpusError(f"the dataframe has {twice!r} twice; give each word one column, or name them all anew")
    elif len(words) != len(names):
        raise ParameterError(f"feature_names has {len(words)} words, X has {len(names)}")
    pieces = [task(_checked, part, len(names), number, None) for number, part in enumerate(frame.to_delayed())]
    return Partitions(tuple(pieces), len(names), words or names)


def _checked(block: Any, n_words: int, number: int, first: int | None) -> sp.csr_array:
    """A block of counts, checked; errors name the document in X where that is known, or in its partition."""
    if block.shape[0] == 0:
        return sp.csr_array((0, n_words))
    try:
        counts = check_counts(block, first=first or 0)
    except CorpusError as error:
        raise error if first is not None else CorpusError(f"partition {number}: {error}") from None
    if counts.shape[1] != n_words:
        raise CorpusError(f"partition {number} has {counts.shape[1]} words, and the others {n_words}")
    return counts


def _count_entries(entries: Any, fields: Fields, prepare: Prepare, words: Sequence[str] | None, where: str) -> Counted:
    if hasattr(entries, "columns"):
        entries = entries[fields.text].tolist()
    return count(ObjectDocuments(entries, fields), prepare, words, where)


def _count_file(
    path: Path, kind: str, options: dict[str, Any], prepare: Prepare, words: Sequence[str] | None
) -> Counted:
    return count(Documents([path], kind, **options), prepare, words, str(path))


def _read_counts(path: Path, kind: str, words: list[str] | None, n_words: int) -> sp.csr_array:
    chunks = list(COUNTS[kind](path, words).chunks(CHUNK_DOCUMENTS)) or [sp.csr_array((0, n_words))]
    for chunk in chunks:
        chunk.resize(chunk.shape[0], n_words)
    return canonical(sp.csr_array(sp.vstack(chunks, format="csr")))
