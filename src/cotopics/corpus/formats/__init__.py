"""Formats of files, one module each: of documents and of counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import scipy.sparse as sp

from cotopics.registry import ALIASES, COUNTS, DOCUMENTS


class CountFile(Protocol):
    """A file of counts, documents × n_words; `words` come from the first file of `vocabulary_names` next to it."""

    path: Path
    n_words: int

    def __init__(self, path: Path, words: list[str] | None = None) -> None: ...

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]: ...

    def chunks(self, chunk_documents: int) -> Iterator[sp.csr_array]: ...


__all__ = ["ALIASES", "COUNTS", "DOCUMENTS", "CountFile"]
