"""The full matrix."""

from __future__ import annotations

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary, Words


class Dense(Cooccurrence):
    """C as one array (n_words, n_words); not copied, so do not change it afterwards."""

    def __init__(self, matrix: Array, documents: DocumentSummary | None = None) -> None:
        self.matrix = matrix
        self.documents = documents

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape[0], self.matrix.shape[1]

    @property
    def nbytes(self) -> int:
        return int(self.matrix.nbytes)

    def __matmul__(self, V: Array) -> Array:
        return self.matrix @ V

    def rows(self, words: Words) -> Array:
        return self.matrix[np.asarray(words)]

    def diagonal(self) -> Array:
        return self.matrix.diagonal().copy()

    def squared_row_norms(self) -> Array:
        return np.einsum("ij,ij->i", self.matrix, self.matrix)

    def toarray(self) -> Array:
        return self.matrix.copy()

    def restrict(self, words: Words) -> Dense:
        return Dense(self.matrix[np.asarray(words)[:, None], np.asarray(words)], self._summary_for(words))
