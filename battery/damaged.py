"""Damaged files of documents and counts: what readers and commands are given."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.mutate import mutated
from battery.samples import COUNTS, PACK, TEXTS, WORDS
from battery.suite import Trial

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
