"""A thin factor."""

from __future__ import annotations

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary, Words
from cotopics.cooccur.clipped import Clipped


class LowRank(Cooccurrence):
    """C = YYᵀ from Y (n_words, k)."""

    def __init__(self, Y: Array, documents: DocumentSummary | None = None) -> None:
        self.Y = Y
        self.documents = documents

    @property
    def shape(self) -> tuple[int, int]:
        return self.Y.shape[0], self.Y.shape[0]

    def __matmul__(self, V: Array) -> Array:
        return self.Y @ (self.Y.T @ V)

    def rows(self, words: Words) -> Array:
        return self.Y[np.asarray(words)] @ self.Y.T

    def diagonal(self) -> Array:
        return np.einsum("ij,ij->i", self.Y, self.Y)

    def squared_row_norms(self) -> Array:
        return np.einsum("ij,ij->i", self.Y @ (self.Y.T @ self.Y), self.Y)

    def nonnegative_rows(self, words: Words) -> Cooccurrence:
        return Clipped(self.Y, words, self.documents)

    def restrict(self, words: Words) -> LowRank:
        return LowRank(self.Y[np.asarray(words)], self._summary_for(words))
