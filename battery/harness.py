"""Runs the inputs of a suite in worker processes; a worker that crashes or hangs is a failed input, and is replaced."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from battery.suite import Fault, Suite, Trial

PROCESSES = multiprocessing.get_context("fork")  # a worker starts with everything imported
LONGEST = 300  # characters of a message


@dataclass
class Result:
    """What came of one suite: how many inputs were tried, and number → message of those that failed."""

    name: str
    tried: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0
    skipped: str | None = None


def run(name: str, suite: Suite, seed: int, numbers: Iterable[int], workers: int = 2) -> Result:
    """Try the inputs with these numbers."""
    result, began = Result(name, skipped=suite.missing()), time.perf_counter()
    if result.skipped is None:
        with tempfile.TemporaryDirectory(prefix=f"battery-{name}-") as folder:
            _run_in(Path(folder), suite, seed, deque(numbers), workers, result)
    result.seconds = time.perf_counter() - began
    return result


def _run_in(folder: Path, suite: Suite, seed: int, waiting: deque[int], workers: int, result: Result) -> None:
    shared = folder / "shared"
    shared.mkdir()
    _prepare(suite, shared)
    running = [_Worker(suite, seed, folder) for _ in range(min(workers, len(waiting)))]
    try:
        while running:
            for worker in running:
                if worker.number is None and waiting:
                    worker.start(waiting.popleft())
            running = [worker for worker in running if worker.number is not None or worker.stop()]
            wait([worker.ours for worker in running], timeout=0.2)
            for index, worker in enumerate(running):
                answer = worker.answer()
                if answer is None:
                    continue
                number, message = answer
                result.tried += 1
                if message:
                    result.failed[number] = message
                if worker.gone:
                    running[index] = _Worker(suite, seed, folder)
    finally:
        for worker in running:
            worker.end()


def _prepare(suite: Suite, shared: Path) -> None:
    """In a process of its own, so that workers start without threads and without what it leaves behind."""
    process = PROCESSES.Process(target=suite.prepare, args=(shared,))
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"the suite could not be prepared: exit {process.exitcode}")


class _Worker:
    """A process that tries one input after the other."""

    def __init__(self, suite: Suite, seed: int, folder: Path) -> None:
        self.suite, self.gone = suite, False
        self.number: int | None = None  # of the input that it tries
        self.ours, theirs = PROCESSES.Pipe()
        self._process = PROCESSES.Process(target=_work, args=(theirs, suite, seed, folder))
        self._process.start()
        theirs.close()
        self._began = 0.0

    def start(self, number: int) -> None:
        self.number, self._began = number, time.monotonic()
        self.ours.send(number)

    def answer(self) -> tuple[int, str] | None:
        """The number of the input that is done, and what failed ("" for nothing); None while it runs."""
        if self.number is None:
            return None
        number, message = self.number, None
        try:
            if self.ours.poll():
                message = self.ours.recv()
            elif time.monotonic() - self._began > self.suite.seconds:
                message = f"did not end within {self.suite.seconds:.0f} s"
                self.end()
        except (EOFError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode or 0
            message = f"the process died: {signal.Signals(-code).name if code < 0 else f'exit {code}'}"
            self.end()
        if message is None:
            return None
        self.number = None
        return number, message

    def stop(self) -> bool:
        """Nothing is left to do."""
        self.ours.send(None)
        self._process.join()
        self.end()  # a browser may still be there
        return False

    def end(self) -> None:
        """With all that it started."""
        self.gone = True
        if self._process.pid is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self._process.kill()
        self._process.join()


def _work(theirs: Connection, suite: Suite, seed: int, folder: Path) -> None:
    os.setsid()  # a group of its own, which can be ended as a whole
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # those that count are caught
    while (number := theirs.recv()) is not None:
        theirs.send(attempt(suite, seed, number, folder))


def attempt(suite: Suite, seed: int, number: int, folder: Path) -> str:
    """Try one input: what failed, in one line; "" for nothing."""
    own = Path(tempfile.mkdtemp(prefix="input-", dir=folder))
    trial = Trial(np.random.default_rng([seed, number]), own, folder / "shared", number)
    try:
        suite.attempt(trial)
    except Fault as fault:
        return _one_line(str(fault))
    except Exception as error:
        return _one_line(f"{describe(error)} (not expected by the suite)")
    finally:
        os.chdir("/")
        shutil.rmtree(own, ignore_errors=True)
    return ""


def describe(error: BaseException) -> str:
    """The type and message of an error, and where it came from."""
    places = traceback.extract_tb(error.__traceback__)
    inside = [place for place in places if "cotopics" in place.filename] or list(places)
    where = f" at {Path(inside[-1].filename).name}:{inside[-1].lineno}" if inside else ""
    return f"{type(error).__name__}: {error}{where}"


def _one_line(text: str) -> str:
    line = " ".join(text.split()) or "an error without a message"
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def show(results: list[Result], seed: int, out: Any = None) -> None:
    """One table of suites, and a line for each failure with the command that repeats it."""
    out = sys.stdout if out is None else out
    print(f"{'suite':<12} {'tried':>7} {'failed':>7} {'seconds':>8}", file=out)
    for result in results:
        note = f"   skipped: {result.skipped}" if result.skipped else ""
        print(f"{result.name:<12} {result.tried:>7} {len(result.failed):>7} {result.seconds:>8.0f}{note}", file=out)
    tried, failed = sum(result.tried for result in results), sum(len(result.failed) for result in results)
    print(f"{'all':<12} {tried:>7} {failed:>7} {sum(result.seconds for result in results):>8.0f}", file=out)
    for result in results:
        for number, message in sorted(result.failed.items()):
            print(
                f"{result.name}: {message}\n    python -m battery {result.name} --seed {seed} --only {number}", file=out
            )
