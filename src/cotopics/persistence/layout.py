"""The bytes of a file: a safetensors header with the manifest in it, then the arrays, in one order for one content."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from cotopics.errors import ModelFileError
from cotopics.persistence.plain import to_json

VERSION = 2
LARGEST_HEADER = 100_000_000  # bytes; safetensors reads no longer one
DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "I64": "int64",
    "U64": "uint64",
    "I32": "int32",
    "U32": "uint32",
    "I16": "int16",
    "U16": "uint16",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool",
}
CODES = {name: code for code, name in DTYPES.items()}

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
Table = dict[str, tuple[str, Shape]]  # name of an array → its type and shape, in the order of the file


@dataclass(frozen=True)
class Source:
    """An array to be written: its type, its shape, and its content in pieces, so that it need not fit into memory."""

    dtype: np.dtype[Any]
    shape: Shape
    pieces: Callable[[], Iterable[Array]]

    @property
    def n_bytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.shape)


def source_of(name: str, array: Array) -> Source:
    """The source of an array in memory."""
    array = np.asarray(array)
    if array.dtype.name not in CODES:
        raise ModelFileError(f"array {name} of type {array.dtype} cannot be written; a file holds numbers")
    return Source(array.dtype, array.shape, lambda: [array])


def write_file(file: BinaryIO, kind: str, manifest: Mapping[str, Any], sources: Mapping[str, Source]) -> None:
    """Write header and arrays. Checksums are known when all arrays have passed by, and then take their place."""
    order = in_order({name: (source.dtype.name, source.shape) for name, source in sources.items()})
    checksums = dict.fromkeys(order, "0" * 64)
    file.write(_start(kind, manifest, order, checksums))
    for name in order:
        checksums[name] = _write_array(file, name, sources[name])
    file.seek(0)
    file.write(_start(kind, manifest, order, checksums))  # as long as before


def in_order(arrays: Table) -> Table:
    """Arrays as they lie in the file: the largest items first, so that all are aligned, then by name."""
    return dict(sorted(arrays.items(), key=lambda entry: (-np.dtype(entry[1][0]).itemsize, entry[0])))


def header(text: str, arrays: Table) -> bytes:
    """The beginning of a safetensors file, up to its first array: `text` as metadata, arrays one after the other."""
    entries: dict[str, Any] = {"__metadata__": {"cotopics": text}}
    end = 0
    for name, (dtype, shape) in arrays.items():
        begin, end = end, end + np.dtype(dtype).itemsize * math.prod(shape)
        entries[name] = {"dtype": CODES[dtype], "shape": list(shape), "data_offsets": [begin, end]}
    content = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    content += b" " * (-len(content) % 8)
    return len(content).to_bytes(8, "little") + content


def _start(kind: str, manifest: Mapping[str, Any], order: Table, checksums: Mapping[str, str]) -> bytes:
    table = {
        name: {"dtype": dtype, "shape": list(shape), "sha256": checksums[name]}
        for name, (dtype, shape) in order.items()
    }
    text = to_json({**manifest, "arrays": table})
    content = header(f"{kind} {VERSION} {hashlib.sha256(text.encode()).hexdigest()}\n{text}", order)
    if len(content) > LARGEST_HEADER:
        raise ModelFileError(
            f"the words and notes take {len(content) / 1e6:.0f} MB and a file has room for {LARGEST_HEADER / 1e6:.0f}; "
            "keep fewer words"
        )
    return content


def _write_array(file: BinaryIO, name: str, source: Source) -> str:
    sha, written = hashlib.sha256(), 0
    for piece in source.pieces():
        content = as_bytes(piece.astype(source.dtype.newbyteorder("<"), copy=False))
        sha.update(content)
        file.write(content)
        written += content.nbytes
    if written != source.n_bytes:
        raise RuntimeError(f"array {name} should have {source.n_bytes} bytes and came with {written}")
    return sha.hexdigest()


def as_bytes(array: Array) -> Any:
    """The content of an array, in row-major order; a view where it lies so."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
