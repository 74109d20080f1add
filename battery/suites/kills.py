"""SIGKILL while files are written: the file is exactly the old or the new one.

Most processes die at one line of `cotopics.persistence`, counted by a tracer, so that every line has its turn. The
others are whole commands, killed at any moment or as soon as a part of the new file lies beside the old one.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from battery.forked import Forked, Limits, start
from battery.samples import COUNTS, WORDS, write_samples
from battery.suite import Suite, Trial, expect
from battery.writing import parts

LIMITS = Limits(seconds=60)


def _save_model(shared: Path, path: Path) -> None:
    from cotopics import load

    load(shared / "words.cotopics").save(path, statistics=True)


def _save_statistics(shared: Path, path: Path) -> None:
    from cotopics.cooccur import load_statistics

    sums, words, provenance = load_statistics(shared / "sums.statistics")
    sums.save(path, words, provenance)


def _save_corpus(shared: Path, path: Path) -> None:
    from cotopics.corpus import CorpusWriter

    with CorpusWriter(path, WORDS) as writer:
        for piece in (COUNTS[:30], COUNTS[30:]):
            writer.append(piece)


def _write_report(shared: Path, path: Path) -> None:
    from cotopics import load

    load(shared / "words.cotopics").report(path)


def _write_table(shared: Path, path: Path) -> None:
    from cotopics import load
    from cotopics.export import topic_words_table, write_table

    write_table(topic_words_table(load(shared / "words.cotopics")), path)


SAVE: dict[str, Callable[[Path, Path], None]] = {
    "m.cotopics": _save_model,
    "s.statistics": _save_statistics,
    "c.corpus": _save_corpus,
    "r.html": _write_report,
    "t.csv": _write_table,
    "t.parquet": _write_table,
    "t.jsonl.gz": _write_table,
}
RUN = {  # whole commands
    "run.cotopics": ["fit", "{shared}/d.jsonl", "-k", "3", "-q", "-o", "{path}"],
    "run.html": ["report", "{shared}/words.cotopics", "{shared}/d.jsonl", "-q", "-o", "{path}"],
    "run.csv": ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-q", "-o", "{path}"],
}


def prepare(folder: Path) -> None:
    """New contents, and for each the lines of ours that writing it takes and the seconds of a whole run."""
    write_samples(folder)
    for name, save in SAVE.items():
        counted = _Lines(None)
        counted.within(partial(save, folder, folder / f"new-{name}"))
        (folder / f"lines-{name}").write_text(str(counted.n), encoding="utf-8")
    for name, command in RUN.items():
        path = folder / f"new-{name}"
        ended = start([word.format(shared=folder, path=path) for word in command], folder, LIMITS).wait()
        expect(ended.code == 0, f"{name} could not be made: {ended.stderr}")
        (folder / f"seconds-{name}").write_text(str(ended.seconds), encoding="utf-8")


class _Lines:
    """Counts lines run in `cotopics.persistence`, and ends the process before the one of a number."""

    def __init__(self, last: int | None) -> None:
        self.n, self._last = 0, last

    def within(self, call: Callable[[], Any]) -> None:
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(None)

    def _enter(self, frame: Any, event: str, argument: Any) -> Any:
        return self._line if f"{os.sep}persistence{os.sep}" in frame.f_code.co_filename else None

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            self.n += 1
            if self.n == self._last:
                os.kill(os.getpid(), signal.SIGKILL)
        return self._line


def attempt(trial: Trial) -> None:
    name = trial.one_of([*SAVE, *SAVE, *RUN])
    path, new = trial.folder / name, (trial.shared / f"new-{name}").read_bytes()
    old = b"old" * 500
    path.write_bytes(old)
    if name in SAVE:
        last = int(trial.draw.integers(1, int((trial.shared / f"lines-{name}").read_text()) + 1))
        lines = _Lines(last)
        Forked(lambda: lines.within(lambda: SAVE[name](trial.shared, path)), LIMITS).wait()
    else:
        process = _running(trial, name, path)
        process.kill()
        process.wait()
    content = path.read_bytes()
    expect(content in (old, new), f"{name} is neither the old nor the new file after a kill ({len(content)} bytes)")
    if trial.draw.random() < 0.3:
        _next_write(trial, name, path, new)


def _running(trial: Trial, name: str, path: Path) -> Forked:
    """A command, at any moment of its run, or while it writes."""
    process = start([word.format(shared=trial.shared, path=path) for word in RUN[name]], trial.folder, LIMITS)
    if trial.draw.random() < 0.5:
        time.sleep(trial.draw.random() * float((trial.shared / f"seconds-{name}").read_text()))
        return process
    end = time.monotonic() + 20
    while not parts(path) and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        expect(time.monotonic() < end, f"{name} wrote nothing")
    time.sleep(trial.draw.random() * 0.003)
    return process


def _next_write(trial: Trial, name: str, path: Path, new: bytes) -> None:
    """The next writer is not disturbed, and takes away what the killed one left."""
    if name in SAVE:
        ended = Forked(lambda: SAVE[name](trial.shared, path), LIMITS).wait()
    else:
        ended = start([word.format(shared=trial.shared, path=path) for word in RUN[name]], trial.folder, LIMITS).wait()
    expect(ended.code == 0, f"{name}: the next write failed: {ended.last}")
    expect(path.read_bytes() == new, f"{name}: the next write wrote something else")
    expect(not parts(path), f"{name}: a part stayed after the next write")


SUITE = Suite(
    "SIGKILL while models, statistics, corpora, reports and tables are saved: at each line of the code that writes, "
    "and at random moments of whole commands. The file is exactly the old or the new one; the next write succeeds and "
    "clears up.",
    attempt,
    count=1500,
    seconds=120,
    prepare=prepare,
)
