"""Counts as lines of a document, a word and a count: the UCI format, and what MatrixMarket shares with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import AnyArray
from cotopics.corpus.corpus import canonical
from cotopics.corpus.files import DAMAGE_ERRORS, damage_error, open_packed, quoted, unpacked_name
from cotopics.corpus.formats.digits import check_sizes, is_whole_number, parse_digits, whole_lines
from cotopics.errors import CorpusError

SEPARATORS = np.frombuffer(b"  \n", dtype=np.uint8)
MAX_LINE = 1000  # bytes; three numbers need far fewer


class TripletFile:
    """A header, then n_counts lines of a document, a word and a count, with ids from 1, sorted by document.

    `header` is the number of lines before the first, `promise` the number of the line that says how many follow.
    `names` are the names of the three numbers in messages, and `document` is the position of the document in a line.
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
        """Counts (documents × words), chunk_documents at a time; documents without words have a row too."""
        held: list[AnyArray] = []  # lines of documents that are not yet in a chunk
        done = 0
        for lines in self._blocks(in_order=True):
            held.append(lines)
            n_whole = int(lines[-1, 0]) - 1  # the last document may continue in the next block
            if done + chunk_documents > n_whole:
                continue
            rest, held = np.concatenate(held), []
            while done + chunk_documents <= n_whole:
                cut = int(np.searchsorted(rest[:, 0], done + chunk_documents, side="right"))
                yield self._rows(rest[:cut], done, chunk_documents)
                rest = rest[cut:]
                done += chunk_documents
            held = [rest.copy()]  # a copy, so that the memory of the rest is freed
        rest = np.concatenate([np.empty((0, 3), np.int32), *held])
        for first in range(done, self.n_documents, chunk_documents):
            cut = int(np.searchsorted(rest[:, 0], first + chunk_documents, side="right"))
            yield self._rows(rest[:cut], first, min(chunk_documents, self.n_documents - first))
            rest = rest[cut:]

    def _rows(self, lines: AnyArray, first: int, n_rows: int) -> sp.csr_array:
        """Counts of lines that are sorted by document, starting with document `first`."""
        documents = lines[:, 0].astype(np.int64) - 1 - first
        indptr = np.concatenate([[0], np.cumsum(np.bincount(documents, minlength=n_rows))])
        words = lines[:, 1].astype(np.int32) - 1
        return canonical(sp.csr_array((lines[:, 2].astype(np.float64), words, indptr), shape=(n_rows, self.n_words)))

    def _blocks(self, in_order: bool) -> Iterator[AnyArray]:
        """The lines after the header as checked numbers (lines × document, word, count), in blocks."""
        n_counts, last = 0, 1  # lines so far, document of the last of them
        for number, text in whole_lines(self.path, self.header, MAX_LINE, self._line()):
            if not text.endswith(b"\n"):  # the last line may lack its newline, but not its numbers
                if len(text.split()) < len(self.names):
                    raise self._error(number + 1, f"the file is cut off: it ends in {quoted(text)}. Get the file again")
                text += b"\n"
            lines = self._parse(text)
            after = last if in_order else None
            if lines is None or not self._fits(lines, after):
                lines = self._parse_each(text, number, after)  # finds the error, or reads what is unusual
            if len(lines):
                n_counts, last = n_counts + len(lines), int(lines[-1, self.document])
                if n_counts > self.n_counts:
                    raise self._error(
                        self.promise, f"the header promises {self.n_counts} lines of counts, but there are more"
                    )
                yield lines[:, [1, 0, 2]] if self.document else lines
        if n_counts < self.n_counts:
            raise CorpusError(
                f"{self.path} is cut off: line {self.promise} promises {self.n_counts} lines of counts, but there "
                f"are {n_counts}. Get the file again"
            )

    def _parse(self, text: bytes) -> AnyArray | None:
        """The numbers (lines × 3) of lines that are exactly `digits digits digits`; None if any is not."""
        found = parse_digits(text)
        if found is None or len(found[0]) % 3 or (found[1].reshape(-1, 3) != SEPARATORS).any():
            return None
        return found[0].reshape(-1, 3)

    def _fits(self, lines: AnyArray, last: int | None) -> bool:
        if last is not None:
            documents = lines[:, self.document]
            if documents[0] < last or (np.diff(documents) < 0).any():
                return False
        ids = lines[:, :2]
        return bool((ids.min(axis=0) >= 1).all() and (ids.max(axis=0) <= self._limits()).all())

    def _limits(self) -> tuple[int, int]:
        """The largest values of the first and the second number of a line."""
        return (self.n_words, self.n_documents) if self.document else (self.n_documents, self.n_words)

    def _parse_each(self, text: bytes, number: int, last: int | None) -> AnyArray:
        """Line by line: all checks again, for messages with line numbers, and any white space between the numbers."""
        lines = []
        for at, line in enumerate(text.split(b"\n"), number + 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != len(self.names):
                raise self._error(at, f"found {quoted(line)}, not {self._line()}")
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
        if not is_whole_number(field):
            raise self._error(at, f"the {name} is {quoted(field)}, not a whole number, 0 or more")
        return int(field)

    def _line(self) -> str:
        return f"`{' '.join(self.names)}`"

    def _error(self, number: int, message: str) -> CorpusError:
        return CorpusError(f"{self.path}, line {number}: {message}")


class UciFile(TripletFile):
    """`docword.txt`: three lines D, W and NNZ, then NNZ lines `docID wordID count` with ids from 1, sorted by docID.

    The words are in `vocab.txt` next to it; those of `docword.nips.txt.gz` in `vocab.nips.txt`.
    """

    header = promise = 3

    def __init__(self, path: Path, words: list[str] | None = None) -> None:
        self.path = path
        numbers = []
        try:
            with open_packed(path) as file:
                for at, what in enumerate(("documents (D)", "words (W)", "counts (NNZ)"), 1):
                    line = file.readline(100).strip()
                    if not is_whole_number(line) or (int(line) == 0 and at < 3):
                        raise self._error(
                            at, f"the header gives the number of {what} as {quoted(line)}, not as a whole number"
                        )
                    numbers.append(int(line))
        except DAMAGE_ERRORS as error:
            raise damage_error(path, len(numbers), error) from None
        check_sizes(f"{path}, lines 1 to 3", *numbers)
        self.n_documents, self.n_words, self.n_counts = numbers

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]:
        return [unpacked_name(path).replace("docword", "vocab", 1)]
