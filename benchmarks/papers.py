"""docs/papers.md: every table and figure of the five papers, their numbers beside ours.

python benchmarks/papers.py     # reads results/ and printed/, runs nothing
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import printed.paper_000
import printed.paper_001
import printed.paper_002
import printed.paper_003
import printed.paper_004
from printed import CANNOT, IN_PART, LINK, MADE, NOT_YET, NOTHING, Item, commands, table

BOLD = "Why bold:"
PAGE = Path(__file__).parents[1] / "docs" / "papers.md"
PAPERS = (printed.paper_000, printed.paper_001, printed.paper_002, printed.paper_003, printed.paper_004)
HEAD = """# The papers' tables and figures, and ours

<!-- made by `python benchmarks/papers.py` from benchmarks/printed and benchmarks/results; do not edit -->

Every table and every figure of the five papers, in their order. Where a paper prints numbers they stand beside ours,
`paper / here`; where it prints only a picture, what it says of the picture is checked. **Bold: ours is worse than the
paper's when rounded as the paper rounds, or what the paper says does not hold here.** The script decides that; draws of
data sets and selections of documents differ, so that a bold last digit may mean nothing. Seconds are those of the
machine named in each results file and are not comparable with the papers'; ratios are. Processor seconds are those of
one thread. Results with a `.jsonl` file beside them were measured piece by piece, over several runs that go on where
the one before stopped; the command that is named is the last of these.
"""


def section(item: Item) -> str:
    """What the page says of one table or figure."""
    state, parts = item.standing(), [f"### {item.name}. {item.shows}\n\n"]
    if item.body is None or state == NOT_YET:
        wanted = "" if item.body is None else "the command has not been run"
        return parts[0] + f"{state[0].upper()}{state[1:]}: {item.why or wanted}.\n"
    if item.lacks:
        parts.append(f"Not in it: {item.lacks}.\n\n")
    if item.apart:
        parts.append(f"Apart from the paper's: {item.apart}.\n\n")
    parts += [block if block.endswith("\n\n") else f"{block}\n" for block in item.body()]
    if item.cause and any("**" in part for part in parts):
        parts.append(f"{BOLD} {item.cause}.\n\n")
    links = ", ".join(f"[{name}]({LINK}/{name}.md)" for name in item.results if name not in item.missing())
    parts.append(f"{', '.join(f'`{command}`' for command in commands(item.results))} → {links}\n")
    return "".join(parts)


def overview(papers: dict[str, list[tuple[Item, str]]]) -> str:
    """How many are made, how many fall short, and what is not made."""
    lines = []
    for title, items in papers.items():
        states = [item.standing() for item, _ in items]
        short = [item.name for item, text in items if "**" in text]
        counts = [states.count(state) for state in (MADE, IN_PART, NOT_YET, CANNOT, NOTHING)]
        lines.append([title.split(":")[0], len(items), *counts, ", ".join(short) or "–"])
    columns = ["paper", "all", MADE, IN_PART, NOT_YET, CANNOT, NOTHING, "with something in bold"]
    missing = [
        f"- {title.split(':')[0]}, {item.name}: {item.why or item.shows}"
        for title, items in papers.items()
        for item, _ in items
        if item.standing() in (NOT_YET, CANNOT)
    ]
    partly = [
        f"- {title.split(':')[0]}, {item.name}: "
        + "; ".join(filter(None, (item.lacks, *(f"`{name}` has not been run" for name in item.missing()))))
        for title, items in papers.items()
        for item, _ in items
        if item.standing() == IN_PART
    ]
    return (
        table(columns, lines)
        + "\nNot made, or not to be made with the data at hand:\n\n"
        + "\n".join(missing)
        + "\n\nMade in part; what is not in it:\n\n"
        + "\n".join(partly)
        + "\n"
    )


def written(paper: ModuleType) -> list[tuple[Item, str]]:
    return [(item, section(item)) for item in paper.ITEMS]


def page() -> str:
    papers = {paper.TITLE: written(paper) for paper in PAPERS}
    parts = [HEAD, overview(papers)]
    for title, items in papers.items():
        parts.append(f"## {title}\n")
        parts += [text for _, text in items]
    return "\n".join(parts)


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written {PAGE.name}")


if __name__ == "__main__":
    main()
