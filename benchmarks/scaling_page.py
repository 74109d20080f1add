"""The figures of docs/scaling.md: what was measured, a cost model with these constants, and what it says for more.

    python benchmarks/scaling_page.py

Everything between the two marks of the page is made here from results/dask.json and results/dask_arxiv.md.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from common import RESULTS
from cotopics.distributed.sums import MIN_NUMBERS, MIN_NUMBERS_PER_WORD

PAGE = Path(__file__).parents[1] / "docs" / "scaling.md"
START, END = "<!-- figures: made by `python benchmarks/scaling_page.py`; do not edit -->", "<!-- end of figures -->"
N_WORKERS, PARTITION = 1000, 100_000  # of the projection; documents in a partition
BANDWIDTH = 1e9  # bytes a second that a worker sends or receives: assumed, 10 Gbit/s
TOPICS = 100


def constants(record: dict[str, Any]) -> dict[str, float]:
    """Worker seconds a unit of work, from the run with two workers."""
    work, seconds, refining = record["two workers"]["work"], record["two workers"]["seconds"], record["refinement"]
    n, nnz, topics = record["documents"], refining["non-zeros"], record["topics"]
    names = ("count_file", "frequencies", "merged_words", "over", "squares", "added", "merged_sums")
    spent = {name: work.get(name, 0.0) for name in names}
    return {
        "nnz": nnz / n,
        "read": spent["count_file"] / n,
        "place": (spent["frequencies"] + spent["over"] + spent["squares"]) / n,
        "words": spent["merged_words"] / max(record["shards"] - 1, 1) / record["words"],
        "sketch": spent["added"] / (nnz * record["columns"]),
        "merge": spent["merged_sums"] / (max(work["sketches"] - 1, 1) * record["sketch bytes"]),
        "product": 2 * refining["product seconds"] / (nnz * refining["width"]),
        "step": 2 * refining["step seconds"] / (nnz * topics),
        "fit": record["fit seconds"] / (record["words"] * topics * (10 * topics + 1000)),
        "busy": sum(spent.values()) / (2 * sum(seconds.values())),
    }


def projected(c: dict[str, float], n_documents: float, n_words: float, topics: int = TOPICS) -> dict[str, float]:
    """Seconds, bytes moved and bytes held for n_documents over n_words, by the formulas of the page."""
    nnz, columns = n_documents * c["nnz"], 12 * topics + 100
    workers, partitions = N_WORKERS, n_documents / PARTITION
    leaves = max(nnz / max(MIN_NUMBERS, MIN_NUMBERS_PER_WORD * n_words), 1)
    used = min(workers, leaves)  # workers that have something to add up
    depth = math.ceil(math.log2(max(leaves, 2)))
    sketch, block, tokens = 9 * n_words * columns, 8 * n_words * 1.25 * topics, 8 * n_words * topics

    def merging(size: float) -> float:
        """Seconds of a sum of `leaves` parts: each level moves and merges, as many at a time as there are workers."""
        levels = [max(leaves / 2**level / used, 1) for level in range(1, depth + 1)]
        return sum(levels) * size * (c["merge"] + 1 / BANDWIDTH)

    return {
        "read": n_documents * (c["read"] + c["place"]) / (workers * c["busy"]),
        "vocabulary": math.log2(max(partitions, 2)) * n_words * c["words"],
        "sketch": nnz * columns * c["sketch"] / (used * c["busy"]) + merging(sketch),
        "sketch moved": (leaves - 1) * sketch,
        "sketch held": (depth + 2) * sketch,
        "fit": c["fit"] * n_words * topics * (10 * topics + 1000),
        "product": nnz * 1.25 * topics * c["product"] / used + merging(block),
        "product moved": (leaves - 1) * block,
        "product held": 28 * nnz / used + (depth + 2) * block,
        "step": nnz * topics * c["step"] / used + merging(tokens),
        "step moved": (leaves - 1) * tokens,
        "client": 8 * 8 * n_words * topics,
        "leaves": leaves,
    }


def figures(record: dict[str, Any]) -> str:
    c = constants(record)
    rows = [
        ("read, tokenise, count", f"{c['read'] * 1e6:.0f} µs a document"),
        ("bring counts to the vocabulary", f"{c['place'] * 1e6:.0f} µs a document"),
        ("merge two vocabularies", f"{c['words'] * 1e9:.0f} ns a word"),
        ("add to a sketch", f"{c['sketch'] * 1e9:.2f} ns a non-zero and column"),
        ("merge two sketches", f"{c['merge'] * 1e9:.2f} ns a byte"),
        ("product with C", f"{c['product'] * 1e9:.2f} ns a non-zero and vector"),
        ("step of refinement", f"{c['step'] * 1e9:.2f} ns a non-zero and topic"),
        ("fit from a sketch, on the client", f"{c['fit'] * 1e9:.2f} ns a word, topic and row looked at"),
        ("share of the time that workers are busy", f"{c['busy']:.2f}"),
    ]
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    few, many = (projected(c, 1e9, n_words) for n_words in (1e5, 1e7))
    lines = [
        ("read and count all texts", "read", seconds),
        ("merge vocabularies (sieved to so many words on the way)", "vocabulary", seconds),
        ("pieces worth a partial statistic", "leaves", lambda x: f"{x:,.0f}"),
        ("sketch: add up", "sketch", seconds),
        ("sketch: moved between workers", "sketch moved", size),
        ("sketch: held by a worker", "sketch held", size),
        ("documents on workers: one product with C", "product", seconds),
        ("the same: moved", "product moved", size),
        ("the same: held by a worker", "product held", size),
        ("one step of refinement", "step", seconds),
        ("the same: moved", "step moved", size),
        ("fit on the client", "fit", seconds),
        ("topics on the client", "client", size),
    ]
    projection = "\n".join(f"| {name} | {show(few[key])} | {show(many[key])} |" for name, key, show in lines)
    growing = "\n".join(
        f"| {g['shards']} | {g['documents']:,} | {sum(g['seconds'].values()):.2f} | "
        f"{g['work']['bytes between workers'] / g['documents']:,.0f} |"
        for g in record["growth"]
    )
    stream = sum(record["stream"].values())
    two = sum(record["two workers"]["seconds"].values())
    faster = f"{stream / two:.2f} times as fast as" if two < stream else f"{two / stream:.2f} times slower than"
    return f"""{START}

Measured (`python benchmarks/dask_arxiv.py`, {record["machine"]["processor"]}, {record["machine"]["cores"]} cores, \
{record["documents"]:,} documents): statistics of arXiv by two
workers were {faster} by the stream in one process, {two:.1f} s and {stream:.1f} s \
([the run](../benchmarks/results/dask_arxiv.md)).
The client takes part of the two cores: they do not show what a cluster gives, they show what it costs.

| shards | documents | seconds | bytes between workers a document |
|---|---|---|---|
{growing}

Constants of the cost model, in seconds of one worker:

| work | constant |
|---|---|
{table}

What it says for 10⁹ documents of {c["nnz"]:.0f} different words, {TOPICS} topics, {N_WORKERS:,} workers of one thread:

| | 10⁵ words kept | 10⁷ words kept |
|---|---|---|
{projection}

{END}"""


def seconds(value: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if value >= 2 * length:
            return f"{value / length:.1f} {unit}"
    return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"


def size(value: float) -> str:
    for unit, length in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9)):
        if value >= length:
            return f"{value / length:.1f} {unit}"
    return f"{value / 1e6:.1f} MB"


def page(text: str) -> str:
    """The page with its figures made anew."""
    record = json.loads((RESULTS / "dask.json").read_text(encoding="utf-8"))
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return before + figures(record) + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"written {PAGE.name}")
