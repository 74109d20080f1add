"""docs/topic-model.md: TopicModel beside its peers, from the results of topic_model.py and topic_model_choices.py.

python benchmarks/topic_model_page.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from common import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "topic-model.md"
MEASURES = ("NMI", "accuracy", "NPMI", "diversity")
NAMES = {
    "topic_model": "TopicModel",
    "nmf": "scikit-learn NMF (tf-idf)",
    "lda": "scikit-learn LDA (online)",
    "gensim": "gensim LdaMulticore (5 passes)",
    "tomotopy": "tomotopy LDA (500 sweeps)",
    "tomotopy_ctm": "tomotopy CTM (500 sweeps)",
}
TITLES = {
    "bbc_news": "BBC news", "searchsnippets": "search snippets", "reuters21578": "Reuters-21578",
    "newsgroups20": "20 Newsgroups", "tdt2": "TDT2", "nips": "NIPS",
}  # fmt: skip
HEAD = """# TopicModel beside its peers

<!-- made by `python benchmarks/topic_model_page.py` from benchmarks/results; do not edit -->

`TopicModel` is what we recommend and what `cotopics fit` does. It tries two spectral starts, anchor words on tf-idf
weights with large groups of similar documents balanced and as they are, goes on from the likelier, and finishes with 30
steps of expectation-maximisation on damped, idf-weighted counts, in which half of every document is words as the whole
corpus uses them. Nothing in it is random: a second run gives the same bits.

All methods get the same counts (words in five documents or more), as many topics as the corpus has labels (20 for
Reuters, whose 65 labels are mostly tiny, and for NIPS, which has none), two cores, one process each. A document's
cluster is its largest topic; NMI and accuracy compare clusters with labels; NPMI and diversity are of the ten words
that a method shows for each topic. Higher is better but for seconds, which are from counts in memory to words and
documents' topics. **Bold: a peer is ahead**; for seconds, NMF.
"""
CTM = """CTM takes long, so it ran apart, on three corpora and beside other work: these seconds are no measurement."""
CHOICES = """The model with one thing changed (`python benchmarks/topic_model_choices.py`). Planted documents are drawn
from topics without any background, so that it can only cost there."""


def load(name: str) -> list[dict[str, Any]]:
    record = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return [dict(zip(record["columns"], row, strict=True)) for row in record["rows"]]


def cell(value: Any, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def seconds(value: float) -> str:
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def against_peers(rows: list[dict[str, Any]]) -> str:
    """A table for each problem: ours first, bold where a peer is ahead."""
    parts, problems = [], []
    for row in rows:
        key = (row["corpus"], row["K"], row["words kept"])
        if key not in problems:
            problems.append(key)
    for key in problems:
        some = [row for row in rows if (row["corpus"], row["K"], row["words kept"]) == key]
        ours, peers = some[0], some[1:]
        best = {m: max((row[m] for row in peers if row[m] is not None), default=None) for m in MEASURES}
        title = f"{TITLES[key[0]]}, K = {key[1]}" + (f", the {key[2]} most frequent words" if key[2] else "")
        lines = []
        for row in some:
            values = []
            for m in MEASURES:
                text = cell(row[m])
                behind = row is ours and best[m] is not None and best[m] > row[m] + 5e-4
                values.append(f"**{text}**" if behind else text)
            slower = row is ours and any(p["method"] == "nmf" and p["seconds"] < row["seconds"] for p in peers)
            time = seconds(row["seconds"])
            lines.append([NAMES[row["method"]], *values, f"**{time}**" if slower else time])
        parts.append(f"### {title}\n\n" + table(["method", *MEASURES, "seconds"], lines))
    return "\n".join(parts)


def times(rows: list[dict[str, Any]]) -> str:
    """How many times TopicModel is as fast, corpus by corpus; the goal is ten for tomotopy and one for NMF."""
    lines = []
    for name in TITLES:
        some = {row["method"]: row["seconds"] for row in rows if row["corpus"] == name}
        if "topic_model" in some:
            ratios = {m: some[m] / some["topic_model"] for m in ("nmf", "tomotopy") if m in some}
            shown = [
                f"{r:.1f}" if r >= goal else f"**{r:.1f}**" for r, goal in zip(ratios.values(), (1, 10), strict=True)
            ]
            lines.append([TITLES[name], *shown])
    return table(["corpus", "times as fast as NMF (goal 1)", "as tomotopy's LDA (goal 10)"], lines)


def choices(rows: list[dict[str, Any]]) -> str:
    """NMI and NPMI of every choice on every corpus."""
    names = list(dict.fromkeys(row["corpus"] for row in rows))
    found = {(row["choice"], row["corpus"]): row for row in rows}
    whats = list(dict.fromkeys(row["choice"] for row in rows))
    lines = []
    for what in whats:
        cells = [f"{found[what, n]['NMI']:.3f} / {found[what, n]['NPMI']:.3f}" for n in names if (what, n) in found]
        lines.append([what, *cells])
    return table(["NMI / NPMI", *(TITLES.get(name, name) for name in names)], lines)


def main() -> None:
    usual = load("topic_model")
    parts = [
        HEAD,
        against_peers(usual),
        "## Seconds\n\n" + times(usual),
        f"## Correlated topics\n\n{CTM}\n\n" + against_peers(load("topic_model_ctm")),
        "## Odd problems\n\nToo few topics, too many, few words, short texts.\n\n"
        + against_peers(load("topic_model_odd")),
        f"## What each choice is worth\n\n{CHOICES}\n\n" + choices(load("topic_model_choices")),
    ]
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(f"written {PAGE.name}")


if __name__ == "__main__":
    main()
