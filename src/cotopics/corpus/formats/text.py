"""Plain text: files with one document per line, and folders with one document per file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cotopics.corpus.documents import Document, Fields
from cotopics.corpus.files import OnBad, Unusable, as_text, read_text, text_lines
from cotopics.corpus.inputs import text_files


def read_lines(path: Path, fields: Fields, *, encoding: str, on_bad: OnBad) -> Iterator[Document]:
    """A document for every line that is not blank; such a file holds nothing but texts."""
    return (Document(line) for _, line in text_lines(path, encoding, on_bad))


def read_folder(path: Path, fields: Fields, *, encoding: str, on_bad: OnBad) -> Iterator[Document]:
    """A document for every `.txt` file, packed or not, in the folder and its subfolders; hidden ones are left out.

    The id of a document is its path inside the folder, its label the subfolder that it is in, if any. A link must not
    lead out of the folder.
    """
    root = path.resolve()
    for file in text_files(path):
        name = file.relative_to(path)
        try:
            if not _is_document(file, root):
                continue
            text = read_text(file, encoding)
        except Unusable as error:
            on_bad(f"{file}: {error}")
            continue
        within = as_text(name.parent.as_posix())
        yield Document(text, id=as_text(name.as_posix()), label=None if within == "." else within)


def _is_document(file: Path, root: Path) -> bool:
    """Whether this is a document. A link to a folder is not: its files are read where they are."""
    try:
        target = file.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a circle of links, before Python 3.13
        raise Unusable("the link leads nowhere") from None
    if not target.is_relative_to(root):
        raise Unusable("the link leads out of the folder. Give the folder that it leads to, or a copy")
    if not target.is_file() and not target.is_dir():
        raise Unusable("not a file, but a pipe or a device")
    return target.is_file()
