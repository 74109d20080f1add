"""What other libraries have in memory → documents or a corpus; none of them is imported, only asked what it can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.files import Unusable
from cotopics.corpus.formats.digits import MOST_WORDS
from cotopics.corpus.formats.document import Document, Fields, is_missing, text_of
from cotopics.corpus.frames import is_frame, read_frame
from cotopics.corpus.record import Corpus, check_values, numbered_words
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.sparse_matrices import fault_of

KNOWN = (
    "counts (a scipy matrix, an array, a pandas or polars frame, lists of (id, count)), a frame with a text "
    "column, or a list of strings, of lists of words or of dictionaries"
)


def from_object(data: Any, vocabulary: Any, fields: Fields) -> Corpus | Iterable[Document]:
    """A corpus where data holds counts, and documents where it holds texts; see `as_corpus` for what it may be."""
    if isinstance(data, Corpus):
        return data
    if hasattr(data, "collect") and not hasattr(data, "shape"):  # a lazy frame of polars
        data = data.collect()
    if is_frame(data):
        if vocabulary is not None:
            raise ParameterError("vocabulary is given, and the columns of a frame are its words; rename them")
        found = read_frame(data, fields)
        return found if isinstance(found, Corpus) else ObjectDocuments(found, fields)
    if sp.issparse(data) or (getattr(data, "ndim", 0) >= 2 and hasattr(data, "dtype")):
        return counts_of(data, vocabulary)
    if isinstance(data, str | bytes | Mapping) or not isinstance(data, Iterable):
        raise CorpusError(f"data is one {type(data).__name__}; give {KNOWN}")
    if not isinstance(data, Iterator):
        first, rest = _first_with_content(iter(data))[0], data
    else:
        first, seen = _first_with_content(data)
        rest = chain(seen, data)
    if _is_bow(first):
        return _from_bows(rest, vocabulary)
    if isinstance(first, list | tuple) and _is_number(first[0]):
        return counts_of(list(rest), vocabulary)
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
            if self._fields.text not in entry:
                listed = ", ".join(map(repr, list(entry)[:20]))
                raise Unusable(f"no field {self._fields.text!r}; its fields are {listed}. Name the field of the text")
            return self._fields.document(entry)
        return Document(text_of(entry, self._fields.text))


def counts_of(data: Any, vocabulary: Any) -> Corpus:
    """The corpus of a matrix (documents × words) with the words that `vocabulary` names."""
    if sp.issparse(data):
        if fault := fault_of(data):
            raise CorpusError(f"data is a damaged sparse matrix: {fault}. Make it anew from its documents")
    else:
        try:
            data = np.asarray(data)
        except ValueError as error:
            raise CorpusError(f"data is no table of numbers ({error}); give {KNOWN}") from None
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
    """The words by their ids: of a list, a scikit-learn vectorizer, a gensim Dictionary, or {word: id} and back."""
    if vocabulary is None:
        return None
    if hasattr(vocabulary, "get_feature_names_out"):
        return [str(word) for word in vocabulary.get_feature_names_out()]
    ids = getattr(vocabulary, "token2id", vocabulary)
    if not isinstance(ids, Mapping):
        return [str(word) for word in ids]
    words = {int(i): str(word) for word, i in ids.items()} if _names_ids(ids) else dict(ids)
    if any(not 0 <= i < MOST_WORDS for i in words):
        raise CorpusError(f"the vocabulary has ids from {min(words)} to {max(words)}; they count from 0")
    return [str(words.get(i, f"word{i}")) for i in range(max(words, default=-1) + 1)]


def _names_ids(ids: Mapping[Any, Any]) -> bool:
    return all(isinstance(word, str) for word in ids)


def _from_bows(bows: Iterable[Any], vocabulary: Any) -> Corpus:
    """The corpus of documents that are lists of (id, count), as gensim has them."""
    words = _words(vocabulary)
    ids: list[int] = []
    counts: list[float] = []
    ends = [0]
    for number, bow in enumerate(bows):
        for pair in bow:
            if not _is_pair(pair) or not 0 <= pair[0] < (MOST_WORDS if words is None else len(words)):
                known = "" if words is None else f" with an id below {len(words)}"
                raise CorpusError(f"document {number} holds {pair!r:.60}, which is no (id, count){known}")
            ids.append(int(pair[0]))
            counts.append(float(pair[1]))
        ends.append(len(ids))
    width = len(words) if words is not None else max(ids, default=-1) + 1
    table = sp.csr_array((np.array(counts), np.array(ids, dtype=np.int32), ends), shape=(len(ends) - 1, width))
    return counts_of(table, words)


def _first_with_content(entries: Iterator[Any]) -> tuple[Any, list[Any]]:
    """The first entry that says what kind it is, and all entries up to there."""
    seen: list[Any] = []
    for entry in entries:
        seen.append(entry)
        if isinstance(entry, str | Mapping | Document) or not (is_missing(entry) or _is_empty(entry)):
            return entry.tolist() if hasattr(entry, "tolist") else entry, seen
    return None, seen


def _is_empty(entry: Any) -> bool:
    return hasattr(entry, "__len__") and len(entry) == 0


def _is_bow(entry: Any) -> bool:
    return isinstance(entry, list | tuple) and _is_pair(entry[0])


def _is_pair(entry: Any) -> bool:
    is_two = isinstance(entry, list | tuple | np.ndarray) and len(entry) == 2
    return is_two and all(map(_is_number, entry)) and float(entry[0]).is_integer()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
