"""JSON lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cotopics.corpus.files import Bad, Unusable, text_lines
from cotopics.corpus.formats.document import Document, Fields


def read_jsonl(path: Path, fields: Fields, *, encoding: str, bad: Bad) -> Iterator[Document]:
    """A document for every object. One without the field of the text cannot be used, one where it is null has no words.

    Texts and lists of words do not mix: the first object says which of them the file holds.
    """
    names = fields.names()
    found: dict[str, None] = {}  # fields of the first object, and of others those that were asked for
    kind: type | None = None
    for number, line in text_lines(path, encoding, bad):
        try:
            row = _object(line)
            found |= dict.fromkeys(name for name in names if name in row) if found else dict.fromkeys(row)
            document = _document(row, fields)
            kind = _one_kind(kind, document)
        except Unusable as error:
            bad(f"{path}, line {number}: {error}")
            continue
        yield document
    if found:
        fields.check(str(path), found)


def _object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"not JSON ({error})") from None
    if not isinstance(row, dict):
        raise Unusable("it is not an object, such as {…}")
    if "\\ud" in line.lower():
        _refuse_half_characters(row)
    return row


def _document(row: dict[str, Any], fields: Fields) -> Document:
    if fields.text not in row:
        listed = ", ".join(map(repr, list(row)[:20])) or "none"
        raise Unusable(f"no field {fields.text!r}; its fields are {listed}. Name the field of the text")
    return fields.document(row)


def _one_kind(kind: type | None, document: Document) -> type | None:
    if document.text and kind not in (None, type(document.text)):
        names = {str: "a text", list: "a list of words"}
        raise Unusable(f"it holds {names[type(document.text)]}, and those before it {names[kind]}")  # type: ignore[index]
    return type(document.text) if document.text else kind


def _refuse_half_characters(row: dict[str, Any]) -> None:
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unusable(f"half of a character ({error.object[error.start]!a}), which is no Unicode") from None
    except RecursionError as error:
        raise Unusable(f"not JSON that can be read ({error})") from None
