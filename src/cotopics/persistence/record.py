"""One file for a fitted model: arrays and a JSON manifest, nothing that runs.

A `.cotopics` file is a safetensors file. Its metadata entry "cotopics" has a first line `cotopics-model VERSION SHA256`
and then the manifest: what the model is, its parameters, vocabulary and diagnostics. The checksum covers the manifest
and every array, so damage anywhere is noticed. Files are written
beside their target, flushed to disk and renamed: a run that dies leaves the old file whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.errors import ModelFileError

FORMAT = "cotopics-model"
VERSION = 1

Arrays = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Record:
    """A model as plain data: a JSON-like manifest and named arrays."""

    manifest: dict[str, Any]
    arrays: Arrays


def write_record(path: str | os.PathLike[str], record: Record) -> None:
    """Write a record to `path`, whole or not at all."""
    from safetensors.numpy import save

    arrays = {name: np.ascontiguousarray(array) for name, array in record.arrays.items()}
    manifest = json.dumps(record.manifest, ensure_ascii=False, sort_keys=True, allow_nan=False)
    # one entry, because safetensors writes several in an order of its own and equal models should be equal files
    heading = f"{FORMAT} {VERSION} {_digest(manifest, arrays)}\n"
    write_beside(Path(path), save(arrays, {"cotopics": heading + manifest}))


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read and verify a record, or raise a ModelFileError that says what is wrong with the file."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        raise ModelFileError(f"there is no model file at {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            digest, manifest = _split_metadata(path, (file.metadata() or {}).get("cotopics", ""))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (SafetensorError, OSError, ValueError, OverflowError, MemoryError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path} is not a readable model file: {error}") from None
    if _digest(manifest, arrays) != digest:
        raise ModelFileError(f"{path} is damaged: its contents do not match its checksum")
    try:
        parsed = json.loads(manifest)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} is damaged: its manifest is not JSON ({error})") from None
    if not isinstance(parsed, dict):
        raise ModelFileError(f"{path} is damaged: its manifest is not an object")
    return Record(parsed, arrays)


def write_beside(path: Path, content: bytes) -> None:
    """Replace `path` by `content` in one step; on any failure the old file stays and nothing is left behind."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None  # name the file the user asked for
        raise


def _split_metadata(path: Path, metadata: str) -> tuple[str, str]:
    """The checksum and the manifest, if the heading is that of a version we know."""
    heading, _, manifest = metadata.partition("\n")
    name, _, rest = heading.partition(" ")
    version, _, digest = rest.partition(" ")
    if name != FORMAT:
        raise ModelFileError(f"{path} is a safetensors file, but not a cotopics model")
    if version != str(VERSION):
        raise ModelFileError(
            f"{path} has format version {version!r} and this cotopics reads version {VERSION}. Update cotopics"
        )
    return digest, manifest


def _digest(manifest: str, arrays: Arrays) -> str:
    sha = hashlib.sha256(manifest.encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\0{name}\0{array.dtype.name}\0{array.shape}\0".encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()
