"""Tables as csv, tsv and jsonl text, a block of rows at a time."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.export.table import Column, Table

ROWS = 4096  # written at a time
DELIMITERS = {".csv": ",", ".tsv": "\t"}
SURROGATES = re.compile("[\ud800-\udfff]")
NEEDS_QUOTES = re.compile(r'["\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$')
# = + - @ and their full-width and small forms, first or after blanks, quotes and what cannot be seen; or a leading tab
# or end of line, whatever follows. An apostrophe before these is one of ours, or is taken for one: it gets another.
FORMULA = r"[\s\"'`\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]"
RUNS = re.compile(rf"'*[\t\r\n]|{FORMULA}")
# Where a cell begins: a semicolon within a text ends one too, where the system's language has it between cells.
BEGINNINGS = re.compile(rf"\A(?={RUNS.pattern})|(?<=;)(?={FORMULA})")
LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}  # lines end here for some readers


def text_of(tables: Iterable[Table], kind: str, *, defuse: bool = True) -> Iterator[str]:
    """The text of tables, written as one, in a format of `kind` .csv, .tsv or .jsonl.

    csv and tsv have a line of names first. Texts are quoted where they must be, missing ones are empty; floats have as
    many digits as it takes to read the same number back. With `defuse`, a text that a spreadsheet would take for a
    formula gets a leading apostrophe; numbers never do, and jsonl stays as it is.
    """
    heading = kind in DELIMITERS
    for table in alike(tables):
        for piece in table.pieces(ROWS):
            lines = _objects(piece) if kind == ".jsonl" else _lines(piece, DELIMITERS[kind], defuse)
            if heading:
                names: list[str | None] = list(table.names)
                yield encodable(DELIMITERS[kind].join(_cells(names, DELIMITERS[kind], defuse)) + "\n")
                heading = False
            yield encodable("".join(f"{line}\n" for line in lines))


def alike(tables: Iterable[Table]) -> Iterator[Table]:
    """The tables, as long as they have the same columns; and there is one."""
    known: tuple[Any, Any] | None = None
    for table in tables:
        columns = (table.names, table.kinds)
        if known not in (None, columns):
            raise ParameterError(f"blocks of one table have the same columns; after {known} comes {columns}")
        known = columns
        yield table
    if known is None:
        raise ParameterError("there is no table to write: no block came")


def defused(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run; no two texts become the same.

    >>> [defused(text) for text in ["=1+1", "cat", ' "@cmd', "'=1+1", "cat; =1+1"]]
    ["'=1+1", 'cat', '\\' "@cmd', "''=1+1", "cat;' =1+1"]
    """
    return BEGINNINGS.sub("'", text)


def encodable(text: str) -> str:
    """The text with lone surrogates, which no encoding has, replaced by U+FFFD."""
    return SURROGATES.sub("\ufffd", text)


def _lines(table: Table, delimiter: str, defuse: bool) -> Iterator[str]:
    cells = [_cells(column, delimiter, defuse) for column in table.columns]
    return (delimiter.join(row) for row in zip(*cells, strict=True))


def _cells(column: Column, delimiter: str, defuse: bool) -> list[str]:
    if isinstance(column, np.ndarray):
        return ["" if value != value else repr(value) for value in column.tolist()]
    safe = [text if text is None or not defuse else defused(text) for text in column]
    return ["" if text is None else _quoted(text, delimiter) for text in safe]


def _quoted(text: str, delimiter: str) -> str:
    """As csv wants it: quoted where there is need, and quotes doubled; an empty text is not a missing one."""
    if text and delimiter not in text and not NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _objects(table: Table) -> Iterator[str]:
    """One JSON object a row; what JSON has no number for is null."""
    columns = [[_json_value(value) for value in _plain(column)] for column in table.columns]
    for row in zip(*columns, strict=True):
        line = json.dumps(dict(zip(table.names, row, strict=True)), ensure_ascii=False)
        yield line.translate(LINE_ENDS)


def _plain(column: Column) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else column


def _json_value(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
