"""Arrays in a scratch file, and records of arrays: what is too large for memory and needed again.

The file has no name (on Windows: one that goes with it), so its room is free again when the last user drops it, also
after an error, Ctrl-C or `kill -9`. It is read and written piece by piece, not mapped into memory: its size then does
not count as address space, and a disk that is full is an error rather than a crash.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.errors import CorpusError

SMALL_TYPES = (np.uint8, np.uint16, np.uint32)  # that whole numbers are packed into


class Place(NamedTuple):
    """Where an array is in the file, in what type, and the type and shape that it has in memory."""

    file: ScratchFile
    offset: int
    packed: Any
    dtype: Any
    shape: tuple[int, ...]


class ScratchFile:
    """A file without a name in `folder` (None: where the system keeps such files)."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.folder = tempfile.gettempdir() if folder is None else os.fspath(folder)
        self.size = 0
        self._known: dict[
            int, tuple[Any, Place]
        ] = {}  # arrays in memory that are in a file: they are not written again
        try:
            file: Any = tempfile.TemporaryFile(buffering=0, prefix="cotopics-", dir=self.folder)  # noqa: SIM115
        except OSError as error:
            raise self._error(error) from None
        self._file = file
        self.close = weakref.finalize(self, file.close)

    def write(self, array: Any) -> Place:
        """The array at the end of the file; whole numbers, and counts, in as few bytes as they need."""
        whole = array if array.base is None else array.base  # scipy makes views of the arrays that it is given
        known = self._known.get(id(whole))
        if known is not None and known[0]() is whole and _is_all_of(array, whole):
            return known[1]
        place = self.append(array, packing=True)
        self.remember(array, place)
        return place

    def append(self, array: Any, packing: bool = False) -> Place:
        """The same, even of an array that is in a file already: it may have changed since it was read."""
        packed = _packed(array) if packing else np.ascontiguousarray(array)
        place = Place(self, self.size, packed.dtype, array.dtype, array.shape)
        self._write_at(self.size, packed)
        self.size += packed.nbytes
        return place

    def overwrite(self, place: Place, array: Any) -> None:
        """Another array of the same type and shape in the place of one that was not packed."""
        self._write_at(place.offset, np.ascontiguousarray(array))

    def read(self, place: Place) -> Any:
        array = np.empty(place.shape, place.packed)
        view, file = _bytes(array), place.file._file
        try:
            file.seek(place.offset)
            while len(view):
                n = file.readinto(view)
                if not n:
                    raise CorpusError(f"the scratch file in {self.folder} is shorter than it was written")
                view = view[n:]
        except OSError as error:
            raise self._error(error) from None
        return array if place.packed == place.dtype else array.astype(place.dtype)

    def remember(self, array: Any, place: Place) -> None:
        """As long as this array lives, whoever writes it gets the place where it is already."""
        key, known = id(array), self._known
        known[key] = weakref.ref(array, lambda _: known.pop(key, None)), place

    def _write_at(self, offset: int, array: Any) -> None:
        view = _bytes(array)
        try:
            self._file.seek(offset)
            while len(view):
                view = view[self._file.write(view) :]
        except OSError as error:
            raise self._error(error) from None

    def _error(self, error: OSError) -> CorpusError:
        return CorpusError(
            f"there is no room for a scratch file in {self.folder} ({error.strerror}); name another folder: "
            "scratch=, or --scratch on the command line"
        )


def _is_all_of(array: Any, whole: Any) -> bool:
    """Whether a view of an array shows all of it, as it is."""
    return all(getattr(array, name) == getattr(whole, name) for name in ("shape", "dtype", "strides"))


def _bytes(array: Any) -> Any:
    return memoryview(array.reshape(-1)).cast("B") if array.size else b""


def _packed(array: Any) -> Any:
    """The same numbers in fewer bytes, where all are whole and not negative; else the array itself."""
    if array.size == 0 or array.dtype.kind not in "iuf":
        return np.ascontiguousarray(array)
    if not (array.min() >= 0 and array.max() < 1 << 32):  # false for NaN too
        return np.ascontiguousarray(array)
    small = next(type_ for type_ in SMALL_TYPES if array.max() <= np.iinfo(type_).max)
    if np.dtype(small).itemsize >= array.dtype.itemsize:
        return np.ascontiguousarray(array)
    packed = array.astype(small)
    return packed if array.dtype.kind in "iu" or (packed == array).all() else np.ascontiguousarray(array)


# --- records of arrays -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """An object whose arrays are in a file: its class, and its parts by name; a tuple's parts are numbered."""

    kind: type
    parts: dict[Any, Any]


def put(file: ScratchFile, value: Any) -> Any:
    """What `get` makes the value of again; its arrays are in the file, the rest stays in memory."""
    if isinstance(value, np.ndarray):
        return file.write(value)
    if isinstance(value, tuple):
        return Parts(type(value), {i: put(file, one) for i, one in enumerate(value)})
    if sp.issparse(value):
        arrays = {name: put(file, getattr(value, name)) for name in ("data", "indices", "indptr")}
        return Parts(sp.csr_array, arrays | {"shape": value.shape})
    if type(value).__module__.startswith("cotopics."):
        return Parts(type(value), {name: put(file, one) for name, one in vars(value).items()})
    return value


def get(file: ScratchFile, stored: Any) -> Any:
    """The value that `put` wrote. Its arrays are known to `file`: they are not written there a second time."""
    if isinstance(stored, Place):
        array = file.read(stored)
        file.remember(array, stored)
        return array
    if not isinstance(stored, Parts):
        return stored
    parts = {name: get(file, one) if name != "shape" else one for name, one in stored.parts.items()}
    if stored.kind is sp.csr_array:
        return sp.csr_array((parts["data"], parts["indices"], parts["indptr"]), shape=parts["shape"])
    if issubclass(stored.kind, tuple):
        return stored.kind(*parts.values()) if hasattr(stored.kind, "_fields") else tuple(parts.values())
    value = object.__new__(stored.kind)
    value.__dict__.update(parts)
    return value
