"""Documents in the rows of a parquet file, a batch at a time; pyarrow is imported when a file is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cotopics.corpus import files
from cotopics.corpus.documents import Document, Fields
from cotopics.corpus.files import OnBad, Unusable, check_length
from cotopics.errors import CorpusError

BATCH = 64  # documents decoded at a time: few, because one long text in the file may be used in every row
MAX_RATIO = 200  # bytes that a byte of a large file may become; for texts it is 2 to 10
ROW_BYTES = 100  # memory of a document without words
TEXT_TYPES = ("string", "large_string", "string_view", "null")


def read_parquet(path: Path, fields: Fields, *, encoding: str, on_bad: OnBad) -> Iterator[Document]:
    """A document for every row; its text is in a column of texts or of lists of words. Only wanted columns are read.

    A missing text or list is a document without words. Parquet is always UTF-8.
    """
    with _opened(path) as file:
        schema = file.schema_arrow
        fields.check(str(path), schema.names)
        columns = [name for name in fields.names() if schema.names.count(name) == 1]
        _check_text(path, schema.field(fields.text).type, fields.text)
        packed = path.stat().st_size
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        _check_size(path, packed, sum(group.total_byte_size for group in groups))
        _check_size(path, packed, ROW_BYTES * file.metadata.num_rows)
        row = size = 0
        for batch in file.iter_batches(BATCH, columns=columns):
            values = [_values(batch.column(name)) for name in columns]
            for entries in zip(*values, strict=True):
                row += 1
                try:
                    document = _document(dict(zip(columns, entries, strict=True)), fields)
                except Unusable as error:
                    on_bad(f"{path}, row {row}: {error}")
                    continue
                size += ROW_BYTES + _length(document.text)
                _check_size(path, packed, size)
                yield document


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise CorpusError(f"{path} needs pyarrow to be read:  pip install 'cotopics[parquet]'") from None
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError, MemoryError, OverflowError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise CorpusError(f"{path} cannot be read as parquet: {reason}. Get or write the file again") from None


def _check_text(path: Path, kind: Any, column: str) -> None:
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    entry = kind.value_type if is_list else kind
    if str(entry.value_type if types.is_dictionary(entry) else entry) not in TEXT_TYPES:
        raise CorpusError(f"{path}: column {column!r} holds {kind}, neither texts nor lists of words")


def _check_size(path: Path, packed: int, size: int) -> None:
    """Refuse a file that unpacks to far more than its own size.

    The size is what its groups of rows say, then its number of rows, then the texts that were read: one text in the
    file may be used in every row. Columns are not asked: in a damaged file this ends the process (pyarrow 26).
    """
    if size > max(files.MAX_BYTES, MAX_RATIO * packed):
        raise CorpusError(
            f"{path}: its {packed:,} bytes unpack to {size:,} or more. The file is damaged, or made to fill the "
            "memory; if it is not, write it as .jsonl"
        )


def _length(text: str | list[str]) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text)) + ROW_BYTES // 2 * len(text)


def _values(column: Any) -> list[Any]:
    """The values of a column, or Unusable for a bad one; those of a dictionary are made once."""
    if hasattr(column, "dictionary"):
        known = _values(column.dictionary)
        return [None if i is None else known[i] for i in column.indices.to_pylist()]
    try:
        return column.to_pylist()
    except Exception:  # one bad value makes the whole call fail, in one of many ways
        return [_value(scalar) for scalar in column]


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError as error:
        return Unusable(f"not UTF-8 ({error.reason})")
    except Exception as error:
        return Unusable(f"a value that cannot be read ({error})")


def _document(row: dict[str, Any], fields: Fields) -> Document:
    for value in row.values():
        if isinstance(value, Unusable):
            raise value
    document = fields.document(row)
    check_length(len(document.text) if isinstance(document.text, str) else 0)
    return document
