"""Standard streams that whoever started the command has closed, as in `cotopics fit ... 2>&-`."""

from __future__ import annotations

import os
import sys
from typing import Any

from cotopics.cli.display import InputProblem

_nobody_reads: Any = None  # what stands for a closed stdout


def open_streams() -> None:
    """Send what goes to a closed stream nowhere. Its number is taken, or the next file that is opened would get it,
    and with it what libraries print."""
    global _nobody_reads
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    if sys.stdout is None:
        sys.stdout = _nobody_reads = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def need_stdout(remedy: str) -> None:
    """Say now, not after the work, that nobody will see a result that goes to stdout alone."""
    if _nobody_reads is not None and sys.stdout is _nobody_reads:
        raise InputProblem(f"standard output is closed, and the result goes there; {remedy}")
