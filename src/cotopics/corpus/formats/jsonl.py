"""JSON lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cotopics.corpus.documents import Document, Fields
from cotopics.corpus.files import OnBad, Unusable, text_lines


def read_jsonl(path: Path, fields: Fields, *, encoding: str, on_bad: OnBad) -> Iterator[Document]:
    """A document for every object. It must have the field of the text; a text that is null has no words.

    All are texts, or all are lists of words: the first object decides.
    """
    names = fields.names()
    found: dict[str, None] = {}  # all fields of the first object, and of others the wanted ones
    kind: type | None = None
    for number, line in text_lines(path, encoding, on_bad):
        try:
            row = _object(line)
            found |= dict.fromkeys(name for name in names if name in row) if found else dict.fromkeys(row)
            document = fields.document_of_object(row)
            kind = _one_kind(kind, document)
        except Unusable as error:
            on_bad(f"{path}, line {number}: {error}")
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


def _one_kind(kind: type | None, document: Document) -> type | None:
    if document.text and kind not in (None, type(document.text)):
        names = {str: "a text", list: "a list of words"}
        raise Unusable(f"it holds {names[type(document.text)]}, but documents before it {names[kind]}")  # type: ignore[index]
    return type(document.text) if document.text else kind


def _refuse_half_characters(row: dict[str, Any]) -> None:
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unusable(f"half of a character ({error.object[error.start]!a}), which is not valid Unicode") from None
    except RecursionError as error:
        raise Unusable(f"not JSON that can be read ({error})") from None
