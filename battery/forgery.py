"""Files that cotopics wrote, with values changed and all checksums made anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from battery.suite import Trial
from cotopics import load
from cotopics.cooccur import load_statistics
from cotopics.corpus import load_corpus
from cotopics.persistence import CORPUS, MODEL, STATISTICS, Record, read_record, write_record

KINDS = {".cotopics": MODEL, ".statistics": STATISTICS, ".corpus": CORPUS}
OPEN = {
    ".cotopics": load,
    ".statistics": load_statistics,
    ".corpus": lambda path: load_corpus(path, mmap=False),
}
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    1e308,
    10**30,
    "",
    "\0",
    "x" * 1000,
    [],
    {},
    [[]],
    {"a": {"b": []}},
    "</script>",
    "=1+1",
)
NUMBERS = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 1e-320, 2.0, -1e-9)


def chosen_file(trial: Trial) -> Path:
    return trial.one_of(sorted(path for path in trial.shared.iterdir() if path.suffix in KINDS))


def forged(trial: Trial, chosen: Path) -> Path:
    """The file with some values changed, and right checksums."""
    kind = KINDS[chosen.suffix]
    record = read_record(chosen, kind)
    manifest, arrays = json.loads(json.dumps(record.manifest)), {name: np.array(a) for name, a in record.arrays.items()}
    for _ in range(int(trial.draw.integers(1, 3))):
        if trial.draw.random() < 0.6:
            name = trial.one_of(arrays)
            arrays[name] = changed_array(trial, arrays[name])
        else:
            change_entry(trial, manifest)
    path = trial.folder / chosen.name
    write_record(path, Record(manifest, arrays), kind)
    return path


def changed_array(trial: Trial, array: Any) -> Any:
    draw, change = trial.draw, trial.one_of(ARRAY_CHANGES)
    array = array.copy()
    if change == "dtype":
        with np.errstate(all="ignore"):
            return array.astype(trial.one_of(["f4", "f8", "i4", "i8", "u1", "f2", "?"]))
    if change == "shape":
        return trial.one_of([array[:-1], array[..., None], array.reshape(-1), np.concatenate([array, array])])
    if change == "fill":
        with np.errstate(all="ignore"):
            return np.full_like(array, trial.one_of(NUMBERS[3:] if array.dtype.kind != "f" else NUMBERS))
    if change == "scale" and array.dtype.kind == "f":
        return array * trial.one_of([-1, 0.5, 1e-300, 1e300, 1e30])
    if change == "row" and array.ndim == 2 and array.size:
        array[draw.integers(len(array))] = (
            trial.one_of(NUMBERS) if array.dtype.kind == "f" else (-1 if array.dtype.kind == "i" else 1)
        )
        return array
    if array.size:
        flat = array.reshape(-1)
        wrong = trial.one_of(NUMBERS) if array.dtype.kind == "f" else int(trial.one_of([0, 1, 100, 127]))
        flat[draw.integers(flat.size)] = wrong
        if array.dtype.kind == "i" and draw.random() < 0.5:
            flat[draw.integers(flat.size)] = trial.one_of([-1, np.iinfo(array.dtype).max])
    return array


ARRAY_CHANGES = ("value", "value", "value", "row", "fill", "scale", "dtype", "shape")


def change_entry(trial: Trial, entries: Any) -> None:
    """Another value somewhere in the manifest, at any depth."""
    keys = list(entries) if isinstance(entries, dict) else list(range(len(entries)))
    if not keys:
        return
    key = trial.one_of(keys)
    inside = entries[key]
    if isinstance(inside, dict | list) and inside and trial.draw.random() < 0.8:
        change_entry(trial, inside)
    elif trial.draw.random() < 0.15 and isinstance(entries, dict):
        del entries[key]
    elif key == "token_pattern" and trial.draw.random() < 0.7:
        entries[key] = trial.one_of(["(?:[a-z ]+)*#", "(a|a)*$", "(", "(?:q+)+z", "", ".*", "(\\w+\\s?)*!"])
    elif key in ("n_columns", "n_words", "n_used", "max_iter") and trial.draw.random() < 0.5:
        entries[key] = trial.one_of([10**6, 10**9, 1, 2**63])
    else:
        entries[key] = trial.one_of(ODD)
