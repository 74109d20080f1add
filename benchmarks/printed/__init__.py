"""What the five papers print: a file each, with TITLE, numbers as literal tables, and ITEMS: all tables and figures.

An item says what the paper shows and, where ours is made, gives blocks for the page: texts, and tables in which
`beside` sets what falls short in bold. Ours is read from results/; nothing of ours is typed here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from common import RESULTS

MADE, IN_PART, NOT_YET, CANNOT, NOTHING = "made", "in part", "not made yet", "cannot be made here", "nothing to measure"
LINK = "../benchmarks/results"


@dataclass(frozen=True)
class Item:
    """A table or figure: its number, what it shows, results it is made from, and what the page says.

    Without `body`, `why` says why there is nothing of ours. `lacks` is what of the paper's is not made, if anything;
    `apart` is what the data at hand do not allow, and is no lack of ours. `cause` says why what is bold falls short.
    """

    name: str
    shows: str
    results: Sequence[str] = ()
    body: Callable[[], list[str]] | None = None
    why: str = ""
    lacks: str = ""
    apart: str = ""
    cause: str = ""
    state: str = ""

    def missing(self) -> list[str]:
        """Results that it is made from and that are not there."""
        return [name for name in self.results if not (RESULTS / f"{name}.json").exists()]

    def standing(self) -> str:
        if self.state:
            return self.state
        if self.body is None or len(self.missing()) == len(self.results):
            return NOT_YET
        return IN_PART if self.lacks or self.missing() else MADE


def rows(name: str, **where: Any) -> list[dict[str, Any]]:
    """Rows of a results file, as dictionaries, that have these values; none where the file is not there yet."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return []
    record = json.loads(path.read_text(encoding="utf-8"))
    found = [dict(zip(record["columns"], row, strict=True)) for row in record["rows"]]
    return [row for row in found if all(row[column] == value for column, value in where.items())]


def one(name: str, **where: Any) -> dict[str, Any]:
    """The row of a results file with these values."""
    (row,) = rows(name, **where)
    return row


def number(x: Any, digits: int | None = None) -> str:
    if x is None or isinstance(x, str):
        return x or "–"
    if isinstance(x, int):
        return f"{x:,}"
    return f"{x:.4g}" if digits is None else f"{x:.{digits}f}"


def falls_short(paper: float, ours: float, *, more_is_better: bool, digits: int) -> bool:
    """Whether ours, rounded as the paper's is, is worse."""
    ours = round(ours, digits)
    return ours < paper if more_is_better else ours > paper


def beside(paper: float | None, ours: float | None, *, more_is_better: bool, digits: int) -> str:
    """`paper / ours`, ours bold where it falls short."""
    if paper is None or ours is None:
        return f"{number(paper, digits)} / {number(ours, digits)}"
    text = number(ours, digits)
    short = falls_short(paper, ours, more_is_better=more_is_better, digits=digits)
    return f"{number(paper, digits)} / " + (f"**{text}**" if short else text)


def table(columns: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    text = ["| " + " | ".join(str(x).replace("|", "\\|") for x in line) + " |" for line in [columns, *lines]]
    return "\n".join([text[0], "|" + "---|" * len(columns), *text[1:]]) + "\n"


def claims(found: Sequence[tuple[str, str, bool]]) -> str:
    """What the paper says in words, what we find, and whether it holds here; bold where it does not."""
    lines = [[said, ours if holds else f"**{ours}**", "yes" if holds else "**no**"] for said, ours, holds in found]
    return table(["the paper says", "here", "holds"], lines)


def words_beside(row: dict[str, Any]) -> list[str]:
    """A topic's words in the paper and here; how many are in both is bold where it is less than half.

    The baseline is what should fail, and Gibbs sampling is not ours: nothing of them is bold.
    """
    text = f"{row['in both']} of {row['of']}"
    bold = 2 * row["in both"] < row["of"] and not row["what"].startswith(("Baseline", "Gibbs"))
    return [row["what"], row["paper's words"], row["our words"], f"**{text}**" if bold else text]


def commands(names: Sequence[str]) -> list[str]:
    """The commands that made these results, as the results say."""
    paths = [RESULTS / f"{name}.md" for name in names]
    first = [path.read_text(encoding="utf-8").split("`")[1] for path in paths if path.exists()]
    return list(dict.fromkeys(first))
