"""A thin factor."""

from __future__ import annotations

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary, Words
from cotopics.cooccur.clipped import Clipped
from cotopics.linalg.negative import times_negative_part

MOST_COLUMNS = 2000  # longest rows of Y that negative entries are looked for in


class LowRank(Cooccurrence):
    """C = YYᵀ from Y (n_words, k), which may have entries just below zero."""

    def __init__(self, Y: Array, documents: DocumentSummary | None = None) -> None:
        self.Y = Y
        self.documents = documents

    @property
    def shape(self) -> tuple[int, int]:
        return self.Y.shape[0], self.Y.shape[0]

    @property
    def nbytes(self) -> int:
        return int(self.Y.nbytes)

    def __matmul__(self, V: Array) -> Array:
        return self.Y @ (self.Y.T @ V)

    def rows(self, words: Words) -> Array:
        return self.Y[np.asarray(words)] @ self.Y.T

    def diagonal(self) -> Array:
        return np.einsum("ij,ij->i", self.Y, self.Y)

    def squared_row_norms(self) -> Array:
        return np.einsum("ij,ij->i", self.Y @ (self.Y.T @ self.Y), self.Y)

    def negative_share(self) -> Array:
        """Negative entries are looked for in the rows and columns of the longest y_i, where all large entries are."""
        I = np.sort(np.argsort(-self.diagonal(), kind="stable")[:MOST_COLUMNS])
        scale = np.abs(self.Y).max(initial=0) or 1.0
        ones = np.ones((self.shape[0], 1), dtype=np.float32)
        negative = times_negative_part((self.Y / scale).astype(np.float32), I, ones)[:, 0] * scale**2
        return negative / np.maximum(self.row_sums() + 2 * negative, np.where(negative > 0, negative, 1))

    def nonnegative_rows(self, words: Words) -> Cooccurrence:
        return Clipped(self.Y, words, self.documents)

    def restrict(self, words: Words) -> LowRank:
        return LowRank(self.Y[np.asarray(words)], self._summary_for(words))
