"""Pieces that are read from a scratch file when they are needed, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cotopics.documents import WorkedOnHere, add_all
from cotopics.on_disk.scratch import Place, ScratchFile, get, put


@dataclass(frozen=True)
class DiskPieces(WorkedOnHere):
    """`cotopics.documents.Pieces` on disk. `readers` make the values, each time anew; one is in memory at a time.

    `keep` writes what was made of the values to a scratch file of its own in `folder`; what is in a file already is not
    written again.
    """

    readers: tuple[Callable[[], Any], ...]
    folder: str

    def map(self, function: Callable[..., Any], *arguments: Any) -> DiskPieces:
        return DiskPieces(tuple(partial(_made, read, function, arguments) for read in self.readers), self.folder)

    def keep(self) -> DiskPieces:
        file = ScratchFile(self.folder)
        return DiskPieces(tuple(partial(get, file, put(file, read())) for read in self.readers), self.folder)

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        total = None
        for read in self.readers:
            result = function(read(), *arguments)
            total = result if total is None else add_all(total, result)
        return total

    def update(self, state: DiskPieces, function: Callable[..., Any], *arguments: Any) -> tuple[DiskPieces, Any]:
        """The state, an array for each piece, is written to a file by the first update, and there by later ones."""
        readers: list[Any] = []
        file, total = None, None
        for read, old in zip(self.readers, state.readers, strict=True):
            array = old()
            result = function(read(), array, *arguments)
            total = result if total is None else add_all(total, result)
            if isinstance(old, _Array):
                old.place.file.overwrite(old.place, array)
                readers.append(old)
            else:
                file = file or ScratchFile(self.folder)
                readers.append(_Array(file.append(array)))
        return DiskPieces(tuple(readers), self.folder), total

    def rows(self, n_columns: int) -> DiskPieces:
        """The same pieces: all rows in one array could be larger than memory."""
        return self


@dataclass(frozen=True)
class _Array:
    """Reads an array that later updates write to the same place."""

    place: Place

    def __call__(self) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self.place.file.read(self.place)
        return array


def _made(read: Callable[[], Any], function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(read(), *arguments)
