"""Little memory, and small files that ask for much."""

from __future__ import annotations

from pathlib import Path

from battery.forked import Forked, Limits, check_ended, cotopics
from battery.suite import Suite, Trial
from battery.writing import WRITERS, prepare


def attempt(trial: Trial) -> None:
    """Little memory for an ordinary command; or a small file of statistics that asks for much."""
    if trial.draw.random() < 0.7:
        command = trial.one_of([*WRITERS.values(), ["fit", "{shared}/d.jsonl", "-k", "3", "--method", "anchor-free"]])
        words = [word.format(shared=trial.shared, path=trial.folder / "new.csv") for word in command]
        memory = int(10 ** trial.draw.uniform(6.7, 9))  # with less, libraries below ours end the process
        ended = cotopics(words, trial.folder, Limits(seconds=60, memory=memory))
        check_ended(ended, memory_may_end=True)
        return
    path = trial.folder / "wide.statistics"
    Forked(lambda: _wide(trial, path)).wait()
    check_ended(cotopics(["fit", path, "-k", "2"], trial.folder))


def _wide(trial: Trial, path: Path) -> None:
    from cotopics import CooccurrenceSketch

    n_words, n_columns = int(trial.draw.integers(1, 6)), int(10 ** trial.draw.uniform(2, 6))
    sums = CooccurrenceSketch(n_columns).update(trial.draw.integers(0, 3, (20, n_words)))
    sums.save(path, [f"w{i}" for i in range(n_words)], {"input": "x", "notes": []})


SUITE = Suite(
    "Commands with little memory (a limit on the address space), and small statistics files that ask for much: exit 0, "
    "or exit 2 with one line.",
    attempt,
    count=300,
    seconds=120,
    prepare=prepare,
)
