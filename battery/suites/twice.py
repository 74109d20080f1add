"""A run with --statistics that failed is done again: every document counts once."""

from __future__ import annotations

import errno
import os
import signal
from typing import Any

from battery.forked import Forked, Limits, check_ended, cotopics, run_main
from battery.samples import TEXTS
from battery.suite import Suite, Trial, expect
from battery.writing import n_documents


def attempt(trial: Trial) -> None:
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


SUITE = Suite(
    "`fit --stream --statistics S -o M` that cannot write, or is killed before it has written M, then again: every "
    "document is counted once.",
    attempt,
    count=150,
    seconds=120,
)
