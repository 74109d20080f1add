"""Ctrl-C and SIGTERM at any moment of a command."""

from __future__ import annotations

import signal
import time

from battery.forked import start
from battery.suite import Suite, Trial, expect
from battery.suites.kills import LIMITS, RUN, prepare


def attempt(trial: Trial) -> None:
    """Ctrl-C, or SIGTERM, at any moment of a command."""
    name, number = trial.one_of(RUN), trial.one_of([signal.SIGINT, signal.SIGINT, signal.SIGTERM])
    path, new, old = trial.folder / name, (trial.shared / f"new-{name}").read_bytes(), b"old" * 500
    path.write_bytes(old)
    process = start([word.format(shared=trial.shared, path=path) for word in RUN[name]], trial.folder, LIMITS)
    time.sleep(0.005 + trial.draw.random() * float((trial.shared / f"seconds-{name}").read_text()))
    process.kill(number)
    ended = process.wait()
    expect(path.read_bytes() in (old, new), f"{name} is neither the old nor the new file after {number.name}")
    if number == signal.SIGTERM and ended.code == -signal.SIGTERM:
        return
    if "Exception ignored" in ended.stderr and ended.code == 0:
        return  # it came within a callback of numba, where Python can only show it and go on
    expect("Traceback" not in ended.stderr, f"{name}: {number.name} showed a traceback: {ended.last}")
    if ended.code != 0:
        expect(ended.code in (130, 143), f"{name}: {number.name} gave exit {ended.code}: {ended.last}")
        expect("interrupted" in ended.stderr, f"{name}: {number.name} was not told of: {ended.stderr!r}")


SUITE = Suite(
    "Ctrl-C and SIGTERM at random moments of commands: one line, exit 130, and the file is the old or the new one.",
    attempt,
    count=300,
    seconds=120,
    prepare=prepare,
)
