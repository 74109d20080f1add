"""What is known of documents, as columns: of a data frame, a dictionary or a Corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from cotopics.corpus import Corpus
from cotopics.corpus.dates import guessed_format, is_iso, iso_dates
from cotopics.corpus.frames import as_column, as_frame
from cotopics.effects.formula import nearest
from cotopics.errors import ParameterError
from cotopics.layout import iso_date
from cotopics.layout.periods import UNKNOWN

NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
MAX_LEVELS = 200  # of one field
Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Column:
    """values (n,): numbers, or the numbers of levels, −1 where missing; levels: their names, None for numbers.

    date_format: how dates are written, as in `datetime.strptime`; None if as in ISO 8601."""

    values: Any
    missing: Flags
    levels: list[str] | None = None
    is_date: bool = False
    date_format: str | None = None


def columns_of(metadata: Any, X: Any = None) -> dict[str, Any]:
    """Name → values, one per document. None: what the Corpus X knows; its labels, dates and ids are fields too."""
    source = X if metadata is None else metadata
    if isinstance(source, Corpus):
        own = {"label": source.labels, "date": source.dates, "id": source.ids}
        return {name: v for name, v in own.items() if v is not None} | {
            str(k): v for k, v in (source.metadata or {}).items()
        }
    if isinstance(source, Mapping):
        return {str(name): values for name, values in source.items()}
    frame = None if metadata is None else as_frame(metadata)
    if frame is None:
        kind = "missing" if metadata is None else f"a {type(metadata).__name__}"
        raise ParameterError(f"metadata is {kind}; give a data frame, a dict of columns, or a Corpus with metadata")
    return {str(name): frame.values(name) for name in frame.names}


def field_of(fields: Mapping[str, Any], name: str) -> Any:
    """The values of a field, or an error that says which fields there are."""
    if name not in fields:
        raise ParameterError(f"there is no field {name!r:.80}{nearest(name, list(fields))}")
    return fields[name]


def entries(name: str, values: Any, n_documents: int) -> list[Any]:
    """The values as a list with one entry per document."""
    if isinstance(values, str | bytes) or not (hasattr(values, "__len__") and hasattr(values, "__getitem__")):
        raise ParameterError(f"field {name!r} must be a list with one entry per document")
    listed = values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind != "M" else as_column(values)
    listed = list(values) if listed is None else listed
    if len(listed) != n_documents:
        raise ParameterError(f"there are {n_documents} documents and {len(listed)} values of field {name!r}")
    return listed


def read_column(name: str, listed: list[Any], kind: str = "any", first_level: Any = None) -> Column:
    """A field as numbers or as groups. kind: "number", "group", "date", or "any" as its values suggest.

    Text that reads as a number throughout is a number; dates are days since 1970, as are texts if kind is "date".
    """
    missing = np.array([is_missing(value, kind == "date") for value in listed], dtype=bool)
    known = [value for value, gone in zip(listed, missing, strict=True) if not gone]
    if not known:
        raise ParameterError(f"field {name!r} has no value in any document")
    dated = all(isinstance(value, date | np.datetime64) for value in known)
    if kind == "date" or (dated and kind != "group"):
        texts = [_date_text(value) for value in known]
        others = [text for text in dict.fromkeys(texts) if not is_iso(text)]
        chosen = guessed_format(others) if others else None
        return Column(_filled(_days(name, texts, chosen), missing), missing, is_date=True, date_format=chosen)
    numbers = _numbers(known) if kind != "group" else None
    if numbers is not None:
        if not np.isfinite(numbers).all():
            raise ParameterError(f"field {name!r} holds an infinite number")
        return Column(_filled(numbers, missing), missing)
    if kind == "number":
        shown = next(value for value in known if _numbers([value]) is None)
        raise ParameterError(
            f"field {name!r} holds {str(shown)[:40]!r}, which is no number, and a function asks for numbers"
        )
    return _groups(name, known, missing, first_level)


def _groups(name: str, known: list[Any], missing: Flags, first_level: Any) -> Column:
    levels = sorted_levels(known)
    if len(levels) > MAX_LEVELS:
        raise ParameterError(
            f"field {name!r} holds text with {len(levels):,} different values, too many for groups; {MAX_LEVELS} are "
            "possible. For dates write days(…) or year(…)"
        )
    if first_level is not None:
        if str(first_level) not in levels:
            raise ParameterError(f"field {name!r} has no group {str(first_level)!r}{nearest(str(first_level), levels)}")
        levels = [str(first_level), *(level for level in levels if level != str(first_level))]
    number = {level: i for i, level in enumerate(levels)}
    at = np.full(len(missing), -1)
    at[~missing] = [number[str(value)] for value in known]
    return Column(at, missing, levels)


def sorted_levels(values: Sequence[Any]) -> list[str]:
    """The different values as texts, numbers by their size and texts by the alphabet."""
    numbers = _numbers(values)
    if numbers is not None:
        return list(dict.fromkeys(str(values[i]) for i in np.argsort(numbers, kind="stable")))
    return sorted({str(value) for value in values})


def day_of(name: str, value: Any, date_format: str | None) -> float:
    """A date as days since 1970, written as in ISO 8601 or as the other dates of its field are."""
    text = _date_text(value)
    if date_format is None and not is_iso(text):
        raise ParameterError(f"field {name!r}: {text[:40]!r} is not a date as its values are; write 2008-12-31")
    return float(_days(name, [text], date_format)[0])


def is_missing(value: Any, is_date: bool = False) -> bool:
    """Whether this is no value. Of dates, the texts that other programs write for none are none too."""
    if value is None or (isinstance(value, str) and value.strip() in (UNKNOWN if is_date else ("",))):
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float | np.floating) and value != value)


def _numbers(values: Sequence[Any]) -> Any:
    """The values as floats; None if one is neither a number nor the text of one."""
    kinds = int | float | np.integer | np.floating
    for value in values:
        if isinstance(value, bool | np.bool_) or not isinstance(value, (kinds, str)):
            return None
        if isinstance(value, str) and not NUMBER.fullmatch(value):
            return None
    return np.array([float(value) for value in values])


def _date_text(value: Any) -> str:
    return str(value)[:10] if isinstance(value, date | np.datetime64) else str(value).strip()


def _days(name: str, texts: list[str], date_format: str | None) -> Any:
    iso, _ = iso_dates(texts, date_format)
    try:
        return np.array([np.datetime64(iso_date(text), "D").astype(float) for text in iso])
    except ParameterError as error:
        raise ParameterError(f"field {name!r}: {error}") from None


def _filled(numbers: Any, missing: Flags) -> Any:
    values = np.full(len(missing), np.nan)
    values[~missing] = numbers
    return values
