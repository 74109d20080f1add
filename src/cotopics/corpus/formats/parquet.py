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
        _check_size(path, file.metadata)
        row = 0
        for batch in file.iter_batches(BATCH, columns=columns):
            values = [_values(batch.column(name)) for name in columns]
            for entries in zip(*values, strict=True):
                row += 1
                try:
                    document = _document(dict(zip(columns, entries, strict=True)), fields)
                except Unusable as error:
                    bad(f"{path}, row {row}: {error}")
                    continue
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


def _check_size(path: Path, metadata: Any) -> None:
    """Refuse what would unpack to far more than there is.

    Only groups of rows are looked at: asking for a column of a damaged file ends the process (pyarrow 26).
    """
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    packed, size = path.stat().st_size, sum(group.total_byte_size for group in groups)
    if size > max(files.LONGEST, MOST_RATIO * packed):
        raise CorpusError(
            f"{path}: its {packed:,} bytes claim to be {size:,}. The file is damaged, or made to fill the memory"
        )


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
