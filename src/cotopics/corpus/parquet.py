"""Documents in a column of a parquet file, a batch at a time; pyarrow is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cotopics.errors import CorpusError

BATCH = 1000  # documents decoded at a time
TEXTS = ("string", "large_string", "string_view")


def check_parquet(path: Path, column: str) -> None:
    """Raise what `read_parquet` would raise on its first document."""
    with _opened(path, column):
        pass


def read_parquet(path: Path, column: str, tokens: Callable[[str], list[str]]) -> Iterator[list[str]]:
    """The tokens of every document: what `tokens` makes of a text, or, in a column of lists, the entries.

    A missing text or list is a document without words."""
    with _opened(path, column) as (file, holds_texts):
        for batch in file.iter_batches(BATCH, columns=[column]):
            for value in batch.column(0).to_pylist():
                if holds_texts:
                    yield tokens(value or "")
                else:
                    yield [token for token in value or () if token is not None]


@contextmanager
def _opened(path: Path, column: str) -> Iterator[tuple[Any, bool]]:
    """The open file, and whether its column holds texts (True) or lists of tokens (False)."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise CorpusError(f"{path} needs pyarrow to be read:  pip install 'cotopics[parquet]'") from None
    try:
        with pq.ParquetFile(path) as file:
            yield file, _holds_texts(path, file.schema_arrow, column)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise CorpusError(f"{path} cannot be read as parquet: {reason}. Get or write the file again") from None


def _holds_texts(path: Path, schema: Any, column: str) -> bool:
    from pyarrow import types

    if schema.names.count(column) != 1:
        found = ", ".join(map(repr, schema.names))
        raise CorpusError(f"{path}: not one column {column!r}; its columns are {found}. Name that of the text")
    kind = schema.field(column).type
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    if not _is_text(kind.value_type if is_list else kind):
        raise CorpusError(f"{path}: column {column!r} holds {kind}, neither texts nor lists of words")
    return not is_list


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return str(kind.value_type if types.is_dictionary(kind) else kind) in TEXTS
