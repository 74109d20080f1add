"""Data frames, of pandas, polars or pyarrow, by what they have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.formats.document import About, Fields, is_missing
from cotopics.corpus.record import Corpus, check_values
from cotopics.errors import CorpusError


def is_frame(data: Any) -> bool:
    return hasattr(data, "column_names") or (hasattr(data, "columns") and hasattr(data, "shape"))


def read_frame(frame: Any, fields: Fields) -> Corpus | Rows:
    """The rows of a frame with a column of texts, or the corpus of one of counts, whose columns are the words.

    In a frame of counts every column of numbers is a word. Others must be those of labels, ids, dates or metadata.
    """
    names = _names(frame)
    if names.count(fields.text) == 1 and _holds_texts(_values(frame, fields.text)):
        fields.check("the frame", [str(name) for name in names])
        return Rows({name: _values(frame, name) for name in fields.names() if names.count(name) == 1})
    known = [name for name in fields.names() if names.count(name) == 1 and not _is_numeric(_values(frame, name))]
    words = [name for name in names if name not in known]
    counts = _table(frame, names, words, fields)
    check_values("the frame", counts)
    about = About()
    for row in Rows({name: _values(frame, name) for name in known}):
        about.add(fields.document({**row, fields.text: None}))
    return Corpus(counts, [str(word) for word in words], **about.columns())


class Rows:
    """The rows of some columns, as dictionaries; every `iter(rows)` is a fresh pass."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for values in zip(*self._columns.values(), strict=True):
            yield dict(zip(self._columns, values, strict=True))


def _names(frame: Any) -> list[Any]:
    return list(frame.column_names) if hasattr(frame, "column_names") else list(frame.columns)


def _values(frame: Any, name: Any) -> list[Any]:
    column = frame[name]
    for method in ("to_pylist", "to_list"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _first(values: list[Any]) -> Any:
    return next((value for value in values if not is_missing(value)), None)


def _holds_texts(values: list[Any]) -> bool:
    first = _first(values)
    return isinstance(first, str | list | tuple) or getattr(first, "ndim", 0) == 1


def _is_numeric(values: list[Any]) -> bool:
    return isinstance(_first(values), int | float | np.number)


def _table(frame: Any, names: list[Any], words: list[Any], fields: Fields) -> sp.csr_array:
    """The columns of counts as CSR."""
    if not words:
        raise CorpusError("the frame has no columns of counts")
    if len(words) == len(names) and hasattr(frame, "sparse"):  # pandas has this where every column is sparse
        return sp.csr_array(frame.sparse.to_coo(), dtype=np.float64)
    try:
        columns = [np.asarray(frame[word], dtype=np.float64) for word in words]
    except (TypeError, ValueError):
        listed = ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
        raise CorpusError(
            f"the frame has no column {fields.text!r} of texts, and its columns are not all counts: {listed}. Name the "
            "column of the text, or give columns of numbers without gaps"
        ) from None
    return sp.csr_array(np.column_stack(columns))
