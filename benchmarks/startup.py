"""How long a shell waits before `cotopics` says anything: fresh processes, after one that is not counted."""

from __future__ import annotations

import importlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import keep

TURNS = 7
GOAL = 0.5  # seconds
COTOPICS = str(Path(sys.executable).with_name("cotopics"))
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import cotopics": [sys.executable, "-c", "import cotopics"],
    "cotopics --version": [COTOPICS, "--version"],
    "cotopics --help": [COTOPICS, "--help"],
    "cotopics fit --help": [COTOPICS, "fit", "--help"],
    "import sklearn.base, scipy.sparse": [sys.executable, "-c", "import sklearn.base, scipy.sparse"],
    "from cotopics import TopicModel": [sys.executable, "-c", "from cotopics import TopicModel"],
}
FIT = "import sys, scipy.sparse as sp; from cotopics import TopicModel; TopicModel(5).fit(sp.load_npz(sys.argv[1]))"
FIT_GOAL = 3.0  # seconds of a first fit on BBC news, imports included


def seconds(command: list[str], **variables: str) -> tuple[float, float]:
    """On the clock, and of the processor, which tells what a busy machine adds."""
    started, before = time.perf_counter(), _processor()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **variables})
    return time.perf_counter() - started, _processor() - before


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_fits() -> list[list[Any]]:
    """A fit of counts of BBC news in a fresh process: compiled by an earlier one, and on a machine that never did."""
    import scipy.sparse as sp

    with tempfile.TemporaryDirectory() as folder:
        counts = str(Path(folder, "counts.npz"))
        sp.save_npz(counts, importlib.import_module("problems.bbc_news").load().X)
        command, kept = [sys.executable, "-c", FIT, counts], str(Path(folder, "compiled"))
        never = seconds(command, NUMBA_CACHE_DIR=kept)
        turns = [seconds(command, NUMBA_CACHE_DIR=kept) for _ in range(TURNS)]
    clock, processor = zip(*turns, strict=True)
    median = statistics.median(clock)
    goal = f"{'yes' if median < FIT_GOAL else 'no'} (below {FIT_GOAL:.0f})"
    return [
        ["fit of BBC news, 5 topics", median, min(clock), statistics.median(processor), goal],
        ["the same, the first ever, which compiles", never[0], never[0], never[1], "–"],
    ]


def main() -> None:
    load = os.getloadavg()[0]
    turns = [[seconds(command) for command in COMMANDS.values()] for _ in range(TURNS + 1)][1:]
    rows = []
    for name, taken in zip(COMMANDS, zip(*turns, strict=True), strict=True):
        clock, processor = zip(*taken, strict=True)
        median = statistics.median(clock)
        goal = "–" if "TopicModel" in name else "yes" if median < GOAL else "no"
        rows.append([name, median, min(clock), statistics.median(processor), goal])
    rows += first_fits()
    notes = (
        f"Of {TURNS} fresh processes each, in turns, after one that is not counted. The goal is for what finds no "
        "topics yet; estimators import scipy and scikit-learn. Load of the machine in the minute before: "
        f"{load:.1f}, own priority: nice {os.nice(0)}."
    )
    keep("startup", ["process", "median, s", "least, s", "processor, s", f"below {GOAL} s"], rows, notes)


if __name__ == "__main__":
    main()
