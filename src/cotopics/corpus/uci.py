"""Counts of the UCI bag-of-words format, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.files import DAMAGED, damaged, open_bytes
from cotopics.corpus.record import canonical
from cotopics.errors import CorpusError

Whole = np.ndarray[Any, np.dtype[np.integer[Any]]]

# The limit is turning digits into numbers, in `_parse`; unpacking a .gz comes next. Larger blocks were no faster.
BLOCK = 1 << 20
SEPARATORS = np.frombuffer(b"  \n", dtype=np.uint8)
MOST_DIGITS = 15  # of a number: exact in float64
MOST = 2**31 - 1  # documents or words
LONGEST_LINE = 1000  # bytes; three numbers need far fewer


class UciFile:
    """`docword.txt`: three lines D, W and NNZ, then NNZ lines `docID wordID count` with ids from 1, sorted by docID."""

    def __init__(self, path: Path) -> None:
        self.path = path
        header = []
        try:
            with open_bytes(path) as file:
                for number, what in enumerate(("documents (D)", "words (W)", "counts (NNZ)"), 1):
                    line = file.readline(100).strip()
                    if not _is_whole(line) or (int(line) == 0 and number < 3):
                        raise self._error(
                            number, f"the header gives the number of {what} as {_show(line)}, not as a whole number"
                        )
                    if int(line) > MOST and number < 3:
                        raise self._error(number, f"the header speaks of {int(line):.3g} {what}, more than {MOST:.3g}")
                    header.append(int(line))
        except DAMAGED as error:
            raise damaged(path, len(header), error) from None
        self.n_documents, self.n_words, self.n_counts = header

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]:
        """Counts (documents × words) of chunk_documents documents at a time; those without words have their row too."""
        held: list[Whole] = []  # lines of documents not yet given out
        given = 0
        for lines in self._blocks():
            held.append(lines)
            n_whole = int(lines[-1, 0]) - 1  # the last document may go on in the next block
            if given + chunk_documents > n_whole:
                continue
            rest, held = np.concatenate(held), []
            while given + chunk_documents <= n_whole:
                cut = int(np.searchsorted(rest[:, 0], given + chunk_documents, side="right"))
                yield self._rows(rest[:cut], given, chunk_documents)
                rest = rest[cut:]
                given += chunk_documents
            held = [rest.copy()]  # lets go of what was given out
        rest = np.concatenate([np.empty((0, 3), np.int32), *held])
        for first in range(given, self.n_documents, chunk_documents):
            cut = int(np.searchsorted(rest[:, 0], first + chunk_documents, side="right"))
            yield self._rows(rest[:cut], first, min(chunk_documents, self.n_documents - first))
            rest = rest[cut:]

    def _rows(self, lines: Whole, first: int, n_rows: int) -> sp.csr_array:
        indptr = np.concatenate([[0], np.cumsum(np.bincount(lines[:, 0] - 1 - first, minlength=n_rows))])
        return canonical(
            sp.csr_array((lines[:, 2].astype(np.float64), lines[:, 1] - 1, indptr), shape=(n_rows, self.n_words))
        )

    def _blocks(self) -> Iterator[Whole]:
        """The lines after the header as checked numbers (lines × 3), at least one line at a time."""
        n_counts, last = 0, 1  # lines so far, document of the last of them
        for number, text in self._texts():
            lines = _parse(text)
            if lines is None or not self._fits(lines, last):
                lines = self._parse_each(text, number, last)  # finds what is wrong, or copes with what is unusual
            if len(lines):
                n_counts, last = n_counts + len(lines), int(lines[-1, 0])
                if n_counts > self.n_counts:
                    raise CorpusError(
                        f"{self.path}, line 3: the header promises {self.n_counts} lines of counts, there are more"
                    )
                yield lines
        if n_counts < self.n_counts:
            raise CorpusError(
                f"{self.path} is cut off: line 3 promises {self.n_counts} lines of counts, there are {n_counts}. "
                "Get the file again"
            )

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        """(lines before it, whole lines) of every block of text after the header."""
        number, rest = 3, b""
        try:
            with open_bytes(self.path) as file:
                for _ in range(3):
                    file.readline()
                while block := file.read(BLOCK):
                    head, end, tail = block.rpartition(b"\n")
                    if end:
                        text = rest + head + end
                        yield number, text
                        number += text.count(b"\n")
                        rest = tail
                    else:
                        rest += tail
                    if len(rest) > LONGEST_LINE:
                        raise self._error(number + 1, f"found {_show(rest)}, not `docID wordID count`")
        except DAMAGED as error:
            raise damaged(self.path, number, error) from None
        if rest.strip():  # the last line may lack its end, but not its numbers
            if len(rest.split()) < 3:
                raise self._error(number + 1, f"the file is cut off: it ends in {_show(rest)}. Get the file again")
            yield number, rest + b"\n"

    def _fits(self, lines: Whole, last: int) -> bool:
        documents, words = lines[:, 0], lines[:, 1]
        in_order = documents[0] >= last and documents[-1] <= self.n_documents and (np.diff(documents) >= 0).all()
        return bool(in_order and words.min() >= 1 and words.max() <= self.n_words)

    def _parse_each(self, text: bytes, number: int, last: int) -> Whole:
        """Line by line: every check again, with the number of the line, and any white space between the numbers."""
        lines = []
        for at, line in enumerate(text.split(b"\n"), number + 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != 3:
                raise self._error(at, f"found {_show(line)}, not `docID wordID count`")
            for name, field in zip(("docID", "wordID", "count"), fields, strict=True):
                if not _is_whole(field):
                    raise self._error(at, f"the {name} is {_show(field)}, not a whole number of 0 or more")
            document, word, count = map(int, fields)
            for name, value, most in (("docID", document, self.n_documents), ("wordID", word, self.n_words)):
                if not 1 <= value <= most:
                    raise self._error(at, f"the {name} {value} is out of range; the header allows 1 to {most}")
            if document < last:
                raise self._error(at, f"docID {document} comes after {last}; sort the lines after the header by docID")
            lines.append((document, word, count))
            last = document
        return np.array(lines, dtype=np.int64).reshape(-1, 3)

    def _error(self, number: int, message: str) -> CorpusError:
        return CorpusError(f"{self.path}, line {number}: {message}")


def _parse(text: bytes) -> Whole | None:
    """The numbers (lines × 3) of lines that are exactly `digits digits digits`; None where any is not."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    symbols = np.frombuffer(text, dtype=np.uint8)
    digits = symbols - np.uint8(ord("0"))  # above 9 for all that is no digit: what comes before "0" wraps around
    ends = np.flatnonzero(digits > 9)
    if len(ends) % 3 or (symbols[ends].reshape(-1, 3) != SEPARATORS).any():
        return None
    lengths = np.diff(ends, prepend=-1) - 1
    if lengths.min() < 1 or lengths.max() > 9:  # nine digits fit in int32
        return None
    numbers = digits[ends - 1].astype(np.int32)
    for place in range(1, int(lengths.max())):
        longer = np.flatnonzero(lengths > place)
        numbers[longer] += digits[ends[longer] - 1 - place] * np.int32(10**place)
    return numbers.reshape(-1, 3)


def _is_whole(field: bytes) -> bool:
    return field.isdigit() and len(field) <= MOST_DIGITS


def _show(text: bytes) -> str:
    """Bytes from a file as they may stand in a message: short, and nothing in them acts on a terminal."""
    return repr(text.strip()[:40].decode("utf-8", "replace"))
