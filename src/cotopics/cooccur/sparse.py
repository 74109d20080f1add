"""Only the pairs that occur."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.base import Array, Cooccurrence, DocumentSummary, Words


class Sparse(Cooccurrence):
    """C as a scipy CSR array (n_words, n_words)."""

    def __init__(self, matrix: Any, documents: DocumentSummary | None = None) -> None:
        self.matrix = sp.csr_array(matrix)
        self.documents = documents

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape

    @property
    def nbytes(self) -> int:
        return 12 * int(self.matrix.nnz)

    def __matmul__(self, V: Array) -> Array:
        return self.matrix @ V

    def rows(self, words: Words) -> Array:
        return self.matrix[np.asarray(words)].toarray()

    def diagonal(self) -> Array:
        return self.matrix.diagonal()

    def squared_row_norms(self) -> Array:
        return self.matrix.multiply(self.matrix).sum(axis=1)

    def toarray(self) -> Array:
        return self.matrix.toarray()

    def restrict(self, words: Words) -> Sparse:
        return Sparse(self.matrix[np.asarray(words)][:, np.asarray(words)], self._summary_for(words))
