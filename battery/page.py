"""docs/battery.md, written from what a run of all suites found."""

from __future__ import annotations

import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

from battery.harness import Result
from battery.suites import SUITES

ROOT = Path(__file__).parents[1]
MOST_KINDS = 5  # of failures that the page names for a suite
PATH = ROOT / "docs" / "battery.md"
START = """# The battery

<!-- Written by `python -m battery --write`: change battery/page.py, not this file. -->

Bad inputs, damaged files, kills, full disks and hostile texts, thousands of them, tried from outside. What is promised
is tried: a result is right, or an error says in one line what is wrong. Quick versions of all of this are among the
tests.

```sh
make battery                                       # all suites, about 30 minutes on 2 cores
make battery ARGUMENTS="kills disks --scale 3"     # some of them, with three times as many inputs
.venv/bin/python -m battery counts --seed 7        # other inputs; each is known by its suite, the seed and its number
.venv/bin/python -m battery counts --only 63       # the one input of this number again
.venv/bin/python -m battery --write                # all suites, and this page
```

It prints this table and, for each input that failed, a line with what happened and one with the command that tries it
again; the exit code is then 1. An input also fails if the process dies, takes too long or takes too much memory, and if
a warning is shown that is not ours. A suite is one file in
`battery/suites`, and `battery/suites/__init__.py` is the only list of them.
"""


def write(results: list[Result], seed: int) -> None:
    PATH.write_text(page(results, seed, commit(), machine()), encoding="utf-8")


def page(results: list[Result], seed: int, commit: str, machine: str) -> str:
    """The text of the page."""
    tried, failed = sum(result.tried for result in results), sum(len(result.failed) for result in results)
    minutes = sum(result.seconds for result in results) / 60
    kills = next((result.tried for result in results if result.name == "kills"), 0)
    lines = [
        START,
        "## The last result\n",
        f"{tried:,} inputs, {kills:,} kills among them; {failed:,} failed. Seed {seed}, {minutes:.0f} minutes, commit "
        f"{commit}, {machine}.\n",
        "| suite | tried | failed | seconds | what it does |",
        "|---|--:|--:|--:|---|",
    ]
    for result in results:
        about = SUITES[result.name].about + (f" Skipped: {result.skipped}." if result.skipped else "")
        lines.append(f"| {result.name} | {result.tried:,} | {len(result.failed)} | {result.seconds:.0f} | {about} |")
    messages = [f"- {result.name}: {message}" for result in results for message in _kinds(result)]
    if messages:
        lines += ["\n## What failed\n", *messages]
    return "\n".join(lines) + "\n"


def _kinds(result: Result) -> list[str]:
    """Messages that differ in more than their numbers, the most frequent first, each with an input that shows it."""
    found: dict[str, list[int]] = {}
    for number, message in sorted(result.failed.items()):
        found.setdefault(re.sub(r"[-+.\de]*\d", "0", message), []).append(number)
    frequent = sorted(found.values(), key=len, reverse=True)
    lines = []
    for numbers in frequent[:MOST_KINDS]:
        message = result.failed[numbers[0]].replace("`", "'").replace(str(ROOT), "")
        lines.append(f"`{message}` ({len(numbers)} times, such as --only {numbers[0]})")
    left = sum(map(len, frequent[MOST_KINDS:]))
    return [*lines, *([f"and {left} of other kinds"] if left else [])]


def commit() -> str:
    """Of the code that was tried; what is not committed is said."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def machine() -> str:
    names = [line.split(":", 1)[1].strip() for line in _cpu_lines() if line.startswith("model name")]
    cpu = " ".join(names[0].split()[:2]) if names else platform.machine()
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba"))
    return f"{cpu}, {len(names) or '?'} cores, Python {platform.python_version()}, {versions}"


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
