"""The bytes of a file: a safetensors header with the manifest in it, then the arrays. Equal records are equal files.

Arrays are hashed while they are written. The header has room for the checksums and is written again at the end, so no
content is in memory twice, or needs to fit into memory at all.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from cotopics.arrays import AnyArray
from cotopics.errors import ModelFileError
from cotopics.persistence.values import to_json

VERSION = 2
MAX_HEADER = 100_000_000  # bytes; safetensors does not read a longer one
WIDTHS = {"float": (64, 32, 16), "int": (64, 32, 16, 8), "uint": (64, 32, 16, 8)}
DTYPES = {f"{kind[0].upper()}{bits}": f"{kind}{bits}" for kind, widths in WIDTHS.items() for bits in widths}
DTYPES["BOOL"] = "bool"  # code of safetensors → type of numpy
CODES = {name: code for code, name in DTYPES.items()}

Shape = tuple[int, ...]
Table = dict[str, tuple[str, Shape]]  # name of an array → its type and shape, in the order of the file


@dataclass(frozen=True)
class Source:
    """An array to write: its type, its shape, and its content in pieces, so it need not fit into memory."""

    dtype: np.dtype[Any]
    shape: Shape
    pieces: Callable[[], Iterable[AnyArray]]

    @property
    def n_bytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.shape)


def source_of(name: str, array: AnyArray) -> Source:
    """The source of an array in memory."""
    array = np.asarray(array)
    if array.dtype.name not in CODES:
        raise ModelFileError(f"array {name} of type {array.dtype} cannot be written; a file can hold numbers only")
    return Source(array.dtype, array.shape, lambda: [array])


def write_file(file: BinaryIO, kind: str, manifest: Mapping[str, Any], sources: Mapping[str, Source]) -> None:
    """Write the header, the arrays, and then the header again with the checksums of the arrays."""
    order = in_order({name: (source.dtype.name, source.shape) for name, source in sources.items()})
    checksums = dict.fromkeys(order, "0" * 64)
    file.write(_start(kind, manifest, order, checksums))
    for name in order:
        checksums[name] = _write_array(file, name, sources[name])
    file.seek(0)
    file.write(_start(kind, manifest, order, checksums))  # it has the same length as before


def in_order(arrays: Table) -> Table:
    """Arrays in the order of the file: the largest items first, so that all are aligned, then by name."""
    return dict(sorted(arrays.items(), key=lambda entry: (-np.dtype(entry[1][0]).itemsize, entry[0])))


def header(text: str, arrays: Table) -> bytes:
    """The beginning of a safetensors file, up to its first array, with `text` as metadata."""
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
    if len(content) > MAX_HEADER:
        raise ModelFileError(
            f"the words and notes take {len(content) / 1e6:.0f} MB, but a file has room for {MAX_HEADER / 1e6:.0f}; "
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
        raise RuntimeError(f"array {name} should have {source.n_bytes} bytes but has {written}")
    return sha.hexdigest()


def as_bytes(array: AnyArray) -> Any:
    """The content of an array in row-major order; a view if that is its order in memory."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
