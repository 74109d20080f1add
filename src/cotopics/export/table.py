"""A table: names and columns, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import ParameterError

Column = np.ndarray[Any, Any] | list[str | None]  # numbers, or texts with None where there is none
MISSING = ("NAType", "NaTType")  # how data frames say that there is nothing, besides None and NaN


@dataclass(frozen=True)
class Table:
    """Columns of one length, each with its name. Numbers are arrays, everything else is lists of texts or None.

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
            raise ParameterError(f"the columns of a table have one length; these have {lengths}")

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def as_dict(self) -> dict[str, Column]:
        """Name → column: what pandas.DataFrame and polars.DataFrame take."""
        return dict(zip(self.names, self.columns, strict=True))

    def pieces(self, n_rows: int) -> Iterator[Table]:
        """The table in pieces of so many rows, which share its numbers; an empty table is one empty piece."""
        for first in range(0, max(len(self), 1), n_rows):
            yield Table(self.names, tuple(column[first : first + n_rows] for column in self.columns))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What each column holds: a type of numbers, or "text"."""
        return tuple(column.dtype.name if isinstance(column, np.ndarray) else "text" for column in self.columns)


def as_column(values: Sequence[Any] | np.ndarray[Any, Any]) -> Column:
    """Numbers as an array; anything else as texts: missing values are None, what is no text is written as JSON."""
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
