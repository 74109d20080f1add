"""Good files of every kind that cotopics reads, small: what the other suites damage."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.warm import planted

WORDS = [f"q{a}{b}" for a in "abcdefgh" for b in "mnopq"]
COUNTS = planted(np.random.default_rng(3), 80, len(WORDS), 4, 60)
TEXTS = [" ".join(np.repeat(WORDS, row)) for row in COUNTS]
ROWS = [
    {"id": f"d{i}", "text": text, "label": f"group {i % 3}", "date": f"2020-01-{1 + i % 28:02}"}
    for i, text in enumerate(TEXTS)
]
PACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def _table(delimiter: str) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    return file.getvalue().encode()


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), file, row_group_size=30)
    return file.getvalue()


def _npz(X: Any = None) -> bytes:
    file = io.BytesIO()
    sp.save_npz(file, sp.csr_array(COUNTS if X is None else X))
    return file.getvalue()


def _entries() -> list[str]:
    return [f"{d + 1} {w + 1} {COUNTS[d, w]}" for d, w in np.argwhere(COUNTS)]


def _uci() -> bytes:
    lines = _entries()
    return "\n".join([*map(str, (*COUNTS.shape, len(lines))), *lines, ""]).encode()


def _ldac() -> bytes:
    pairs = [[f"{w}:{row[w]}" for w in np.flatnonzero(row)] for row in COUNTS]
    return "".join(f"{' '.join([str(len(line)), *line])}\n" for line in pairs).encode()


def _mtx() -> bytes:
    lines = _entries()
    head = ["%%MatrixMarket matrix coordinate integer general", f"{COUNTS.shape[0]} {COUNTS.shape[1]} {len(lines)}"]
    return "\n".join([*head, *lines, ""]).encode()


PLAIN: dict[str, Callable[[], bytes]] = {  # name of the file → what makes its bytes
    "d.txt": lambda: "\n".join(TEXTS).encode(),
    "d.jsonl": lambda: "\n".join(map(json.dumps, ROWS)).encode(),
    "d.csv": lambda: _table(","),
    "d.tsv": lambda: _table("\t"),
    "d.parquet": _parquet,
    "d.npz": _npz,
    "docword.d.txt": _uci,
    "d.ldac": _ldac,
    "d.mtx": _mtx,
}
PACKED = ("d.txt", "d.jsonl", "d.csv", "docword.d.txt", "d.mtx")


def documents() -> dict[str, bytes]:
    """Name → content of a good file in every format, plain and packed."""
    plain = {name: make() for name, make in PLAIN.items()}
    return plain | {f"{name}{end}": pack(plain[name]) for name in PACKED for end, pack in PACK.items()}


def write_samples(folder: Path) -> None:
    """All of these, `vocab.txt`, and a model, statistics and a corpus of the same documents."""
    from cotopics import AnchorFree, AnchorWords, TopicModel
    from cotopics.corpus import read_corpus, save_corpus

    for name, content in documents().items():
        (folder / name).write_bytes(content)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    corpus = read_corpus(folder / "d.jsonl", min_documents=1)
    save_corpus(corpus, folder / "d.corpus")
    X, words = corpus.counts, corpus.vocabulary
    provenance = {"input": "d.jsonl", "notes": [], "preparation": _preparation()}
    models = {
        "words": AnchorWords(4),
        "free": AnchorFree(4),
        "recipe": TopicModel(4),
        "sums": AnchorWords(3, representation="sketch", rectifier="enn"),
    }
    for name, model in models.items():
        model.fit(X, feature_names=words)
        model.provenance_ = provenance
        model.save(folder / f"{name}.cotopics", statistics=name in ("words", "sums"))
    for name in ("words", "sums"):
        sums: Any = models[name]._statistics
        sums.save(folder / f"{name}.statistics", words, provenance)


def _preparation() -> Any:
    from cotopics.corpus import Preparation

    return Preparation(stop_words=None).to_json()
