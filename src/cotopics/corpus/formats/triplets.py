"""Counts as lines of a document, a word and a count, block by block: what UCI's files and MatrixMarket's share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.files import show
from cotopics.corpus.formats.digits import is_whole, parse_digits, whole_lines
from cotopics.corpus.record import canonical
from cotopics.errors import CorpusError

Numbers = np.ndarray[Any, np.dtype[Any]]

SEPARATORS = np.frombuffer(b"  \n", dtype=np.uint8)
LONGEST_LINE = 1000  # bytes; three numbers need far fewer


class TripletFile:
    """A header, then n_counts lines of a document, a word and a count, with ids from 1, sorted by document.

    `header` is the number of lines before the first, `promise` the line that says how many there are. `names` are
    those that messages use, in the order of a line, and `document` is the place of the document in it.
    """

    names: tuple[str, ...] = ("docID", "wordID", "count")
    document = 0
    path: Path
    n_documents: int
    n_words: int
    n_counts: int
    header: int
    promise: int

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]:
        """Counts (documents × words) of chunk_documents documents at a time; those without words have their row too."""
        held: list[Numbers] = []  # lines of documents not yet given out
        given = 0
        for lines in self._blocks(in_order=True):
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

    def _rows(self, lines: Numbers, first: int, n_rows: int) -> sp.csr_array:
        """Counts of lines that are sorted by document, from document `first` on."""
        documents = lines[:, 0].astype(np.int64) - 1 - first
        indptr = np.concatenate([[0], np.cumsum(np.bincount(documents, minlength=n_rows))])
        words = lines[:, 1].astype(np.int32) - 1
        return canonical(sp.csr_array((lines[:, 2].astype(np.float64), words, indptr), shape=(n_rows, self.n_words)))

    def _blocks(self, in_order: bool) -> Iterator[Numbers]:
        """The lines after the header as checked numbers (lines × document, word, count), at least one at a time."""
        n_counts, last = 0, 1  # lines so far, document of the last of them
        for number, text in whole_lines(self.path, self.header, LONGEST_LINE, self._line()):
            if not text.endswith(b"\n"):  # the last line may lack its end, but not its numbers
                if len(text.split()) < len(self.names):
                    raise self._error(number + 1, f"the file is cut off: it ends in {show(text)}. Get the file again")
                text += b"\n"
            lines = self._parse(text)
            if lines is None or not self._fits(lines, last if in_order else None):
                lines = self._parse_each(text, number, last if in_order else None)  # finds what is wrong or unusual
            if len(lines):
                n_counts, last = n_counts + len(lines), int(lines[-1, self.document])
                if n_counts > self.n_counts:
                    raise self._error(
                        self.promise, f"the header promises {self.n_counts} lines of counts, there are more"
                    )
                yield lines[:, [1, 0, 2]] if self.document else lines
        if n_counts < self.n_counts:
            raise CorpusError(
                f"{self.path} is cut off: line {self.promise} promises {self.n_counts} lines of counts, there are "
                f"{n_counts}. Get the file again"
            )

    def _parse(self, text: bytes) -> Numbers | None:
        """The numbers (lines × 3) of lines that are exactly `digits digits digits`; None where any is not."""
        found = parse_digits(text)
        if found is None or len(found[0]) % 3 or (found[1].reshape(-1, 3) != SEPARATORS).any():
            return None
        return found[0].reshape(-1, 3)

    def _fits(self, lines: Numbers, last: int | None) -> bool:
        if last is not None:
            documents = lines[:, self.document]
            if documents[0] < last or (np.diff(documents) < 0).any():
                return False
        ids = lines[:, :2]
        return bool((ids.min(axis=0) >= 1).all() and (ids.max(axis=0) <= self._limits()).all())

    def _limits(self) -> tuple[int, int]:
        """The most that the first and the second number of a line may be."""
        return (self.n_words, self.n_documents) if self.document else (self.n_documents, self.n_words)

    def _parse_each(self, text: bytes, number: int, last: int | None) -> Numbers:
        """Line by line: every check again, with the number of the line, and any white space between the numbers."""
        lines = []
        for at, line in enumerate(text.split(b"\n"), number + 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != len(self.names):
                raise self._error(at, f"found {show(line)}, not {self._line()}")
            ids = [self._whole(at, name, field) for name, field in zip(self.names[:2], fields[:2], strict=True)]
            for name, value, most in zip(self.names[:2], ids, self._limits(), strict=True):
                if not 1 <= value <= most:
                    raise self._error(at, f"the {name} {value} is out of range; the header allows 1 to {most}")
            if last is not None and ids[self.document] < last:
                name = self.names[self.document]
                raise self._error(
                    at, f"{name} {ids[self.document]} comes after {last}; sort the lines after the header by {name}"
                )
            last = None if last is None else ids[self.document]
            lines.append((*ids, self._count(at, fields)))
        return np.array(lines).reshape(-1, 3)

    def _count(self, at: int, fields: list[bytes]) -> float:
        return self._whole(at, self.names[2], fields[2])

    def _whole(self, at: int, name: str, field: bytes) -> int:
        if not is_whole(field):
            raise self._error(at, f"the {name} is {show(field)}, not a whole number of 0 or more")
        return int(field)

    def _line(self) -> str:
        return f"`{' '.join(self.names)}`"

    def _error(self, number: int, message: str) -> CorpusError:
        return CorpusError(f"{self.path}, line {number}: {message}")
