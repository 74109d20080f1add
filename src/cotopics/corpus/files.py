"""What every reader needs: a file's kind, its lines, its list of words, its matrix of counts."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import scipy.sparse as sp

from cotopics.errors import CorpusError

DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)  # what reading a damaged archive raises
UNREADABLE = (ValueError, KeyError, OSError, EOFError, zlib.error, zipfile.BadZipFile, TypeError, MemoryError)


def kind_of(path: Path, known: Sequence[str]) -> str:
    """The suffix that says what a file holds, without that of its compression; one of `known`."""
    if not path.exists():
        raise CorpusError(f"there is no file {path}")
    if path.is_dir():
        raise CorpusError(f"{path} is a folder; give one {', '.join(known[:-1])} or {known[-1]} file")
    kind = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if kind not in known:
        raise CorpusError(f"{path} has the suffix {kind!r}; known are {', '.join(known)} (of texts also .gz)")
    return kind


def open_bytes(path: Path) -> gzip.GzipFile | IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def damaged(path: Path, number: int, error: Exception) -> CorpusError:
    return CorpusError(f"{path}, after line {number}: the archive is damaged or cut off ({error}). Get the file again")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, line) of a UTF-8 text file, blank lines left out; what cannot be read is reported with its line."""
    number = 0
    try:
        with open_bytes(path) as file:
            for number, raw in enumerate(file, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if line:
                    yield number, line
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}, line {number}: not UTF-8 ({error.reason}). Convert the file to UTF-8") from None
    except DAMAGED as error:
        raise damaged(path, number, error) from None


def read_column(path: Path) -> list[str] | None:
    """The lines of a text file, blank ones included, or None if there is no such file."""
    if not path.exists():
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")  # every line ending becomes a newline
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not UTF-8 ({error.reason})") from None
    return text.removesuffix("\n").split("\n") if text else []  # splitlines would also split within a name


def load_counts(path: Path) -> sp.csr_array:
    """Counts as `scipy.sparse.save_npz` writes them, as CSR with every index checked; nothing is unpickled."""
    try:
        counts = sp.load_npz(path)
        if counts.ndim != 2 or counts.dtype.kind not in "biuf":
            raise ValueError(f"it holds {counts.ndim}-dimensional {counts.dtype}")
        counts = sp.csr_array(counts)
        counts.check_format(full_check=True)
    except UNREADABLE as error:
        raise not_counts(path, error) from None
    return counts


def not_counts(path: Path, error: Exception) -> CorpusError:
    return CorpusError(f"{path} is not a count matrix as scipy.sparse.save_npz writes it: {error}")
