"""What is around a command: closed and full streams, pipes in the place of files, odd names, damaged compiled code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from battery.forked import Ended, Forked, Limits, check_ended, cotopics, run_main
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect

FIT = ["fit", "{shared}/d.jsonl", "-k", "3"]
READ = [["topics", "{shared}/words.cotopics"], ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl"], FIT]
MAIN = "from cotopics.cli.main import main; main()"


def _words(trial: Trial, words: list[str]) -> list[str]:
    return [word.format(shared=trial.shared, folder=trial.folder) for word in words]


def closed_stream(trial: Trial) -> None:
    """Nobody listens on stdout, on stderr, or on both: the work is done all the same, and no traceback appears."""
    closed = trial.one_of([(1,), (2,), (1, 2), (0,), (0, 1, 2)])
    words = _words(trial, [*FIT, "-o", "{folder}/m.cotopics"])
    command = [sys.executable, "-c", MAIN, *words]
    script = f"import os\nfor n in {closed}: os.close(n)\nos.execv({sys.executable!r}, {command!r})"
    ended = _fresh(trial, [sys.executable, "-c", script])
    expect("Traceback" not in ended.stdout + ended.stderr, f"streams {closed} closed: a traceback: {ended.last}")
    expect(
        (trial.folder / "m.cotopics").exists(), f"streams {closed} closed: no model, exit {ended.code}: {ended.last}"
    )


def full_stream(trial: Trial) -> None:
    """The device that results go to is full."""
    words = _words(trial, trial.one_of(READ))

    def call() -> None:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, 1)
        run_main(words)

    ended = Forked(call, Limits(), trial.folder).wait()
    expect(ended.code == 2, f"{words[0]} to a full device: exit {ended.code}: {ended.last}")
    expect("Traceback" not in ended.stderr, f"{words[0]} to a full device: {ended.last}")


def closed_pipe(trial: Trial) -> None:
    """Whoever reads the results has seen enough: `cotopics ... | head -1`."""
    words = _words(trial, trial.one_of(READ))

    def call() -> None:
        ours, theirs = os.pipe()
        os.close(ours)
        os.dup2(theirs, 1)
        run_main(words)

    ended = Forked(call, Limits(), trial.folder).wait()
    expect(ended.code is not None, f"{words[0]} to a closed pipe did not end")
    expect("Traceback" not in ended.stderr, f"{words[0]} to a closed pipe: {ended.last}")


def pipe_as_file(trial: Trial) -> None:
    """A pipe that nobody writes to, or a device, where a file should be: refused at once."""
    fifo = trial.folder / "fifo"
    os.mkfifo(fifo)
    place = str(fifo) if trial.draw.random() < 0.7 else trial.one_of(["/dev/zero", "/dev/null", "/dev/full"])
    os.symlink(place, trial.folder / "link.csv")
    commands = (
        ["fit", "{shared}/d.jsonl", "-k", "3", "-o", place],
        ["fit", "{shared}/d.jsonl", "-k", "3", "--stream", "--statistics", place],
        ["fit", "{shared}/d.jsonl", "--config", place],
        ["topics", "{shared}/words.cotopics", "--tags", place],
        ["topics", place],
        ["report", "{shared}/words.cotopics", "--choice", place, "-o", "{folder}/r.html"],
        ["report", "{shared}/words.cotopics", "-o", place],
        ["transform", place, "{shared}/d.jsonl"],
        ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{folder}/link.csv"],
    )
    ended = cotopics(_words(trial, trial.one_of(commands)), trial.folder, Limits(seconds=15))
    if ended.arguments[0] != "fit" or "--config" in ended.arguments:
        expect(ended.code is not None, f"{' '.join(ended.arguments[:1])} waited for a pipe that nobody writes to")
    check_ended(ended)
    if ended.code == 2 and "fit" in ended.arguments:
        expect(
            "documents, " not in ended.stderr,
            f"fit refused {Path(place).name} only after it had read all documents",
        )


def odd_name(trial: Trial) -> None:
    """Names that are not UTF-8, long, with blanks, quotes, leading dashes and line ends."""
    names = [
        b"caf\xe9.jsonl", b"a b.jsonl", b"'q'.jsonl", b"line\nend.jsonl", b"\xff\xfe.jsonl", b"x" * 240 + b".jsonl",
        "東京.jsonl".encode(), b"-o.jsonl", b"\x1b[31m.jsonl", b"$(touch pwned).jsonl", b"%s.jsonl",
    ]  # fmt: skip
    name = trial.one_of(names)
    path = os.path.join(os.fsencode(trial.folder), name)
    with open(path, "wb") as file:
        file.write((trial.shared / "d.jsonl").read_bytes())
    input = os.fsdecode(path)
    commands = (
        ["fit", input, "-k", "3", "-o", str(trial.folder / "m.cotopics")],
        ["fit", str(trial.shared / "d.jsonl"), "-k", "3", "-o", input + ".cotopics"],
        ["fit", input, "-k", "3", "--stream", "--statistics", str(trial.folder / "s.statistics")],
        ["transform", str(trial.shared / "words.cotopics"), input, "-o", str(trial.folder / "t.csv")],
        ["report", str(trial.shared / "words.cotopics"), input, "-o", str(trial.folder / "r.html")],
        ["topics", input],
    )
    words = trial.one_of(commands)
    ended = cotopics(words, trial.folder)
    check_ended(ended)
    if words[0] != "topics" and len(name) < 200:
        expect(ended.code == 0, f"{words[0]} of a file called {name!r}: {ended.last}")


def damaged_cache(trial: Trial) -> None:
    """Compiled code on disk is cut, empty, changed or cannot be written: it is compiled anew."""
    cache = trial.folder / "cache"
    shutil.copytree(trial.shared / "cache", cache)
    files = sorted(path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc"))
    for path in files if trial.draw.random() < 0.5 else [trial.one_of(files)]:
        content = path.read_bytes()
        damage = trial.one_of(["empty", "cut", "zeros"])
        path.write_bytes({"empty": b"", "cut": content[: len(content) // 2], "zeros": bytes(len(content))}[damage])
    words = _words(trial, ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{folder}/t.csv"])
    ended = _fresh(trial, [sys.executable, "-c", MAIN, *words], cache)
    expect(ended.code == 0, f"transform with damaged compiled code: exit {ended.code}: {ended.last}")
    expect((trial.folder / "t.csv").exists(), "transform with damaged compiled code wrote nothing")


def _fresh(trial: Trial, command: list[str], cache: Path | None = None) -> Ended:
    """A command in an interpreter of its own."""
    where = {"NUMBA_CACHE_DIR": str(trial.shared / "cache" if cache is None else cache)}
    done = subprocess.run(
        command, cwd=trial.folder, env=os.environ | where, capture_output=True, timeout=240, stdin=subprocess.DEVNULL
    )
    stdout, stderr = (said.decode("utf-8", "replace") for said in (done.stdout, done.stderr))
    return Ended(done.returncode, stdout, stderr, 0.0)


AROUND: dict[str, Callable[[Trial], None]] = {
    "pipe": pipe_as_file, "pipe again": pipe_as_file, "name": odd_name, "name again": odd_name,
    "full": full_stream, "closed pipe": closed_pipe, "closed": closed_stream, "cache": damaged_cache,
}  # fmt: skip


def prepare(folder: Path) -> None:
    """With a cache of all compiled code that the commands here need."""
    write_samples(folder)
    for words in (["transform", "words.cotopics", "d.jsonl"], ["fit", "d.jsonl", "-k", "3"]):
        subprocess.run(
            [sys.executable, "-c", MAIN, *words],
            cwd=folder,
            env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")},
            check=True,
            capture_output=True,
        )


def attempt(trial: Trial) -> None:
    AROUND[trial.one_of(AROUND)](trial)


SUITE = Suite(
    "Closed and full streams, pipes and devices in the place of files, names that are not UTF-8 or look like options, "
    "damaged caches of compiled code: the work is done, or exit 2 with one line and without waiting.",
    attempt,
    count=250,
    seconds=260,
    prepare=prepare,
)
