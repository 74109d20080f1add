"""Tables and texts → files, written beside and renamed, however large."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.export.table import Column, Table
from cotopics.export.text import alike, encodable, text_of
from cotopics.persistence import atomic_writer

SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
ROW_GROUP = 65536  # rows of a parquet file that are packed together


def write_table(table: Table | Iterable[Table], path: str | os.PathLike[str], *, defuse: bool = True) -> None:
    """Write a table, or blocks of one, to a .csv, .tsv, .jsonl or .parquet file; the first three also as .gz.

    Blocks are written as they come, so a generator of them needs memory for one. Words that a spreadsheet would take
    for a formula get a leading apostrophe in csv and tsv files; defuse=False leaves them as they are, as do the other
    formats. The old file stays until the new one is whole.
    """
    path = Path(path)
    kind = check_table_name(path)
    tables = [table] if isinstance(table, Table) else table
    if kind != ".parquet":
        write_text(path, text_of(tables, kind, defuse=defuse))
        return
    with atomic_writer(path) as file:
        _write_parquet(file, alike(tables))


def check_table_name(path: str | os.PathLike[str]) -> str:
    """The suffix that says how a table is written to `path`; an error that says what to do where it cannot be."""
    path = Path(path)
    packed = path.suffix.lower() == ".gz"
    kind = (path.with_suffix("") if packed else path).suffix.lower()
    if kind not in SUFFIXES:
        raise ParameterError(f"{path}: tables are written as {', '.join(SUFFIXES)}; name a file with such a suffix")
    if kind == ".parquet":
        if packed:
            raise ParameterError(f"{path}: a parquet file is packed inside; leave .gz out")
        _pyarrow()
    return kind


def write_text(path: str | os.PathLike[str], chunks: Iterable[str]) -> None:
    """Write pieces of text to `path` in UTF-8 as they come, packed if its suffix is .gz: equal texts, equal files."""
    path = Path(path)
    with atomic_writer(path) as file, _packed(path, file) as sink:
        for chunk in chunks:
            sink.write(chunk.encode("utf-8"))


def _packed(path: Path, file: IO[bytes]) -> Any:
    if path.suffix.lower() != ".gz":
        return nullcontext(file)
    return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)  # no name and no time: equal files are equal


def _write_parquet(file: IO[bytes], tables: Iterator[Table]) -> None:
    pa, pq = _pyarrow()
    first = next(tables)
    with pq.ParquetWriter(file, _arrow(pa, first).schema) as writer:
        for table in chain([first], tables):
            for piece in table.pieces(ROW_GROUP):
                writer.write_table(_arrow(pa, piece))


def _arrow(pa: Any, table: Table) -> Any:
    return pa.table([_arrow_column(pa, column) for column in table.columns], names=list(table.names))


def _arrow_column(pa: Any, column: Column) -> Any:
    if isinstance(column, np.ndarray):
        return pa.array(column)
    return pa.array([None if text is None else encodable(text) for text in column], type=pa.string())


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ParameterError('.parquet files need pyarrow: pip install "cotopics[parquet]"') from None
    return pa, pq
