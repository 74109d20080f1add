"""Files with right checksums and wrong values, through every command that opens one."""

from __future__ import annotations

import csv
import io

import numpy as np

from battery.forgery import chosen_file, forged
from battery.forked import check_ended, cotopics
from battery.promises import check_stochastic
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect

COMMANDS = {
    ".cotopics": (
        ["topics", "{bad}"],
        ["topics", "{bad}", "--csv"],
        ["transform", "{bad}", "{texts}"],
        ["transform", "{bad}", "{texts}", "--method", "nnls", "-o", "{folder}/new.csv"],
        ["evaluate", "{bad}", "{texts}"],
        ["export", "{bad}", "--to", "graphml", "-o", "{folder}/new.graphml"],
        ["export", "{bad}", "--to", "words", "-o", "{folder}/new.parquet"],
        ["export", "{bad}", "{texts}", "--to", "pyldavis", "-o", "{folder}/new.json"],
        ["report", "{bad}", "{texts}", "-o", "{folder}/new.html"],
        ["report", "{good}", "-o", "{folder}/new.html", "--compare", "{bad}"],
    ),
    ".statistics": (
        ["fit", "{bad}", "-k", "2"],
        ["fit", "{texts}", "-k", "2", "--stream", "--statistics", "{bad}"],
        ["forget", "{bad}", "{texts}"],
    ),
    ".corpus": (
        ["fit", "{bad}", "-k", "3", "--min-documents", "1"],
        ["transform", "{good}", "{bad}"],
        ["fit", "{bad}", "-k", "2", "--stream"],
    ),
}


def attempt(trial: Trial) -> None:
    bad = forged(trial, chosen_file(trial))
    names = {
        "bad": bad, "folder": trial.folder, "texts": trial.shared / "d.jsonl", "good": trial.shared / "words.cotopics",
    }  # fmt: skip
    ended = cotopics([word.format(**names) for word in trial.one_of(COMMANDS[bad.suffix])], trial.folder)
    check_ended(ended)
    if ended.code == 0 and ended.arguments[0] == "transform":
        written = trial.folder / "new.csv"
        check_shares(written.read_text("utf-8") if written.exists() else ended.stdout)


def check_shares(text: str) -> None:
    """Rows of a table of mixtures sum to one."""
    rows = list(csv.DictReader(io.StringIO(text)))
    topics = [name for name in rows[0] if name.startswith("topic_")]
    cells = [[row[name] for name in topics] for row in rows]
    expect(all(cell for row in cells for cell in row), "shares of topics are missing")
    check_stochastic(np.array(cells, dtype=float), (len(rows), len(topics)), "shares of topics")


SUITE = Suite(
    "Forged files through every command that opens one, with limits of time and memory: exit 0, or exit 2 with "
    "one line.",
    attempt,
    count=1500,
    seconds=60,
    prepare=write_samples,
)
