"""Dates as people write them → ISO 8601, by a format that is given or guessed from all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from cotopics.errors import ParameterError

ISO = re.compile(r"\d{4}(-\d\d(-\d\d([T ].*)?)?)?$|\d{8}(T.*)?$", re.ASCII)
# In the order in which they are tried. Where two fit equally well, the first is taken and the note names it.
DAYS = (
    "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d",
    "%Y.%m.%d", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%d. %B %Y", "%d-%b-%Y", "%d-%b-%y",
)  # fmt: skip
TIMES = ("", " %H:%M", " %H:%M:%S", ", %H:%M", ", %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
WHOLE = (
    "%a, %d %b %Y %H:%M:%S %z", "%a, %d %b %Y %H:%M:%S GMT", "%d %b %Y %H:%M:%S %z", "%a %b %d %H:%M:%S %z %Y",
    "%a %b %d %H:%M:%S %Y",
)  # fmt: skip
OTHER_ORDER = {"%d/%m/%Y": "%m/%d/%Y", "%d/%m/%y": "%m/%d/%y", "%d-%m-%Y": "%m-%d-%Y"}  # of day and month
PROBE = 200  # dates that a guess looks at
MAX_LETTERS = 60  # a longer text is no date


def iso_dates(dates: Sequence[str], date_format: str | None = None) -> tuple[list[str], list[str]]:
    """The dates in ISO 8601, as far as they are understood, and notes on how they were read.

    ISO dates stay as they are, and so do dates that are not understood, which a note counts. date_format: as in
    `datetime.strptime`, for example "%d.%m.%Y"; None: the common format that fits most of the dates.

    >>> iso_dates(["31.12.2023", "1.1.2024", ""])
    (['2023-12-31', '2024-01-01', ''], ['dates are read as %d.%m.%Y'])
    """
    if date_format is not None:
        check_date_format(date_format)
    others = list(dict.fromkeys(date for date in dates if date and (date_format is not None or not is_iso(date))))
    if not others:
        return list(dates), []
    chosen = guessed_format(others) if date_format is None else date_format
    read = {date: _read(date, chosen) for date in others}
    unread = [date for date in dates if date in read and not read[date]]
    notes = []
    if date_format is None and len(unread) < len(dates) and any(read.values()):
        notes.append(f"dates are read as {chosen}{_doubt(others, chosen)}")
    if unread:
        noun = "date is" if len(unread) == 1 else "dates are"
        notes.append(
            f"{len(unread)} {noun} not understood, such as {unread[0][:40]!r}; "
            "say how they are written with date_format (--date-format), such as %d.%m.%Y"
        )
    return [read.get(date) or date for date in dates], notes


def is_iso(date: str) -> bool:
    """Whether a date looks like ISO 8601: 2024, 2024-05, 2024-05-31, with a time or not, or 20240531."""
    return ISO.match(date) is not None


def check_date_format(date_format: str) -> None:
    """A ParameterError unless this is a format of `datetime.strptime` with a year."""
    try:
        shown = datetime(2001, 2, 3).strftime(date_format)
        valid = datetime.strptime(shown, date_format).year == 2001
    except (ValueError, TypeError, re.error):
        valid = False
    if not valid:
        raise ParameterError(
            f"date_format={date_format!r:.80} is not a format of dates with a year; write one such as %d.%m.%Y or %Y%m"
        )


def guessed_format(dates: Sequence[str]) -> str | None:
    """The format that reads most of these dates; None if none reads any."""
    some = dates[:: max(1, len(dates) // PROBE)][:PROBE]
    fits = {form: sum(bool(_read(date, form)) for date in some) for form in _formats(some)}
    best = max(fits, key=lambda form: fits[form])
    return best if fits[best] else None


def _formats(dates: Sequence[str]) -> list[str]:
    has_time = any(":" in date for date in dates)
    return [*(day + time for day in DAYS for time in (TIMES if has_time else TIMES[:1])), *WHOLE]


def _doubt(dates: Sequence[str], chosen: str | None) -> str:
    """What to say if day and month could be the other way round."""
    day = next((day for day in OTHER_ORDER if (chosen or "").startswith(day)), None)
    if chosen is None or day is None:
        return ""
    other = chosen.replace(day, OTHER_ORDER[day])
    if not all(_read(date, other) for date in dates if _read(date, chosen)):
        return ""
    return f", the day before the month, which they do not show; else give date_format (--date-format) {other}"


def _read(date: str, form: str | None) -> str:
    """A date in ISO 8601, with its time if the format has one; "" if it is not written so."""
    text = " ".join(date.split())
    if form is None or len(text) > MAX_LETTERS:
        return ""
    try:
        when = datetime.strptime(text, form)
    except ValueError:
        return ""
    if "%H" in form or "%I" in form:
        return when.isoformat()
    has_day, has_month = any(f"%{c}" in form for c in "dj"), any(f"%{c}" in form for c in "mbBj")
    return when.strftime("%Y-%m-%d" if has_day else "%Y-%m" if has_month else "%Y").rjust(4, "0")
