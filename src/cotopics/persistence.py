"""One file for a fitted model: arrays and a JSON manifest, nothing that runs.

A `.cotopics` file is a safetensors file. Its metadata hold the manifest (what the model is, its parameters, vocabulary
and diagnostics) and a SHA-256 over the manifest and every array, so damage anywhere is noticed. Files are written
beside their target, flushed to disk and renamed: a run that dies leaves the old file whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.errors import ModelFileError

FORMAT = "cotopics-model"
VERSION = 1
DTYPES = ("float64", "int64")

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
    metadata = {"format": FORMAT, "version": str(VERSION), "manifest": manifest}
    metadata["sha256"] = _digest(manifest, arrays)
    write_beside(Path(path), save(arrays, metadata))


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read and verify a record, or raise a ModelFileError that says what is wrong with the file."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        raise ModelFileError(f"there is no model file at {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            _check_format(path, metadata)
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (SafetensorError, OSError, ValueError, OverflowError, MemoryError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path} is not a readable model file: {error}") from None
    manifest = metadata["manifest"]
    if _digest(manifest, arrays) != metadata.get("sha256"):
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
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _check_format(path: Path, metadata: Mapping[str, str]) -> None:
    if metadata.get("format") != FORMAT or "manifest" not in metadata:
        raise ModelFileError(f"{path} is a safetensors file, but not a cotopics model")
    version = metadata.get("version", "")
    if version != str(VERSION):
        raise ModelFileError(
            f"{path} has format version {version!r} and this cotopics reads version {VERSION}. Update cotopics"
        )


def _digest(manifest: str, arrays: Arrays) -> str:
    sha = hashlib.sha256(manifest.encode())
    for name in sorted(arrays):
        array = arrays[name]
        sha.update(f"\0{name}\0{array.dtype.name}\0{array.shape}\0".encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
