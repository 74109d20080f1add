"""Text files with one document a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cotopics.corpus.files import Bad, text_lines
from cotopics.corpus.formats.document import Document, Fields


def read_lines(path: Path, fields: Fields, *, encoding: str, bad: Bad) -> Iterator[Document]:
    """Every line but blank ones; there is nothing but text in such a file."""
    return (Document(line) for _, line in text_lines(path, encoding, bad))
