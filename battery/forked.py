"""The `cotopics` command in a forked process that has imported everything, with limits of time, memory and files."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from battery.suite import expect

MEMORY = 3 << 30  # bytes of address space that a command may take beyond what it starts with
FILTERS = list(warnings.filters)  # as a user has them
CRASHED = 70  # exit code for an exception that nobody caught


@dataclass(frozen=True)
class Limits:
    """Of one command; None for none."""

    seconds: float = 20
    memory: int | None = MEMORY
    file_size: int | None = None


USUAL = Limits()


@dataclass(frozen=True)
class Ended:
    """How a process ended: exit code (below zero: minus the signal; None: it was still running), and what it said."""

    code: int | None
    stdout: str
    stderr: str
    seconds: float
    arguments: Sequence[str] = field(default_factory=tuple)

    @property
    def last(self) -> str:
        return " ".join((self.stderr.strip().splitlines() or [""])[-1].split())


class Forked:
    """A function in a process of its own; what it says comes back through pipes, which no limit on files holds for."""

    def __init__(self, call: Callable[[], Any], limits: Limits = USUAL, cwd: Path | None = None) -> None:
        self._began, self._limits = time.monotonic(), limits
        pipes = [os.pipe(), os.pipe()]
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(self._child(call, [theirs for _, theirs in pipes], cwd))
        for _, theirs in pipes:
            os.close(theirs)
        self._ours = [ours for ours, _ in pipes]
        self._watch = os.pidfd_open(self.pid)

    def wait(self) -> Ended:
        """Until it ends, or its time is over."""
        said: dict[int, list[bytes]] = {ours: [] for ours in self._ours}
        reading, in_time = [self._watch, *self._ours], True
        while self._watch in reading:
            left = self._limits.seconds - (time.monotonic() - self._began)
            ready, _, _ = select.select(reading, [], [], max(left, 0))
            if not ready:
                self.kill()
                in_time, ready = False, [self._watch]
            for number in ready:
                if number == self._watch or not self._take(number, said):
                    reading.remove(number)
        _, status = os.waitpid(self.pid, 0)
        for ours in self._ours:  # what was said last
            while ours in reading and select.select([ours], [], [], 0)[0] and self._take(ours, said):
                pass
        for number in (self._watch, *self._ours):
            os.close(number)
        stdout, stderr = (b"".join(said[ours]).decode("utf-8", "replace") for ours in self._ours)
        code = os.waitstatus_to_exitcode(status) if in_time else None
        return Ended(code, stdout, stderr, time.monotonic() - self._began)

    def _take(self, number: int, said: dict[int, list[bytes]]) -> bool:
        """Whether there was more."""
        more = os.read(number, 1 << 16)
        said[number].append(more)
        return bool(more)

    def kill(self, number: int = signal.SIGKILL) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def _child(self, call: Callable[[], Any], pipes: list[int], cwd: Path | None) -> int:
        try:
            for number, pipe in zip((1, 2), pipes, strict=True):
                os.dup2(pipe, number)
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            sys.stdin, sys.stdout, sys.stderr = (
                open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115 - for all of its life
                for number, mode, errors in ((0, "r", None), (1, "w", None), (2, "w", "backslashreplace"))
            )
            if cwd is not None:
                os.chdir(cwd)
            _limit(self._limits)
            warnings.filters[:] = FILTERS  # type: ignore[index]
            call()
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0 if leaving.code is None else 1
        except BaseException:
            traceback.print_exc()
            code = CRASHED
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                code = code or CRASHED
        return code


def start(arguments: Sequence[Any], folder: Path, limits: Limits = USUAL) -> Forked:
    """Start `cotopics ARGUMENTS` in a folder."""
    words = [str(argument) for argument in arguments]
    return Forked(lambda: run_main(words), limits, folder)


def run_main(words: list[str]) -> None:
    from cotopics.cli.main import main

    sys.argv = ["cotopics", *words]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # not before somebody can tell the user of it
    try:
        main(words, prog_name="cotopics")
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what comes now is of no concern to the command


def cotopics(arguments: Sequence[Any], folder: Path, limits: Limits = USUAL) -> Ended:
    """Run `cotopics ARGUMENTS` to its end."""
    ended = start(arguments, folder, limits).wait()
    return Ended(ended.code, ended.stdout, ended.stderr, ended.seconds, [str(argument) for argument in arguments])


def check_ended(ended: Ended, *, memory_may_end: bool = False, notes: bool = False) -> None:
    """Exit 0, or exit 2 with one clear line."""
    what = " ".join(Path(word).name if word.startswith("/") else word for word in ended.arguments[:6])
    expect(ended.code is not None, f"{what}: did not end within {ended.seconds:.0f} s")
    crashed = (ended.code or 0) < 0
    expect(not crashed, f"{what}: killed by {signal.Signals(-ended.code).name if crashed else ''}")  # type: ignore[operator]
    expect("Traceback" not in ended.stderr, f"{what}: a traceback: {ended.last} {_place(ended.stderr)}")
    expect(ended.code in (0, 2), f"{what}: exit {ended.code}: {ended.last}")
    expect("\x1b" not in ended.stderr, f"{what}: an escape sequence in its messages")
    if ended.code == 2:
        lines = [line for line in ended.stderr.splitlines() if line.startswith("cotopics: ")]
        expect(
            len(lines) == 1 and len(lines[0]) > 20, f"{what}: exit 2 without one clear line: {ended.stderr[-120:]!r}"
        )
        short = "not enough memory" in lines[0]
        expect(memory_may_end or not short, f"{what}: took more than {MEMORY >> 30} GiB for a small file")
    if ended.code == 0 and not notes:
        expect(not re.search(r"\b(Runtime|Deprecation|Future)Warning\b", ended.stderr), f"{what}: {ended.last}")
        numbers = re.search(r"(^|[,\s])(nan|inf|-inf|NaN)([,\s]|$)", ended.stdout)
        expect(not numbers, f"{what}: printed a number that is none")


def _place(text: str) -> str:
    """The last line of ours in a traceback."""
    places = re.findall(r'cotopics/([\w/]+\.py)", line (\d+)', text)
    return f"at {places[-1][0]}:{places[-1][1]}" if places else ""


def _limit(limits: Limits) -> None:
    if limits.memory is not None:
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + limits.memory,) * 2)
    if limits.file_size is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as for a disk: an error, and no signal
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_size,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
