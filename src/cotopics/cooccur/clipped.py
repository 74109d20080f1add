"""A thin factor whose product is held non-negative where it matters."""

from __future__ import annotations

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary, Words
from cotopics.linalg.negative import times_negative_part


class Clipped(Cooccurrence):
    """C_ij = max(y_i·y_j, 0) if word i or j is one of `words`, y_i·y_j elsewhere; y_i are the rows of Y (n_words, k).

    Low rank plus a correction that is never stored: a product costs 2 · n_words · |words| operations for each column
    of Y and of the block, so an algorithm that can do with YYᵀ should.
    """

    def __init__(self, Y: Array, words: Words, documents: DocumentSummary | None = None) -> None:
        self.Y = Y
        self.words = np.unique(np.asarray(words, dtype=np.int64))
        self.documents = documents
        self._is_clipped = np.zeros(len(Y), dtype=bool)
        self._is_clipped[self.words] = True

    @property
    def shape(self) -> tuple[int, int]:
        return self.Y.shape[0], self.Y.shape[0]

    @property
    def nbytes(self) -> int:
        return int(self.Y.nbytes)

    def __matmul__(self, V: Array) -> Array:
        block = V.reshape(len(V), -1)
        product = self.Y @ (self.Y.T @ block) + times_negative_part(self.Y, self.words, block)
        return product.reshape(V.shape)

    def rows(self, words: Words) -> Array:
        words = np.asarray(words)
        R = self.Y[words] @ self.Y.T
        negative = (R < 0) & (self._is_clipped[words, None] | self._is_clipped)
        R[negative] = 0
        return R

    def diagonal(self) -> Array:
        return np.einsum("ij,ij->i", self.Y, self.Y)

    def nonnegative_rows(self, words: Words) -> Clipped:
        return Clipped(self.Y, np.union1d(self.words, words), self.documents)

    def restrict(self, words: Words) -> Clipped:
        words = np.asarray(words)
        return Clipped(self.Y[words], np.flatnonzero(self._is_clipped[words]), self._summary_for(words))
