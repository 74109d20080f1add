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
that a method shows for each topic: ours ranks them by relevance, peers by probability, as they do out of the box. The
defaults of TopicModel were chosen on these corpora. Higher is better. **Bold: a peer is ahead.**
"""
SECONDS = """From counts in memory to words and documents' topics, in a process that has imported and compiled what it
needs; measured in a run of its own."""
CHOICES = """The model with one thing changed (`python benchmarks/topic_model_choices.py`). **On planted documents drawn
from 20 nearly even topics over 2,000 words without background, refinement costs: the start alone is better.** For
counts that follow the model, use the papers' methods. None of these finds topics in 15 such words."""
CTM = "CTM takes long, so it ran apart, on three corpora."


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
            lines.append([NAMES[row["method"]], *values])
        parts.append(f"### {title}\n\n" + table(["method", *MEASURES], lines))
    return "\n".join(parts)


def times(rows: list[dict[str, Any]]) -> str:
    """Seconds corpus by corpus; bold where TopicModel takes more than NMF, or more than a tenth of tomotopy's LDA."""
    lines = []
    for name, title in TITLES.items():
        found = {row["method"]: row["seconds"] for row in rows if row["corpus"] == name}
        if not found:
            continue
        ours = found["topic_model"]
        peers = [(found["nmf"], 1), (found["tomotopy"], 10)]
        ratios = [f"{peer / ours:.1f}" if peer / ours >= goal else f"**{peer / ours:.1f}**" for peer, goal in peers]
        lines.append([title, seconds(ours), *(seconds(peer) for peer, _ in peers), *ratios])
    columns = ["corpus", "TopicModel", "NMF", "tomotopy LDA", "times NMF's speed (goal 1)", "tomotopy's (goal 10)"]
    return table(columns, lines)


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
    fast = load("topic_model_seconds")
    slow = [row for row in load("topic_model") if row["method"] not in {row["method"] for row in fast}]
    usual = sorted(fast + slow, key=lambda row: (list(TITLES).index(row["corpus"]), list(NAMES).index(row["method"])))
    parts = [
        HEAD,
        against_peers(usual),
        f"## Seconds\n\n{SECONDS}\n\n" + times(fast),
        "## Odd problems\n\nToo few topics, too many, few words, short texts.\n\n"
        + against_peers(load("topic_model_odd")),
        f"## What each choice is worth\n\n{CHOICES}\n\n" + choices(load("topic_model_choices")),
    ]
    if (RESULTS / "topic_model_ctm.json").exists():
        parts.insert(3, f"## Correlated topics\n\n{CTM}\n\n" + against_peers(load("topic_model_ctm")))
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(f"written {PAGE.name}")


if __name__ == "__main__":
    main()
