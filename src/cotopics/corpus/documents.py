"""Documents: their texts, ids, labels, dates and other data, from files of any format or from rows of a table.

All formats have one shape: a function `(path, fields, encoding=, on_bad=)` that yields `Document`s, and calls `on_bad`
with the reason where a document cannot be used. Fields, packing, encodings, standard input and skipping are written
once, here and in `files` and `inputs`, so a new format is one file in `formats/` and one line in the registry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cotopics.corpus.files import OnBad, Unusable, as_text, check_encoding, check_length, quoted_names
from cotopics.corpus.inputs import Paths, find_files
from cotopics.errors import CorpusError, ParameterError
from cotopics.registry import DOCUMENTS

MAX_DEPTH = 40  # of lists and objects inside one another; our files, which put them inside others, allow 50
MAX_SHOWN = 3  # reasons in a note
NAME_THE_TEXT = "Name the field of the text: text_field, or --text-field"
DELIMITED = (".csv", ".tsv")  # kinds of files that a delimiter is for


@dataclass(frozen=True, slots=True)
class Document:
    """One document.

    Parameters
    ----------
    text : str or list of str
        A text, or its words, which are used as they are.
    id, label, date : optional
        What is known of it; a date is ISO 8601.
    metadata : dict
        Other data, by name.

    >>> Document("The moon rose.", label="night").text
    'The moon rose.'
    """

    text: str | list[str]
    id: str | None = None
    label: Any = None
    date: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fields:
    """Which fields or columns of a file hold what.

    Parameters
    ----------
    text : str
        The field of the text. It must be in the file.
    label, id, date : str or None
        Used if the file has them. None: do not look for it.
    metadata : tuple of str
        Other fields to read. They must be in the file.

    >>> Fields(text="body", metadata=["page"]).names()
    ['body', 'label', 'id', 'date', 'page']
    """

    text: str = "text"
    label: str | None = "label"
    id: str | None = "id"
    date: str | None = "date"
    metadata: Iterable[str] = ()

    def __post_init__(self) -> None:
        if isinstance(self.metadata, str):
            raise ParameterError(f"metadata_fields={self.metadata!r} is one string; give a list of names")
        object.__setattr__(self, "metadata", tuple(self.metadata))

    def names(self) -> list[str]:
        """Every name to look for, that of the text first."""
        return list(dict.fromkeys(filter(None, (self.text, self.label, self.id, self.date, *self.metadata))))

    def check(self, where: str, found: Iterable[str]) -> None:
        """CorpusError unless each required column is among those found, exactly once."""
        found = list(found)
        for name in (self.text, *self.metadata):
            if found.count(name) != 1:
                number = "more than one" if name in found else "no"
                remedy = NAME_THE_TEXT if name == self.text else "Ask only for fields that are there"
                raise CorpusError(f"{where}: {number} field {name!r}; its fields are {quoted_names(found)}. {remedy}")

    def document(self, row: Mapping[str, Any]) -> Document:
        """The document of a row with plain Python values; Unusable if its text is not a text."""
        return Document(
            text_of(row.get(self.text), self.text),
            as_name(row.get(self.id)) if self.id else None,
            plain_value(row.get(self.label)) if self.label else None,
            as_name(row.get(self.date)) if self.date else None,
            {name: plain_value(row.get(name)) for name in self.metadata},
        )

    def document_of_object(self, row: Mapping[str, Any]) -> Document:
        """The same for a row that has its own field names; Unusable if there is no field of the text."""
        if self.text not in row:
            listed = quoted_names(list(row)) or "none"
            raise Unusable(f"no field {self.text!r}; its fields are {listed}. {NAME_THE_TEXT}")
        return self.document(row)


@dataclass
class DocumentDetails:
    """What is known of several documents besides their words; every list has one entry per document."""

    ids: list[str | None] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    dates: list[str | None] = field(default_factory=list)
    metadata: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        self.ids.append(document.id)
        self.labels.append(document.label)
        self.dates.append(document.date)
        for name, value in document.metadata.items():
            self.metadata.setdefault(name, []).append(value)

    def collect(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents; each is added on its way."""
        for document in documents:
            self.add(document)
            yield document

    def extend(self, other: DocumentDetails) -> None:
        self.ids += other.ids
        self.labels += other.labels
        self.dates += other.dates
        for name, values in other.metadata.items():
            self.metadata.setdefault(name, []).extend(values)

    def columns(self) -> dict[str, Any]:
        """The fields of a `Corpus`, None where nothing is known."""
        return {
            "labels": self.labels if any(label is not None for label in self.labels) else None,
            "ids": [value or "" for value in self.ids] if any(self.ids) else None,
            "dates": [value or "" for value in self.dates] if any(self.dates) else None,
            "metadata": self.metadata or None,
        }


@dataclass
class Skipped:
    """Documents that could not be used: how many, and where and why for the first few."""

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
        more = "; …" if self.number > MAX_SHOWN else ""
        return [f"{self.number} {noun} left out that cannot be read: {'; '.join(self.first[:MAX_SHOWN])}{more}"]


class Documents:
    """The documents of files: every `iter(documents)` is a new pass over the files.

    `skipped` says what was left out in the last pass, so far.

    Parameters
    ----------
    paths : files of one kind
    kind : name of their format, in DOCUMENTS
    fields : which fields hold the text, the label, the id and the date
    on_error : "raise" or "skip", for a document that cannot be read
    encoding : of text files
    delimiter : of the cells of .csv and .tsv files; None: what the header shows

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "notes.csv")
    >>> _ = path.write_text("text,label\\nthe moon,night\\nthe sun,day\\n")
    >>> [(document.text, document.label) for document in read_documents(path)]
    [('the moon', 'night'), ('the sun', 'day')]
    """

    def __init__(
        self,
        paths: list[Path],
        kind: str,
        *,
        fields: Fields,
        on_error: str,
        encoding: str,
        delimiter: str | None = None,
    ) -> None:
        if on_error not in ("raise", "skip"):
            raise ParameterError(f"on_error={on_error!r} is unknown; choose 'raise' or 'skip'")
        check_encoding(encoding)
        if kind not in DOCUMENTS:
            raise CorpusError(f"{paths[0]} holds counts, not texts")
        if delimiter is not None and (kind not in DELIMITED or len(delimiter) != 1 or delimiter in '"\r\n'):
            raise ParameterError(f"delimiter={delimiter!r:.20} must be one character, and is for .csv and .tsv files")
        self.paths, self.kind, self.fields = paths, kind, fields
        self.skipped = Skipped()
        self._on_error = on_error
        self._encoding = encoding
        self._more = {} if delimiter is None else {"delimiter": delimiter}

    def __iter__(self) -> Iterator[Document]:
        self.skipped = skipped = Skipped()
        for path in self.paths:
            yield from self._read(path, skipped)

    def check(self) -> None:
        """Raise now what the first document of any file would raise."""
        for path in self.paths:
            next(self._read(path, Skipped()), None)

    def _read(self, path: Path, skipped: Skipped) -> Iterator[Document]:
        on_bad: OnBad = skipped.add if self._on_error == "skip" else _refuse
        return DOCUMENTS[self.kind](path, self.fields, encoding=self._encoding, on_bad=on_bad, **self._more)


def read_documents(
    path: Paths,
    *,
    text_field: str = "text",
    label_field: str | None = "label",
    id_field: str | None = "id",
    date_field: str | None = "date",
    metadata_fields: Iterable[str] = (),
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
    delimiter: str | None = None,
) -> Documents:
    """The documents of a file, a folder or a list of files, read when they are needed.

    - `.txt`: one document per line, blank lines left out. A folder of them: one document per file, whose id is its path
      inside the folder and whose label is the subfolder that it is in.
    - `.jsonl`, `.ndjson`: one object per line. `.csv`, `.tsv`: one row each, after a header. `.parquet`: one row each.

    `text_field` and the others say which field or column holds what. Cells of a table are separated by `delimiter`;
    None: by what the header shows, a comma (in .tsv a tab), or else a semicolon, a tab or |. All but parquet may be
    packed (`.gz`, `.bz2`, `.xz`, `.zst`), and "-" is standard input. `kind`, such as "csv", is for files whose suffix
    does not say it. If a text is a list, its entries are the words. A missing text has no words.

    on_error: "raise" a CorpusError that names file and line, or "skip" documents that cannot be used. Errors after
    which reading cannot continue, such as an archive that is cut off or a missing column, are always raised.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "notes.jsonl")
    >>> _ = path.write_text('{"body": "the moon", "page": 7}\\n')
    >>> [document.metadata for document in read_documents(path, text_field="body", metadata_fields=["page"])]
    [{'page': 7}]
    """
    paths, found = find_files(path, kind)
    fields = Fields(text_field, label_field, id_field, date_field, metadata_fields)
    return Documents(paths, found, fields=fields, on_error=on_error, encoding=encoding, delimiter=delimiter)


def _refuse(reason: str) -> None:
    raise CorpusError(reason)


def text_of(value: Any, name: str) -> str | list[str]:
    """A text, or a list of words without missing ones; a missing text is empty."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # an array of words, as in pandas
        value = value.tolist()
    if isinstance(value, list | tuple):
        tokens = [token for token in value if token is not None]
        if all(isinstance(token, str) for token in tokens):
            check_length(sum(map(len, tokens)))
            return tokens
        wrong = next(type(token).__name__ for token in tokens if not isinstance(token, str))
        raise Unusable(f"field {name!r} holds a list with {wrong}, not only words")
    if is_missing(value):
        return ""
    raise Unusable(f"field {name!r} holds {type(value).__name__}, not a text")


def is_missing(value: Any) -> bool:
    """None, NaN, and the missing values of pandas: all are not equal to themselves."""
    if value is None or hasattr(value, "__len__"):
        return value is None
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA cannot be compared
        return type(value).__name__ in ("NAType", "NaTType")


def plain_value(value: Any, depth: int = 0) -> Any:
    """A value that JSON has: dates become ISO 8601, numpy's numbers Python's, missing values None.

    Unusable if lists and objects are nested more than MAX_DEPTH deep; `depth` is that of the value."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if depth > MAX_DEPTH:
        raise Unusable(f"a value of lists or objects more than {MAX_DEPTH} deep; make it a text, or name another field")
    if isinstance(value, Mapping):
        return {str(key): plain_value(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(entry, depth + 1) for entry in value]
    if is_missing(value):
        return None
    if isinstance(value, float):
        return value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return plain_value(value.tolist(), depth) if hasattr(value, "tolist") else str(value)


def as_name(value: Any) -> str | None:
    """An id or a date as a string; None if it is missing or empty."""
    value = plain_value(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # from a column of numbers with missing ones
    if value is None or isinstance(value, str):
        return value or None
    return json.dumps(value, ensure_ascii=False)
