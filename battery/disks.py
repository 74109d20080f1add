"""Disks that are full, calls of the system that fail, two writers at once, and memory that runs out."""

from __future__ import annotations

import errno
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from battery.commands import Forked, Limits, check_ended, cotopics, run_main, start
from battery.kills import parts
from battery.samples import TEXTS, write_samples
from battery.suite import Suite, Trial, expect

WRITERS = {  # file that is written → command
    "m.cotopics": ["fit", "{shared}/d.jsonl", "-k", "3", "-o", "{path}"],
    "s.statistics": ["fit", "{shared}/d.jsonl", "-k", "3", "--stream", "--statistics", "{path}"],
    "t.csv": ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "t.parquet": ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "t.jsonl.gz": ["export", "{shared}/words.cotopics", "--to", "words", "-o", "{path}"],
    "g.graphml": ["export", "{shared}/words.cotopics", "--to", "graphml", "-o", "{path}"],
    "v.json": ["export", "{shared}/words.cotopics", "{shared}/d.jsonl", "--to", "pyldavis", "-o", "{path}"],
    "r.html": ["report", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "c.json": ["choose", "{shared}/d.jsonl", "--candidates", "2,3", "-o", "{path}"],
}
CALLS = ("fsync", "replace", "chmod", "open")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)


def prepare(folder: Path) -> None:
    write_samples(folder)
    for name, command in WRITERS.items():
        path = folder / f"whole-{name}"
        ended = cotopics([word.format(shared=folder, path=path) for word in command], folder)
        expect(ended.code == 0, f"{name} could not be made: {ended.stderr}")
    sums = folder / "whole-s.statistics"
    expect(n_documents(sums) == len(TEXTS), "the statistics do not have all documents")


def n_documents(path: Path) -> int:
    from cotopics.cooccur import load_statistics

    return int(load_statistics(path).sums.n_documents)


def attempt_disk(trial: Trial) -> None:
    name = trial.one_of(WRITERS)
    path, whole = trial.folder / name, trial.shared / f"whole-{name}"
    old = whole.read_bytes() if name == "s.statistics" or trial.draw.random() < 0.7 else None
    if old is not None:
        path.write_bytes(old)
    words = [word.format(shared=trial.shared, path=path) for word in WRITERS[name]]
    if trial.draw.random() < 0.5:
        size = int(trial.draw.random() * 1.05 * whole.stat().st_size)
        ended = cotopics(words, trial.folder, Limits(file_size=size))
    else:
        call, number = trial.one_of(CALLS), trial.one_of(ERRORS)
        ended = Forked(lambda: _failing(call, number, words), Limits(), trial.folder).wait()
    check_ended(ended)
    expect(not parts(path), f"{name}: a part stayed on the full disk")
    if ended.code == 2:
        expect(name in ended.last, f"{name}: the error does not name the file: {ended.last}")
        now = path.read_bytes() if path.exists() else None
        expect(now == old, f"{name} changed though writing it failed")


def _failing(call: str, number: int, words: list[str]) -> None:
    """A command in which a call of the system fails, for files that are being written."""
    from cotopics.persistence import beside

    def fail(*arguments: Any, **options: Any) -> Any:
        raise OSError(number, os.strerror(number), *(arguments[:1] if call != "fsync" else ()))

    if call == "open":
        beside.open = fail  # type: ignore[attr-defined]
    else:
        setattr(os, call, fail)
    run_main(words)


def attempt_twice(trial: Trial) -> None:
    """A run that could not save its model, or was killed before it did, is done again: each document counts once."""
    folder, sums = trial.folder, trial.folder / "s.statistics"
    half = len(TEXTS) // 2
    for name, texts in (("first.txt", TEXTS[:half]), ("more.txt", TEXTS[half:])):
        (folder / name).write_text("\n".join(texts), encoding="utf-8")
    stream = ["--stream", "-k", "3", "--min-documents", "1", "--statistics", str(sums)]
    before = cotopics(["fit", str(folder / "first.txt"), *stream], folder)
    expect(before.code == 0, f"the first half failed: {before.last}")
    add = ["fit", str(folder / "more.txt"), *stream, "-o", str(folder / "m.cotopics")]
    how = trial.one_of(["disk", "error", "kill"])
    if how == "disk":
        size = int(trial.draw.random() * 1.2 * sums.stat().st_size)
        failed = cotopics(add, folder, Limits(file_size=size))
    else:
        failed = Forked(lambda: _model_fails(add, how), Limits(), folder).wait()
    if how != "kill":
        check_ended(failed)
    if failed.code != 0:
        check_ended(cotopics(add, folder))
    found = n_documents(sums)
    expect(found == len(TEXTS), f"{found} documents in the statistics, not {len(TEXTS)}, after a failed run done again")


def _model_fails(words: list[str], how: str) -> None:
    """A command that writes its statistics, but not its model."""
    rename = os.replace

    def replace(part: Any, target: Any) -> None:
        if not str(target).endswith("m.cotopics"):
            rename(part, target)
        elif how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), target)

    os.replace = replace  # type: ignore[assignment]
    run_main(words)


def attempt_writers(trial: Trial) -> None:
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


def attempt_memory(trial: Trial) -> None:
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


DISKS = Suite(
    "Commands on a disk that is full (a limit on the size of files) or fails (errors from open, fsync, chmod, rename): "
    "exit 2, the file is named, the old one is unchanged and nothing is left beside it.",
    attempt_disk,
    count=1000,
    prepare=prepare,
)
TWICE = Suite(
    "`fit --stream --statistics S -o M` that cannot write, or is killed before it has written M, then again: every "
    "document is counted once.",
    attempt_twice,
    count=150,
    seconds=120,
)
WRITERS_SUITE = Suite(
    "Two to four commands that add documents to one statistics file and take some out at the same time: what each that "
    "ended with 0 did is in the file. Models that are saved under one name at once, and opened meanwhile, are whole.",
    attempt_writers,
    count=150,
    seconds=200,
    prepare=prepare,
)
MEMORY = Suite(
    "Commands with little memory (a limit on the address space), and small statistics files that ask for much: exit 0, "
    "or exit 2 with one line.",
    attempt_memory,
    count=300,
    seconds=120,
    prepare=prepare,
)
