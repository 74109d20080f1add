"""What records are made of: arrays of a known shape, texts, rows of counts. Each is checked before it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cotopics.errors import ModelFileError
from cotopics.persistence.layout import Array

Expected = Mapping[str, tuple[tuple[str, ...] | str, tuple[int | None, ...]]]  # name → dtypes, shape (None: any length)


def check_arrays(arrays: Mapping[str, Array], expected: Expected, optional: Expected | None = None) -> None:
    """A ModelFileError unless these are the arrays expected, with their types and shapes, and all numbers finite."""
    optional = optional or {}
    wrong = [*(set(arrays) - set(expected) - set(optional)), *(set(expected) - set(arrays))]
    if wrong:
        raise ModelFileError(f"its arrays are not those of such a file; the first to differ is {min(wrong)!r}")
    for name, array in arrays.items():
        dtypes, shape = expected.get(name) or optional[name]
        fits = len(shape) == array.ndim and all(want in (None, n) for want, n in zip(shape, array.shape, strict=True))
        if not fits or array.dtype.name not in ((dtypes,) if isinstance(dtypes, str) else dtypes):
            raise ModelFileError(f"array {name} has the wrong type or shape: {array.dtype.name} {array.shape}")
        if array.dtype.kind == "f" and array.size and not np.isfinite([array.min(), array.max()]).all():
            raise ModelFileError(f"array {name} holds a number that is not finite")


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, Array]:
    """Texts as arrays `NAME.text`, one run of UTF-8 bytes, and `NAME.offsets` (n + 1,), where each begins and ends."""
    check_texts(name, texts)
    joined = "".join(texts)
    sizes = map(len, texts) if joined.isascii() else (len(text.encode()) for text in texts)
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=offsets[1:])
    return {f"{name}.text": np.frombuffer(joined.encode(), np.uint8), f"{name}.offsets": offsets}


def unpack_texts(arrays: dict[str, Array], name: str, n_texts: int) -> list[str] | None:
    """The texts that `pack_texts` made arrays of, which are taken out; None where there are none."""
    packed = {key: arrays.pop(key) for key in (f"{name}.text", f"{name}.offsets") if key in arrays}
    if not packed:
        return None
    check_arrays(packed, {f"{name}.text": ("uint8", (None,)), f"{name}.offsets": ("int64", (n_texts + 1,))})
    content, offsets = packed.values()
    check_offsets(offsets, len(content), name)
    raw, bounds = content.tobytes(), offsets.tolist()
    try:
        return [raw[a:b].decode() for a, b in pairwise(bounds)]
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{name} is not UTF-8 ({error})") from None


def check_texts(name: str, texts: Sequence[Any]) -> None:
    """A ModelFileError that names the first entry that is no text."""
    try:
        "".join(texts).encode()
    except (TypeError, UnicodeEncodeError):
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise ModelFileError(f"{name}: entry {i} is {text!r}, not a text; give str({text!r})") from None
            if any("\ud800" <= character <= "\udfff" for character in text):
                raise ModelFileError(
                    f"{name}: entry {i} is {text!r}, which holds half a surrogate pair and is no text. "
                    "Decode the input with errors='replace', or leave it out"
                ) from None


def check_offsets(offsets: Array, end: int, what: str) -> None:
    """A ModelFileError unless these numbers cut 0 … end into pieces, one after the other."""
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != end or (offsets[1:] < offsets[:-1]).any():
        raise ModelFileError(f"the offsets of {what} do not cut it into pieces")


def check_rows(indptr: Array, indices: Array, n_columns: int, what: str) -> None:
    """A ModelFileError unless these are rows of a sparse matrix: wrong ones crash whoever multiplies with them."""
    check_offsets(indptr, len(indices), what)
    if indices.size and not (indices.min() >= 0 and indices.max() < n_columns):
        raise ModelFileError(f"{what} has columns beyond its {n_columns}")
