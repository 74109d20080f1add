"""A record of arrays and JSON ↔ one file: what is written, and what is checked before it is believed."""

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

from cotopics.errors import ModelFileError
from cotopics.persistence.beside import written_beside
from cotopics.persistence.layout import (
    DTYPES,
    VERSION,
    Array,
    Source,
    Table,
    as_bytes,
    header,
    in_order,
    source_of,
    write_file,
)
from cotopics.persistence.plain import from_json
from cotopics.persistence.regular import is_there

MODEL, STATISTICS, CORPUS = "cotopics-model", "cotopics-statistics", "cotopics-corpus"
KINDS = {  # what a file of this kind is called, what opens it, and the first version that there was of it
    MODEL: ("model", "cotopics.load", 1),
    STATISTICS: ("statistics", "cotopics.cooccur.load_statistics", 2),
    CORPUS: ("corpus", "cotopics.corpus.load_corpus", 2),
}
SIGNATURES = {  # of what people take for a file of ours, or are told is one
    b"\x80": "a pickle, which cotopics never opens",
    b"PK\x03\x04": "a zip or npz archive",
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"\x93NUMPY": "an array of numpy",
    b"{": "a JSON text",
}


@dataclass(frozen=True)
class Record:
    """What a file holds, as plain data: a JSON-like manifest and named arrays."""

    manifest: dict[str, Any]
    arrays: Mapping[str, Array]


def write_record(path: str | os.PathLike[str], record: Record, kind: str) -> None:
    """Write a record to `path`, whole or not at all. Equal records are equal files."""
    write_sources(path, record.manifest, {name: source_of(name, array) for name, array in record.arrays.items()}, kind)


def write_sources(
    path: str | os.PathLike[str], manifest: Mapping[str, Any], sources: Mapping[str, Source], kind: str
) -> None:
    """The same for arrays that come in pieces. The key "arrays" of the manifest is the file's own."""
    assert kind in KINDS
    assert "arrays" not in manifest
    with written_beside(path) as file:
        write_file(file, kind, manifest, sources)


def read_record(path: str | os.PathLike[str], kind: str, *, mmap: bool = False, verify: bool = True) -> Record:
    """Read a record of one kind, or raise a ModelFileError that says what is wrong with the file.

    With `mmap`, arrays are read-only views of the file, which come into memory as they are used. The manifest, and with
    it the type and shape of every array, is always checked; verify=False takes the contents of arrays on trust.
    """
    with about(path):
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
def about(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say which file a ModelFileError of the block is about."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None


def _open(path: Path, noun: str) -> tuple[memory.mmap, str, Table]:
    """The bytes of a safetensors file, mapped; the text in its header; its arrays' types and shapes in their order."""
    from safetensors import SafetensorError, safe_open

    if not is_there(path):
        raise ModelFileError(f"there is no {noun} file of this name")
    if not path.is_file():
        raise ModelFileError(f"this is {'a folder' if path.is_dir() else 'no regular file'}, not a {noun} file")
    try:
        with open(path, "rb") as file:
            # checks the length of the header before reading it, and that arrays fill the rest of the file exactly
            with safe_open(path, framework="numpy") as parsed:
                text = (parsed.metadata() or {}).get("cotopics", "")
                parts = {name: parsed.get_slice(name) for name in parsed.offset_keys()}
                table = {name: (DTYPES[part.get_dtype()], tuple(part.get_shape())) for name, part in parts.items()}
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return _open(path, noun)  # it was replaced between the two
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
    """The version, the checksum and the manifest, if this is the kind asked for and a version that we know."""
    heading, _, manifest = text.partition("\n")
    name, _, rest = heading.partition(" ")
    version, _, digest = rest.partition(" ")
    if name not in KINDS:
        raise ModelFileError("this is a safetensors file, but not one of cotopics")
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
        raise ModelFileError(f"the file is damaged: its manifest is not JSON as cotopics writes it ({error})") from None
    if not isinstance(parsed, dict):
        raise ModelFileError("the file is damaged: its manifest is not an object")
    if not isinstance(parsed.get("cotopics", ""), str):
        raise ModelFileError("it does not name the version of cotopics that wrote it")
    return parsed


def _views(content: memory.mmap, table: Table) -> dict[str, Array]:
    """The arrays as views of the file, each for itself (scipy copies views of larger arrays); up to the file's end."""
    sizes = [np.dtype(dtype).itemsize * math.prod(shape) for dtype, shape in table.values()]
    begin = len(content) - sum(sizes)
    arrays = {}
    for (name, (dtype, shape)), size in zip(table.items(), sizes, strict=True):
        try:
            arrays[name] = np.ndarray(shape, np.dtype(dtype).newbyteorder("<"), content, begin)
        except ValueError as error:
            raise ModelFileError(f"array {name} of the file has a shape that cannot be: {error}") from None
        begin += size
    return arrays


def _check_layout(content: memory.mmap, text: str, table: Table) -> None:
    """One content, one file: a header that says the same in another way, or twice, is not ours."""
    expected = header(text, in_order(table))
    if content[: len(expected)] != expected:
        raise ModelFileError("the file is damaged: its header is not as cotopics writes it")


def _check_arrays(arrays: Mapping[str, Array], described: Any, verify: bool) -> None:
    """Arrays are what the manifest says of them."""
    found = {name: {"dtype": array.dtype.name, "shape": list(array.shape)} for name, array in arrays.items()}
    if not isinstance(described, dict) or set(described) != set(found):
        raise ModelFileError("the file is damaged: its arrays are not those of its manifest")
    for name, array in arrays.items():
        expected = described[name]
        if not isinstance(expected, dict) or {**found[name], "sha256": expected.get("sha256")} != expected:
            raise ModelFileError(f"the file is damaged: array {name} does not have the type and shape in its manifest")
        if verify and hashlib.sha256(as_bytes(array)).hexdigest() != expected["sha256"]:
            raise ModelFileError(f"the file is damaged: array {name} does not match its checksum")


def _check_whole(manifest: str, arrays: Mapping[str, Array], digest: str) -> None:
    """Version 1 has one checksum of everything."""
    sha = hashlib.sha256(manifest.encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\0{name}\0{array.dtype.name}\0{array.shape}\0".encode())
        sha.update(as_bytes(array))
    if sha.hexdigest() != digest:
        raise ModelFileError("the file is damaged: its contents do not match its checksum")
