"""docs/growth.md: seconds and peak memory of every method against documents, words and topics, with fitted exponents.

    python benchmarks/growth_curves.py              all points that are not there yet, then the page
    python benchmarks/growth_curves.py --quick      a small grid, to try; everything goes to build
    python benchmarks/growth_curves.py --again top  measure a method anew
    python benchmarks/growth_curves.py --page       the page and its figure from what is there

arXiv: the first so many documents and the words that are in most of them. Each point is a process of its own and one
line of results/growth_curves.jsonl. Memory is the peak of resident memory in the first fit less what the process held
with everything imported and compiled and no counts yet, so the counts are part of it. Seconds are the least of three
fits, or of one that takes longer than ten.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cells import put, read
from common import RESULTS, commit, machine

POINTS = RESULTS / "growth_curves.jsonl"
TRIED = Path(__file__).parents[1] / "build" / "growth_curves.jsonl"
KEY = ("method", "axis", "value")
METHODS = ("topic_model", "anchor_words", "anchor_free", "inference", "top")
AXES = ("documents", "words", "topics")
MIDDLE = {"documents": 32_000, "words": 16_000, "topics": 20}  # what stays where another number is varied
FEW_WORDS = {"documents": 32_000, "words": 2_000, "topics": 20}  # for TOP, which looks at every pair of words
GRID = {
    "documents": (4_000, 8_000, 16_000, 32_000, 64_000, 128_000),
    "words": (2_000, 4_000, 8_000, 16_000, 32_000),
    "topics": (5, 10, 20, 50, 100, 200),
}
TOP_GRID = {"documents": GRID["documents"], "words": (500, 1_000, 2_000, 4_000, 8_000), "topics": ()}
SMALL = {"documents": (500, 1_000, 2_000), "words": (500, 1_000, 2_000), "topics": (5, 10)}
LIMIT = 120.0  # seconds a point; beyond it, no larger ones are tried
SLOW, TURNS = 10.0, 3


def fit(method: str, X: Any, n_topics: int) -> Callable[[], Any]:
    """What is timed; a model for inference is fitted before the clock starts."""
    from cotopics import TOP, AnchorFree, AnchorWords, TopicModel

    if method == "inference":
        model = TopicModel(n_topics).fit(X)
        return lambda: model.transform(X)
    make = {
        "topic_model": lambda: TopicModel(n_topics),
        "anchor_words": lambda: AnchorWords(
            n_topics, rectifier="enn", representation="implicit", min_anchor_documents=0.005
        ),
        "anchor_free": lambda: AnchorFree(n_topics),
        "top": lambda: TOP(),
    }[method]
    return lambda: make().fit(X)


def resident(what: str) -> int:
    """Bytes of this process: VmRSS now, VmHWM at its peak since it was last forgotten."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) * 1024


def forget_peak() -> None:
    """Give back what is free, and let the peak start from here."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def measure(method: str, counts: str, n_topics: int) -> dict[str, float]:
    warnings.simplefilter("ignore")  # what does not converge takes the longest, and is what we want to know
    rng = np.random.default_rng(0)
    fit(method, sp.csr_matrix(rng.poisson(0.3, (300, 60))), 3)()  # import and compile
    forget_peak()
    empty = resident("VmRSS")
    X = sp.csr_matrix(sp.load_npz(counts))
    run = fit(method, X, n_topics)
    forget_peak()
    seconds: list[float] = []
    while not seconds or (seconds[0] < SLOW and len(seconds) < TURNS):
        started = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - started)
        if len(seconds) == 1:
            peak = resident("VmHWM")
    held = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    found = {"seconds": min(seconds), "bytes": peak - empty, "counts_bytes": held, "non-zeros": X.nnz}
    return found | ({"topics": result.n_topics_} if method == "top" else {})  # the others are told


def points(quick: bool) -> list[tuple[str, str, int, dict[str, int]]]:
    """(method, axis, value, all three numbers), cheap ones first."""
    found = []
    for method in METHODS:
        grid = SMALL if quick else TOP_GRID if method == "top" else GRID
        middle = FEW_WORDS if method == "top" else MIDDLE
        middle = {name: min(middle[name], SMALL[name][-1]) for name in AXES} if quick else middle
        for axis in AXES:
            if method == "top" and axis == "topics":  # it finds their number
                continue
            found += [(method, axis, value, {**middle, axis: value}) for value in grid[axis]]
    return found


def prefix(X: Any, n_documents: int, n_words: int) -> Any:
    """The first documents and the words that are in most of them, without documents that are then empty."""
    X = X[:n_documents]
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    kept = np.sort(np.argsort(-frequency, kind="stable")[: min(n_words, int((frequency > 0).sum()))])
    X = X[:, kept]
    return X[np.diff(X.indptr) > 0]


def answer(command: list[str]) -> dict[str, Any]:
    """What a process of its own measured; {"failed": why} where it did not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {LIMIT:.0f} s"}
    if done.returncode:
        return {"failed": done.stderr[-300:]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(quick: bool, again: list[str], file: Path) -> None:
    X, stopped = None, set()
    for method, axis, value, numbers in points(quick):
        known = read(file, KEY).get((method, axis, value))
        if known is not None and method not in again:
            if "more than" in known.get("failed", ""):
                stopped.add((method, axis))
            continue
        if X is None:
            from problems import arxiv

            X = arxiv.load().X
        with tempfile.TemporaryDirectory() as temporary:
            counts = f"{temporary}/counts.npz"
            some = prefix(X, numbers["documents"], numbers["words"])
            sp.save_npz(counts, some, compressed=False)
            command = [sys.executable, __file__, "--point", method, counts, str(numbers["topics"])]
            if (method, axis) in stopped:
                found = {"failed": f"more than {LIMIT:.0f} s at fewer {axis}"}
            else:
                found = answer(command)
            if "more than" in found.get("failed", ""):
                stopped.add((method, axis))
        record = {
            "method": method, "axis": axis, "value": value, "documents": some.shape[0], "words": some.shape[1],
            "topics": numbers["topics"], **found, "machine": machine(), "commit": commit(), "load": os.getloadavg()[0],
        }  # fmt: skip
        put(file, KEY, record)
        print(method, axis, value, found, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--again", type=lambda text: text.split(","), default=[])
    parser.add_argument("--point", nargs=3, metavar=("METHOD", "COUNTS", "N_TOPICS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.point:
        method, counts, n_topics = options.point
        print(json.dumps(measure(method, counts, int(n_topics))))
        return
    file = TRIED if options.quick else POINTS
    if not options.page:
        run(options.quick, options.again, file)
    import growth_page

    growth_page.write(list(read(file, KEY).values()), file.parent if options.quick else None)


if __name__ == "__main__":
    main()
