"""Formats of files, one module each: of documents and of counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import scipy.sparse as sp

from cotopics.corpus.files import Bad
from cotopics.corpus.formats.delimited import read_delimited
from cotopics.corpus.formats.document import Document, Fields
from cotopics.corpus.formats.folder import read_folder
from cotopics.corpus.formats.jsonl import read_jsonl
from cotopics.corpus.formats.ldac import LdacFile
from cotopics.corpus.formats.lines import read_lines
from cotopics.corpus.formats.matrix_market import MatrixMarketFile
from cotopics.corpus.formats.npz import NpzFile
from cotopics.corpus.formats.parquet import read_parquet
from cotopics.corpus.formats.uci import UciFile


class ReadDocuments(Protocol):
    """A format of documents. What cannot be used is told to `bad`; what ends the reading is a CorpusError."""

    def __call__(self, path: Path, fields: Fields, *, encoding: str, bad: Bad) -> Iterator[Document]: ...


class CountFile(Protocol):
    """A file of counts, documents × n_words; `words` come from the first file of `vocabulary_names` beside it."""

    path: Path
    n_words: int

    def __init__(self, path: Path, words: list[str] | None = None) -> None: ...

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]: ...

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]: ...


DOCUMENTS: dict[str, ReadDocuments] = {
    ".txt": read_lines,
    ".jsonl": read_jsonl,
    ".csv": partial(read_delimited, delimiter=","),
    ".tsv": partial(read_delimited, delimiter="\t"),
    ".parquet": read_parquet,
    "folder": read_folder,
}
COUNTS: dict[str, type[CountFile]] = {
    ".npz": NpzFile,
    "docword": UciFile,
    ".ldac": LdacFile,
    ".mtx": MatrixMarketFile,
}
ALIASES = {".ndjson": ".jsonl", ".lda-c": ".ldac", ".dat": ".ldac"}
NEVER_PACKED = (".npz", ".parquet", "folder")
