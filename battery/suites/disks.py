"""Disks that are full, and calls of the system that fail."""

from __future__ import annotations

import errno
import os
from typing import Any

from battery.forked import Forked, Limits, check_ended, cotopics, run_main
from battery.suite import Suite, Trial, expect
from battery.writing import WRITERS, parts, prepare

CALLS = ("fsync", "replace", "chmod", "open")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)


def attempt(trial: Trial) -> None:
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
    from cotopics.persistence import atomic

    def fail(*arguments: Any, **options: Any) -> Any:
        raise OSError(number, os.strerror(number), *(arguments[:1] if call != "fsync" else ()))

    if call == "open":
        atomic.open = fail  # type: ignore[attr-defined]
    else:
        setattr(os, call, fail)
    run_main(words)


SUITE = Suite(
    "Commands on a disk that is full (a limit on the size of files) or fails (errors from open, fsync, chmod, rename): "
    "exit 2, the file is named, the old one is unchanged and nothing is left beside it.",
    attempt,
    count=1000,
    prepare=prepare,
)
