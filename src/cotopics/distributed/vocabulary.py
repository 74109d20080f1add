"""The first pass over texts: every partition counts its own words, and what all have counted says which are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.documents import Document
from cotopics.corpus.text import NO_WORD, Prepare, WordNumbers
from cotopics.corpus.vocabulary import check_vocabulary_size, frequent_words, word_frequencies
from cotopics.distributed.partitions import Partitions
from cotopics.distributed.tasks import compute, held, in_order, task
from cotopics.errors import CorpusError
from cotopics.word_matching import move_columns


class Counted(NamedTuple):
    """Counts (documents × words) of a partition over its own words, which are in order, and what it left out."""

    words: list[str]
    counts: sp.csr_array
    notes: list[str]


class Frequencies(NamedTuple):
    """tf and df of words, which are in order, over n_documents, and what was left out of them."""

    words: list[str]
    occurrences: Any
    frequency: Any
    n_documents: int
    notes: list[str]


def count(documents: Iterable[Document], prepare: Prepare, vocabulary: Sequence[str] | None, where: str) -> Counted:
    """The words of documents, or those of them in `vocabulary`; errors say `where` the documents are from."""
    numbers = WordNumbers(prepare, vocabulary=vocabulary)
    for row, document in enumerate(_named(documents, where)):
        try:
            numbers.add(document.text)
        except Exception as error:  # whatever a user's own function raises
            kind = "" if isinstance(error, CorpusError) else f"{type(error).__name__}: "
            raise CorpusError(f"{where}, row {row}: {kind}{error}") from error
    skipped = getattr(documents, "skipped", None)
    notes = [] if skipped is None else skipped.notes()
    if vocabulary is not None:
        return Counted(list(vocabulary), numbers.take(), notes)
    words, place = numbers.in_order()
    return Counted(words, numbers.take(place), notes)


def _named(documents: Iterable[Document], where: str) -> Iterator[Document]:
    """The documents; an error on the way says where they are from, as those of files do by themselves."""
    try:
        yield from documents
    except CorpusError as error:
        raise error if where in str(error) else CorpusError(f"{where}: {error}") from None


def with_vocabulary(
    counted: Sequence[Any],
    *,
    preparation: Any,
    min_documents: int | float,
    max_documents: int | float | None,
    vocabulary_size: int | None,
) -> Partitions:
    """Partitions over the words that `count_words` would keep of all documents, in its order: that of their names."""
    check_vocabulary_size(vocabulary_size)
    found: Frequencies = compute(in_order([task(_frequencies, piece) for piece in counted], _merged_words))
    if not found.words:
        raise CorpusError(NO_WORD)
    kept = frequent_words(
        found.occurrences,
        found.frequency,
        found.n_documents,
        min_documents=min_documents,
        max_documents=max_documents,
        vocabulary_size=vocabulary_size,
    )
    vocabulary = [found.words[i] for i in kept]
    place = held({word: i for i, word in enumerate(vocabulary)})
    pieces = tuple(task(_over, piece, place) for piece in counted)
    return Partitions(pieces, len(vocabulary), vocabulary, preparation, found.notes)


def fixed_vocabulary(counted: Sequence[Any], vocabulary: Sequence[str], preparation: Any) -> Partitions:
    """Partitions of what was counted over these words."""
    return Partitions(tuple(task(_counts, piece) for piece in counted), len(vocabulary), list(vocabulary), preparation)


def _counts(counted: Counted) -> sp.csr_array:
    return counted.counts


def _over(counted: Counted, ids: dict[str, int]) -> sp.csr_array:
    place = np.array([ids.get(word, -1) for word in counted.words], dtype=np.int32)
    return move_columns(counted.counts, place, len(ids))


def _frequencies(counted: Counted) -> Frequencies:
    return Frequencies(counted.words, *word_frequencies(counted.counts), counted.counts.shape[0], counted.notes)


def _merged_words(left: Frequencies, right: Frequencies) -> Frequencies:
    words = sorted({*left.words, *right.words})
    ids = {word: i for i, word in enumerate(words)}
    occurrences, frequency = np.zeros(len(words)), np.zeros(len(words), dtype=np.int64)
    for part in (left, right):
        places = [ids[word] for word in part.words]
        occurrences[places] += part.occurrences
        frequency[places] += part.frequency
    return Frequencies(words, occurrences, frequency, left.n_documents + right.n_documents, [*left.notes, *right.notes])
