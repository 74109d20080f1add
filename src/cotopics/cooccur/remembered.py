"""A co-occurrence that is asked the same things again and again."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, Words


class Remembered(Cooccurrence):
    """Another co-occurrence, which finds its row sums and the norms of its rows once; both are read-only.

    The norms cost as much as all pairs of words that occur: several measures of one C should share them.
    """

    def __init__(self, C: Cooccurrence) -> None:
        self.C = C
        self.documents = C.documents

    @property
    def shape(self) -> tuple[int, int]:
        return self.C.shape

    @property
    def nbytes(self) -> int:
        return self.C.nbytes + 16 * self.shape[0]

    def __matmul__(self, V: Array) -> Array:
        return self.C @ V

    def rows(self, words: Words) -> Array:
        return self.C.rows(words)

    def diagonal(self) -> Array:
        return self.C.diagonal()

    def row_sums(self) -> Array:
        return self._row_sums

    def squared_row_norms(self) -> Array:
        return self._squared_row_norms

    @cached_property
    def _row_sums(self) -> Array:
        return _read_only(self.C.row_sums())

    @cached_property
    def _squared_row_norms(self) -> Array:
        return _read_only(self.C.squared_row_norms())

    def toarray(self) -> Array:
        return self.C.toarray()

    def restrict(self, words: Words) -> Cooccurrence:
        return self.C.restrict(words)

    def negative_share(self) -> Array:
        return self.C.negative_share()

    def nonnegative_rows(self, words: Words) -> Cooccurrence:
        return self.C.nonnegative_rows(words)


def _read_only(values: Array) -> Array:
    values = np.array(values)
    values.setflags(write=False)
    return values
