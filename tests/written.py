"""Small corpora, written in every format that is read and packed in every way."""

import bz2
import csv
import gzip
import io
import json
import lzma

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp
import zstandard

from cotopics.corpus import Document

PACK = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}

DOCUMENTS = [
    Document("Ein Café in 東京, naïve", "d1", "x", "2020-01-02", {"page": "7"}),
    Document('two\nlines, "quoted";\ttab, café', "ä/2", "ü, y", "1999", {"page": "8"}),
    Document("", "d3", None, None, {"page": None}),
    Document("café 東京 \u2028 🦊 lines", None, "x", "2021-12-31T10:00:00", {"page": "9"}),
]

COUNTS = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 12], [1, 1, 1, 0], [0, 0, 0, 700]])
WORDS = ["東京", "café", "two words", "d"]


def row(document):
    about = {"id": document.id, "label": document.label, "date": document.date}
    return {"text": document.text, **about, **document.metadata}


def as_table(documents, delimiter):
    file = io.StringIO()
    names = ["id", "text", "label", "date", *documents[0].metadata]
    writer = csv.DictWriter(file, names, delimiter=delimiter, extrasaction="raise")
    writer.writeheader()
    writer.writerows(map(row, documents))
    return file.getvalue()


def write_file(text):
    """What writes `text(documents)` to a packed file with a suffix."""

    def write(folder, documents, suffix, packing):
        path = folder / f"made{suffix}{packing}"
        path.write_bytes(PACK[packing](text(documents).encode()))
        return path, documents

    return write


def write_lines(folder, documents, suffix, packing):
    texts = [" ".join(document.text.split()) for document in documents]
    path = folder / f"made.txt{packing}"
    path.write_bytes(PACK[packing]("\r\n".join(["\ufeff" + texts[0], *texts[1:], ""]).encode()))
    return path, [Document(text) for text in texts if text]


def write_folder(folder, documents, suffix, packing):
    root = folder / "made"
    found = []
    for i, document in enumerate(documents):
        label = f"label {i % 2}" if i else None
        name = f"{i}.txt{packing}"
        path = root / label / name if label else root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PACK[packing](document.text.encode()))
        found.append(Document(document.text, path.relative_to(root).as_posix(), label))
    (root / ".hidden.txt").write_text("hidden")
    (root / "notes.md").write_text("no document")
    return root, sorted(found, key=lambda document: document.id)


def write_parquet(folder, documents, suffix, packing):
    columns = {name: [row(document)[name] for document in documents] for name in row(documents[0])}
    pq.write_table(pa.table(columns | {"other": range(len(documents))}), folder / "made.parquet", row_group_size=2)
    return folder / "made.parquet", documents


DOCUMENT_WRITERS = {
    ".txt": write_lines,
    ".jsonl": write_file(lambda documents: "\n".join(json.dumps(row(d), ensure_ascii=False) for d in documents)),
    ".csv": write_file(lambda documents: as_table(documents, ",")),
    ".tsv": write_file(lambda documents: "\ufeff" + as_table(documents, "\t")),
    ".parquet": write_parquet,
    "folder": write_folder,
}


def uci_text(counts):
    lines = [f"{d + 1} {w + 1} {counts[d, w]}" for d, w in np.argwhere(counts)]
    return "\n".join([*map(str, (*counts.shape, len(lines))), *lines, ""])


def ldac_text(counts):
    pairs = [[f"{w}:{row[w]}" for w in np.flatnonzero(row)] for row in counts]
    return "".join(f"{' '.join([str(len(line)), *line])}\n" for line in pairs)


def mtx_text(counts, kind="integer", order="C"):
    entries = np.argwhere(counts) if order == "C" else np.argwhere(counts.T)[:, ::-1]
    value = {"integer": str, "real": lambda count: f"{count}.0e+00", "pattern": lambda count: ""}[kind]
    lines = [f"{i + 1} {j + 1} {value(counts[i, j])}".strip() for i, j in entries]
    size = f"{counts.shape[0]} {counts.shape[1]} {len(lines)}"
    return "\n".join([f"%%MatrixMarket matrix coordinate {kind} general", "% a comment", size, *lines, ""])


def write_counts(name, text, vocabulary):
    """What writes `text(counts)` to a packed file called `name`, and the words to one called `vocabulary`."""

    def write(folder, counts, words, packing):
        (folder / vocabulary).write_text("\n".join(words), encoding="utf-8")
        path = folder / f"{name}{packing}"
        path.write_bytes(PACK[packing](text(counts).encode()))
        return path

    return write


def write_npz(folder, counts, words, packing):
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    sp.save_npz(folder / "made.npz", sp.csr_array(counts))
    return folder / "made.npz"


COUNT_WRITERS = {
    ".npz": write_npz,
    "docword": write_counts("docword.made.txt", uci_text, "vocab.made.txt"),
    ".ldac": write_counts("made.ldac", ldac_text, "vocab.txt"),
    ".mtx": write_counts("made.mtx", mtx_text, "made.vocab"),
}
