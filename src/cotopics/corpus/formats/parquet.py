"""Documents in the rows of a parquet file, a batch at a time; pyarrow is imported when one is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cotopics.corpus import files
from cotopics.corpus.files import Bad, Unusable, check_length
from cotopics.corpus.formats.document import Document, Fields
from cotopics.errors import CorpusError

BATCH = 64  # documents decoded at a time: few, as one long text may stand in the file once and be in every row
MOST_RATIO = 200  # bytes that a byte of a large file may become; texts become 2 to 10
ROW = 100  # bytes that a document takes before it has a word
TEXTS = ("string", "large_string", "string_view", "null")


def read_parquet(path: Path, fields: Fields, *, encoding: str, bad: Bad) -> Iterator[Document]:
    """A document for every row, its text in a column of texts or of lists of words; no other columns are read.

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
        _check_size(path, packed, ROW * file.metadata.num_rows)
        row = size = 0
        for batch in file.iter_batches(BATCH, columns=columns):
            values = [_values(batch.column(name)) for name in columns]
            for entries in zip(*values, strict=True):
                row += 1
                try:
                    document = _document(dict(zip(columns, entries, strict=True)), fields)
                except Unusable as error:
                    bad(f"{path}, row {row}: {error}")
                    continue
                size += ROW + _length(document.text)
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
    if str(entry.value_type if types.is_dictionary(entry) else entry) not in TEXTS:
        raise CorpusError(f"{path}: column {column!r} holds {kind}, neither texts nor lists of words")


def _check_size(path: Path, packed: int, size: int) -> None:
    """Refuse what unpacks to far more than there is: in what its groups of rows say, its rows, and what texts came.

    A text may stand in the file once and be in every row, so texts are counted as they come. Of columns nothing is
    asked: asking for one of a damaged file ends the process (pyarrow 26).
    """
    if size > max(files.LONGEST, MOST_RATIO * packed):
        raise CorpusError(
            f"{path}: its {packed:,} bytes unpack to {size:,} or more. The file is damaged, or made to fill the "
            "memory; if it is neither, write it as .jsonl"
        )


def _length(text: str | list[str]) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text)) + ROW // 2 * len(text)


def _values(column: Any) -> list[Any]:
    """The values of a column as Python's, or why one cannot be used; those of a dictionary are made once."""
    if hasattr(column, "dictionary"):
        known = _values(column.dictionary)
        return [None if i is None else known[i] for i in column.indices.to_pylist()]
    try:
        return column.to_pylist()
    except Exception:  # one bad value spoils the list, and it may be bad in many ways
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
