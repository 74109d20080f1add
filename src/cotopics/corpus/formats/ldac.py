"""Counts in Blei's lda-c format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import AnyArray
from cotopics.corpus import files
from cotopics.corpus.corpus import MAX_COUNT, canonical
from cotopics.corpus.files import quoted, unpacked_name
from cotopics.corpus.formats.digits import MAX_WORDS, is_whole_number, parse_digits, whole_lines
from cotopics.errors import CorpusError

Block = tuple[AnyArray, AnyArray, AnyArray]  # words, counts, and where each document ends in them

COLON, BLANK, NEWLINE = b": \n"


class LdacFile:
    """A line `M term:count term:count …` for every document, M the number of its pairs, with terms from 0.

    The words are in `vocab.txt` next to it, or in a file with the same stem and `.vocab`. Without such a file, one pass
    finds how many words there are.
    """

    def __init__(self, path: Path, words: list[str] | None = None) -> None:
        self.path = path
        self._n_terms = MAX_WORDS if words is None else len(words)
        if words is not None:
            self.n_words = len(words)
        else:
            self.n_words = 1 + max((int(terms.max(initial=0)) for terms, _, _ in self._blocks()), default=0)

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]:
        name = unpacked_name(path)
        return [f"{name}.vocab", f"{Path(name).stem}.vocab", "vocab.txt"]

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]:
        """Counts (documents × words) of chunk_documents documents at a time."""
        held: list[sp.csr_array] = []
        n_held = 0
        for words, counts, ends in self._blocks():
            rows = sp.csr_array((counts, words, ends), shape=(len(ends) - 1, self.n_words))
            held.append(rows)
            n_held += rows.shape[0]
            while n_held >= chunk_documents:
                whole = held[0] if len(held) == 1 else sp.vstack(held, format="csr")
                held, n_held = [whole[chunk_documents:]], n_held - chunk_documents
                yield canonical(whole[:chunk_documents])
                del whole
        if n_held:
            yield canonical(sp.vstack(held, format="csr"))

    def _blocks(self) -> Iterator[Block]:
        for number, text in whole_lines(self.path, 0, files.MAX_BYTES, "`M term:count term:count …`"):
            is_cut = not text.endswith(b"\n")
            block = _parse(text + b"\n" if is_cut else text)
            if block is None or block[0].max(initial=0) >= self._n_terms:
                block = self._parse_each(text, number)  # finds the error, or reads what is unusual
            if len(block[2]) > 1:
                yield block

    def _parse_each(self, text: bytes, number: int) -> Block:
        words: list[int] = []
        counts: list[float] = []
        ends = [0]
        for at, line in enumerate(text.split(b"\n"), number + 1):
            fields = line.split()
            if not fields:
                continue
            if not is_whole_number(fields[0]):
                raise self._error(at, f"found {quoted(line)}, not `M term:count term:count …`")
            if int(fields[0]) != len(fields) - 1:
                raise self._error(at, f"it promises {int(fields[0])} words but has {len(fields) - 1}")
            for field in fields[1:]:
                word, count = self._pair(at, field)
                words.append(word)
                counts.append(count)
            ends.append(len(words))
        return np.array(words, dtype=np.int32), np.array(counts, dtype=np.float64), np.array(ends)

    def _pair(self, at: int, field: bytes) -> tuple[int, float]:
        term, colon, number = field.partition(b":")
        if not colon or not is_whole_number(term):
            raise self._error(at, f"found {quoted(field)}, not `term:count`")
        if int(term) >= self._n_terms:
            raise self._error(at, f"the term {int(term)} is out of range; there are {self._n_terms} words, from 0")
        try:
            count = float(number)
        except ValueError:
            count = -1
        if not 0 <= count <= MAX_COUNT or b"_" in number:
            raise self._error(at, f"the count is {quoted(number)}, not a number from 0 to {MAX_COUNT:g}")
        return int(term), count

    def _error(self, number: int, message: str) -> CorpusError:
        return CorpusError(f"{self.path}, line {number}: {message}")


def _parse(text: bytes) -> Block | None:
    """The numbers of lines that are exactly `M term:count …` with whole counts; None if any is not."""
    if b" \n" in text:
        text = text.replace(b" \n", b"\n")
    found = parse_digits(text)
    if found is None:
        return None
    numbers, separators = found
    last = np.flatnonzero(separators == NEWLINE)  # the last number of each line
    first = np.concatenate([[0], last[:-1] + 1])
    is_first = np.zeros(len(numbers), dtype=bool)
    is_first[first] = True
    place = np.arange(len(numbers)) - np.repeat(first, last - first + 1)  # within the line: M is 0, terms are odd
    is_term = place % 2 == 1
    if (numbers[first] * 2 != last - first).any() or ((separators == COLON) != is_term).any():
        return None
    if (separators[~is_term & (separators != NEWLINE)] != BLANK).any():
        return None
    ends = np.concatenate([[0], np.cumsum(numbers[first])])
    return numbers[is_term], numbers[~is_term & ~is_first].astype(np.float64), ends
