"""A record of arrays and JSON ↔ one file: how it is written, and how it is checked when it is read.

There is a checksum for every array, and one for the manifest, which lists them (format version 2; version 1 had one for
everything). So a large file can be mapped without reading all of it, and its header is still checked. Safetensors
itself refuses headers that are longer than the file, overlaps, gaps and wrong shapes. It accepts a name twice, unknown
keys and types that numpy lacks. One comparison with the header that we would have written finds all of these.
"""

from __future__ import annotations

import hashlib
import math
import mmap as memory
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.arrays import AnyArray
from cotopics.errors import ModelFileError
from cotopics.persistence.atomic import atomic_writer
from cotopics.persistence.layout import (
    DTYPES,
    VERSION,
    Source,
    Table,
    as_bytes,
    header,
    in_order,
    source_of,
    write_file,
)
from cotopics.persistence.regular import is_there
from cotopics.persistence.values import from_json

MODEL, STATISTICS, CORPUS = "cotopics-model", "cotopics-statistics", "cotopics-corpus"
KINDS = {  # what a file of this kind is called, what opens it, and its first format version
    MODEL: ("model", "cotopics.load", 1),
    STATISTICS: ("statistics", "cotopics.cooccur.load_statistics", 2),
    CORPUS: ("corpus", "cotopics.corpus.load_corpus", 2),
}
SIGNATURES = {  # first bytes of files that people take for ours
    b"\x80": "a pickle, which cotopics never opens",
    b"PK\x03\x04": "a zip or npz archive",
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"\x93NUMPY": "a numpy array",
    b"{": "a JSON text",
}


@dataclass(frozen=True)
class Record:
    """What a file holds, as plain data: a JSON-like manifest and named arrays."""

    manifest: dict[str, Any]
    arrays: Mapping[str, AnyArray]


def write_record(path: str | os.PathLike[str], record: Record, kind: str) -> None:
    """Write a record to `path` in one step. Equal records are equal files: no date, no machine, no timings."""
    write_sources(path, record.manifest, {name: source_of(name, array) for name, array in record.arrays.items()}, kind)


def write_sources(
    path: str | os.PathLike[str], manifest: Mapping[str, Any], sources: Mapping[str, Source], kind: str
) -> None:
    """The same for arrays that come in pieces. The key "arrays" of the manifest is added here."""
    assert kind in KINDS
    assert "arrays" not in manifest
    with atomic_writer(path) as file:
        write_file(file, kind, manifest, sources)


def read_record(path: str | os.PathLike[str], kind: str, *, mmap: bool = False, verify: bool = True) -> Record:
    """Read a record of one kind, or raise a ModelFileError that says what is wrong with the file.

    With `mmap`, arrays are read-only views of the file, which the system reads when they are used. The manifest, and so
    the type and shape of every array, is always checked; verify=False does not check the contents of arrays.
    """
    with errors_about(path):
        content, text, table = _open(Path(path), KINDS[kind][0])
        version, digest, manifest = _split(text, kind)
        arrays = _views(content, table)
        if version == 1:
            _check_whole(manifest, arrays, digest)
            parsed = _parsed(manifest)
        else:
            if hashlib.sha256(manifest.encode()).hexdigest() != digest:
                raise ModelFileError("the file is damaged: its manifest does not match its checksum")
            parsed = _parsed(manifest)
            _check_layout(content, text, table)
            _check_arrays(arrays, parsed.pop("arrays", None), verify)
        return Record(parsed, arrays if mmap else {name: np.array(array) for name, array in arrays.items()})


@contextmanager
def errors_about(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add the name of the file to a ModelFileError of the block."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None


def _open(path: Path, noun: str) -> tuple[memory.mmap, str, Table]:
    """The mapped bytes of a safetensors file, the text in its header, and the types and shapes of its arrays."""
    from safetensors import SafetensorError, safe_open

    if not is_there(path):
        raise ModelFileError(f"there is no {noun} file with this name")
    if not path.is_file():
        raise ModelFileError(f"this is {'a folder' if path.is_dir() else 'not a regular file'}, not a {noun} file")
    try:
        with open(path, "rb") as file:
            # it checks the length of the header before it reads it, and that the arrays fill the rest exactly
            with safe_open(path, framework="numpy") as parsed:
                text = (parsed.metadata() or {}).get("cotopics", "")
                parts = {name: parsed.get_slice(name) for name in parsed.offset_keys()}
                table = {name: (DTYPES[part.get_dtype()], tuple(part.get_shape())) for name, part in parts.items()}
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return _open(path, noun)  # the file was replaced between the two
            content = memory.mmap(file.fileno(), 0, access=memory.ACCESS_READ)
    except KeyError as error:
        raise ModelFileError(f"the file holds numbers of type {error}, which cotopics does not write") from None
    except (SafetensorError, OSError, ValueError) as error:
        raise ModelFileError(f"not a readable {noun} file: {_looks_like(path) or error}") from None
    return content, text, table


def _looks_like(path: Path) -> str | None:
    try:
        with open(path, "rb") as file:
            beginning = file.read(8)
    except OSError:
        return None
    if not beginning:
        return "it is empty"
    return next((f"it looks like {what}" for start, what in SIGNATURES.items() if beginning.startswith(start)), None)


def _split(text: str, kind: str) -> tuple[int, str, str]:
    """The version, the checksum and the manifest, if the kind is right and the version is known."""
    heading, _, manifest = text.partition("\n")
    name, _, rest = heading.partition(" ")
    version, _, digest = rest.partition(" ")
    if name not in KINDS:
        raise ModelFileError("this is a safetensors file, but cotopics did not write it")
    noun, opens, first = KINDS[name]
    if name != kind:
        raise ModelFileError(f"this is a {noun} file ({name}), not a {KINDS[kind][0]} file; {opens} opens it")
    if version not in map(str, range(first, VERSION + 1)):
        raise ModelFileError(
            f"the file has format version {version!r}, and this cotopics reads up to version {VERSION}. Update cotopics"
        )
    return int(version), digest, manifest


def _parsed(manifest: str) -> dict[str, Any]:
    try:
        parsed = from_json(manifest)
    except ValueError as error:
        raise ModelFileError(f"the file is damaged: its manifest is not JSON that cotopics writes ({error})") from None
    if not isinstance(parsed, dict):
        raise ModelFileError("the file is damaged: its manifest is not an object")
    if not isinstance(parsed.get("cotopics", ""), str):
        raise ModelFileError("it does not say which version of cotopics wrote it")
    return parsed


def _views(content: memory.mmap, table: Table) -> dict[str, AnyArray]:
    """The arrays as views of the file, up to its end. Each is made separately: scipy copies views of larger arrays."""
    sizes = [np.dtype(dtype).itemsize * math.prod(shape) for dtype, shape in table.values()]
    begin = len(content) - sum(sizes)
    arrays = {}
    for (name, (dtype, shape)), size in zip(table.items(), sizes, strict=True):
        try:
            arrays[name] = np.ndarray(shape, np.dtype(dtype).newbyteorder("<"), content, begin)
        except ValueError as error:
            raise ModelFileError(f"array {name} of the file has an impossible shape: {error}") from None
        begin += size
    return arrays


def _check_layout(content: memory.mmap, text: str, table: Table) -> None:
    """Refuse a header that says the same in another way, or twice."""
    expected = header(text, in_order(table))
    if content[: len(expected)] != expected:
        raise ModelFileError("the file is damaged: its header is not what cotopics writes")


def _check_arrays(arrays: Mapping[str, AnyArray], described: Any, verify: bool) -> None:
    """Refuse arrays that differ from what the manifest says."""
    found = {name: {"dtype": array.dtype.name, "shape": list(array.shape)} for name, array in arrays.items()}
    if not isinstance(described, dict) or set(described) != set(found):
        raise ModelFileError("the file is damaged: its manifest lists other arrays")
    for name, array in arrays.items():
        expected = described[name]
        if not isinstance(expected, dict) or {**found[name], "sha256": expected.get("sha256")} != expected:
            raise ModelFileError(f"the file is damaged: array {name} does not have the type and shape in its manifest")
        if verify and hashlib.sha256(as_bytes(array)).hexdigest() != expected["sha256"]:
            raise ModelFileError(f"the file is damaged: array {name} does not match its checksum")


def _check_whole(manifest: str, arrays: Mapping[str, AnyArray], digest: str) -> None:
    """Version 1 has one checksum for everything."""
    sha = hashlib.sha256(manifest.encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\0{name}\0{array.dtype.name}\0{array.shape}\0".encode())
        sha.update(as_bytes(array))
    if sha.hexdigest() != digest:
        raise ModelFileError("the file is damaged: its contents do not match its checksum")
