"""Every method on every problem: same counts, two threads, one process each; goes on where it stopped.

    python benchmarks/run.py PEERS                        all that is not there yet
    python benchmarks/run.py PEERS --methods topic_model,sklearn_nmf --problems bbc_news --topics 10,20
    python benchmarks/run.py PEERS --again topic_model    measure these anew

PEERS is an interpreter with scikit-learn, gensim, tomotopy, anchortopics and topica. A cell is one line of
results/cells.jsonl; `python benchmarks/page.py` makes the page of them. A method that takes longer than --limit seconds
is stopped and noted, and is not tried with more topics on the same problem.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import scipy.sparse as sp

from cells import put, read
from common import RESULTS, commit, machine

HERE = Path(__file__).parent
CELLS = RESULTS / "cells.jsonl"
KEY = ("problem", "n_topics", "method")
TOPICS = (10, 20, 50, 100)
FIRST = ("topic_model", "sklearn_nmf", "tomotopy_lda")  # what the goals are about
PROBLEMS = ("bbc_news", "reuters21578", "newsgroups20", "tdt2", "nips", "arxiv")


def names(folder: str) -> list[str]:
    """The files of a folder, which are its methods, problems or measures."""
    return sorted(path.stem for path in (HERE / folder).glob("*.py") if path.stem != "__init__")


def load_cells() -> dict[tuple[Any, ...], dict[str, Any]]:
    """What has been measured, by problem, number of topics and method."""
    return read(CELLS, KEY)


def measured(problem: Any, answer: dict[str, Any]) -> dict[str, float | None]:
    found = {}
    for name in names("measures"):
        value = importlib.import_module(f"measures.{name}").measure(problem, answer)
        found[name] = None if value is None else float(f"{value:.4g}")
    return found


def answer_of(method: str, counts: str, n_topics: int, interpreter: str, limit: float) -> dict[str, Any]:
    """What a method gives; {"failed": why} where it gives nothing."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "answer.json")
        command = [interpreter, str(HERE / "one.py"), method, counts, str(n_topics), str(target)]
        env = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=env)
        except subprocess.TimeoutExpired:
            return {"failed": f"more than {limit:.0f} s"}
        if done.returncode or not target.exists():
            return {"failed": (done.stderr.strip().splitlines() or ["no answer"])[-1][:300]}
        return json.loads(target.read_text(encoding="utf-8"))


def fill(name: str, methods: list[str], options: argparse.Namespace) -> None:
    """All cells of a problem that are not there yet."""
    module = importlib.import_module(f"problems.{name}")
    problem, stopped = None, set()
    with tempfile.TemporaryDirectory() as folder:
        counts = f"{folder}/counts.npz"
        for n_topics, method in product(options.topics or sorted({*TOPICS, module.USUAL}), methods):
            known, started = load_cells().get((name, n_topics, method)), time.perf_counter()
            if known is not None and method not in options.again:
                if "more than" in known.get("failed", ""):
                    stopped.add(method)
                continue
            if problem is None:
                problem = module.load()
                sp.save_npz(counts, problem.X)
            if method in stopped:
                answer = {"failed": f"more than {options.limit:.0f} s with fewer topics"}
            else:
                ours = importlib.import_module(f"methods.{method}").PACKAGE == "cotopics"
                answer = answer_of(method, counts, n_topics, sys.executable if ours else options.peers, options.limit)
            if "more than" in answer.get("failed", ""):
                stopped.add(method)
            record = described(name, problem.X, n_topics, method)
            if "failed" in answer:
                record["failed"] = answer["failed"]
            else:
                record |= {"version": answer["version"], "measures": measured(problem, answer)}
            put(CELLS, KEY, record)
            shown = record.get("measures") or record["failed"]
            print(f"{name} K={n_topics} {method}: {shown} [{time.perf_counter() - started:.0f} s]", flush=True)


def described(name: str, X: Any, n_topics: int, method: str) -> dict[str, Any]:
    return {
        "problem": name,
        "documents": X.shape[0],
        "words": X.shape[1],
        "non-zeros": X.nnz,
        "n_topics": n_topics,
        "method": method,
        "machine": machine(),
        "commit": commit(),
        "load": round(os.getloadavg()[0], 2),
    }


def main() -> None:
    def listed(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers")
    parser.add_argument("--problems", type=listed, default=list(PROBLEMS))
    parser.add_argument("--methods", type=listed, default=None)
    parser.add_argument("--topics", type=lambda text: [int(k) for k in listed(text)], default=None)
    parser.add_argument("--again", type=listed, default=[])
    parser.add_argument("--limit", type=float, default=600.0)
    options = parser.parse_args()
    rest = [name for name in names("methods") if name not in FIRST]
    for methods in [options.methods] if options.methods else [list(FIRST), *([name] for name in rest)]:
        for problem in options.problems:
            fill(problem, methods, options)


if __name__ == "__main__":
    main()
