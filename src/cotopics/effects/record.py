"""What was found: effects of terms on topics' shares, and tables of estimates with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from cotopics.effects.design import Design
from cotopics.errors import ParameterError
from cotopics.records import Array
from cotopics.tabular import Columns, Tabular

CORRECTIONS = ("holm", "bh", None)
N_VALUES = 41  # of a curve


class Estimates(Columns):
    """Rows of estimates; pandas.DataFrame, polars.DataFrame and pyarrow.table take it as it is.

    columns: name → values. Those of effects are topic, name, term, estimate, low, high, error (the standard error), p
    and p_adjusted (for as many comparisons as there are topics).
    """


@dataclass(frozen=True, repr=False)
class Effects(Tabular):
    """Effects of metadata on topics' expected shares, by `estimate_effects`.

    Parameters
    ----------
    formula : as it was given
    names : of the topics
    terms : (p,), of the regression, "Intercept" first
    coefficients : (p, n_topics)
    covariance : (n_topics, p, p), of each topic's coefficients
    degrees : of freedom of the t-distribution that intervals are of
    n_documents : that were used
    dropped : why others were not → how many
    level : of the intervals
    correction : of p_adjusted, over the topics of each term: "holm" or "bh" (Benjamini and Hochberg), or None
    simultaneous : whether the intervals of a term hold for all topics at once (Šidák 1967)
    design : the columns of the regression
    """

    formula: str
    names: tuple[str, ...]
    coefficients: Array
    covariance: Array
    degrees: float
    n_documents: int
    dropped: Mapping[str, int]
    level: float
    correction: str | None
    simultaneous: bool
    design: Design

    @property
    def terms(self) -> tuple[str, ...]:
        return self.design.terms

    def __repr__(self) -> str:
        left = "".join(f", {n:,} left out ({why})" for why, n in self.dropped.items() if n)
        return f"Effects({self.formula!r}: {len(self.names)} topics, {self.n_documents:,} documents{left})"

    def as_columns(self) -> Mapping[str, Any]:
        return self.table().columns

    def table(self) -> Estimates:
        """A row for each topic and term: topic, name, term, estimate, low, high, error, p, p_adjusted."""
        return self._estimates(np.eye(len(self.terms)), {"term": list(self.terms)})

    def contrast(self, field: str, first: Any, second: Any) -> Estimates:
        """How much larger the expected share is where `field` is `first` than where it is `second`.

        Other fields stay as they are in the documents, and the difference is the mean over these. first, second: groups
        of the field, or numbers or dates: contrast("rating", "Liberal", "Conservative"), contrast("day", 300, 100).
        """
        difference = self.design.at(field, first) - self.design.at(field, second)
        return self._estimates(difference[None], {"term": [f"{field}: {first} − {second}"]})

    def expected(self, field: str, values: Sequence[Any] | None = None) -> Estimates:
        """The expected share where `field` has each of these values, and others are as they are in the documents.

        values None: all groups of the field, or 41 numbers from its least to its largest."""
        if values is None:
            levels = self.design.levels_of(field)
            numbers = None if levels is not None else self.design.values_of(field)
            values = levels or [] if numbers is None else np.linspace(numbers.min(), numbers.max(), N_VALUES).tolist()
        values = list(values)
        if not values:
            raise ParameterError(f"values of {field!r} are an empty list; give at least one, or None for all")
        if numbers_are_days(self.design, field):
            values = [_date(value) for value in values]
        rows = np.stack([self.design.at(field, value) for value in values])
        found = self._estimates(rows, {"value": values}).columns
        return Estimates({name: column for name, column in found.items() if name not in ("p", "p_adjusted")})

    def _estimates(self, rows: Array, what: dict[str, list[Any]]) -> Estimates:
        """Linear combinations of the coefficients, rows (m, p), topic after topic."""
        m, K = len(rows), len(self.names)
        estimate = (rows @ self.coefficients).T  # (K, m)
        variance = np.einsum("mp,kpq,mq->km", rows, self.covariance, rows)
        error = np.sqrt(np.maximum(variance, 0))
        level = self.level ** (1 / K) if self.simultaneous else self.level
        half = stats.t.ppf((1 + level) / 2, self.degrees) * error
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(error > 0, np.abs(estimate) / error, np.where(np.abs(estimate) > 0, np.inf, 0.0))
        p = 2 * stats.t.sf(t, self.degrees)
        adjusted = np.column_stack([adjust(p[:, i], self.correction) for i in range(m)])
        return Estimates(
            {
                "topic": np.repeat(np.arange(K), m),
                "name": [name for name in self.names for _ in range(m)],
                **{name: list(values) * K for name, values in what.items()},
                "estimate": estimate.ravel(),
                "low": (estimate - half).ravel(),
                "high": (estimate + half).ravel(),
                "error": error.ravel(),
                "p": p.ravel(),
                "p_adjusted": adjusted.ravel(),
            }
        )


def adjust(p: Array, correction: str | None = "holm") -> Array:
    """p-values (k,) of k comparisons at once, by Holm (1979) or by Benjamini and Hochberg (1995).

    Below 0.05 by "holm": at most one time in twenty is any such finding wrong. By "bh": at most one in twenty of the
    findings is expected to be wrong.

    >>> adjust(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    if correction not in CORRECTIONS:
        raise ParameterError(f"correction={correction!r} is unknown; choose 'holm', 'bh' or None")
    k, order = len(p), np.argsort(p, kind="stable")
    if correction is None:
        return np.array(p)
    if correction == "holm":
        sorted_p = np.maximum.accumulate(p[order] * np.arange(k, 0, -1))
    else:
        sorted_p = np.minimum.accumulate((p[order] * k / np.arange(1, k + 1))[::-1])[::-1]
    result = np.empty(k)
    result[order] = np.minimum(sorted_p, 1)
    return result


def numbers_are_days(design: Design, field: str) -> bool:
    """Whether a field holds dates, as days since 1970."""
    return any(design.columns[a].is_date for a, (name, _) in design.formula.fields.items() if name == field)


def _date(value: Any) -> str:
    return str(np.datetime64(round(value), "D")) if isinstance(value, float | int) else str(value)
