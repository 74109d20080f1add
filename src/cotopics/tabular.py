"""Results that are tables: rows for pandas, Arrow for everybody else, and a small table in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Self

MAX_SHOWN = 30  # rows in a notebook
CELL = "padding:2px 8px;vertical-align:top;text-align:"


class Tabular:
    """A result with columns: `pandas.DataFrame(result)`, `polars.DataFrame(result)` and `pyarrow.table(result)` work.

    pandas takes its rows, one dictionary each; the others its columns through the Arrow PyCapsule interface, for which
    pyarrow must be installed.
    """

    @abstractmethod
    def as_columns(self) -> Mapping[str, Any]:
        """Name → values of one column."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = {
            name: values.tolist() if hasattr(values, "tolist") else values for name, values in self.as_columns().items()
        }
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        try:
            import pyarrow as pa
        except ImportError:
            raise ImportError('Arrow tables need pyarrow: pip install "cotopics[parquet]"') from None
        return pa.table({name: pa.array(values) for name, values in self.as_columns().items()}).__arrow_c_stream__(
            requested_schema
        )

    def _repr_html_(self) -> str:
        return html_table(self.as_columns(), caption=repr(self))


@dataclass(frozen=True, repr=False)
class Columns(Tabular):
    """A table; columns: name → values, a list or an array each."""

    columns: Mapping[str, Any]

    def as_columns(self) -> Mapping[str, Any]:
        return self.columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rows: {', '.join(self.columns)})"

    def where(self, **values: Any) -> Self:
        """The rows with these values: table.where(topic=3), table.where(term="day")."""
        for name in values:
            if name not in self.columns:
                raise ValueError(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        rows = [i for i in range(len(self)) if all(self.columns[name][i] == value for name, value in values.items())]
        return type(self)({name: _rows_of(column, rows) for name, column in self.columns.items()})


def _rows_of(column: Any, rows: list[int]) -> Any:
    return column[rows] if hasattr(column, "tolist") else [column[i] for i in rows]


def html_table(columns: Mapping[str, Any], *, caption: str = "") -> str:
    """Columns as an HTML table, the first rows of many. All text is escaped: a word from a corpus is never markup."""
    names = list(columns)
    n_rows = max((len(values) for values in columns.values()), default=0)
    lines = [f"<caption style='text-align:left'>{escape(caption)}</caption>"] if caption else []
    lines.append(_row([(escape(str(name)), "left") for name in names], "th"))
    for i in range(min(n_rows, MAX_SHOWN)):
        lines.append(_row([_cell(columns[name][i]) for name in names], "td"))
    if n_rows > MAX_SHOWN:
        lines.append(f"<tr><td colspan={len(names)}>… {n_rows - MAX_SHOWN} more rows</td></tr>")
    return f"<table>{''.join(lines)}</table>"


def _cell(value: Any) -> tuple[str, str]:
    """The text of a cell, and the side it is on."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or (isinstance(value, float) and value != value):
        return "–", "right"
    if isinstance(value, float):
        return f"{value:.4g}", "right"
    return escape(str(value)), "right" if isinstance(value, int) else "left"


def _row(cells: list[tuple[str, str]], tag: str) -> str:
    inside = "".join(f"<{tag} style='{CELL}{side}'>{text}</{tag}>" for text, side in cells)
    return f"<tr>{inside}</tr>"
