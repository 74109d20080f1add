"""A folder of text files: one document a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cotopics.corpus.files import Bad, Unusable, as_text, read_text
from cotopics.corpus.formats.document import Document, Fields
from cotopics.corpus.packed import unpacked_name
from cotopics.errors import CorpusError


def read_folder(path: Path, fields: Fields, *, encoding: str, bad: Bad) -> Iterator[Document]:
    """Every `.txt` file, packed or not, in the folder and the folders within, by name; hidden ones are left out.

    A document's id is its path within the folder, and its label the folder that it is in, if that is one within.
    A link may not lead out of the folder.
    """
    root = path.resolve()
    for file in text_files(path):
        name = file.relative_to(path)
        try:
            if not _is_document(file, root):
                continue
            text = read_text(file, encoding)
        except Unusable as error:
            bad(f"{file}: {error}")
            continue
        within = as_text(name.parent.as_posix())
        yield Document(text, id=as_text(name.as_posix()), label=None if within == "." else within)


def text_files(folder: Path) -> Iterator[Path]:
    """The text files in a folder and the folders within, sorted by name at each level, and links to folders.

    Links are not followed, so that a circle of them does no harm.
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


def _is_document(file: Path, root: Path) -> bool:
    """Whether this is to be read; a link to a folder is not, whose files are read where they are."""
    try:
        target = file.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a circle of links, before Python 3.13
        raise Unusable("the link leads nowhere") from None
    if not target.is_relative_to(root):
        raise Unusable("the link leads out of the folder. Give the folder that it leads to, or a copy")
    if not target.is_file() and not target.is_dir():
        raise Unusable("not a file, but a pipe or a device")
    return target.is_file()
