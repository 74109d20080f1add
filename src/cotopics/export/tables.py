"""Tables: a record of columns, and its files: .csv, .tsv, .jsonl and .parquet.

`write_table` takes a table, or blocks of one that are written as they come, so that a long table needs memory for one
block only. All csv goes through here, also that of `cotopics topics --csv`: a text that a spreadsheet would run as a
formula gets an apostrophe. A text that already looks as if it had one gets another, so that no two words become equal
and removing the apostrophes gives back the original.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.persistence import atomic_writer
from cotopics.tabular import Tabular

Column = np.ndarray[Any, Any] | list[str | None]  # numbers, or texts with None for missing ones
MISSING = ("NAType", "NaTType")  # types of missing values in data frames, besides None and NaN
SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
BLOCK_ROWS = 4096  # rows of text made at a time
PARQUET_ROWS = 65536  # rows of a row group
SURROGATES = re.compile("[\ud800-\udfff]")
NEEDS_QUOTES = re.compile(r'["\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$')
# = + - @ and their full-width and small forms, at the start or after blanks, quotes and invisible characters; or a tab
# or line end at the start. Apostrophes before these may be ours, so they get another.
FORMULA = r"[\s\"'`\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]"
RUNS = re.compile(rf"'*[\t\r\n]|{FORMULA}")
# Where a cell begins. In some languages a semicolon separates cells, so a text begins a cell after one too.
BEGINNINGS = re.compile(rf"\A(?={RUNS.pattern})|(?<=;)(?={FORMULA})")
LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}  # lines end here for some readers


@dataclass(frozen=True, repr=False)
class Table(Tabular):
    """Columns of one length, each with its name. Numbers are arrays, everything else is lists of texts or None.

    pandas.DataFrame, polars.DataFrame and pyarrow.table take it as it is.

    >>> table = Table(("word", "share"), (["cat", "dog"], [0.75, 0.25]))
    >>> len(table), table.as_dict()
    (2, {'word': ['cat', 'dog'], 'share': array([0.75, 0.25])})
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "columns", tuple(as_column(column) for column in self.columns))
        if len(self.names) != len(self.columns) or len(set(self.names)) != len(self.names):
            raise ParameterError(f"{len(self.columns)} columns need as many different names; these are {self.names}")
        if len({len(column) for column in self.columns}) > 1:
            lengths = ", ".join(f"{name} {len(column)}" for name, column in self.as_dict().items())
            raise ParameterError(f"the columns of a table must have one length; these have {lengths}")

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __repr__(self) -> str:
        return f"Table({len(self):,} rows: {', '.join(self.names)})"

    def as_columns(self) -> dict[str, Column]:
        """Name → column."""
        return self.as_dict()

    def as_dict(self) -> dict[str, Column]:
        """Name → column, which pandas.DataFrame and polars.DataFrame accept."""
        return dict(zip(self.names, self.columns, strict=True))

    def pieces(self, n_rows: int) -> Iterator[Table]:
        """The table in pieces of this many rows, without copies of numbers; an empty table is one empty piece."""
        for first in range(0, max(len(self), 1), n_rows):
            yield Table(self.names, tuple(column[first : first + n_rows] for column in self.columns))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The type of each column: a type of numbers, or "text"."""
        return tuple(column.dtype.name if isinstance(column, np.ndarray) else "text" for column in self.columns)


def as_column(values: Sequence[Any] | np.ndarray[Any, Any]) -> Column:
    """Numbers as an array; anything else as texts, with None for missing values and JSON for what is not a text."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuf" and values.itemsize <= 8:
        return values
    entries = [value.item() if isinstance(value, np.generic) else value for value in values]
    types = {type(value) for value in entries}
    if types == {int} and max(map(abs, entries)) < 2**63:
        return np.array(entries, dtype=np.int64)
    if float in types and types <= {int, float}:
        return np.array(entries, dtype=np.float64)
    return [_as_text(value) for value in entries]


def _as_text(value: Any) -> str | None:
    if value is None or type(value).__name__ in MISSING or (isinstance(value, float) and value != value):
        return None
    return str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def write_table(table: Table | Iterable[Table], path: str | os.PathLike[str], *, defuse: bool = True) -> None:
    """Write a table, or blocks of one, to a .csv, .tsv, .jsonl or .parquet file; the first three also as .gz.

    Blocks are written as they come, so a generator needs memory for one block. With `defuse`, words that a spreadsheet
    would take for a formula get a leading apostrophe in csv and tsv files. An old file stays until the new one is
    complete.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/words.csv"
    >>> write_table(Table(("word", "share"), (["cat", "=1+1"], [0.75, 0.25])), path)
    >>> with open(path) as file:
    ...     file.read().split()
    ['word,share', 'cat,0.75', "'=1+1,0.25"]
    """
    path = Path(path)
    kind = check_table_name(path)
    tables = [table] if isinstance(table, Table) else table
    if kind != ".parquet":
        write_text(path, text_of(tables, kind, defuse=defuse))
        return
    pa, pq = _pyarrow()
    with atomic_writer(path) as file:
        checked = same_columns(tables)
        first = next(checked)
        with pq.ParquetWriter(file, _arrow(pa, first).schema) as writer:
            for block in chain([first], checked):
                for piece in block.pieces(PARQUET_ROWS):
                    writer.write_table(_arrow(pa, piece))


def check_table_name(path: str | os.PathLike[str]) -> str:
    """The suffix that says how a table is written to `path`, or an error that says what to do.

    >>> check_table_name("words.csv.gz")
    '.csv'
    """
    path = Path(path)
    packed = path.suffix.lower() == ".gz"
    kind = (path.with_suffix("") if packed else path).suffix.lower()
    if kind not in SUFFIXES:
        raise ParameterError(f"{path}: tables are written as {', '.join(SUFFIXES)}; name a file with such a suffix")
    if kind == ".parquet":
        if packed:
            raise ParameterError(f"{path}: a parquet file is already compressed; leave out .gz")
        _pyarrow()
    return kind


def write_text(path: str | os.PathLike[str], chunks: Iterable[str]) -> None:
    """Write pieces of text to `path` in UTF-8 as they come; if its suffix is .gz, compressed."""
    path = Path(path)
    with atomic_writer(path) as file, _packed(path, file) as sink:
        for chunk in chunks:
            sink.write(chunk.encode("utf-8"))


def _packed(path: Path, file: IO[bytes]) -> Any:
    if path.suffix.lower() != ".gz":
        return nullcontext(file)
    return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)  # no name and time: equal texts, equal files


def _arrow(pa: Any, table: Table) -> Any:
    columns = [
        pa.array(column)
        if isinstance(column, np.ndarray)
        else pa.array([None if text is None else encodable(text) for text in column], type=pa.string())
        for column in table.columns
    ]
    return pa.table(columns, names=list(table.names))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ParameterError('.parquet files need pyarrow: pip install "cotopics[parquet]"') from None
    return pa, pq


def text_of(tables: Iterable[Table], kind: str, *, defuse: bool = True) -> Iterator[str]:
    """The text of tables, written as one, in the format `kind`: .csv, .tsv or .jsonl.

    csv and tsv begin with a line of names. Texts are quoted if necessary, missing ones are empty, and floats have all
    digits. With `defuse`, a text that a spreadsheet would take for a formula gets a leading apostrophe; numbers and
    jsonl stay as they are.
    """
    delimiter = DELIMITERS.get(kind, "")
    needs_names = bool(delimiter)
    for table in same_columns(tables):
        if needs_names:
            yield encodable(delimiter.join(_cells(list(table.names), delimiter, defuse)) + "\n")
            needs_names = False
        for piece in table.pieces(BLOCK_ROWS):
            lines = _csv_lines(piece, delimiter, defuse) if delimiter else _json_lines(piece)
            yield encodable("".join(f"{line}\n" for line in lines))


def same_columns(tables: Iterable[Table]) -> Iterator[Table]:
    """The tables, after a check that there is one and that all have the same columns."""
    known: tuple[Any, Any] | None = None
    for table in tables:
        columns = (table.names, table.kinds)
        if known not in (None, columns):
            raise ParameterError(f"all blocks of a table must have the same columns; after {known} comes {columns}")
        known = columns
        yield table
    if known is None:
        raise ParameterError("there is no table to write: the iterable of blocks is empty")


def defused(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run; different texts stay different.

    >>> [defused(text) for text in ["=1+1", "cat", ' "@cmd', "'=1+1", "cat; =1+1"]]
    ["'=1+1", 'cat', '\\' "@cmd', "''=1+1", "cat;' =1+1"]
    """
    return BEGINNINGS.sub("'", text)


def encodable(text: str) -> str:
    """The text with U+FFFD in place of lone surrogates, which UTF-8 cannot encode."""
    return SURROGATES.sub("\ufffd", text)


def _csv_lines(table: Table, delimiter: str, defuse: bool) -> Iterator[str]:
    cells = [_cells(column, delimiter, defuse) for column in table.columns]
    return (delimiter.join(row) for row in zip(*cells, strict=True))


def _cells(column: Column | list[str], delimiter: str, defuse: bool) -> list[str]:
    if isinstance(column, np.ndarray):
        return ["" if value != value else repr(value) for value in column.tolist()]
    safe = [text if text is None or not defuse else defused(text) for text in column]
    return ["" if text is None else _quoted(text, delimiter) for text in safe]


def _quoted(text: str, delimiter: str) -> str:
    """The text as csv needs it, with quotes if necessary. An empty text gets quotes, because a missing one has none."""
    if text and delimiter not in text and not NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _json_lines(table: Table) -> Iterator[str]:
    """One JSON object per row; numbers that JSON lacks are null."""
    columns = [column.tolist() if isinstance(column, np.ndarray) else column for column in table.columns]
    columns = [[None if isinstance(v, float) and not math.isfinite(v) else v for v in column] for column in columns]
    for row in zip(*columns, strict=True):
        line = json.dumps(dict(zip(table.names, row, strict=True)), ensure_ascii=False)
        yield line.translate(LINE_ENDS)
