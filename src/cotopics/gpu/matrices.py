"""Counts on a device, by document and by word, in parts that a warp goes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

PART = 1024  # documents of a word that one warp goes through
COPIED = 1 << 26  # non-zeros that are copied to the device at a time
DOUBLES = 1 << 24  # numbers in double precision that are made of single ones at a time


class Rows(NamedTuple):
    """Rows of a sparse matrix on the device, in parts of consecutive entries.

    bounds (n_parts + 1,) int64, row_of (n_parts,) int32 or None where every row is one part, first_part (n_rows + 1,)
    int32 or None, indices (nnz,) int32, data (nnz,) single.
    """

    bounds: Any
    row_of: Any
    first_part: Any
    indices: Any
    data: Any

    @property
    def n_parts(self) -> int:
        return len(self.bounds) - 1


@dataclass(frozen=True)
class DeviceMatrix:
    """A sparse matrix (documents × words) on a device.

    indptr (n_documents + 1,) int64, indices and data as in CSR; `turned`, where it is known, are the same of the
    transpose: indptr (n_words + 1,), documents, data.
    """

    device: Any
    shape: tuple[int, int]
    indptr: Any
    indices: Any
    data: Any
    turned: Any = None

    @property
    def by_document(self) -> Rows:
        return Rows(self.indptr, None, None, self.indices, self.data)

    @cached_property
    def by_word(self) -> Rows:
        """The words' documents, in parts of PART at most, so that frequent words do not keep one warp busy."""
        xp = self.device.xp
        indptr, documents, data = self.transpose
        lengths = xp.diff(indptr)
        n_parts = (lengths + PART - 1) // PART
        first_part = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(n_parts)])
        row_of = repeated(xp, first_part)
        starts = indptr[row_of] + PART * (xp.arange(len(row_of), dtype=np.int64) - first_part[row_of])
        bounds = xp.concatenate([starts, indptr[-1:]])
        return Rows(bounds, row_of, first_part.astype(np.int32), documents, data)

    @cached_property
    def transpose(self) -> tuple[Any, Any, Any]:
        """indptr (n_words + 1,), documents and data by word; documents of a word are in order."""
        if self.turned is not None:
            return self.turned
        xp = self.device.xp
        order = xp.argsort(self.indices, kind="stable")
        frequency = xp.bincount(self.indices, minlength=self.shape[1])
        indptr = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(frequency).astype(np.int64)])
        return indptr, repeated(xp, self.indptr)[order], self.data[order]

    def with_data(self, data: Any, turned_data: Any) -> DeviceMatrix:
        """Other numbers in the same places."""
        indptr, documents, _ = self.transpose
        return replace(self, data=data, turned=(indptr, documents, turned_data))

    def columns(self, words: Any) -> DeviceMatrix:
        """These columns only, in this order."""
        xp = self.device.xp
        words = self.device.put(np.asarray(words, np.int64))
        place = xp.full(self.shape[1], -1, np.int32)
        place[words] = xp.arange(len(words), dtype=np.int32)
        moved = place[self.indices]
        kept = moved >= 0
        before = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(kept, dtype=np.int64)])
        indptr, documents, data = self.transpose
        lengths = xp.diff(indptr)[words]
        turned = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(lengths)])
        take = xp.arange(int(turned[-1]), dtype=np.int64)
        take += (indptr[words] - turned[:-1])[repeated(xp, turned)]
        return DeviceMatrix(
            self.device,
            (self.shape[0], len(words)),
            before[self.indptr],
            moved[kept],
            self.data[kept],
            (turned, documents[take], data[take]),
        )


def repeated(xp: Any, bounds: Any) -> Any:
    """Row i as many times as bounds (n + 1,) say that it has entries: the row of every entry, int32."""
    entries = xp.arange(int(bounds[-1]), dtype=bounds.dtype)
    return (xp.searchsorted(bounds, entries, side="right") - 1).astype(np.int32)


def row_blocks(n: int, n_columns: int) -> Iterator[slice]:
    """Rows of (n, n_columns) numbers that are made double at a time."""
    block = max(1, DOUBLES // n_columns)
    yield from (slice(first, first + block) for first in range(0, n, block))


def on_device(device: Any, X: sp.csr_array, rows: slice | None = None) -> DeviceMatrix:
    """Counts (documents × words, CSR), or some of their rows, copied to a device, numbers in single precision."""
    first, last = (0, X.shape[0]) if rows is None else (rows.start, rows.stop)
    begin, end = int(X.indptr[first]), int(X.indptr[last])
    indices, data = device.xp.empty(end - begin, np.int32), device.xp.empty(end - begin, np.float32)
    for start in range(begin, end, COPIED):
        some = slice(start, min(start + COPIED, end))
        there = slice(some.start - begin, some.stop - begin)
        indices[there] = device.put(X.indices[some])
        data[there] = device.put(X.data[some])
    indptr = device.put(X.indptr[first : last + 1].astype(np.int64) - begin)
    return DeviceMatrix(device, (last - first, X.shape[1]), indptr, indices, data)
