"""docs/short-texts.md and its figure, of the cells that short_texts.py measured."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from short_texts import CUT, FIRST_WORDS, METHODS, problems

INTRODUCTION = """# Short texts

Titles, tweets, captions, search results and answers have a few words each, and mostly one topic. `TopicModel` finds out
whether documents have one topic or a mixture of several, by how well each predicts words that it has not seen, and says
so: on the command line, in the report and in `model.diagnostics_["documents"]`.

```python
from cotopics import TopicModel

model = TopicModel(20)  # decides by itself
model = TopicModel(20, topics_per_document="one")  # or you do
```

```
cotopics fit titles.csv -k 20 --topics-per-document one -o titles.cotopics
```

With one topic a document, topics are those of a Dirichlet-multinomial mixture (Nigam et al. 2000; Yin and Wang 2014
sample from it), found by expectation-maximisation from three starts whose topics are then merged: no random numbers.
`transform` gives p(topic | document). With many, a document is a mixture, and its shares are their mean given its
words, with a prior that is estimated from all documents.

Parts of the documents are set aside to decide. A mixture must predict by two percent more than one topic a document,
and by more than chance would: where both predict alike, one topic tells documents apart better.

## Beside others

Same counts for all, two threads, one process each; words in five documents or more, documents of two words or more.
NMI and accuracy compare a document's largest topic with its label, NPMI is that of ten words in the same documents,
noisy where documents have five words (`cotopics evaluate --reference` measures it in longer ones). **Bold: another is
better than TopicModel.** `python benchmarks/short_texts.py PEERS PEERS_DMM`, then `--page`.

"""


def write(cells: dict[tuple[Any, ...], dict[str, Any]], page: Path) -> None:
    parts = [INTRODUCTION]
    titles = {method: importlib.import_module(f"methods.{method}").TITLE for method in METHODS}
    for measure, name in (("nmi", "NMI"), ("accuracy", "Accuracy"), ("npmi", "NPMI"), ("seconds", "Seconds")):
        parts.append(f"### {name}\n\n{table(cells, measure, titles)}\n")
    parts.append(CURVES)
    draw(cells, titles, page.parent / "images" / "short_texts.svg")
    page.write_text("\n".join(parts), encoding="utf-8")


CURVES = """## The first words of longer documents

![NMI against words a document, ours and its peers](images/short_texts.svg)

## What was tried and left

- Biterms, the likelihood of the co-occurrence itself (Yan et al. 2013), from the same start as TopicModel
  ([measured](../benchmarks/results/biterms.md)): NMI and accuracy are lower on all four corpora, NPMI higher on three.
  So there is no third finish.
- Expectation-maximisation from one start alone: no start is best on all corpora, and the likelihood does not say which
  is. Merging the topics of all starts by their marginal likelihood is.
- Documents that are copies of others are counted and harmless: a document's own words are taken out of the topics that
  it is compared with, and copies are always in the same part when documents are set aside.
"""


def table(cells: dict[tuple[Any, ...], dict[str, Any]], measure: str, titles: dict[str, str]) -> str:
    lines = ["| corpus | words a document | topics | " + " | ".join(titles.values()) + " |"]
    lines.append("|" + "---|" * (3 + len(titles)))
    for name, K in problems().items():
        found = {method: cells.get((name, K, method), {}) for method in titles}
        ours = found["topic_model"].get("measures", {}).get(measure)
        if ours is None:
            continue
        length = found["topic_model"]["words a document"]
        shown = [cell(found[method], measure, ours) for method in titles]
        lines.append(f"| {name.replace('_', ' ')} | {length} | {K} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def cell(record: dict[str, Any], measure: str, ours: float) -> str:
    if "measures" not in record:
        return record.get("failed", "–")[:40]
    value = record["measures"][measure]
    text = f"{value:.2f}" if measure == "seconds" else f"{value:.3f}"
    better = value < ours if measure == "seconds" else value > ours
    return f"**{text}**" if better else text


def draw(cells: dict[tuple[Any, ...], dict[str, Any]], titles: dict[str, str], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cotopics"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(CUT), figsize=(9, 3.6), sharey=True, layout="constrained")
    for axis, (name, K) in zip(axes, CUT.items(), strict=True):
        for method, title in titles.items():
            points = [
                (n, cells[f"{name}_{n}", K, method]["measures"]["nmi"])
                for n in FIRST_WORDS
                if "measures" in cells.get((f"{name}_{n}", K, method), {})
            ]
            if points:
                style = {"linewidth": 2.5, "color": "black"} if method == "topic_model" else {"linewidth": 1.2}
                axis.plot(*zip(*points, strict=True), marker="o", markersize=4, label=title, **style)
        axis.set(title=f"{name.replace('_', ' ')}, {K} topics", xlabel="first words of each document", xscale="log")
        axis.set_xticks(FIRST_WORDS, [str(n) for n in FIRST_WORDS], minor=False)
        axis.minorticks_off()
    axes[0].set_ylabel("NMI")
    axes[-1].legend(fontsize=7, loc="upper left")
    figure.savefig(path, metadata={"Date": None})
