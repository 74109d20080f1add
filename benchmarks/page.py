"""docs/side-by-side.md: TopicModel beside its peers, from the cells that run.py keeps.

python benchmarks/page.py
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cells import Cell
from common import RESULTS
from run import FIRST, PROBLEMS, load_cells, names

DOCS = Path(__file__).parents[1] / "docs"
OURS, NMF, GIBBS = FIRST
QUALITY = ("nmi", "accuracy", "npmi", "diversity")
COSTS = ("seconds", "memory")
SLACK = 5e-4  # of a measure: what its rounding hides
GOALS = {NMF: 1.0, GIBBS: 10.0}  # times its speed
PLOT = "side-by-side.svg"
README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- made by benchmarks/page.py -->", "<!-- to here -->"
SHOWN_TOPICS = 20
HEAD = """# Side by side

<!-- made by `python benchmarks/page.py` from benchmarks/results/cells; do not edit -->

`TopicModel` is what we recommend and what `cotopics fit` does. It tries two spectral starts on some of the documents,
anchor words on tf-idf weights with large groups of similar documents balanced and as they are (the latter alone from 50
topics on, but for short texts), and goes on from the likelier with expectation-maximisation on damped, idf-weighted
counts, in which half of every document is words as the whole corpus uses them. Nothing in it is random: a second run
gives the same bits.

All methods get the same counts (words in five documents or more, no empty documents), two threads, one process each,
and are used as their users would: `benchmarks/methods` has a file for each. Seconds are from counts in memory to words
and documents' topics, in a process that has imported and compiled what it needs; the median of three turns where a turn
takes less than five seconds. TopicModel, scikit-learn's NMF and tomotopy's LDA were measured in one run (but what takes
more than 400 s on arXiv); the other methods in earlier ones. A document's cluster is its largest topic; NMI and
accuracy compare clusters with labels (NIPS has none); NPMI and diversity are of the ten words that a method shows for
each topic: ours are ranked by relevance, topica's anchor words by FREX, the others' by probability, as they do out of
the box. Higher is better for these four. The defaults of TopicModel were chosen on these corpora. **Bold: TopicModel
misses a goal, or a peer is ahead of it.**

    python benchmarks/run.py PEERS      # an interpreter with scikit-learn, gensim, tomotopy, anchortopics and topica
    python benchmarks/page.py
"""
CHOICES = """The model with one thing changed (`python benchmarks/topic_model_choices.py`). **On planted documents drawn
from 20 nearly even topics over 2,000 words without background, refinement costs: the start alone is better.** For
counts that follow the model, use the papers' methods. None of these finds topics in 15 such words."""


def title(folder: str, name: str) -> str:
    return str(importlib.import_module(f"{folder}.{name}").TITLE)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2g}" if name in COSTS and value < 10 else f"{value:,.0f}" if name in COSTS else f"{value:.3f}"


def behind(ours: Cell, peers: list[Cell], name: str) -> bool:
    """Whether one of the peers has more of a measure of quality."""
    own = ours["measures"][name]
    others = [peer["measures"][name] for peer in peers if "measures" in peer]
    return own is not None and any(other is not None and other > own + SLACK for other in others)


def goals(cells: dict[tuple[str, int, str], Cell]) -> str:
    """Speed beside NMF and tomotopy, and quality beside the better of them; what is missed is bold and counted."""
    lines, met, asked = [], dict.fromkeys([*GOALS, *QUALITY], 0), dict.fromkeys([*GOALS, *QUALITY], 0)
    for (problem, n_topics, method), ours in sorted(cells.items(), key=order):
        if method != OURS or "measures" not in ours:
            continue
        peers = {name: cells[problem, n_topics, name] for name in GOALS if (problem, n_topics, name) in cells}
        line = [title("problems", problem), str(n_topics), shown("seconds", ours["measures"]["seconds"])]
        for name, goal in GOALS.items():
            text, reached = times(ours, peers.get(name), goal)
            line.append(text)
            asked[name] += reached is not None
            met[name] += bool(reached)
        for name in QUALITY:
            own, known = ours["measures"][name], [peer for peer in peers.values() if "measures" in peer]
            if own is None or not known:
                line.append(shown(name, own))
                continue
            missed = behind(ours, known, name)
            best = max(peer["measures"][name] for peer in known)
            line.append(f"**{own:.3f}** ({best:.3f})" if missed else f"{own:.3f} ({best:.3f})")
            asked[name] += 1
            met[name] += not missed
        lines.append(line)
    columns = ["corpus", "K", "seconds", *(f"× {title('methods', name)}" for name in GOALS)]
    columns += [title("measures", name) for name in QUALITY]
    said = ", ".join(
        f"{met[name]} of {asked[name]} for {title('methods' if name in GOALS else 'measures', name)}" for name in asked
    )
    return (
        "Goals: no slower than scikit-learn's NMF, ten times the speed of tomotopy's LDA, and no measure below the "
        f"better of the two, which is in brackets. Met: {said}.\n\n" + table(columns, lines)
    )


def times(ours: Cell, peer: Cell | None, goal: float) -> tuple[str, bool | None]:
    """How many times a peer's speed ours is, and whether that is enough; at least so many where it was stopped."""
    if peer is None:
        return "–", None
    seconds, least = peer.get("measures", {}).get("seconds"), ""
    if seconds is None:
        words = peer["failed"].split()
        if words[:2] != ["more", "than"]:
            return "failed", None
        seconds, least = float(words[2]), "> "
    ratio = seconds / ours["measures"]["seconds"]
    text = f"{least}{ratio:.1f}" if ratio < 10 else f"{least}{ratio:.0f}"
    return (text, True) if ratio >= goal else (text, None) if least else (f"**{text}**", False)


def order(item: tuple[tuple[str, int, str], Cell]) -> tuple[int, int, int]:
    problem, n_topics, method = item[0]
    listed = [*FIRST, *(name for name in names("methods") if name not in FIRST)]
    known = [*PROBLEMS, *(name for name in names("problems") if name not in PROBLEMS)]
    return known.index(problem), n_topics, listed.index(method)


def is_ours(cell: Cell) -> bool:
    return str(importlib.import_module(f"methods.{cell['method']}").PACKAGE) == "cotopics"


def every_method(cells: dict[tuple[str, int, str], Cell]) -> str:
    """A table for each corpus: every method at every number of topics."""
    parts = []
    by_problem: dict[str, list[Cell]] = {}
    for (problem, _, _), cell in sorted(cells.items(), key=order):
        by_problem.setdefault(problem, []).append(cell)
    for problem, some in by_problem.items():
        lines = []
        for cell in some:
            start = [str(cell["n_topics"]), title("methods", cell["method"])]
            if "failed" in cell:
                lines.append([*start, *["–"] * 5, cell["failed"].replace("|", "/")])
                continue
            peers = [peer for peer in some if peer["n_topics"] == cell["n_topics"] and not is_ours(peer)]
            values = []
            for name in (*QUALITY, *COSTS):
                text = shown(name, cell["measures"][name])
                ahead = cell["method"] == OURS and name in QUALITY and behind(cell, peers, name)
                values.append(f"**{text}**" if ahead else text)
            lines.append([*start, *values])
        first = some[0]
        size = f"{first['documents']:,} documents, {first['words']:,} words, {first['non-zeros']:,} non-zeros"
        columns = ["K", "method", *(title("measures", name) for name in (*QUALITY, *COSTS))]
        parts.append(f"### {title('problems', problem)}\n\n{size}.\n\n" + table(columns, lines))
    return "\n".join(parts)


def plot(cells: dict[tuple[str, int, str], Cell]) -> None:
    """Seconds against topics, a panel for each corpus."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "cotopics"
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, StrMethodFormatter

    problems = [name for name in PROBLEMS if any(key[0] == name for key in cells)]
    methods = [name for name in [*FIRST, *names("methods")] if any(key[2] == name for key in cells)]
    methods = list(dict.fromkeys(methods))
    figure, axes = plt.subplots(-(-len(problems) // 3), 3, figsize=(11, 3.4 * -(-len(problems) // 3)), squeeze=False)
    for axis in axes.flat[len(problems) :]:
        axis.set_visible(False)
    for axis, problem in zip(axes.flat, problems, strict=False):
        for number, method in enumerate(methods):
            points = sorted(
                (key[1], cell["measures"]["seconds"])
                for key, cell in cells.items()
                if key[0] == problem and key[2] == method and "measures" in cell
            )
            if points:
                style = {"linewidth": 2.5, "color": "black"} if method == OURS else {"color": f"C{number % 10}"}
                axis.loglog(
                    *zip(*points, strict=True), marker="o", markersize=3, label=title("methods", method), **style
                )
        axis.set_title(title("problems", problem), loc="left", fontsize=10)
        axis.set_xticks([10, 20, 50, 100], ["10", "20", "50", "100"])
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))  # where all is within a power of ten, too
        axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.minorticks_off()
        axis.grid(alpha=0.3)
        axis.set_xlabel("topics")
        axis.set_ylabel("seconds")
    handles = {
        label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="lower center", ncols=4, frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    figure.savefig(DOCS / "images" / PLOT, metadata={"Date": None})


def choices() -> str:
    """NMI and NPMI of every choice in TopicModel on every corpus."""
    record = json.loads((RESULTS / "topic_model_choices.json").read_text(encoding="utf-8"))
    rows = [dict(zip(record["columns"], row, strict=True)) for row in record["rows"]]
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    found = {(row["choice"], row["corpus"]): row for row in rows}
    lines = [
        [what, *(f"{found[what, n]['NMI']:.3f} / {found[what, n]['NPMI']:.3f}" for n in corpora if (what, n) in found)]
        for what in dict.fromkeys(row["choice"] for row in rows)
    ]
    known = names("problems")
    return table(["NMI / NPMI", *(title("problems", n) if n in known else n for n in corpora)], lines)


def machines(cells: dict[tuple[str, int, str], Cell]) -> str:
    """Where, with what and at which commit the cells were measured."""
    found = {
        (cell["machine"]["processor"], cell["machine"]["cores"], cell["machine"]["python"]) for cell in cells.values()
    }
    versions = {(title("methods", m), cell["version"]) for (_, _, m), cell in cells.items() if "version" in cell}
    commits = sorted({cell["commit"] for (_, _, m), cell in cells.items() if m == OURS})
    where = "; ".join(f"{processor}, {cores} cores, Python {python}" for processor, cores, python in sorted(found))
    used = ", ".join(f"{name} {number}" for name, number in sorted(versions))
    return f"Measured on {where}; TopicModel at commit {', '.join(commits)}. {used}.\n"


def for_the_readme(cells: dict[tuple[str, int, str], Cell]) -> str:
    """A row for each corpus at 20 topics, in which methods share a field; ours is first, bold where it is behind."""
    lines = []
    for problem in PROBLEMS:
        some = [cells.get((problem, SHOWN_TOPICS, method)) for method in FIRST]
        if not all(some):
            continue
        fields = [" · ".join(in_a_field(some, name)) for name in ("seconds", "nmi", "npmi")]
        lines.append([title("problems", problem), *fields])
    columns = [f"{title('measures', name)}: ours · NMF · LDA" for name in ("seconds", "nmi", "npmi")]
    return table(["20 topics", *columns], lines)


def in_a_field(some: list[Any], name: str) -> list[str]:
    """What ours and two peers have of a measure; seconds after which one was stopped."""
    values = [cell["measures"][name] if "measures" in cell else None for cell in some]
    known = [value for value in values if value is not None]
    if not known:
        return ["–"]
    stopped = [cell.get("failed", "").split()[:3] if name == "seconds" else [] for cell in some]
    texts = [f"> {stop[2]}" if stop[:2] == ["more", "than"] else shown(name, value)
             for stop, value in zip(stopped, values, strict=True)]  # fmt: skip
    best = min(known) if name in COSTS else max(known)
    is_behind = values[0] is not None and abs(values[0] - best) > SLACK and texts[0] != shown(name, best)
    return [f"**{texts[0]}**" if is_behind else texts[0], *texts[1:]]


def put_into_readme(path: Path, text: str) -> None:
    """Between its two marks; what is around them stays as it is."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path.name} lacks the line {END if begin else BEGIN}, where the table goes")
    path.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")


def main() -> None:
    cells = load_cells()
    plot(cells)
    parts = [
        HEAD,
        "## The goals\n\n" + goals(cells),
        f"![seconds against topics](images/{PLOT})\n",
        "## Every method\n\n" + machines(cells),
        every_method(cells),
        f"## What each choice is worth\n\n{CHOICES}\n\n" + choices(),
    ]
    (DOCS / "side-by-side.md").write_text("\n".join(parts), encoding="utf-8")
    put_into_readme(README, for_the_readme(cells))
    print("written side-by-side.md, and the README's table")


if __name__ == "__main__":
    main()
