"""Tables with a header: comma-separated or tab-separated values."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cotopics.corpus import files
from cotopics.corpus.documents import Document, Fields
from cotopics.corpus.files import OnBad, Unusable, check_length, decode_line, raw_lines
from cotopics.errors import CorpusError

DELIMITERS = (",", ";", "\t", "|")
OPEN_QUOTE = "unexpected end of data"  # the message of csv for a quote that is never closed


def read_delimited(
    path: Path, fields: Fields, *, encoding: str, on_bad: OnBad, delimiter: str | None = None, usual: str
) -> Iterator[Document]:
    """A document for every row. Cells with a delimiter, quote or newline are quoted; an empty cell is missing.

    delimiter None: the `usual` one, or another where only this gives the header a field of the text.
    """
    delimiter = delimiter or _delimiter_of(path, encoding, fields, usual)
    lines = _Lines(path, encoding)
    rows = _rows(lines, delimiter)
    header = _header(path, lines, rows)
    fields.check(str(path), header)
    for row in rows:
        try:
            document = fields.document(_cells(row, lines.wrong, header))
        except Unusable as error:
            on_bad(f"{path}, line {lines.start}: {error}")
            continue
        yield document


read_csv = partial(read_delimited, usual=",")
read_tsv = partial(read_delimited, usual="\t")


def _delimiter_of(path: Path, encoding: str, fields: Fields, usual: str) -> str:
    """The delimiter by which the header has the field of the text, or else most fields."""
    best, most = usual, 1
    for delimiter in dict.fromkeys((usual, *DELIMITERS)):
        lines = _Lines(path, encoding)
        header = next(_rows(lines, delimiter), [])
        if fields.text in (name.strip() for name in header) and not lines.wrong:
            return delimiter
        if len(header) > most:
            best, most = delimiter, len(header)
    return best


class _Lines:
    """Lines for csv's reader. `start` is the line where the row began, `wrong` why the row cannot be used.

    A line that cannot be decoded is still given to csv, so that the row ends at the right place.
    """

    def __init__(self, path: Path, encoding: str) -> None:
        self.path, self._encoding = path, encoding
        self._lines = raw_lines(path, encoding)
        self._number = self._size = 0
        self.new_row()

    def new_row(self) -> None:
        self.start, self.wrong, self._size = self._number + 1, "", 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._number, raw = next(self._lines)
        self._size += len(raw)
        check_length(self._size)
        try:
            return decode_line(raw, self._number, self._encoding)
        except Unusable as error:
            self.wrong = self.wrong or str(error)
            return raw.decode("latin-1")


def _rows(lines: _Lines, delimiter: str) -> Iterator[list[str]]:
    """Rows of cells, without blank lines; a row that cannot be read is empty."""
    # The limit is for the whole process, so it is only ever raised. `_Lines` refuses longer rows before csv does.
    csv.field_size_limit(max(csv.field_size_limit(), files.MAX_BYTES + 1))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.new_row()
        try:
            row = next(reader)
        except StopIteration:
            return
        except (csv.Error, Unusable) as error:
            if OPEN_QUOTE in str(error):  # the cell holds all lines to the end, so skipping would lose them
                raise CorpusError(
                    f"{lines.path}, line {lines.start}: a quote is opened here and never closed. Close or double it"
                ) from None
            reason = f"not a row of cells ({error}). Check its quotes" if isinstance(error, csv.Error) else str(error)
            row, lines.wrong = [], lines.wrong or reason
        if row or lines.wrong:
            yield row


def _cells(row: list[str], wrong: str, header: list[str]) -> dict[str, str]:
    if wrong:
        raise Unusable(wrong)
    if len(row) != len(header):
        raise Unusable(f"{len(row)} cells, but the header has {len(header)}. Check its quotes and delimiters")
    return {name: cell for name, cell in zip(header, row, strict=True) if cell}


def _header(path: Path, lines: _Lines, rows: Iterator[list[str]]) -> list[str]:
    header = next(rows, None)
    if header is None:
        raise CorpusError(f"{path} is empty: there are no documents in it")
    if lines.wrong:
        raise CorpusError(f"{path}, line {lines.start}: {lines.wrong}")
    return [name.strip() for name in header]
