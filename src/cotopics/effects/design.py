"""A formula and metadata → the columns of a regression, by formulaic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from cotopics.effects.formula import Formula, nearest
from cotopics.effects.metadata import Column, day_of, is_missing, read_column
from cotopics.errors import ParameterError
from cotopics.records import Array

MAX_ENTRIES = 1 << 28  # of the columns: 2 GiB
DEPENDENT = 1e-9  # what is left of a column beside the others, relative to its length
DAYS_A_YEAR, EPOCH = 365.2425, 1970


def require_formulaic() -> Any:
    """formulaic, or an error that says what to install."""
    try:
        import formulaic
    except ImportError:
        raise ParameterError('formulas need formulaic: pip install "cotopics[effects]"') from None
    return formulaic


@dataclass(frozen=True)
class Design:
    """Z (n, p), of full rank, the names of its columns, and how to make such columns of other values."""

    Z: Array
    terms: tuple[str, ...]
    formula: Formula
    columns: dict[str, Column]  # by formulaic's names
    spec: Any
    frame: Any

    def fields(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self.formula.fields.values()))

    def levels_of(self, field: str) -> list[str] | None:
        """The groups of a field; None if it holds numbers."""
        return next(iter(column.levels for column in self._of(field).values()))

    def values_of(self, field: str) -> Array:
        """The numbers of a field, one per document."""
        return np.asarray(next(iter(self._of(field).values())).values)

    def at(self, field: str, value: Any) -> Array:
        """The mean row (p,) of Z if the field had this value in all documents, and all others were as they are."""
        changed = {alias: self._as_column(field, column, value) for alias, column in self._of(field).items()}
        frame = self.frame.assign(**changed)
        outside = self._outside(changed)
        where = f"where {field!r} is {str(value)[:40]}{outside}"
        try:
            with np.errstate(all="ignore"):  # infinite numbers are found below
                matrix = self.spec.get_model_matrix(frame, context=_context())
        except Exception as error:  # formulaic wraps what its functions raise
            remedy = "; choose one of these" if outside else f": {_cause(error, self.formula)}"
            raise ParameterError(f"the formula cannot be computed {where}{remedy}") from None
        rows = matrix.to_numpy(dtype=float)
        if len(rows) < len(frame) or not np.isfinite(rows).all():
            raise ParameterError(f"the formula is not a finite number {where}, as log(0) is not; choose another value")
        return np.asarray(rows.mean(axis=0))

    def _outside(self, changed: dict[str, Any]) -> str:
        """What to say if a number is beyond those of the documents."""
        for alias, values in changed.items():
            known = self.columns[alias]
            if known.levels is None and not known.values.min() <= values[0] <= known.values.max():
                low, high = (
                    str(np.datetime64(int(end), "D")) if known.is_date else f"{end:g}"
                    for end in (known.values.min(), known.values.max())
                )
                return f", beyond its values in the documents, {low} to {high}"
        return ""

    def _of(self, field: str) -> dict[str, Column]:
        found = {alias: self.columns[alias] for alias, (name, _) in self.formula.fields.items() if name == field}
        if not found:
            raise ParameterError(f"the formula has no field {field!r}{nearest(str(field), self.fields())}")
        return found

    def _as_column(self, field: str, column: Column, value: Any) -> Any:
        import pandas as pd

        if is_missing(value, column.is_date):
            raise ParameterError(f"field {field!r} needs a value to compare, not {value!r}")
        if column.is_date:
            return np.full(len(self.frame), day_of(field, value, column.date_format))
        if column.levels is None:
            return np.full(len(self.frame), read_column(field, [value], "number").values[0])
        if str(value) not in column.levels:
            raise ParameterError(f"field {field!r} has no group {str(value)!r}{nearest(str(value), column.levels)}")
        names = [f"L{i}" for i in range(len(column.levels))]
        return pd.Categorical([names[column.levels.index(str(value))]] * len(self.frame), names)


def make_design(formula: Formula, columns: dict[str, Column]) -> Design:
    """The design of checked columns without missing values, all of the same length."""
    import pandas as pd

    formulaic = require_formulaic()
    n = len(next(iter(columns.values())).values)
    for alias, column in columns.items():
        if n and np.all(column.values == column.values[0]):
            name = formula.fields[alias][0]
            raise ParameterError(
                f"field {name!r} has the same value in all {n} documents, so it explains nothing; leave it out"
            )
    parsed = _parsed(formulaic, formula)
    bound = _bound(parsed, columns)
    if bound * n > MAX_ENTRIES:
        raise ParameterError(f"the formula has up to {bound:,} terms, too many for {n:,} documents; use fewer groups")
    frame = pd.DataFrame({alias: _cells(column, pd) for alias, column in columns.items()})
    try:
        with np.errstate(all="ignore"):  # infinite numbers are found below
            matrix = parsed.get_model_matrix(frame, context=_context())
    except Exception as error:  # formulaic wraps what its functions raise
        raise ParameterError(f"the formula cannot be computed: {_cause(error, formula)}") from None
    levels = {alias: column.levels or [] for alias, column in columns.items()}
    terms = tuple(formula.shown(str(term), levels) for term in matrix.columns)
    Z = np.asarray(matrix.to_numpy(dtype=np.float64))
    if len(Z) < n:  # formulaic leaves out rows without a number
        raise ParameterError("the formula is not a number in some documents, as log(-1) is not; leave these out")
    _check(Z, terms)
    return Design(Z, terms, formula, columns, matrix.model_spec, frame)


def _context() -> dict[str, Any]:
    return {"days": lambda values: values, "year": lambda values: EPOCH + values / DAYS_A_YEAR}


def _parsed(formulaic: Any, formula: Formula) -> Any:
    try:
        return formulaic.Formula(formula.text)
    except Exception as error:
        raise ParameterError(f"the formula cannot be read: {_cause(error, formula)}") from None


def _cause(error: BaseException, formula: Formula) -> str:
    """The first line of what went wrong, with the names that the user knows."""
    while error.__cause__ is not None:
        error = error.__cause__
    line = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    for alias in sorted(formula.fields, key=len, reverse=True):
        line = line.replace(alias, formula.fields[alias][0])
    return line


def _bound(parsed: Any, columns: dict[str, Column]) -> int:
    """How many columns there can be at most."""
    total = 0
    for term in parsed:
        size = 1
        for factor in term.factors:
            column = columns.get(str(factor))
            size *= len(column.levels) if column is not None and column.levels else 64 if "(" in str(factor) else 1
        total += size
    return total


def _cells(column: Column, pd: Any) -> Any:
    if column.levels is None:
        return column.values
    return pd.Categorical.from_codes(column.values, [f"L{i}" for i in range(len(column.levels))])


def _check(Z: Array, terms: tuple[str, ...]) -> None:
    n, p = Z.shape
    if p == 0:
        raise ParameterError("the formula has no term; name at least one field")
    if not np.isfinite(Z).all():
        term = terms[int(np.argmin(np.isfinite(Z).all(axis=0)))]
        raise ParameterError(f"the term {term!r} is not a finite number in some documents, as log(0) or 1/0 are not")
    if p >= n:
        raise ParameterError(
            f"the formula has {p} terms and there are {n} documents; it needs more documents than terms"
        )
    length = np.linalg.norm(Z, axis=0)
    if (length == 0).any():
        raise ParameterError(
            f"the term {terms[int(np.argmin(length))]!r} is zero in all documents: no document is of this kind"
        )
    _, R, order = scipy.linalg.qr(Z / length, mode="economic", pivoting=True)
    dependent = np.abs(np.diag(R)) < DEPENDENT
    if dependent.any():
        names = ", ".join(repr(terms[order[i]]) for i in np.flatnonzero(dependent)[:3])
        raise ParameterError(f"the terms are collinear: {names} can be computed from the others; leave one of them out")
