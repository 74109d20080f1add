"""Texts → counts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.preparation import REMEMBERED, Preparation
from cotopics.corpus.record import Corpus
from cotopics.corpus.tokens import WORD
from cotopics.corpus.vocabulary import keep_words
from cotopics.errors import CorpusError, ParameterError

__all__ = ["NO_WORD", "WORD", "Preparation", "Prepare", "WordNumbers", "count_words", "preparation", "tokenizer"]

NO_WORD = "the texts hold no word of two letters or more that is not a stop word"
BATCH = 10_000_000  # words that wait to be summed; four bytes each

Whole = np.ndarray[Any, np.dtype[np.integer[Any]]]
Prepare = Callable[[str], Iterable[str]]  # a Preparation, or a user's own


def count_words(
    texts: Iterable[str | Iterable[str]],
    *,
    labels: list[Any] | None = None,
    stop_words: str | Iterable[str] | None = "english",
    min_documents: int | float = 5,
    max_documents: int | float | None = None,
    vocabulary_size: int | None = None,
    min_length: int = 0,
    prepare: Prepare | None = None,
) -> Corpus:
    """Count words in texts: lower case, runs of letters, without stop words and rare words.

    stop_words: languages such as "english" or "de, fr", your own list of words, or None. prepare: a `Preparation` with
    these and more options, or any function from a text to its words; a document that is a list is taken as its words.
    min_documents, max_documents: words in fewer or more documents are left out (an int is a number, a float a share of
    the documents). vocabulary_size: keep that many words, those with the highest tf-idf score (None: all). min_length:
    leave out documents in which fewer words than that are left; by default all keep their places.

    >>> corpus = count_words(["The cat sat.", "A cat, a dog!"], min_documents=1)
    >>> corpus.vocabulary, corpus.counts.toarray().tolist()
    (['cat', 'dog', 'sat'], [[1, 0, 1], [1, 1, 0]])
    """
    if isinstance(texts, str):
        raise CorpusError("texts is one string; give a list with one string per document")
    numbers = WordNumbers(preparation(prepare, stop_words))
    chunks = []
    for text in texts:
        numbers.add(text)
        if numbers.n_waiting >= BATCH:
            chunks.append(numbers.take(dtype=np.int64))
    if not len(numbers):
        raise CorpusError(NO_WORD)
    words, place = numbers.in_order()
    chunks = [_moved(chunk, place) for chunk in chunks] + [numbers.take(place, dtype=np.int64)]
    counts = sp.vstack(chunks, format="csr") if len(chunks) > 1 else chunks[0]
    corpus = Corpus(counts, words, labels, numbers.notes())
    return keep_words(
        corpus,
        vocabulary_size=vocabulary_size,
        min_documents=min_documents,
        max_documents=max_documents,
        min_length=min_length,
    )


def preparation(prepare: Prepare | None, stop_words: str | Iterable[str] | None) -> Prepare:
    """What makes words of texts: `prepare`, or the default with these stop words."""
    if prepare is None:
        return tokenizer(stop_words)
    if stop_words != "english":
        raise ParameterError("stop_words and prepare are both given; give the stop words to the Preparation")
    return prepare


def tokenizer(stop_words: str | Iterable[str] | None = "english") -> Preparation:
    """What gives the words of a text in their order, by the same rule as `count_words`.

    >>> tokenizer()("A cat, a DOG and a cat!")
    ['cat', 'dog', 'cat']
    """
    words = stop_words if stop_words is None or isinstance(stop_words, str) else list(stop_words)
    return Preparation(stop_words=words)


class WordNumbers:
    """Words numbered in the order of their first appearance, and counts of documents by these numbers.

    prepare: from a text to its words. vocabulary: the only words to count, numbered in this order.

    >>> numbers = WordNumbers(Preparation())
    >>> for document in ("A dog, a cat!", ["dog", "dog"]):
    ...     numbers.add(document)
    >>> numbers.take().toarray().tolist(), numbers.words
    ([[1.0, 1.0], [2.0, 0.0]], ['dog', 'cat'])
    """

    def __init__(self, prepare: Prepare, *, vocabulary: Iterable[str] | None = None) -> None:
        if not callable(prepare):
            raise ParameterError(
                f"prepare={prepare!r:.80} must be a Preparation, or a function from a text to its words"
            )
        self._prepare = prepare
        self._numbers = _Numbers(vocabulary)
        self._n_documents = 0
        # A word is made of a piece of text on its own, unless phrases join it with others, so that it is enough to
        # make it once for every different piece.
        self._pieces = None
        if isinstance(prepare, Preparation) and prepare.phrases is None:
            self._pieces = _Pieces(prepare, self._numbers)
        self._start()

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def words(self) -> list[str]:
        """The words so far, by number."""
        return list(self._numbers)

    @property
    def n_waiting(self) -> int:
        """Words of the documents that `take` has not yet given."""
        return len(self._ids)

    def add(self, document: str | Iterable[str]) -> None:
        """One more document: a text, or a list of words that are taken as they are."""
        try:
            self._ids.extend(self._numbered(document))
        except Exception:
            del self._ids[self._ends[-1] :]  # so that one may go on with the next
            raise
        self._ends.append(len(self._ids))
        self._n_documents += 1

    def take(self, place: Whole | None = None, *, dtype: Any = np.float64) -> sp.csr_array:
        """Counts (documents × words so far, canonical) of the documents added since the last time.

        place: where the column of each word goes; None: in the order of their numbers."""
        ids, ends = np.frombuffer(self._ids, dtype=np.intc), np.array(self._ends)
        kept = ids >= 0
        if not kept.all():
            ids, ends = ids[kept], np.concatenate([[0], np.cumsum(kept)])[ends]
        columns = ids.copy() if place is None else place[ids]
        self._start()
        counts = sp.csr_array((np.ones(len(ids), dtype), columns, ends), shape=(len(ends) - 1, len(self._numbers)))
        counts.sum_duplicates()
        return counts

    def in_order(self) -> tuple[list[str], Whole]:
        """The words so far in their alphabetical order, and the place of each number in it."""
        words = sorted(self._numbers)
        place = np.empty(len(words), dtype=np.intc)
        place[[self._numbers[word] for word in words]] = np.arange(len(words))
        return words, place

    def notes(self) -> list[str]:
        """What was left out so far, where that is known."""
        if self._pieces is None or self._numbers.fixed:
            return []
        n_dropped = sum(number < 0 for number in self._pieces.values())
        return [f"{n_dropped} words left out: stop words, too short or too long"] if n_dropped else []

    def _numbered(self, document: Any) -> Iterable[int]:
        if isinstance(document, str) and self._pieces is not None:
            return map(self._pieces.__getitem__, self._pieces.cut(document))
        words = self._prepare(document) if isinstance(document, str) else document
        if isinstance(words, str | bytes) or not isinstance(words, Iterable):
            made = "was made into" if isinstance(document, str) else "is"
            raise CorpusError(f"document {self._n_documents} {made} {type(words).__name__}, not a list of words")
        return map(self._numbers.__getitem__, words)

    def _start(self) -> None:
        self._ids, self._ends = array("i"), [0]


class _Numbers(dict[str, int]):
    """The number of every word; a new one gets the next, or −1 where the words are given."""

    def __init__(self, vocabulary: Iterable[str] | None) -> None:
        words = list(vocabulary or ())
        super().__init__((word, number) for number, word in enumerate(words))
        self.fixed = vocabulary is not None
        if len(self) < len(words):
            raise ParameterError(f"vocabulary has {len(words) - len(self)} words twice; give each once")

    def __missing__(self, word: str) -> int:
        if not isinstance(word, str):
            raise CorpusError(f"a document holds {word!r:.80} among its words; give strings")
        if self.fixed or not word:
            return -1
        self[word] = number = len(self)
        return number


class _Pieces(dict[str, int]):
    """The number of the word that a piece of a text becomes, −1 if it is left out."""

    def __init__(self, preparation: Preparation, numbers: _Numbers) -> None:
        self.cut = preparation.pieces
        self._word = preparation.word
        self._numbers = numbers

    def __missing__(self, piece: str) -> int:
        number = self._numbers[self._word(piece)]
        if not self._numbers.fixed or len(self) < REMEMBERED:  # words that do not count must not fill the memory
            self[piece] = number
        return number


def _moved(chunk: sp.csr_array, place: Whole) -> sp.csr_array:
    """A chunk taken before all words were known, with its columns where they belong."""
    moved = sp.csr_array((chunk.data, place[chunk.indices], chunk.indptr), shape=(chunk.shape[0], len(place)))
    moved.sort_indices()
    return moved
