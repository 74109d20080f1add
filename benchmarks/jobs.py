"""Cases of a benchmark shared out over processes: what `--jobs` does in scripts that measure piece by piece.

A process has one thread, so that processor seconds are those of one thread however many there are. It prepares once
what all cases need, takes a case, and keeps what it measured (cells.py) before it takes the next: a run that is stopped
has every case that was finished. Many processes at once slow one another down, through caches and memory, so a cell
says how many there were.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from common import commit, described, machine

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
AT_ONCE = "COTOPICS_BENCHMARK_JOBS"

_shared: Any = None  # what this process has prepared


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=int, default=1, help="processes of one thread each (default: 1)")


def share_out(prepare: Callable[[], Any], work: Callable[[Any, Any], None], cases: Iterable[Any], jobs: int) -> None:
    """work(prepare(), case) for every case, in processes that take the cases in their order.

    Both functions are at the top of a module, or partial objects of such. A case that fails leaves the others alone;
    at the end there is one error for all.
    """
    cases = list(cases)
    if not cases:
        return
    os.environ.update(ONE_THREAD, **{AT_ONCE: str(jobs)})
    if jobs > 1:
        prepare()  # compiled loops are then on disk, and no process compiles what another one does
    failed = []
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (prepare,)) as pool:
        running = {pool.submit(_run, work, case): case for case in cases}
        for done, future in enumerate(as_completed(running), 1):
            case, error = running[future], future.exception()
            if error is not None:
                failed.append(error)
                traceback.print_exception(error)
            print(f"{done} of {len(cases)}: {'failed: ' if error else ''}{case}", file=sys.stderr, flush=True)
    if failed:
        sys.exit(f"{len(failed)} of {len(cases)} cases failed")


def origin() -> dict[str, str]:
    """Which commit was measured and where, to be kept with a cell."""
    at_once = int(os.environ.get(AT_ONCE, "1"))
    where = described(machine()) + (f", {at_once} processes at once" if at_once > 1 else "")
    return {"commit": commit(), "machine": where}


def _start(prepare: Callable[[], Any]) -> None:
    global _shared
    _shared = prepare()


def _run(work: Callable[[Any, Any], None], case: Any) -> None:
    work(_shared, case)
