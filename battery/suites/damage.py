"""Files that cotopics wrote, with bytes changed: all of it is noticed."""

from __future__ import annotations

from battery.forgery import OPEN, chosen_file
from battery.harness import describe
from battery.mutate import mutated
from battery.promises import own_warnings
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect
from cotopics.errors import ModelFileError


def attempt(trial: Trial) -> None:
    """Every change of bytes is noticed."""
    chosen, other = chosen_file(trial), chosen_file(trial)
    whole = chosen.read_bytes()
    bad = mutated(trial, whole, other.read_bytes() if trial.draw.random() < 0.3 else b"")
    if bad == whole:
        return
    path = trial.folder / chosen.name
    path.write_bytes(bad)
    with own_warnings():
        try:
            OPEN[path.suffix](path)
        except ModelFileError as error:
            expect(str(path) in str(error), f"{path.name}: the error does not name the file: {error}")
            return
        except Exception as error:
            expect(False, f"{path.name}: {describe(error)}")
    expect(bad == other.read_bytes(), f"{path.name}: damage was not noticed")  # cut down to another whole file


SUITE = Suite(
    "Model, statistics and corpus files with bits flipped, cut, doubled and spliced: all of it is noticed, and the "
    "error names the file.",
    attempt,
    count=6000,
    seconds=20,
    prepare=write_samples,
)
