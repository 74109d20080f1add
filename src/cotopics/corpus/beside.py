"""What stands beside files of counts: the words of the columns, and labels, ids and dates of the documents."""

from __future__ import annotations

from pathlib import Path

from cotopics.corpus.documents import About
from cotopics.corpus.files import read_column
from cotopics.corpus.formats import CountFile
from cotopics.corpus.packed import PACKINGS
from cotopics.errors import CorpusError

LISTS = ("labels", "ids", "dates")  # one line per document


def words_beside(paths: list[Path], kind: type[CountFile]) -> tuple[Path | None, list[str] | None]:
    """The file beside these that lists their words, and the words; None if there is none."""
    found = {path.parent.resolve(): _first(path.parent, kind.vocabulary_names(path)) for path in paths}
    lists = [file for file in found.values() if file is not None]
    if len(lists) > 1:
        raise CorpusError(f"the shards have {len(lists)} files vocab.txt beside them; keep the one that is for all")
    return (lists[0], read_column(lists[0])) if lists else (None, None)


class DocumentsBeside:
    """`labels.txt`, `ids.txt` and `dates.txt` beside files of counts, a line per document; read when asked for."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths
        self._lists: dict[str, tuple[Path, list[str]]] | None = None

    def about(self, start: int, stop: int) -> About:
        """What is known of documents start to stop − 1."""
        values = {name: lines[start:stop] for name, (_, lines) in self._read().items()}
        for name, lines in values.items():
            if len(lines) < stop - start:
                raise self._error(name, f"{stop} or more")
        labels = [label or None for label in values.get("labels", [])]
        return About([*values.get("ids", [])], labels, [*values.get("dates", [])])

    def check(self, n_documents: int) -> None:
        """CorpusError if there are more lines than documents."""
        for name, (_, lines) in self._read().items():
            if len(lines) != n_documents:
                raise self._error(name, str(n_documents))

    def _read(self) -> dict[str, tuple[Path, list[str]]]:
        if self._lists is None:
            folders = {path.parent.resolve() for path in self._paths}
            files = {} if len(folders) > 1 else {name: _first(self._paths[0].parent, [f"{name}.txt"]) for name in LISTS}
            self._lists = {name: (file, read_column(file) or []) for name, file in files.items() if file is not None}
        return self._lists

    def _error(self, name: str, n_documents: str) -> CorpusError:
        file, lines = self._read()[name]
        counts = self._paths[0] if len(self._paths) == 1 else self._paths[0].parent
        return CorpusError(f"{counts} has {n_documents} documents and {file.name} beside it {len(lines)} lines")


def _first(folder: Path, names: list[str]) -> Path | None:
    """The first of these files that is there, packed or not."""
    files = (folder / f"{name}{packing}" for name in names for packing in ("", *PACKINGS))
    return next((file for file in files if file.is_file()), None)
