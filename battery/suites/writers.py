"""Several writers of one file at once."""

from __future__ import annotations

from functools import partial

import numpy as np

from battery.forked import Forked, Limits, check_ended, start
from battery.samples import TEXTS
from battery.suite import Suite, Trial, expect
from battery.writing import n_documents, parts, prepare


def attempt(trial: Trial) -> None:
    (_models_at_once if trial.draw.random() < 0.3 else _statistics_at_once)(trial)


def _models_at_once(trial: Trial) -> None:
    """Some processes save models under one name, over and over, while another opens it: it is always a whole one."""
    from cotopics import load

    names = ("words", "free", "recipe")
    path, whole = trial.folder / "m.cotopics", [(trial.shared / f"{name}.cotopics").read_bytes() for name in names]
    path.write_bytes(whole[0])

    def save(name: str) -> None:
        model = load(trial.shared / f"{name}.cotopics")
        for _ in range(10):
            model.save(path, statistics=name == "words")

    running = [Forked(partial(save, name)) for name in names]
    for _ in range(10):
        load(path)
        expect(path.read_bytes() in whole, "a model that several wrote is none of theirs")
    for process in running:
        ended = process.wait()
        expect(ended.code == 0, f"one of several writers failed: {ended.last}")
    expect(path.read_bytes() in whole, "a model that several wrote is none of theirs")
    expect(not parts(path), "a part stayed after writers at once")


def _statistics_at_once(trial: Trial) -> None:
    """Some commands add documents to one statistics file, and take some out, at the same time."""
    folder, sums = trial.folder, trial.folder / "s.statistics"
    sums.write_bytes((trial.shared / "whole-s.statistics").read_bytes())
    expected, running, cut = len(TEXTS), [], np.sort(trial.draw.integers(1, len(TEXTS), 2))
    n_adding = int(trial.draw.integers(1, 4))
    for i in range(n_adding):
        texts = [str(text) for text in trial.draw.permutation(TEXTS)[: int(trial.draw.integers(5, 60))]]
        (folder / f"{i}.txt").write_text("\n".join(texts), encoding="utf-8")
        command = ["fit", folder / f"{i}.txt", "--stream", "-k", "3", "--statistics", sums]
        running.append((start(command, folder, Limits(seconds=60)), len(texts)))
    if n_adding == 1 or trial.draw.random() < 0.5:
        (folder / "out.txt").write_text("\n".join(TEXTS[cut[0] - 1 : cut[1]]), encoding="utf-8")
        process = start(["forget", sums, folder / "out.txt"], folder, Limits(seconds=60))
        running.append((process, -len(TEXTS[cut[0] - 1 : cut[1]])))
    for process, n in running:
        ended = process.wait()
        check_ended(ended)
        expected += n if ended.code == 0 else 0
    found = n_documents(sums)
    expect(
        found == expected, f"{found} documents in the statistics, not {expected}, after {len(running)} writers at once"
    )
    expect(not parts(sums), "a part stayed after writers at once")


SUITE = Suite(
    "Two to four commands that add documents to one statistics file and take some out at the same time: what each that "
    "ended with 0 did is in the file. Models that are saved under one name at once, and opened meanwhile, are whole.",
    attempt,
    count=150,
    seconds=200,
    prepare=prepare,
)
