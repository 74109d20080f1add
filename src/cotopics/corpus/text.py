"""Texts → counts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Integers
from cotopics.corpus.corpus import Corpus
from cotopics.corpus.preparation import MAX_REMEMBERED, Preparation
from cotopics.corpus.tokens import WORD
from cotopics.corpus.vocabulary import keep_words
from cotopics.errors import CorpusError, ParameterError
from cotopics.word_matching import move_columns, places_of

__all__ = ["NO_WORD", "WORD", "Preparation", "Prepare", "WordNumbers", "count_words", "prepare_or_default"]

NO_WORD = "the texts hold no word of two letters or more that is not a stop word"
BATCH = 10_000_000  # words between two sums; four bytes each

Prepare = Callable[[str], Iterable[str]]  # a Preparation, or a function of the user


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
    these and more options, or any function from a text to its words. If a document is a list, its entries are the
    words. min_documents, max_documents: words in fewer or more documents are left out (an int is a number, a float a
    share of the documents). vocabulary_size: keep this many words, those with the highest tf-idf score (None: all).
    min_length: leave out documents with fewer words than this; by default all keep their rows.

    >>> corpus = count_words(["The cat sat.", "A cat, a dog!"], min_documents=1)
    >>> corpus.vocabulary, corpus.counts.toarray().tolist()
    (['cat', 'dog', 'sat'], [[1, 0, 1], [1, 1, 0]])
    """
    if isinstance(texts, str):
        raise CorpusError("texts is one string; give a list with one string per document")
    prepare = prepare_or_default(prepare, stop_words)
    numbers = WordNumbers(prepare)
    chunks = []
    for text in texts:
        numbers.add(text)
        if numbers.n_waiting >= BATCH:
            chunks.append(numbers.take(dtype=np.int64))
    if not len(numbers):
        raise CorpusError(NO_WORD)
    words, places = numbers.in_order()
    last = numbers.take(places, dtype=np.int64)
    chunks = [*(move_columns(chunk, places, len(words)) for chunk in chunks), last]
    counts = sp.vstack(chunks, format="csr") if len(chunks) > 1 else chunks[0]
    return keep_words(
        Corpus(counts, words, labels, numbers.notes(), preparation=saveable(prepare)),
        vocabulary_size=vocabulary_size,
        min_documents=min_documents,
        max_documents=max_documents,
        min_length=min_length,
    )


def prepare_or_default(prepare: Prepare | None, stop_words: str | Iterable[str] | None) -> Prepare:
    """What makes words of texts: `prepare`, or the default with these stop words."""
    if prepare is None:
        return Preparation(stop_words=stop_words)
    if stop_words != "english":
        raise ParameterError("stop_words and prepare are both given; give the stop words to the Preparation")
    return prepare


def saveable(prepare: Prepare) -> Preparation | None:
    """The Preparation that a file can keep; None for a function of the user."""
    return prepare if isinstance(prepare, Preparation) else None


class WordNumbers:
    """Numbers words in the order of their first appearance, and counts documents by these numbers.

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
        # Unless phrases join words, a word depends on its piece of the text only: so each piece is prepared once.
        self._pieces = None
        if isinstance(prepare, Preparation) and prepare.phrases is None:
            self._pieces = _NumbersOfPieces(prepare, self._numbers)
        self._start()

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def words(self) -> list[str]:
        """The words so far, by number."""
        return list(self._numbers)

    @property
    def n_waiting(self) -> int:
        """Words of the documents that `take` has not yet returned."""
        return len(self._ids)

    def add(self, document: str | Iterable[str]) -> None:
        """Add a document: a text, or a list of its words, which are used as they are."""
        try:
            self._ids.extend(self._numbered(document))
        except Exception:
            del self._ids[self._ends[-1] :]  # the caller may continue with the next document
            raise
        self._ends.append(len(self._ids))
        self._n_documents += 1

    def take(self, places: Integers | None = None, *, dtype: Any = np.float64) -> sp.csr_array:
        """Counts (documents × words so far, canonical) of the documents added since the last call.

        places: where the column of each word goes; None: in the order of their numbers."""
        ids, ends = np.frombuffer(self._ids, dtype=np.intc), np.array(self._ends)
        kept = ids >= 0
        if not kept.all():
            ids, ends = ids[kept], np.concatenate([[0], np.cumsum(kept)])[ends]
        columns = ids.copy() if places is None else places[ids]
        self._start()
        counts = sp.csr_array((np.ones(len(ids), dtype), columns, ends), shape=(len(ends) - 1, len(self._numbers)))
        counts.sum_duplicates()
        return counts

    def count(self, documents: Iterable[str | Iterable[str]]) -> sp.csr_array:
        """Counts of these documents only, as `take` returns them."""
        self._start()
        for document in documents:
            self.add(document)
        return self.take()

    def in_order(self) -> tuple[list[str], Integers]:
        """The words so far in alphabetical order, and the place of each number in it."""
        words = sorted(self._numbers)
        return words, places_of([self._numbers[word] for word in words], len(words)).astype(np.intc)

    def notes(self) -> list[str]:
        """What was left out so far, if that is known."""
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
    """The number of every word. A new word gets the next one, or −1 if the words are given."""

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


class _NumbersOfPieces(dict[str, int]):
    """The number of the word that a piece of a text becomes, −1 if it is left out."""

    def __init__(self, preparation: Preparation, numbers: _Numbers) -> None:
        self.cut = preparation.pieces
        self._word = preparation.word
        self._numbers = numbers

    def __missing__(self, piece: str) -> int:
        number = self._numbers[self._word(piece)]
        if not self._numbers.fixed or len(self) < MAX_REMEMBERED:  # unknown words must not fill the memory
            self[piece] = number
        return number
