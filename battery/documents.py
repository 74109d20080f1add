"""Damaged files of documents and counts, through the readers in this process and through the commands."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.commands import check_ended, cotopics
from battery.harness import describe
from battery.mutate import mutated
from battery.promises import own_warnings
from battery.samples import COUNTS, PACK, TEXTS, WORDS, write_samples
from battery.suite import Suite, Trial, expect
from cotopics.corpus import open_stream, read_corpus
from cotopics.errors import CotopicsError

NOT_DOCUMENTS = (".cotopics", ".statistics", "vocab.txt")


def damaged(trial: Trial) -> Path:
    """A file with damage in the trial's folder, and whole words beside it."""
    (trial.folder / "vocab.txt").write_bytes((trial.shared / "vocab.txt").read_bytes())
    if trial.draw.random() < 0.15:
        name, content = STRANGE[trial.one_of(STRANGE)](trial)
        path = trial.folder / name
        path.write_bytes(content)
        return path
    good = sorted(path for path in trial.shared.iterdir() if not path.name.endswith(NOT_DOCUMENTS))
    chosen, other = trial.one_of(good), trial.one_of(good)
    content = chosen.read_bytes()
    packing = next((end for end in PACK if chosen.name.endswith(end)), None)
    if packing and trial.draw.random() < 0.6:  # damage inside a whole archive
        plain = trial.shared / chosen.name.removesuffix(packing)
        content = PACK[packing](mutated(trial, plain.read_bytes()))
    else:
        content = mutated(trial, content, other.read_bytes() if trial.draw.random() < 0.3 else b"")
    name = chosen.name if trial.draw.random() < 0.95 else other.name  # under the name of another kind
    path = trial.folder / name
    path.write_bytes(content)
    return path


def _deep(trial: Trial) -> tuple[str, bytes]:
    depth = int(10 ** trial.draw.uniform(1, 5))
    field = trial.one_of(["text", "label", "id", "date", "other"])
    start, end = trial.one_of([("[", "]"), ('{"a":', "}")])
    lines = [json.dumps({"text": text}) for text in TEXTS]
    lines[3] = f'{{"text": "qam qan", "{field}": {start * depth}1{end * depth}}}'
    return "d.jsonl", "\n".join(lines).encode()


def _types(trial: Trial) -> tuple[str, bytes]:
    values: tuple[Any, ...] = (
        1,
        1.5,
        None,
        True,
        [],
        {},
        [1],
        ["qam", "qan"],
        "",
        " ",
        "\0",
        10**400,
        "\ud800",
        [None],
        {"a": [1]},
    )
    rows: list[dict[str, Any]] = [{"text": text, "label": "a", "id": str(i)} for i, text in enumerate(TEXTS)]
    for _ in range(int(trial.draw.integers(1, 4))):
        rows[int(trial.draw.integers(len(rows)))][trial.one_of(["text", "label", "id", "date"])] = trial.one_of(values)
    return "d.jsonl", "\n".join(map(json.dumps, rows)).encode()


def _npz(trial: Trial) -> tuple[str, bytes]:
    X = sp.csr_array(COUNTS)
    arrays: dict[str, Any] = {
        "data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape), "format": b"csr",
    }  # fmt: skip
    name = trial.one_of(["data", "data", "indices", "indptr", "shape", "format"])
    value = np.asarray(arrays[name])
    dtype = trial.one_of(["f2", "f4", "f8", "i1", "u1", "i8", "u8", "?", "c16", "M8[s]", "S3", "U3", ">f8", ">i4"])
    change = trial.one_of(["dtype", "dtype", "value", "short", "shape"])
    if change == "dtype" and name != "format":
        arrays[name] = value.astype(dtype)
    elif change == "value" and value.ndim:
        arrays[name] = value.astype("i8")
        arrays[name][int(trial.draw.integers(len(value)))] = trial.one_of([-1, 2**31, 2**62, 10**6, 0])
    elif change == "short" and value.ndim:
        arrays[name] = value[:-1]
    else:
        arrays[name] = np.array([[value]])
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return "d.npz", file.getvalue()


def _parquet(trial: Trial) -> tuple[str, bytes]:
    """Small files that say they are large, and columns of other types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = int(10 ** trial.draw.uniform(1, 6))
    columns = {
        "nulls": lambda: pa.nulls(n * 10, pa.string()),
        "repeated": lambda: pa.array(["qam qan qao " * 30] * n).dictionary_encode(),
        "lists": lambda: pa.array([["qam", "qan"]] * 100 + [None]),
        "numbers": lambda: pa.array(range(100)),
        "bytes": lambda: pa.array([b"qam qan"] * 100),
        "large texts": lambda: pa.array(TEXTS, pa.large_string()),
        "views": lambda: pa.array(TEXTS, pa.string_view()),
        "structures": lambda: pa.array([{"a": 1}] * 100),
        "decimals": lambda: pa.array([1, 2, 3], pa.decimal128(5)),
    }
    table = pa.table({"text": columns[trial.one_of(columns)]()})
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return "d.parquet", file.getvalue()


def _bomb(trial: Trial) -> tuple[str, bytes]:
    size = int(trial.draw.integers(1, 5)) << 20
    content = trial.one_of([b"qam qan\n", b"\0", b"a", b"\n", b'{"text": "qam"}\n', b"1 1 1\n"])
    name = trial.one_of(["d.txt", "d.jsonl", "d.csv", "d.mtx", "docword.d.txt"])
    return f"{name}.gz", gzip.compress(content * (size // len(content)), 1)


def _claims(trial: Trial) -> tuple[str, bytes]:
    """Headers that promise what is not there."""
    n, v, m = (int(10 ** trial.draw.uniform(0, 18)) for _ in range(3))
    if trial.draw.random() < 0.5:
        return "d.mtx", f"%%MatrixMarket matrix coordinate integer general\n{n} {v} {m}\n1 1 1\n2 2 2\n".encode()
    return "docword.d.txt", f"{n}\n{v}\n{m}\n1 1 1\n2 2 2\n".encode()


def _words(trial: Trial) -> tuple[str, bytes]:
    """Whole counts with a damaged list of words beside them."""
    beside = mutated(trial, "\n".join(WORDS).encode())
    (trial.folder / "vocab.txt").write_bytes(beside)
    return "d.npz", (trial.shared / "d.npz").read_bytes()


STRANGE = {
    "deep": _deep, "types": _types, "npz": _npz, "parquet": _parquet, "bomb": _bomb, "claims": _claims, "words": _words,
}  # fmt: skip


def attempt_readers(trial: Trial) -> None:
    path = damaged(trial)
    options = {"on_error": trial.one_of(["raise", "skip"]), "min_documents": 1}
    with own_warnings():
        try:
            if trial.draw.random() < 0.7:
                counts = read_corpus(path, **options).counts
                found = [counts]
            else:
                options.pop("min_documents")
                found = list(open_stream(path, chunk_documents=50, **options))
        except CotopicsError as error:
            is_named = path.name in str(error) or "vocab" in str(error)
            expect(
                is_named or " hold " in str(error), f"{path.name}: the error does not name it: {error}"
            )  # too few words
            return
        except Exception as error:
            expect(False, f"{path.name}: {describe(error)}")
    for counts in found:
        data = np.asarray(counts.data, dtype=float)
        expect(np.isfinite(data).all() and (data >= 0).all(), f"{path.name}: counts that are not")
        within = counts.nnz == 0 or (counts.indices.min() >= 0 and counts.indices.max() < counts.shape[1])
        expect(within, f"{path.name}: words out of range")


COMMANDS = (
    ["fit", "{bad}", "-k", "3", "--min-documents", "1", "-o", "{folder}/new.cotopics"],
    ["fit", "{bad}", "-k", "2", "--method", "anchor-words"],
    ["fit", "{bad}", "-k", "2", "--method", "anchor-free", "--on-error", "skip"],
    ["fit", "{bad}", "--method", "top"],
    ["fit", "{bad}", "-k", "3", "--stream", "--statistics", "{folder}/new.statistics"],
    ["fit", "{bad}", "-k", "3", "--stream", "--statistics", "{sums}"],
    ["forget", "{sums}", "{bad}"],
    ["transform", "{shared}/recipe.cotopics", "{bad}", "-o", "{folder}/new.csv"],
    ["transform", "{shared}/words.cotopics", "{bad}", "--method", "nnls"],
    ["evaluate", "{shared}/words.cotopics", "{bad}"],
    ["export", "{shared}/free.cotopics", "{bad}", "--to", "pyldavis", "-o", "{folder}/new.json"],
    ["report", "{shared}/recipe.cotopics", "{bad}", "-o", "{folder}/new.html"],
    ["choose", "{bad}"],
)


def attempt_commands(trial: Trial) -> None:
    bad, sums = damaged(trial), trial.folder / "s.statistics"
    sums.write_bytes((trial.shared / "sums.statistics").read_bytes())
    names = {"bad": bad, "folder": trial.folder, "shared": trial.shared, "sums": sums}
    command = trial.one_of(COMMANDS)
    before = sums.read_bytes()
    ended = cotopics([word.format(**names) for word in command], trial.folder)
    check_ended(ended)
    new = [path.name for path in trial.folder.iterdir() if path.name.startswith("new.") or path.name.endswith(".part")]
    if ended.code == 2:
        expect(not new, f"{command[0]} failed and left {new}")
        expect(sums.read_bytes() == before, f"{command[0]} failed and changed the statistics")
    else:
        for path in trial.folder.glob("new.*"):
            check_written(path)


def check_written(path: Path) -> None:
    """What a command wrote can be read, and has no number that is none."""
    import cotopics as library
    from cotopics.cooccur import load_statistics

    if path.suffix == ".cotopics":
        library.load(path)
    elif path.suffix == ".statistics":
        load_statistics(path)
    elif path.suffix == ".csv":
        cells = [cell.lower() for line in path.read_text("utf-8").splitlines()[1:] for cell in line.split(",")[-3:]]
        expect(not {"nan", "inf", "-inf", ""} & set(cells), f"{path.name} has empty or infinite shares")
    elif path.suffix == ".json":
        json.loads(path.read_text("utf-8"), parse_constant=lambda name: expect(False, f"{path.name} has {name}"))


READERS = Suite(
    "Mutated files of documents and counts (txt, jsonl, csv, tsv, parquet, npz, mtx, UCI, lda-c, corpus; plain, gz, "
    "bz2, xz), bombs, false sizes and deep nesting through read_corpus and open_stream: a CorpusError that names the "
    "file, or valid counts.",
    attempt_readers,
    count=8000,
    seconds=60,
    prepare=write_samples,
)
COMMANDS_SUITE = Suite(
    "The same files through fit (all methods, streams), forget, transform, evaluate, export, report and choose, each "
    "in a process with limits of time and memory: exit 0, or exit 2 with one clear line and nothing written.",
    attempt_commands,
    count=3000,
    seconds=60,
    prepare=write_samples,
)
