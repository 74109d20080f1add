"""How many times as fast a fit of TopicModel could be on more cores, from pieces of work that are timed on one.

    python benchmarks/threads.py [EVERY]

A fit is run on one thread. Every piece of work that threads would share is timed, in processor time; the rest is
serial. Then the pieces of each loop are given to 2, 4, 8 and 16 threads, as the next thread becomes free, with a fixed
price for handing out a piece. What this does not know: that cores share memory and caches. So it is a bound from above,
and says what is serial, on a machine that has few cores. Of arXiv, one document in EVERY (4) is taken.
"""

from __future__ import annotations

import heapq
import importlib
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is imported

from common import keep

PRICE = 20e-6  # seconds to hand out a piece of work
THREADS = (2, 4, 8, 16)
PROBLEMS = ("newsgroups20", "nips", "arxiv")
N_TOPICS = 50


class Recorder:
    """Instead of `map_row_blocks`: does the same on one thread, and keeps the seconds of every piece, loop by loop."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real, self.loops, self.inside = real, list[list[float]](), False

    def __call__(self, function: Callable[..., Any], n_rows: int, **options: Any) -> Any:
        if self.inside:  # a loop inside a piece is not shared out again
            return self.real(function, n_rows, **options)
        pieces: list[float] = []

        def timed(first: int, last: int) -> Any:
            started = time.thread_time()
            result = function(first, last)
            pieces.append(time.thread_time() - started)
            return result

        self.inside = True
        try:
            return self.real(timed, n_rows, **options)
        finally:
            self.inside = False
            self.loops.append(pieces)


def until_done(pieces: list[float], n_threads: int) -> float:
    """Seconds until all pieces are done, if each goes to the thread that is free first."""
    busy = [0.0] * n_threads
    for seconds in pieces:
        heapq.heapreplace(busy, busy[0] + seconds + PRICE)
    return max(busy)


def measured(name: str, every: int) -> list[Any]:
    from cotopics import TopicModel
    from cotopics.linalg import threads

    X = importlib.import_module(f"problems.{name}").load().X
    X = X[::every] if name == "arxiv" else X
    TopicModel(5).fit(X[:2000])  # compiles, and imports all modules
    recorder = Recorder(threads.map_row_blocks)
    for module in [m for key, m in sys.modules.items() if key.startswith("cotopics.")]:
        if getattr(module, "map_row_blocks", None) is recorder.real:
            module.map_row_blocks = recorder  # type: ignore[attr-defined]
    started = time.thread_time()
    TopicModel(N_TOPICS).fit(X)
    whole = time.thread_time() - started
    for module in [m for key, m in sys.modules.items() if key.startswith("cotopics.")]:
        if getattr(module, "map_row_blocks", None) is recorder:
            module.map_row_blocks = recorder.real  # type: ignore[attr-defined]
    serial = whole - sum(map(sum, recorder.loops))
    bounds = [whole / (serial + sum(until_done(pieces, n) for pieces in recorder.loops)) for n in THREADS]
    n_pieces = sum(map(len, recorder.loops))
    return [
        name,
        X.shape[0],
        round(whole, 2),
        round(serial / whole, 3),
        n_pieces,
        *(round(bound, 1) for bound in bounds),
    ]


if __name__ == "__main__":
    rows = [measured(name, int(sys.argv[1]) if len(sys.argv) > 1 else 4) for name in PROBLEMS]
    columns = ["corpus", "documents", "seconds on one thread", "serial", "pieces", *(f"{n} threads" for n in THREADS)]
    notes = (
        f"TopicModel, K = {N_TOPICS}. The last columns bound from above how many times as fast the fit can be on so "
        "many cores: pieces of work timed on one thread, laid out on several. Nothing was run on so many cores."
    )
    keep("threads", columns, rows, notes)
