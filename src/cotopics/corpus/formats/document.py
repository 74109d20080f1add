"""One document, and which fields or columns of a file hold what of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cotopics.corpus.files import Unusable, check_length
from cotopics.errors import CorpusError

DEEPEST = 40  # lists and objects within one another; a file of ours, where they are within others, takes 50


@dataclass(frozen=True, slots=True)
class Document:
    """A text, or a list of tokens that are taken as they are, and what else is known of it."""

    text: str | list[str]
    id: str | None = None
    label: Any = None
    date: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fields:
    """The fields or columns of a document's text, label, id, date and other data.

    The text and what is in `metadata` must be in the file somewhere; the others are taken where they are there. None:
    do not look for it.
    """

    text: str = "text"
    label: str | None = "label"
    id: str | None = "id"
    date: str | None = "date"
    metadata: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", tuple(self.metadata))

    def names(self) -> list[str]:
        """Every name to look for, the text's first."""
        return list(dict.fromkeys(filter(None, (self.text, self.label, self.id, self.date, *self.metadata))))

    def check(self, where: str, found: Iterable[str]) -> None:
        """CorpusError unless the columns that must be there are among those found, each once."""
        found = list(found)
        for name in (self.text, *self.metadata):
            if found.count(name) != 1:
                number = "more than one" if name in found else "no"
                listed = ", ".join(map(repr, found[:20])) + (", …" if len(found) > 20 else "")
                remedy = "Name the field of the text" if name == self.text else "Ask only for fields that are there"
                raise CorpusError(f"{where}: {number} field {name!r}; its fields are {listed}. {remedy}")

    def document(self, row: Mapping[str, Any]) -> Document:
        """The document of a row with plain Python values; Unusable where its text is none."""
        return Document(
            text_of(row.get(self.text), self.text),
            as_name(row.get(self.id)) if self.id else None,
            plain(row.get(self.label)) if self.label else None,
            as_name(row.get(self.date)) if self.date else None,
            {name: plain(row.get(name)) for name in self.metadata},
        )


@dataclass
class About:
    """What is known of several documents beside their words; one entry per document in every list."""

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

    def extend(self, other: About) -> None:
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


def text_of(value: Any, name: str) -> str | list[str]:
    """A text, or a list of tokens without the missing ones; a missing text is one without words."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # an array of words, as pandas keeps them
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
    """None, NaN, and what pandas means by missing: all that are not equal to themselves."""
    if value is None or hasattr(value, "__len__"):
        return value is None
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is not even that
        return type(value).__name__ in ("NAType", "NaTType")


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON knows them: dates become ISO 8601, numpy's numbers become Python's, what is missing None.

    Unusable where lists and objects are more than DEEPEST within one another, as `depth` of them are around it."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if depth > DEEPEST:
        raise Unusable(f"a value of lists or objects more than {DEEPEST} deep; make it a text, or name another field")
    if isinstance(value, Mapping):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry, depth + 1) for entry in value]
    if is_missing(value):
        return None
    if isinstance(value, float):
        return value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return plain(value.tolist(), depth) if hasattr(value, "tolist") else str(value)


def as_name(value: Any) -> str | None:
    """An id or a date as a string; None if it is missing or empty."""
    value = plain(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of numbers with holes
    if value is None or isinstance(value, str):
        return value or None
    return json.dumps(value, ensure_ascii=False)
