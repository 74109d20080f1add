"""Counts in the MatrixMarket format, by our own parser: that of scipy ends the process at a NUL byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import AnyArray
from cotopics.corpus.corpus import MAX_COUNT, canonical
from cotopics.corpus.files import DAMAGE_ERRORS, damage_error, open_packed, quoted, unpacked_name
from cotopics.corpus.formats.digits import check_sizes, is_whole_number, parse_digits
from cotopics.corpus.formats.triplets import SEPARATORS, TripletFile

MAX_HEADER = 10_000  # lines of comments
KINDS = ("integer", "real", "pattern")


class MatrixMarketFile(TripletFile):
    """`.mtx`: a line `%%MatrixMarket matrix coordinate integer general`, comments, the sizes, then the entries.

    The words are in `vocab.txt` next to it, or in a file with the same stem and `.vocab` or `.txt`. The rows are
    documents, unless the number of words is that of the rows and not that of the columns. Entries that are sorted by
    document are read a chunk at a time; others are read into memory once.
    """

    names: tuple[str, ...] = ("row", "column", "value")

    def __init__(self, path: Path, words: list[str] | None = None) -> None:
        self.path = path
        self.header, kind, sizes = self._head()
        self.promise = self.header
        self._is_real = kind == "real"
        if kind == "pattern":
            self.names = ("row", "column")
        n_rows, n_columns, self.n_counts = sizes
        self.document = int(words is not None and len(words) == n_rows and len(words) != n_columns)
        self.n_documents, self.n_words = (n_columns, n_rows) if self.document else (n_rows, n_columns)
        check_sizes(f"{path}, line {self.header}", self.n_documents, self.n_words, self.n_counts)
        self._is_sorted: bool | None = None  # not known before the first pass
        self._counts: sp.csr_array | None = None

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]:
        name = unpacked_name(path)
        stem = Path(name).stem
        return [f"{name}.vocab", f"{stem}.vocab", f"{stem}.txt", "vocab.txt"]

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]:
        if self._is_sorted is None:
            self._is_sorted = self._find_order()
        if self._is_sorted:
            yield from super().chunks(chunk_documents)
            return
        if self._counts is None:
            self._counts = self._read_all()
        for first in range(0, self.n_documents, chunk_documents):
            yield self._counts[first : first + chunk_documents].copy()

    def _head(self) -> tuple[int, str, list[int]]:
        """The number of the line with the sizes, the kind of the values, and the sizes."""
        number = 0
        try:
            with open_packed(self.path) as file:
                kind = self._kind(file.readline(1000))
                for number in range(2, MAX_HEADER):
                    line = file.readline(100_000)
                    if line.strip() and not line.startswith(b"%"):
                        return number, kind, self._sizes(number, line)
                    if not line.endswith(b"\n"):
                        break
        except DAMAGE_ERRORS as error:
            raise damage_error(self.path, number, error) from None
        raise self._error(number, "there is no line with the numbers of rows, columns and entries")

    def _kind(self, line: bytes) -> str:
        words = line.decode("latin-1").lower().split()
        if words[:2] != ["%%matrixmarket", "matrix"] or len(words) != 5:
            raise self._error(1, f"found {quoted(line)}, not `%%MatrixMarket matrix coordinate integer general`")
        if words[2] != "coordinate" or words[3] not in KINDS or words[4] != "general":
            raise self._error(
                1, f"the matrix is {' '.join(words[2:])}; it must be coordinate, general, and {' or '.join(KINDS)}"
            )
        return words[3]

    def _sizes(self, number: int, line: bytes) -> list[int]:
        fields = line.split()
        if len(fields) != 3 or not all(map(is_whole_number, fields)) or 0 in map(int, fields[:2]):
            raise self._error(number, f"found {quoted(line)}, not the numbers of rows, columns and entries")
        return [int(field) for field in fields]

    def _parse(self, text: bytes) -> AnyArray | None:
        if self._is_real:
            whole = super()._parse(text.replace(b".0\n", b"\n"))
            return _parse_real(text) if whole is None else whole
        if len(self.names) == 3:
            return super()._parse(text)
        found = parse_digits(text)
        if found is None or len(found[0]) % 2 or (found[1].reshape(-1, 2) != SEPARATORS[1:]).any():
            return None
        ids = found[0].reshape(-1, 2)
        return np.column_stack([ids, np.ones(len(ids), ids.dtype)])

    def _count(self, at: int, fields: list[bytes]) -> float:
        if len(self.names) == 2:
            return 1
        if not self._is_real:
            return super()._count(at, fields)
        value = _real(fields[2])
        if value is None:
            raise self._error(at, f"the value is {quoted(fields[2])}, not a number from 0 to {MAX_COUNT:g}")
        return value

    def _find_order(self) -> bool:
        """Whether the entries are sorted by document; takes one pass."""
        last = 0
        for lines in self._blocks(in_order=False):
            if lines[0, 0] < last or (np.diff(lines[:, 0]) < 0).any():
                return False
            last = lines[-1, 0]
        return True

    def _read_all(self) -> sp.csr_array:
        documents, words, values = [], [], []
        for lines in self._blocks(in_order=False):
            documents.append(lines[:, 0].astype(np.int32) - 1)
            words.append(lines[:, 1].astype(np.int32) - 1)
            values.append(lines[:, 2].astype(np.float64))
        ids = (np.concatenate(documents), np.concatenate(words))
        shape = (self.n_documents, self.n_words)
        return canonical(sp.csr_array(sp.coo_array((np.concatenate(values), ids), shape=shape)))


def _parse_real(text: bytes) -> AnyArray | None:
    """The numbers of lines that are exactly `digits digits count`; None if any is not."""
    text = text.replace(b"\r\n", b"\n")
    symbols = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero((symbols == SEPARATORS[0]) | (symbols == SEPARATORS[2]))
    fields = text.split()
    if len(ends) != len(fields) or len(ends) % 3 or (symbols[ends].reshape(-1, 3) != SEPARATORS).any():
        return None
    if b"_" in text or not b"".join(fields[0::3] + fields[1::3]).isdigit():
        return None
    try:
        numbers = np.array(list(map(float, fields))).reshape(-1, 3)
    except ValueError:
        return None
    return numbers if ((numbers >= 0) & (numbers <= MAX_COUNT)).all() else None


def _real(field: bytes) -> float | None:
    """A count, which may be fractional; None if it is not a count."""
    try:
        value = float(field)
    except ValueError:
        return None
    return value if 0 <= value <= MAX_COUNT and b"_" not in field else None
