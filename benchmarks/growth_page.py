"""docs/growth.md and its figure from the points of growth_curves.py, which calls this."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from scipy.optimize import nnls

from common import RESULTS
from printed import table

matplotlib.use("svg")
import matplotlib.pyplot as plt

TITLES = {
    "topic_model": "TopicModel",
    "anchor_words": "AnchorWords (ENN, implicit)",
    "anchor_free": "AnchorFree",
    "top": "TOP",
    "inference": "TopicModel.transform",
}
AXES = ("documents", "words", "topics")
MARKS = ("o", "s", "^", "D", "v")
TIMES_COUNTS = 2  # the goal: peak memory at most so many times the counts, and words × topics × 8 bytes × a constant
HEAD = """# How seconds and memory grow

<!-- made by `python benchmarks/growth_curves.py` from benchmarks/results/growth_curves; do not edit -->

arXiv titles and abstracts: the first so many documents, the words that are in most of them. Each point is a process
of its own on {where}. Memory is what the fit held at its peak beyond the imported interpreter, the counts included
(CSR, 64-bit counts and 32-bit places). Where one number is varied the others stay at 32,000 documents, 16,000 words
and 20 topics; TOP looks at every pair of words and stays at 2,000 words. Its points are of an earlier run, when this
machine was slower. Exponents are fitted by least squares in logarithms over all points of a curve: seconds ~
n^exponent.
"""
BOUND = """## The bound on memory

The goal is a peak of at most 2 × the bytes of the counts + words × topics × 8 bytes × a stated constant c. The least c
that holds at every point of a method is in the first column; where no small one does, the fitted parts say why: peak ≈
a × counts + c × words × topics × 8 + d × documents × topics × 8 + a constant, all non-negative, fitted to relative
errors. **Bold: a is above 2.**
"""


def exponent(x: list[float], y: list[float]) -> float | None:
    """Slope of log y against log x; None of fewer than three points."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0]) if len(x) > 2 else None


def curve(records: list[dict[str, Any]], method: str, axis: str) -> list[dict[str, Any]]:
    found = [row for row in records if row["method"] == method and row["axis"] == axis and "failed" not in row]
    return sorted(found, key=lambda row: row[axis])


def exponents(records: list[dict[str, Any]]) -> str:
    lines = []
    for method, title in TITLES.items():
        cells = []
        for axis in AXES:
            rows = curve(records, method, axis)
            for what in ("seconds", "bytes"):
                slope = exponent([row[axis] for row in rows], [row[what] for row in rows])
                cells.append("–" if slope is None else f"{slope:.2f}")
        lines.append([title, *cells])
    columns = ["exponent of", *(f"{what}, {axis}" for axis in AXES for what in ("seconds", "memory"))]
    return table(columns, lines)


def values(records: list[dict[str, Any]]) -> str:
    parts = []
    for axis in AXES:
        curves = {method: {row["value"]: row for row in records if row["method"] == method and row["axis"] == axis}
                  for method in TITLES}  # fmt: skip
        curves = {method: found for method, found in curves.items() if found}
        grid = sorted({value for found in curves.values() for value in found})
        lines = [[f"{value:,}", *(shown(found.get(value)) for found in curves.values())] for value in grid]
        parts.append(table([f"{axis}: seconds, MB", *(TITLES[method] for method in curves)], lines))
    return "\n".join(parts)


def shown(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    return f"**{row['failed']}**" if "failed" in row else f"{row['seconds']:.2f} s, {row['bytes'] / 1e6:.0f} MB"


def bound(records: list[dict[str, Any]]) -> str:
    lines = []
    for method, title in TITLES.items():
        rows = [row for row in records if row["method"] == method and "failed" not in row]
        if len(rows) < 4:
            continue
        peak = np.array([row["bytes"] for row in rows], dtype=float)
        counts = np.array([row["counts_bytes"] for row in rows], dtype=float)
        words = np.array([row["words"] * row["topics"] * 8 for row in rows], dtype=float)
        documents = np.array([row["documents"] * row["topics"] * 8 for row in rows], dtype=float)
        needed = float(((peak - TIMES_COUNTS * counts) / words).max())
        parts = np.column_stack([counts, words, documents, np.ones(len(rows))]) / peak[:, None]
        (a, c, d, rest), _ = nnls(parts, np.ones(len(rows)))
        at = rows[int(((peak - TIMES_COUNTS * counts) / words).argmax())]
        worst = f"{at['documents']:,} × {at['words']:,}, K = {at['topics']}"
        over = f"**{a:.1f}**" if a > TIMES_COUNTS else f"{a:.1f}"
        lines.append([title, f"{max(needed, 0):.1f}", worst, over, f"{c:.1f}", f"{d:.1f}", f"{rest / 1e6:.0f} MB"])
    columns = ["method", "c that holds everywhere", "needed at", "a", "c", "d", "constant"]
    return table(columns, lines)


def draw(records: list[dict[str, Any]], target: Path) -> None:
    plt.rcParams["svg.hashsalt"] = "cotopics"  # the same file every time
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), sharey="row")
    for column, axis in enumerate(AXES):
        for number, (method, title) in enumerate(TITLES.items()):
            mark, colour = MARKS[number], f"C{number}"
            rows = curve(records, method, axis)
            for ax, what, unit in zip(axes[:, column], ("seconds", "bytes"), (1, 1e6), strict=True):
                if rows:
                    x, y = [row[axis] for row in rows], [row[what] / unit for row in rows]
                    ax.plot(x, y, marker=mark, color=colour, markersize=4, linewidth=1, label=title)
        for ax, label in zip(axes[:, column], ("seconds", "peak MB"), strict=True):
            ax.set(xscale="log", yscale="log", xlabel=axis)
            ax.grid(alpha=0.3, linewidth=0.5)
            if column == 0:
                ax.set_ylabel(label)
    axes[0, 0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def write(records: list[dict[str, Any]], folder: Path | None = None) -> None:
    """The page in docs and the figure in results; both in a folder where they are only tried."""
    if not records:
        return
    image = (folder or RESULTS) / "growth_curves.svg"
    page = (folder or Path(__file__).parents[1] / "docs") / "growth.md"
    draw(records, image)
    where = records[0]["machine"]
    link = image.name if folder else f"../benchmarks/results/{image.name}"
    head = HEAD.format(where=f"{where['processor']}, {where['cores']} cores")
    parts = [head, f"![seconds and memory]({link})\n", "## Exponents\n", exponents(records), BOUND, bound(records)]
    page.write_text("\n".join([*parts, "## The points\n", values(records)]), encoding="utf-8")
    print(f"written {page.name} and {image.name}")
