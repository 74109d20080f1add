"""Damaged files of documents and counts, through the commands."""

from __future__ import annotations

import json
from pathlib import Path

from battery.damaged import damaged
from battery.forked import check_ended, cotopics
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect

COMMANDS = (
    ["fit", "{bad}", "-k", "3", "--min-documents", "1", "-o", "{folder}/new.cotopics"],
    ["fit", "{bad}", "-k", "2", "--method", "anchor-words"],
    ["fit", "{bad}", "-k", "2", "--method", "anchor-free", "--on-error", "skip"],
    ["fit", "{bad}", "--method", "top"],
    ["fit", "{bad}", "-k", "3", "--stream", "--statistics", "{folder}/new.statistics"],
    ["fit", "{bad}", "-k", "3", "--stream", "--statistics", "{sums}"],
    ["forget", "{sums}", "{bad}"],
    ["transform", "{shared}/recipe.cotopics", "{bad}", "-o", "{folder}/new.csv"],
    ["transform", "{shared}/words.cotopics", "{bad}", "--method", "nnls"],
    ["evaluate", "{shared}/words.cotopics", "{bad}"],
    ["export", "{shared}/free.cotopics", "{bad}", "--to", "pyldavis", "-o", "{folder}/new.json"],
    ["report", "{shared}/recipe.cotopics", "{bad}", "-o", "{folder}/new.html"],
    ["choose", "{bad}"],
)


def attempt(trial: Trial) -> None:
    bad, sums = damaged(trial), trial.folder / "s.statistics"
    sums.write_bytes((trial.shared / "sums.statistics").read_bytes())
    names = {"bad": bad, "folder": trial.folder, "shared": trial.shared, "sums": sums}
    command = trial.one_of(COMMANDS)
    before = sums.read_bytes()
    ended = cotopics([word.format(**names) for word in command], trial.folder)
    check_ended(ended)
    new = [path.name for path in trial.folder.iterdir() if path.name.startswith("new.") or path.name.endswith(".part")]
    if ended.code == 2:
        expect(not new, f"{command[0]} failed and left {new}")
        expect(sums.read_bytes() == before, f"{command[0]} failed and changed the statistics")
    else:
        for path in trial.folder.glob("new.*"):
            check_written(path)


def check_written(path: Path) -> None:
    """What a command wrote can be read, and has no number that is none."""
    import cotopics as library
    from cotopics.cooccur import load_statistics

    if path.suffix == ".cotopics":
        library.load(path)
    elif path.suffix == ".statistics":
        load_statistics(path)
    elif path.suffix == ".csv":
        cells = [cell.lower() for line in path.read_text("utf-8").splitlines()[1:] for cell in line.split(",")[-3:]]
        expect(not {"nan", "inf", "-inf", ""} & set(cells), f"{path.name} has empty or infinite shares")
    elif path.suffix == ".json":
        json.loads(path.read_text("utf-8"), parse_constant=lambda name: expect(False, f"{path.name} has {name}"))


SUITE = Suite(
    "The same files through fit (all methods, streams), forget, transform, evaluate, export, report and choose, each "
    "in a process with limits of time and memory: exit 0, or exit 2 with one clear line and nothing written.",
    attempt,
    count=3000,
    seconds=60,
    prepare=write_samples,
)
