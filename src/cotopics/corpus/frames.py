"""Data frames and columns of other libraries, through narwhals: pandas, polars, pyarrow and whatever else it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from cotopics.errors import CorpusError


@dataclass(frozen=True)
class Frame:
    """A data frame of any library: the names of its columns, their values, and the object itself."""

    table: nw.DataFrame[Any]
    native: Any

    @property
    def names(self) -> list[Any]:
        return list(self.table.columns)

    def values(self, name: Any) -> list[Any]:
        return list(self.table.get_column(name).to_list())

    def text_columns(self) -> list[Any]:
        """The names of the columns of strings; one of objects counts if its first is a string."""
        kinds = dict(self.table.schema)
        objects = [name for name, kind in kinds.items() if kind == nw.Object and isinstance(self._first(name), str)]
        return [name for name, kind in kinds.items() if kind == nw.String or name in objects]

    def _first(self, name: Any) -> Any:
        return next((value for value in self.values(name) if value is not None), None)

    def numbers(self, name: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """A column as floats, NaN where it is missing; TypeError or ValueError if it is not of numbers."""
        return np.asarray(self.table.get_column(name).to_numpy(), dtype=np.float64)


def as_frame(data: Any) -> Frame | None:
    """The data frame that `data` is, or offers as a stream of Arrow; None if it is something else."""
    try:
        found = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in data.columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise CorpusError(f"the frame has more than one column {twice!r}; rename all but one") from None
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    if not isinstance(found, nw.DataFrame) and hasattr(data, "__arrow_c_stream__") and as_column(data) is None:
        found = nw.from_arrow(data, backend="pyarrow")
    return Frame(found, data) if isinstance(found, nw.DataFrame) else None


def as_column(data: Any) -> list[Any] | None:
    """The entries of a series of pandas or polars, or of an Arrow array; None if it is something else."""
    if hasattr(data, "to_pylist") and not hasattr(data, "column_names"):  # an Arrow array, in one piece or in chunks
        return list(data.to_pylist())
    found = nw.from_native(data, allow_series=True, pass_through=True)
    return list(found.to_list()) if isinstance(found, nw.Series) else None
