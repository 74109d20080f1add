"""What other libraries have in memory → documents or a corpus.

Data frames come through `frames`. No other library is imported here: objects of gensim and scikit-learn are known by
their attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.corpus import Corpus, check_values, numbered_words
from cotopics.corpus.documents import Document, DocumentDetails, Fields, is_missing, text_of
from cotopics.corpus.files import Unusable, quoted_names
from cotopics.corpus.formats.digits import MAX_WORDS
from cotopics.corpus.frames import Frame, as_column, as_frame
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.sparse_matrices import fault_of

KNOWN = (
    "counts (a scipy matrix, an array, a pandas or polars frame, lists of (id, count)), a frame with a text "
    "column, or a list of strings, of lists of words or of dictionaries"
)


def from_object(data: Any, vocabulary: Any, fields: Fields) -> Corpus | Iterable[Document]:
    """A corpus if data holds counts, documents if it holds texts; see `as_corpus` for what it may be."""
    if isinstance(data, Corpus):
        return data
    frame = as_frame(data)
    if frame is not None:
        if vocabulary is not None:
            raise ParameterError("vocabulary is given, but the columns of a frame are its words; rename them")
        return _from_frame(frame, fields)
    column = as_column(data)
    data = data if column is None else column
    if sp.issparse(data) or (getattr(data, "ndim", 0) >= 2 and hasattr(data, "dtype")):
        return _from_counts(data, vocabulary)
    if isinstance(data, str | bytes | Mapping) or not isinstance(data, Iterable):
        raise CorpusError(f"data is one {type(data).__name__}; give {KNOWN}")
    if not isinstance(data, Iterator):
        first, rest = _first_with_content(iter(data))[0], data
    else:
        first, seen = _first_with_content(data)
        rest = chain(seen, data)
    if isinstance(first, list | tuple) and _is_pair(first[0]):
        return _from_bows(rest, vocabulary)
    if isinstance(first, list | tuple) and _is_number(first[0]):
        return _from_counts(list(rest), vocabulary)
    return ObjectDocuments(rest, fields)


class ObjectDocuments:
    """Documents from an iterable of texts, lists of words, dictionaries or documents."""

    def __init__(self, entries: Iterable[Any], fields: Fields) -> None:
        self._entries = entries
        self._fields = fields

    def __iter__(self) -> Iterator[Document]:
        for number, entry in enumerate(self._entries):
            try:
                yield self._document(entry)
            except Unusable as error:
                raise CorpusError(f"document {number}: {error}") from None

    def _document(self, entry: Any) -> Document:
        if isinstance(entry, Document):
            return entry
        if isinstance(entry, Mapping):
            return self._fields.document_of_object(entry)
        return Document(text_of(entry, self._fields.text))


def _from_frame(frame: Frame, fields: Fields) -> Corpus | ObjectDocuments:
    """The documents of a frame with a column of texts, or the corpus of a frame of counts, whose columns are the words.

    In a frame of counts every column of numbers is a word. The others must be labels, ids, dates or metadata.
    """
    names = frame.names
    if fields.text in names and _holds_texts(frame.values(fields.text)):
        fields.check("the frame", [str(name) for name in names])
        rows = _Rows({name: frame.values(name) for name in fields.names() if name in names})
        return ObjectDocuments(rows, fields)
    known = [name for name in fields.names() if name in names and not _is_numeric(frame.values(name))]
    words = [name for name in names if name not in known]
    counts = _table(frame, names, words, fields)
    check_values("the frame", counts)
    details = DocumentDetails()
    for row in _Rows({name: frame.values(name) for name in known}):
        details.add(fields.document({**row, fields.text: None}))
    return Corpus(counts, [str(word) for word in words], **details.columns())


class _Rows:
    """The rows of some columns, as dictionaries; every `iter(rows)` is a new pass."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for values in zip(*self._columns.values(), strict=True):
            yield dict(zip(self._columns, values, strict=True))


def _first_value(values: list[Any]) -> Any:
    return next((value for value in values if not is_missing(value)), None)


def _holds_texts(values: list[Any]) -> bool:
    first = _first_value(values)
    return isinstance(first, str | list | tuple) or getattr(first, "ndim", 0) == 1


def _is_numeric(values: list[Any]) -> bool:
    return isinstance(_first_value(values), int | float | np.number)


def _table(frame: Frame, names: list[Any], words: list[Any], fields: Fields) -> sp.csr_array:
    """The columns of counts as CSR."""
    if not words:
        raise CorpusError("the frame has no columns of counts")
    if len(words) == len(names) and hasattr(frame.native, "sparse"):  # pandas has this if every column is sparse
        return sp.csr_array(frame.native.sparse.to_coo(), dtype=np.float64)
    try:
        columns = [frame.numbers(word) for word in words]
    except (TypeError, ValueError):
        raise CorpusError(
            f"the frame has no column {fields.text!r} of texts, and its columns are not all counts: "
            f"{quoted_names(names)}. Name the column of the text, or give columns of numbers without gaps"
        ) from None
    return sp.csr_array(np.column_stack(columns))


def _from_counts(data: Any, vocabulary: Any) -> Corpus:
    """The corpus of a matrix (documents × words) with the words of `vocabulary`."""
    if sp.issparse(data):
        if fault := fault_of(data):
            raise CorpusError(f"data is a damaged sparse matrix: {fault}. Build it again from its documents")
    else:
        try:
            data = np.asarray(data)
        except ValueError as error:
            raise CorpusError(f"data is not a table of numbers ({error}); give {KNOWN}") from None
    if data.ndim != 2 or data.dtype.kind not in "biuf":
        raise CorpusError(f"data is {data.ndim}-dimensional and holds {data.dtype}; give {KNOWN}")
    counts = sp.csr_array(data, dtype=np.float64)
    check_values("data", counts)
    words = _words(vocabulary)
    if words is None:
        words = numbered_words(counts.shape[1])
    if len(words) != counts.shape[1]:
        raise CorpusError(f"data has {counts.shape[1]} columns and the vocabulary {len(words)} words")
    return Corpus(counts, words)


def _words(vocabulary: Any) -> list[str] | None:
    """The words by id: of a list, a scikit-learn vectorizer, a gensim Dictionary, {word: id} or {id: word}."""
    if vocabulary is None:
        return None
    if hasattr(vocabulary, "get_feature_names_out"):
        return [str(word) for word in vocabulary.get_feature_names_out()]
    ids = getattr(vocabulary, "token2id", vocabulary)
    if not isinstance(ids, Mapping):
        return [str(word) for word in ids]
    by_word = all(isinstance(word, str) for word in ids)
    words = {int(i): str(word) for word, i in ids.items()} if by_word else dict(ids)
    if any(not 0 <= i < MAX_WORDS for i in words):
        raise CorpusError(f"the vocabulary has ids from {min(words)} to {max(words)}; they count from 0")
    return [str(words.get(i, f"word{i}")) for i in range(max(words, default=-1) + 1)]


def _from_bows(bows: Iterable[Any], vocabulary: Any) -> Corpus:
    """The corpus of documents that are lists of (id, count), as in gensim."""
    words = _words(vocabulary)
    ids: list[int] = []
    counts: list[float] = []
    ends = [0]
    for number, bow in enumerate(bows):
        for pair in bow:
            if not _is_pair(pair) or not 0 <= pair[0] < (MAX_WORDS if words is None else len(words)):
                known = "" if words is None else f" with an id below {len(words)}"
                raise CorpusError(f"document {number} holds {pair!r:.60}, which is not an (id, count){known}")
            ids.append(int(pair[0]))
            counts.append(float(pair[1]))
        ends.append(len(ids))
    width = len(words) if words is not None else max(ids, default=-1) + 1
    table = sp.csr_array((np.array(counts), np.array(ids, dtype=np.int32), ends), shape=(len(ends) - 1, width))
    return _from_counts(table, words)


def _first_with_content(entries: Iterator[Any]) -> tuple[Any, list[Any]]:
    """The first entry that shows what kind the entries are, and all entries up to it."""
    seen: list[Any] = []
    for entry in entries:
        seen.append(entry)
        is_empty = hasattr(entry, "__len__") and len(entry) == 0
        if isinstance(entry, str | Mapping | Document) or not (is_missing(entry) or is_empty):
            return entry.tolist() if hasattr(entry, "tolist") else entry, seen
    return None, seen


def _is_pair(entry: Any) -> bool:
    is_two = isinstance(entry, list | tuple | np.ndarray) and len(entry) == 2
    return is_two and all(map(_is_number, entry)) and float(entry[0]).is_integer()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
