"""Files that cotopics wrote: damaged, or with values changed and all checksums made anew."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.commands import check_ended, cotopics
from battery.harness import describe
from battery.mutate import mutated
from battery.promises import check_mixtures, check_model, check_stochastic, own_warnings, result_or_clear_error
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect
from cotopics import AnchorWords, load
from cotopics.cooccur import load_statistics
from cotopics.corpus import load_corpus
from cotopics.errors import ModelFileError
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


def _chosen(trial: Trial) -> Path:
    return trial.one_of(sorted(path for path in trial.shared.iterdir() if path.suffix in KINDS))


def attempt_damage(trial: Trial) -> None:
    """Every change of bytes is noticed."""
    chosen, other = _chosen(trial), _chosen(trial)
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
        array[draw.integers(len(array))] = trial.one_of(NUMBERS) if array.dtype.kind == "f" else -1
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


def attempt_forged(trial: Trial) -> None:
    """Whatever `load` takes can be used to the end."""
    path = forged(trial, _chosen(trial))
    with own_warnings():
        try:
            found = OPEN[path.suffix](path)
        except ModelFileError:
            return
        except Exception as error:
            expect(False, f"opening a forged {path.suffix}: {describe(error)}")
    USE[path.suffix](trial, found)


def _use_model(trial: Trial, model: Any) -> None:
    X = sp.csr_array(trial.draw.poisson(0.5, (6, model.n_features_in_)))
    check_model(model)
    check_mixtures(model, X)
    result_or_clear_error(lambda: model.report(trial.folder / "r.html"))
    if getattr(model, "_statistics", None) is not None and hasattr(model, "partial_fit"):
        result_or_clear_error(lambda: _add(model, X))


def _add(model: Any, X: Any) -> None:
    model.partial_fit(X).components_  # noqa: B018 - the fit happens here


def _use_statistics(trial: Trial, statistics: Any) -> None:
    sums = statistics.sums
    n_words = len(sums._frequency)
    fitted = result_or_clear_error(lambda: AnchorWords(2, rectifier="enn").fit_cooccurrence(sums.finish()))
    if fitted is not None:
        check_model(fitted)
    result_or_clear_error(lambda: sums.update(sp.csr_array(trial.draw.poisson(0.5, (4, n_words)))).finish() and None)


def _use_corpus(trial: Trial, corpus: Any) -> None:
    fitted = result_or_clear_error(lambda: AnchorWords(2).fit(corpus.counts, feature_names=corpus.vocabulary))
    if fitted is not None:
        check_model(fitted)
        check_mixtures(fitted, corpus.counts)


USE = {".cotopics": _use_model, ".statistics": _use_statistics, ".corpus": _use_corpus}
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


def attempt_forged_commands(trial: Trial) -> None:
    bad = forged(trial, _chosen(trial))
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


DAMAGE = Suite(
    "Model, statistics and corpus files with bits flipped, cut, doubled and spliced: all of it is noticed, and the "
    "error names the file.",
    attempt_damage,
    count=6000,
    seconds=20,
    prepare=write_samples,
)
FORGED = Suite(
    "The same files with values, types, shapes and notes changed and all checksums made anew: refused, or everything "
    "works that a user can do with them (all methods of transform, report, partial_fit).",
    attempt_forged,
    count=3000,
    seconds=20,
    prepare=write_samples,
)
FORGED_COMMANDS = Suite(
    "Forged files through every command that opens one, with limits of time and memory: exit 0, or exit 2 with "
    "one line.",
    attempt_forged_commands,
    count=1500,
    seconds=60,
    prepare=write_samples,
)
