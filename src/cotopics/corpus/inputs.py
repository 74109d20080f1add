"""What a user names as input → the files to read, in order, and their kind."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections import ChainMap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cotopics.corpus.files import DAMAGE_ERRORS, PACKINGS, open_packed, packing_of, unpacked_name
from cotopics.errors import CorpusError, ParameterError
from cotopics.persistence import is_there
from cotopics.registry import ALIASES, COUNTS, DOCUMENTS

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

KINDS = ChainMap(COUNTS, DOCUMENTS)  # a view, so that a reader that is added later is known too; documents come first
SHARDS = [".npz", ".parquet"]  # in a folder, these are looked for first
NEVER_PACKED = (".npz", ".parquet", "folder")
SIGNATURES = {b"PK\x03\x04": ".npz", b"PAR1": ".parquet", b"%%MatrixMarket": ".mtx", b"{": ".jsonl"}

_spooled: tuple[Any, Path] | None = None  # standard input, and the file with its content


def find_files(path: Paths, kind: str | None = None) -> tuple[list[Path], str]:
    """The files, and their kind: a key of DOCUMENTS or COUNTS, by their suffixes or as given ("jsonl", ".jsonl").

    In a folder these are its `.npz` or `.parquet` files, sorted by name; or else those of another kind except `.txt`;
    or else the folder itself, whose text files are documents. "-" is standard input, whose first bytes tell its kind.
    """
    kind = None if kind is None else _known(kind)
    paths = [path] if isinstance(path, str | os.PathLike) else path
    found = [entry for one in paths for entry in _find(Path(one), kind)]
    if not found:
        raise CorpusError("the list of files is empty")
    kinds = sorted({kind for _, kind in found})
    if len(kinds) > 1:
        raise CorpusError(f"the files are {' and '.join(kinds)}; give files of one kind")
    if kinds[0] in COUNTS and kinds[0] != ".npz" and len(found) > 1:
        raise CorpusError(f"there are {len(found)} files; give one {kinds[0]} file; each has a vocabulary of its own")
    return [file for file, _ in found], kinds[0]


def holds_paths(source: Any) -> bool:
    """Whether this names files: a string, a path, or a list of them."""
    if isinstance(source, list | tuple):
        return all(isinstance(entry, str | os.PathLike) for entry in source)
    return isinstance(source, str | os.PathLike)


def _known(kind: str) -> str:
    for name in (kind, f".{kind}"):
        name = ALIASES.get(name, name)
        if name in KINDS:
            return name
    names = ", ".join(name.removeprefix(".") for name in KINDS)
    raise ParameterError(f"kind={kind!r} is unknown; choose {names}, or None to go by the suffix")


def _find(path: Path, kind: str | None) -> list[tuple[Path, str]]:
    if str(path) == "-":
        if sys.stdin is None:
            raise CorpusError("there is no standard input; name a file")
        path = _spool(sys.stdin.buffer)
    if not is_there(path):
        raise CorpusError(f"there is no file {path}")
    if path.is_dir():
        return _within(path, kind)
    if not path.is_file():
        raise CorpusError(f"{path} is a pipe or a device, but files are read twice; give - and pipe it in")
    return [(path, kind or _kind(path))]


def _within(folder: Path, kind: str | None) -> list[tuple[Path, str]]:
    wanted = [SHARDS, [one for one in KINDS if one != ".txt"]] if kind is None else [[kind]]
    files = [(file, _suffix(file)) for file in _visible(folder)]
    found = next(filter(None, ([entry for entry in files if entry[1] in kinds] for kinds in wanted)), [])
    texts = [file for file, suffix in files if suffix == ".txt"]
    if kind is None and found and found[0][1] in DOCUMENTS and len(texts) > len(found):
        raise CorpusError(
            f"{folder} holds {found[0][1]} files and {len(texts)} .txt files, such as {texts[0].name}; say which are "
            f"the documents: kind (--kind) {found[0][1].removeprefix('.')} or folder"
        )
    if not found and kind in (None, "folder") and next(text_files(folder), None) is not None:
        return [(folder, "folder")]
    if not found:
        *most, last = _suffixes()
        names = f"{', '.join(most)} or {last}" if kind is None else kind
        raise CorpusError(f"{folder} is a folder without {names} files; give a file or a list of files")
    return found


def text_files(folder: Path) -> Iterator[Path]:
    """The text files in a folder and its subfolders, sorted by name at each level, and links to folders.

    Links to folders are not followed, as they may form a circle.
    """
    try:
        entries = [(entry, entry.is_dir(), entry.is_symlink()) for entry in sorted(folder.iterdir())]
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror}") from None
    for entry, is_folder, is_link in entries:
        if entry.name.startswith("."):
            continue
        if is_folder and not is_link:
            yield from text_files(entry)
        elif is_folder or unpacked_name(entry).lower().endswith(".txt"):
            yield entry


def _visible(folder: Path) -> list[Path]:
    try:
        return [file for file in sorted(folder.iterdir()) if file.is_file() and not file.name.startswith(".")]
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror}") from None


def _suffix(path: Path) -> str:
    """The suffix that tells the kind of a file, without that of its packing."""
    name = unpacked_name(path).lower()
    suffix = Path(name).suffix
    if suffix == ".txt" and name.startswith("docword"):
        return "docword"
    return ALIASES.get(suffix, suffix)


def _kind(path: Path) -> str:
    kind = _suffix(path)
    packings = f"texts and counts in text may be packed ({', '.join(PACKINGS)})"
    if kind not in KINDS:
        raise CorpusError(f"{path} has the suffix {kind!r}; known are {', '.join(_suffixes())}; {packings}")
    if kind in NEVER_PACKED and unpacked_name(path) != path.name:
        raise CorpusError(f"{path} is packed, but only texts and counts in text may be packed; unpack it")
    return kind


def _suffixes() -> list[str]:
    return [kind for kind in (*KINDS, *ALIASES) if kind.startswith(".")]


def _spool(stream: Any) -> Path:
    """A file with the content of standard input and a name that tells its kind; it is removed when the process ends."""
    global _spooled
    if _spooled is not None and _spooled[0] is stream:
        return _spooled[1]
    folder = tempfile.mkdtemp(prefix="cotopics-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    raw = Path(folder, "raw")
    with raw.open("wb") as file:
        shutil.copyfileobj(stream, file)
    with raw.open("rb") as file:
        packing = packing_of(file.read(10))
    packed = raw.rename(raw.with_name(f"raw{packing}"))
    try:
        with open_packed(packed) as unpacked:
            start = unpacked.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    except DAMAGE_ERRORS as error:
        raise CorpusError(f"standard input is damaged or cut off ({error})") from None
    kind = next((kind for signature, kind in SIGNATURES.items() if start.startswith(signature)), ".txt")
    _spooled = stream, packed.rename(packed.with_name(f"standard-input{kind}{packing}"))
    return _spooled[1]
