"""Documents from files, one pass after another, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cotopics.corpus.files import as_text, check_encoding
from cotopics.corpus.formats import DOCUMENTS
from cotopics.corpus.formats.document import About, Document, Fields
from cotopics.corpus.inputs import Paths, find_files
from cotopics.errors import CorpusError, ParameterError

__all__ = ["About", "Document", "Documents", "Fields", "Skipped", "read_documents"]

SHOWN = 3  # reasons in a note


@dataclass
class Skipped:
    """Documents that could not be used: how many, and where and why the first few."""

    number: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, reason: str) -> None:
        self.number += 1
        if len(self.first) < 10:
            self.first.append(as_text(reason))

    def notes(self) -> list[str]:
        """One sentence, or none."""
        if not self.number:
            return []
        noun = "document" if self.number == 1 else "documents"
        more = "; …" if self.number > SHOWN else ""
        return [f"{self.number} {noun} left out that cannot be read: {'; '.join(self.first[:SHOWN])}{more}"]


class Documents:
    """Documents of files, as an iterable: every `iter(documents)` is a fresh pass over the files.

    `skipped` says what was left out in the last pass, so far.
    """

    def __init__(self, paths: list[Path], kind: str, *, fields: Fields, on_error: str, encoding: str) -> None:
        if on_error not in ("raise", "skip"):
            raise ParameterError(f"on_error={on_error!r} is unknown; choose 'raise' or 'skip'")
        check_encoding(encoding)
        if kind not in DOCUMENTS:
            raise CorpusError(f"{paths[0]} holds counts, not texts")
        self.paths, self.kind, self.fields = paths, kind, fields
        self.skipped = Skipped()
        self._on_error = on_error
        self._encoding = encoding

    def __iter__(self) -> Iterator[Document]:
        self.skipped = skipped = Skipped()
        for path in self.paths:
            yield from self._read(path, skipped)

    def check(self) -> None:
        """Raise now what the first document of any file would raise."""
        for path in self.paths:
            next(self._read(path, Skipped()), None)

    def _read(self, path: Path, skipped: Skipped) -> Iterator[Document]:
        bad = skipped.add if self._on_error == "skip" else _refuse
        return DOCUMENTS[self.kind](path, self.fields, encoding=self._encoding, bad=bad)


def read_documents(
    path: Paths,
    *,
    fields: Fields | None = None,
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
) -> Documents:
    """The documents of a file, a folder or a list of files, read when they are asked for.

    - `.txt`: one document a line, blank lines left out; a folder of them: one document a file, its id the path within
      the folder and its label the folder within that it is in.
    - `.jsonl`, `.ndjson`: one object a line. `.csv`, `.tsv`: one row each, after a header. `.parquet`: one row each.

    `fields` says which field or column is what. All but parquet may be packed (`.gz`, `.bz2`, `.xz`, `.zst`), and "-"
    is standard input. `kind`, such as "csv", is for files whose suffix does not say it. A text that is a list is taken
    as the words that it is; a missing text has none.

    on_error: "raise" a CorpusError that names file and line, or "skip" what cannot be used and go on; what cannot be
    gone on from, such as an archive that is cut off or a column that is nowhere, is raised all the same.
    """
    paths, found = find_files(path, kind)
    return Documents(paths, found, fields=fields or Fields(), on_error=on_error, encoding=encoding)


def _refuse(reason: str) -> None:
    raise CorpusError(reason)
