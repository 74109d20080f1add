"""docs/roofline.md: the main steps against what this machine gives, in bytes and operations.

    python benchmarks/roofline.py               20 Newsgroups at K = 20 and arXiv at K = 50, then the page
    python benchmarks/roofline.py --quick       BBC news at K = 10, to try; the page goes to build/roofline
    python benchmarks/roofline.py --page        the page and its figure from results

A step needs operations, bytes that come from memory at least once (streams), and rows that it looks up in a table by
the numbers of words or documents (gathers). What takes longest at the machine's speed is its limit.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import scipy.sparse as sp

from common import RESULTS, data_folder, keep
from machine_rates import MEMORY, gather_rate, least, rates
from printed import table

matplotlib.use("svg")
import matplotlib.pyplot as plt

TRIED = Path(__file__).parents[1] / "build" / "roofline"
PROBLEMS = (("newsgroups20", 20), ("arxiv", 50))
STEPS = ["corpus", "K", "step", "seconds", "Gop", "MB streamed", "MB gathered", "GB/s of these", "operations by"]


def prepared(name: str, n_topics: int) -> dict[str, Any]:
    """Counts, and topics of TopicModel, for steps to work on."""
    from cotopics import TopicModel

    X = importlib.import_module(f"problems.{name}").load().X
    model = TopicModel(n_topics).fit(X)
    H = sp.csr_array(X.astype(np.float64))
    return {"X": X, "H": H, "B": np.ascontiguousarray(model.components_.T), "prevalence": model.topic_prevalence_,
            "correlation": model.topic_correlation_, "words": np.asarray(model.background_),
            "background": getattr(model.fit_.inference, "background", 0.0)}  # fmt: skip


def steps(given: dict[str, Any], turns: int) -> list[list[Any]]:
    """Rows of STEPS from `step` on, for one corpus."""
    from cotopics.infer import PriorAware
    from cotopics.linalg import likeliest_mixtures, linear_bayes_mixtures, simplex_least_squares
    from cotopics.linalg.gram import gram_times
    from cotopics.linalg.thin_factors import times_negative_part
    from cotopics.linalg.threads import n_threads
    from cotopics.models.recommended import BACKGROUND
    from cotopics.refine import ExpectationMaximisation
    from cotopics.refine.tokens import Mixture

    H, B, prevalence = given["H"], given["B"], given["prevalence"]
    (m, n), k, nnz = H.shape, B.shape[1], H.nnz
    rng, found = np.random.default_rng(0), []

    def add(name: str, seconds: float, operations: float, streamed: float, looked_up: float, rate: float, by: str):
        found.append([name, seconds, operations / 1e9, streamed / 1e6, looked_up / 1e6, rate / 1e9, by])

    by_word = gather_rate(B, H.indices, turns)
    V = rng.standard_normal((n, k))
    seconds = least(lambda: gram_times(H, V), turns)
    add("co-occurrence × block (gram_times)", seconds, 4 * nnz * k,
        12 * nnz + 8 * m + 8 * n * k * (1 + n_threads()), 16 * nnz * k, by_word, "loop")  # fmt: skip

    Y, V1 = V.astype(np.float32), np.ones((n, k + 1), dtype=np.float32)
    I = np.arange(min(n, 10 * k + 1000))
    seconds = least(lambda: times_negative_part(Y, I, V1), turns)
    add("ENN's negative part", seconds, 2 * n * len(I) * (k + 2 * (k + 1)), 4 * n * (k + 2 * (k + 1)), 0, 0, "sgemm")

    P = B * prevalence
    P /= np.maximum(P.sum(axis=1, keepdims=True), 1e-300)
    R = rng.random((k, 2 * k))
    G, F = R @ R.T, (P @ R + 0.01 * rng.standard_normal((n, 2 * k))) @ R.T
    support = (simplex_least_squares(G, F).Y > 0).sum(axis=1).astype(float)
    seconds = least(lambda: simplex_least_squares(G, F), turns)
    needed = 2 * n * k * k + (support**3 / 3 + 4 * support**2 + 2 * k * support).sum()
    add("topics of words (simplex least squares)", seconds, needed, 8 * n * k * 4, 0, 0, "loop")

    em = ExpectationMaximisation(weighting="damped", background=BACKGROUND, over_relax=True, single=True)
    (piece,), read = em.prepare(H).tokens.values, B.astype(np.float32)
    W, mixture = piece.first_topics(prevalence), Mixture(BACKGROUND * np.full(n, 1 / n), em.document_smoothing)
    seconds = least(lambda: piece.update_documents(W, read, mixture, True), turns)
    streamed, singles = 12 * nnz + 4 * m * k * 3, gather_rate(read, H.indices, turns)
    add("EM, documents", seconds, nnz * (4 * k + 3), streamed, 4 * nnz * k, singles, "loop")
    blocks, read_twice = piece.blocks, W.copy()
    whole = least(lambda: piece.step(read_twice, read, mixture, False, True), turns)
    some, written = W[: blocks.longest_block], 16 * n * k * len(blocks)
    by_document = gather_rate(some, blocks.documents.astype(np.int64) % len(some), turns)
    add("EM, words", whole - seconds, 2 * nnz * k, 10 * nnz + written, 4 * nnz * k, by_document, "loop")

    share = PriorAware(background=given["background"])
    topics, mean, spread, common = share.problem(B, prevalence, given["correlation"], given["words"])
    options = {"common": common, "tolerance": share.tolerance, "max_iter": share.max_iter}
    taken = np.abs(linear_bayes_mixtures(H, topics, mean, spread, **options).steps)
    seconds = least(lambda: linear_bayes_mixtures(H, topics, mean, spread, **options), turns)
    operations = 4 * k * float((np.diff(H.indptr) * taken).sum())
    add("documents' shares (transform)", seconds, operations, 12 * nnz + 8 * m * k, 8 * nnz * k, by_word, "loop")

    options = {"common": BACKGROUND * given["words"], "smoothing": 1.0}
    taken = np.abs(likeliest_mixtures(H, (1 - BACKGROUND) * B, **options).steps)
    seconds = least(lambda: likeliest_mixtures(H, (1 - BACKGROUND) * B, **options), turns)
    operations = 4 * k * float((np.diff(H.indptr) * taken).sum())
    add("documents' mixtures (EM inference)", seconds, operations, 12 * nnz + 8 * m * k, 8 * nnz * k, by_word, "loop")
    return found


def text_step(name: str, turns: int) -> list[Any] | None:
    """Texts in memory to counts; None for a corpus without texts."""
    from cotopics.corpus import count_words, read_texts

    path = data_folder() / name / "docs.jsonl.gz"
    if not path.exists():
        return None
    texts = [text for text, _ in read_texts(path)]
    seconds = least(lambda: count_words(texts, min_documents=5), turns)
    return ["texts to counts", seconds, None, sum(len(text.encode()) for text in texts) / 1e6, 0, 0, "loop"]


def limits(row: dict[str, Any], speed: dict[str, float]) -> dict[str, float]:
    """Seconds that each of the three needs at this machine's speed."""
    found = {"streams": row["MB streamed"] * 1e6 / speed["triad"]}
    if row["Gop"] is not None:
        found[f"operations ({row['operations by']})"] = row["Gop"] * 1e9 / speed[row["operations by"]]
    if row["MB gathered"]:
        found["gathers"] = row["MB gathered"] / 1e3 / row["GB/s of these"]
    return found


HEAD = """# How far from the machine's limits

<!-- made by `python benchmarks/roofline.py`; do not edit -->

On {where}. A step needs operations, bytes that come from memory once at least (streams: counts, factors, results),
and rows that it looks up by the number of a word or document (gathers: 8 K bytes a non-zero for each table, 4 K in
EM, which reads single precision). Streams go at the speed of a triad, gathers at that of a loop that looks up the
rows of the same table in the same order and adds them, operations at that of a product of matrices or of a compiled
loop that stays in the cache. The longest of the three is the limit that binds, and the share is that limit over the
seconds measured. Operations are those needed at least: logarithms, the search for supports and the like are not
counted. **Bold: less than a quarter of the limit.**
"""
LOW = 0.25
NOTE = """
Simplex least squares are on planted problems of the corpus's size with the supports of its words, and their operations
are one factorisation a word on its final support. Each is a chain of divisions and short sums that wait for one
another, after tests of which topics a word has, so vector units have little to do: it stays at a few percent, and is a
few percent of a fit. EM's words are a step less its documents. Inference counts the steps that each document took, and
looks its rows up once; divisions, exponentials and sums that end a step are not counted. Texts are only read in this
count, and whatever makes words of them is overhead.
"""


def write(
    machine: dict[str, Any], speed: dict[str, float], rows: list[dict[str, Any]], page: Path, image: Path
) -> None:
    where = f"{machine['processor']}, {machine['cores']} cores"
    gives = [
        [name, f"{x / 1e9:.1f} {'Gop/s' if name in ('dgemm', 'sgemm', 'loop') else 'GB/s'}"]
        for name, x in speed.items()
    ]
    lines = []
    for row in rows:
        found = limits(row, speed)
        binds = max(found, key=found.get)
        share = found[binds] / row["seconds"]
        text = f"{share:.0%}"
        operations = "–" if row["Gop"] is None else f"{row['Gop']:.3g}"
        lines.append([f"{row['corpus']}, K = {row['K']}", row["step"], f"{row['seconds']:.4f}", operations,
                      f"{row['MB streamed']:.0f}", f"{row['MB gathered']:.0f}", binds, f"{found[binds]:.4f}",
                      f"**{text}**" if share < LOW else text])  # fmt: skip
    columns = ["corpus", "step", "seconds", "Gop", "MB streamed", "MB gathered", "limit", "its seconds", "share"]
    draw(speed, rows, image)
    link = image.name if page.parent == image.parent else f"../benchmarks/results/{image.name}"
    parts = [HEAD.format(where=where), f"![roofline]({link})\n", "## What the machine gives\n",
             table(["", ""], gives), "## The steps\n", table(columns, lines), NOTE.lstrip()]  # fmt: skip
    page.write_text("\n".join(parts), encoding="utf-8")
    print(f"written {page} and {image.name}")


def draw(speed: dict[str, float], rows: list[dict[str, Any]], target: Path) -> None:
    """Operations per second against operations per byte that is streamed or gathered, under the machine's roofs."""
    plt.rcParams["svg.hashsalt"] = "cotopics"  # the same file every time
    figure, ax = plt.subplots(figsize=(8, 5))
    x = np.logspace(-2, 3, 200)
    for name, rate in (
        ("memory (triad)", "triad"),
        ("rows from L3", "rows of 160, L3"),
        ("rows from L2", "rows of 160, L2"),
    ):
        ax.plot(x, np.minimum(x * speed[rate], speed["sgemm"]) / 1e9, linewidth=1, label=name)
    for name in ("loop", "dgemm", "sgemm"):
        ax.axhline(speed[name] / 1e9, linewidth=0.6, linestyle=":", color="black")
        ax.text(1e3, speed[name] / 1e9, f" {name}", fontsize=7, va="center")
    marks = dict(zip(dict.fromkeys(row["step"] for row in rows), "os^Dv*PXp", strict=False))
    colours = dict(zip(dict.fromkeys(row["corpus"] for row in rows), ("tab:red", "tab:blue"), strict=False))
    for row in rows:
        if row["Gop"] is not None:
            intensity = row["Gop"] * 1e3 / (row["MB streamed"] + row["MB gathered"])
            label = f"{row['step']}, {row['corpus']}"
            ax.plot(intensity, row["Gop"] / row["seconds"], marks[row["step"]], color=colours[row["corpus"]],
                    markersize=6, label=label)  # fmt: skip
    ax.set(xscale="log", yscale="log", xlabel="operations per byte", ylabel="10⁹ operations per second")
    ax.grid(alpha=0.3, linewidth=0.5)
    ax.legend(fontsize=6, loc="lower right")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if not options.page:
        from cotopics.linalg.threads import one_blas_thread

        speed = rates(64 << 20 if options.quick else MEMORY)
        print(json.dumps({name: f"{x / 1e9:.1f} G/s" for name, x in speed.items()}, indent=1), file=sys.stderr)
        rows = []
        for name, n_topics in (("bbc_news", 10),) if options.quick else PROBLEMS:
            turns = 3 if name == "arxiv" else 5
            texts = text_step(name, turns)
            given = prepared(name, n_topics)
            with one_blas_thread():  # as in a fit: to set this limit for every step takes as long as a small one
                found = [*([texts] if texts else []), *steps(given, turns)]
            rows += [[name, n_topics, *row] for row in found]
        if options.quick:
            from common import machine

            TRIED.mkdir(parents=True, exist_ok=True)
            records = [dict(zip(STEPS, row, strict=True)) for row in rows]
            write(machine(), speed, records, TRIED / "roofline.md", TRIED / "roofline.svg")
            return
        keep("roofline", ["what", "per second"], [list(pair) for pair in speed.items()], argument="machine")
        keep("roofline", STEPS, rows)
    kept, steps_kept = (json.loads((RESULTS / f"{name}.json").read_text()) for name in ("roofline_machine", "roofline"))
    records = [dict(zip(STEPS, row, strict=True)) for row in steps_kept["rows"]]
    page = Path(__file__).parents[1] / "docs" / "roofline.md"
    write(kept["machine"], dict(kept["rows"]), records, page, RESULTS / "roofline.svg")


if __name__ == "__main__":
    main()
