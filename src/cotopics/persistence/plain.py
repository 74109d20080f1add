"""JSON that means one thing: no keys twice, no NaN, no half characters, no bottomless nesting."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from cotopics.errors import ModelFileError

DEEPEST = 50  # objects and lists within one another


def to_json(value: Any) -> str:
    """A value as JSON, equal texts for equal values; a ModelFileError if JSON cannot hold it."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
        text.encode()
    except UnicodeEncodeError as error:
        around = error.object[max(error.start - 10, 0) : error.end + 10]
        raise ModelFileError(
            f"{around!r} cannot be written: it holds half a surrogate pair, which is no text"
        ) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"a file holds plain values, and here is one that is not: {error}") from None
    return text


def from_json(text: str) -> Any:
    """The value of a JSON text; a ValueError for what `to_json` never writes."""
    try:
        value = json.loads(text, object_pairs_hook=_no_key_twice)
        if _depth(value) > DEEPEST:
            raise ValueError("nested too deeply")
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # NaN, 1e999, half a surrogate pair
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def plain(value: Any, name: str) -> Any:
    """The value as JSON would give it back: numbers, texts, None, and lists and dicts (with texts as keys) of these."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and np.isfinite(value):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(entry, name) for entry in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(entry, f"{name}[{key!r}]") for key, entry in value.items()}
    raise ModelFileError(
        f"{name} holds {value!r}, and a file holds finite numbers, texts, None, and lists and dicts of these"
    )


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key is there twice")
    return entries


def _depth(value: Any) -> int:
    """How many lists and objects are within one another."""
    depth, level = 0, [value]
    while level := [entry for entry in level if isinstance(entry, list | dict)]:
        depth += 1
        level = [entry for outer in level for entry in (outer.values() if isinstance(outer, dict) else outer)]
    return depth
