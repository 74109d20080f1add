"""Topics over time: documents' shares, period by period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import ParameterError
from cotopics.records import Array

PERIODS = {"year": "Y", "month": "M", "day": "D"}
MAX_CHOSEN_PERIODS = 40  # where the period is chosen here
MAX_PERIODS = 20_000
ENOUGH_DOCUMENTS = 10  # of a period
DATE_LENGTH = {"year": 4, "month": 7, "day": 10}  # characters
UNKNOWN = ("", "None", "NaT", "nan")
ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:[T ].*)?$|(\d{4})(\d\d)(\d\d)(?:T.*)?$", re.ASCII)


@dataclass(frozen=True)
class Course:
    """Topics over consecutive periods; periods without documents are included.

    names (n_periods): "2024", "2024-05" or "2024-05-31". shares (n_periods, n_topics): the mean of the documents'
    shares, NaN without documents. documents (n_periods,): how many there are. n_unknown: documents without a date.
    """

    names: list[str]
    shares: Array
    documents: np.ndarray[Any, np.dtype[np.int64]]
    n_unknown: int


def shares_by_period(W: Any, dates: Sequence[Any], period: str | None = None, *, strict: bool = True) -> Course:
    """The mean of W (n_documents, n_topics; sparse too) over the documents of each year, month or day.

    dates: ISO 8601 texts, dates or numpy's datetime64; "" and None are unknown, and such documents are left out. The
    time of day is ignored. period None: the finest that all dates have and that gives 40 periods or fewer. Something
    that is not a date is an error; with strict=False it counts as unknown.

    >>> W = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> course = shares_by_period(W, ["2020-05-01", "2020-05-31T10:00Z", "2020-07-02"], "month")
    >>> course.names, course.shares[0].tolist(), course.documents.tolist()
    (['2020-05', '2020-06', '2020-07'], [0.75, 0.25], [2, 0, 1])
    """
    W = sp.csr_array(W) if sp.issparse(W) else np.asarray(W, dtype=np.float64)
    if W.ndim != 2 or W.shape[0] != len(dates):
        raise ParameterError(f"W must be documents × topics with a row for each of {len(dates)} dates, not {W.shape}")
    names, when = periods_of(dates, period, strict=strict)
    known = np.flatnonzero(when >= 0)
    documents = np.bincount(when[known], minlength=len(names))
    members = sp.csr_array((np.ones(len(known)), (when[known], known)), shape=(len(names), len(when)))
    sums = members @ W
    with np.errstate(invalid="ignore"):
        shares = (sums.toarray() if sp.issparse(sums) else np.asarray(sums)) / documents[:, None]
    return Course(names, shares, documents, len(when) - len(known))


def periods_of(dates: Sequence[Any], period: str | None = None, *, strict: bool = True) -> tuple[list[str], Any]:
    """The names of consecutive periods, and the number of that of each document (n,), −1 where it is unknown."""
    if period is not None and period not in PERIODS:
        raise ParameterError(f"period={period!r} is unknown; choose one of {', '.join(PERIODS)}, or None")
    texts = [iso_date(date, strict=strict) for date in dates]
    known = np.flatnonzero([bool(text) for text in texts])
    if len(known) == 0:
        raise ParameterError("no document has a date, so topics cannot be shown over time")
    times = [texts[i] for i in known]
    found = _numbers(times, _finest(times) if period is None else period)
    first, n_periods = found.min(), int((found.max() - found.min()).astype(int)) + 1
    if n_periods > MAX_PERIODS:
        raise ParameterError(f"{found.min()} to {found.max()} are {n_periods} periods, too many; use period='year'")
    when = np.full(len(texts), -1)
    when[known] = (found - first).astype(int)
    return [str(time) for time in first + np.arange(n_periods)], when


def join_thin_periods(course: Course, least: int | None = None) -> Course:
    """The course with neighbouring periods joined until each has `least` documents, "2020-05 – 2020-07".

    least None: ten, or an eighth of all documents where that is less. A mean of one or two documents says little of its
    period. Periods without documents stay gaps, unless they lie between two that are joined; what is left at the end
    joins the period before.

    >>> W = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.5, 0.5]])
    >>> course = join_thin_periods(shares_by_period(W, [2000, 2001, 2003, 2003]), 2)
    >>> course.names, course.shares.tolist(), course.documents.tolist()
    (['2000 – 2001', '2002', '2003'], [[0.5, 0.5], [nan, nan], [0.5, 0.5]], [2, 0, 2])
    """
    least = max(1, min(ENOUGH_DOCUMENTS, int(course.documents.sum()) // 8)) if least is None else least
    groups: list[list[int]] = []
    waiting: list[int] = []  # periods that have too few documents together
    for i, n in enumerate(course.documents):
        if n == 0 and not waiting:
            groups.append([i])
            continue
        waiting.append(i)
        if course.documents[waiting].sum() >= least:
            groups.append(waiting)
            waiting = []
    if waiting:
        last = next((g for g in reversed(range(len(groups))) if course.documents[groups[g]].sum() > 0), len(groups))
        groups[last:] = [[i for group in (*groups[last:], waiting) for i in group]]
    documents = np.array([course.documents[group].sum() for group in groups], dtype=np.int64)
    sums = np.nan_to_num(course.shares) * course.documents[:, None]
    with np.errstate(invalid="ignore"):
        shares = np.array([sums[group].sum(axis=0) for group in groups]) / documents[:, None]
    names = [_span([course.names[i] for i in group if course.documents[i] or len(group) == 1]) for group in groups]
    return Course(names, shares, documents, course.n_unknown)


def _span(names: list[str]) -> str:
    return names[0] if names[0] == names[-1] else f"{names[0]} – {names[-1]}"


def iso_date(date: Any, *, strict: bool = True) -> str:
    """A date as "2024", "2024-05" or "2024-05-31"; "" if it is unknown."""
    text = str(date).strip()
    if text in UNKNOWN:
        return ""
    found = ISO.match(text)
    parts = [part for part in found.groups() if part] if found else []
    try:
        if parts:
            return str(np.datetime64("-".join(parts)))
    except ValueError:
        pass
    if strict:
        raise ParameterError(f"{text[:40]!r} is not a date; write 2024, 2024-05, 2024-05-31 or 2024-05-31T12:30")
    return ""


def _finest(times: list[str]) -> str:
    """The finest period that all dates have and that does not give too many periods."""
    shortest = min(len(time) for time in times)
    for name in ("day", "month"):
        if shortest >= DATE_LENGTH[name]:
            when = _numbers(times, name)
            if (when.max() - when.min()).astype(int) < MAX_CHOSEN_PERIODS:
                return name
    return "year"


def _numbers(times: list[str], period: str) -> Any:
    length = DATE_LENGTH[period]
    vague = next((time for time in times if len(time) < length), None)
    if vague is not None:
        raise ParameterError(f"the date {vague!r} has no {period}; use a longer period")
    return np.array([time[:length] for time in times], dtype=f"datetime64[{PERIODS[period]}]")
