"""What records consist of: JSON values, texts, arrays and sparse rows. Each is checked before it is used.

JSON has one meaning here: no key twice, no NaN, no half characters, no endless nesting.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cotopics.arrays import AnyArray
from cotopics.errors import ModelFileError

MAX_DEPTH = 50  # of lists and objects inside one another

Expected = Mapping[str, tuple[tuple[str, ...] | str, tuple[int | None, ...]]]  # name → dtypes, shape (None: any length)


def to_json(value: Any) -> str:
    """A value as JSON, equal texts for equal values; a ModelFileError if JSON cannot hold it."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
        text.encode()
    except UnicodeEncodeError as error:
        around = error.object[max(error.start - 10, 0) : error.end + 10]
        raise ModelFileError(f"{around!r} cannot be written: it holds half a surrogate pair, not text") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"a file can hold plain values only, and one is not: {error}") from None
    return text


def from_json(text: str) -> Any:
    """The value of a JSON text; a ValueError for what `to_json` never writes."""
    try:
        value = json.loads(text, object_pairs_hook=_no_key_twice)
        if _depth(value) > MAX_DEPTH:
            raise ValueError("nested too deeply")
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses NaN, 1e999, half a surrogate pair
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def plain(value: Any, name: str) -> Any:
    """The value as JSON returns it: numbers, texts, None, and lists and dicts (with texts as keys) of these."""
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
        f"{name} holds {value!r}; a file can hold finite numbers, texts, None, and lists and dicts of these"
    )


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key is there twice")
    return entries


def _depth(value: Any) -> int:
    """How deep lists and objects are nested."""
    depth, level = 0, [value]
    while level := [entry for entry in level if isinstance(entry, list | dict)]:
        depth += 1
        level = [entry for outer in level for entry in (outer.values() if isinstance(outer, dict) else outer)]
    return depth


def check_arrays(arrays: Mapping[str, AnyArray], expected: Expected, optional: Expected | None = None) -> None:
    """A ModelFileError unless these are the expected arrays, with their types and shapes, and all numbers finite."""
    optional = optional or {}
    wrong = [*(set(arrays) - set(expected) - set(optional)), *(set(expected) - set(arrays))]
    if wrong:
        raise ModelFileError(f"it does not have the arrays of such a file; the first to differ is {min(wrong)!r}")
    for name, array in arrays.items():
        dtypes, shape = expected.get(name) or optional[name]
        fits = len(shape) == array.ndim and all(want in (None, n) for want, n in zip(shape, array.shape, strict=True))
        if not fits or array.dtype.name not in ((dtypes,) if isinstance(dtypes, str) else dtypes):
            raise ModelFileError(f"array {name} has the wrong type or shape: {array.dtype.name} {array.shape}")
        if array.dtype.kind == "f" and array.size and not np.isfinite([array.min(), array.max()]).all():
            raise ModelFileError(f"array {name} holds a number that is not finite")


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, AnyArray]:
    """Texts as two arrays: `NAME.text`, their UTF-8 bytes, and `NAME.offsets` (n + 1,), where each begins and ends."""
    check_texts(name, texts)
    joined = "".join(texts)
    sizes = map(len, texts) if joined.isascii() else (len(text.encode()) for text in texts)
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=offsets[1:])
    return {f"{name}.text": np.frombuffer(joined.encode(), np.uint8), f"{name}.offsets": offsets}


def unpack_texts(arrays: dict[str, AnyArray], name: str, n_texts: int) -> list[str] | None:
    """The texts of arrays that `pack_texts` made, which are removed from `arrays`; None if there are none."""
    packed = {key: arrays.pop(key) for key in (f"{name}.text", f"{name}.offsets") if key in arrays}
    if not packed:
        return None
    check_arrays(packed, {f"{name}.text": ("uint8", (None,)), f"{name}.offsets": ("int64", (n_texts + 1,))})
    content, offsets = packed.values()
    _check_offsets(offsets, len(content), name)
    raw, bounds = content.tobytes(), offsets.tolist()
    try:
        return [raw[a:b].decode() for a, b in pairwise(bounds)]
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{name} is not UTF-8 ({error})") from None


def check_texts(name: str, texts: Sequence[Any]) -> None:
    """A ModelFileError that names the first entry that is not a text."""
    try:
        "".join(texts).encode()
    except (TypeError, UnicodeEncodeError):
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise ModelFileError(f"{name}: entry {i} is {text!r}, not a text; give str({text!r})") from None
            if any("\ud800" <= character <= "\udfff" for character in text):
                raise ModelFileError(
                    f"{name}: entry {i} is {text!r}, which holds half a surrogate pair and so is not a text. "
                    "Decode the input with errors='replace', or leave it out"
                ) from None


def check_rows(indptr: AnyArray, indices: AnyArray, n_columns: int, what: str) -> None:
    """A ModelFileError unless these are rows of a sparse matrix: products with wrong indices crash the process."""
    _check_offsets(indptr, len(indices), what)
    if indices.size and not (indices.min() >= 0 and indices.max() < n_columns):
        raise ModelFileError(f"{what} has columns beyond its {n_columns}")


def _check_offsets(offsets: AnyArray, end: int, what: str) -> None:
    """A ModelFileError unless the offsets rise from 0 to `end`."""
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != end or (offsets[1:] < offsets[:-1]).any():
        raise ModelFileError(f"the offsets of {what} do not rise from 0 to {end}")
