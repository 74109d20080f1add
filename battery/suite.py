"""What a suite is: a way to try one input, which raises a Fault where a promise is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


class Fault(Exception):
    """A promise that was broken, in one line."""


def nothing(folder: Path) -> None:
    """Some suites share no files."""


@dataclass(frozen=True)
class Trial:
    """One input: its own random numbers, an empty folder that is removed afterwards, and what the suite prepared."""

    draw: np.random.Generator
    folder: Path
    shared: Path
    number: int

    def one_of(self, choices: Iterable[Any]) -> Any:
        """Any of them, equally likely."""
        choices = list(choices)
        return choices[int(self.draw.integers(len(choices)))]


@dataclass(frozen=True)
class Suite:
    """`attempt` tries one input; `prepare` writes what all inputs share; `missing` says why it cannot run here."""

    about: str
    attempt: Callable[[Trial], None]
    count: int
    seconds: float = 60  # the most that one input may take
    prepare: Callable[[Path], None] = nothing
    missing: Callable[[], str | None] = lambda: None


def expect(holds: object, message: str) -> None:
    """A Fault unless `holds`."""
    if not holds:
        raise Fault(message)
