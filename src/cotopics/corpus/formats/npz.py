"""Counts as `scipy.sparse.save_npz` writes them. They are checked before anything is unpacked; no pickle."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.lib import format as npy

from cotopics.corpus import files
from cotopics.corpus.corpus import canonical, check_values
from cotopics.corpus.formats.digits import check_sizes
from cotopics.errors import CorpusError
from cotopics.linalg.sparse_matrices import fault_of

INDICES = ("indices", "indptr", "row", "col", "offsets")  # whole numbers
PARTS = ("data", "shape", "format", "_is_array", *INDICES)
MAX_RATIO = 200  # bytes that a byte of a large file may become; for counts it is 3 to 20


class NpzFile:
    """One file of counts, which is in memory while its chunks are read. Its words are in `vocab.txt` next to it."""

    def __init__(self, path: Path, words: list[str] | None = None) -> None:
        self.path = path
        self.n_words = _shape(path)[1]

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]:
        return ["vocab.txt"]

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]:
        counts = load_counts(self.path)
        for start in range(0, counts.shape[0], chunk_documents):
            yield canonical(counts[start : start + chunk_documents].astype(np.float64))  # a copy, not a view


def load_counts(path: Path) -> sp.csr_array:
    """The counts (documents × words) as CSR with every index and every count checked."""
    _shape(path)
    try:
        counts = sp.load_npz(path)
        if counts.ndim != 2 or counts.dtype.kind not in "biuf":
            raise ValueError(f"it holds {counts.ndim}-dimensional {counts.dtype}")
        if fault := fault_of(counts):  # scipy's own check is wrong if differences of small integer types overflow
            raise ValueError(fault)
        if hasattr(counts, "check_format"):
            counts.check_format(full_check=True)  # before scipy converts it, which trusts the indices
        if counts.dtype.kind == "f":
            counts.data = counts.data.astype(np.float64)  # scipy can neither convert nor slice half and long doubles
        counts = sp.csr_array(counts)
        counts.check_format(full_check=True)
    except Exception as error:  # numpy, scipy and zipfile raise many kinds of errors for damaged files
        raise _not_counts(path, error) from None
    check_values(str(path), counts)
    return counts


def _shape(path: Path) -> tuple[int, int]:
    """The shape that a file claims to have, after a check of its directory and of the headers of its arrays."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_directory(archive, path.stat().st_size)
            headers = {info.filename: _header(archive, info) for info in archive.infolist()}
            with archive.open("shape.npy") as file:
                shape = npy.read_array(file, allow_pickle=False)
        if shape.shape != (2,) or shape.dtype.kind not in "iu" or shape.min() < 0:
            raise ValueError(f"its shape is {shape!r:.60}")
    except Exception as error:
        raise _not_counts(path, error) from None
    n_documents, n_words = map(int, shape)
    check_sizes(str(path), n_documents, n_words, max(size for size, _ in headers.values()))
    return n_documents, n_words


def _check_directory(archive: zipfile.ZipFile, n_bytes: int) -> None:
    names = [info.filename for info in archive.infolist()]
    for name in names:
        if name.removesuffix(".npy") not in PARTS or not name.endswith(".npy"):
            raise ValueError(f"it holds {name!r:.60}, which does not belong there")
    if len(set(names)) < len(names):
        raise ValueError("it holds a part twice")
    size = sum(info.file_size for info in archive.infolist())
    if size > max(files.MAX_BYTES, MAX_RATIO * n_bytes):
        raise ValueError(f"its {n_bytes:,} bytes claim to be {size:,}: it is damaged, or made to fill the memory")


def _header(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[int, np.dtype[Any]]:
    """Number of entries and type of one array; ValueError unless its size is that in the directory."""
    with archive.open(info) as file:
        version = npy.read_magic(file)
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if read is None:
            raise ValueError(f"{info.filename} has version {version}")
        shape, _, dtype = read(file)
        n_entries = math.prod(shape)
        if dtype.hasobject:
            raise ValueError(f"{info.filename} holds objects")
        if min(shape, default=0) < 0 or n_entries * dtype.itemsize != info.file_size - file.tell():
            raise ValueError(f"{info.filename} does not have the size that it says: {shape} {dtype}")
    if info.filename.removesuffix(".npy") in INDICES and dtype.kind not in "iu":
        raise ValueError(f"{info.filename} holds {dtype}, not whole numbers")
    return n_entries, dtype


def _not_counts(path: Path, error: Exception) -> CorpusError:
    return CorpusError(f"{path} is not a count matrix as scipy.sparse.save_npz writes it: {error}")
