"""Co-occurrence as a matrix: full, sparse, a sum of several, or one that keeps answers which are expensive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.cooccur.base import Cooccurrence, DocumentSummary, Words


class Dense(Cooccurrence):
    """C as one array (n_words, n_words); it is not copied, so do not change it afterwards."""

    def __init__(self, matrix: Array, documents: DocumentSummary | None = None) -> None:
        self.matrix = matrix
        self.n_words = len(matrix)
        self.documents = documents

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


class Sparse(Cooccurrence):
    """C as a scipy CSR array (n_words, n_words): only the pairs that occur."""

    def __init__(self, matrix: Any, documents: DocumentSummary | None = None) -> None:
        self.matrix = sp.csr_array(matrix)
        self.n_words = self.matrix.shape[0]
        self.documents = documents

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


class Combined(Cooccurrence):
    """C = Σ weight · term, such as a large co-occurrence plus a sparse correction."""

    def __init__(self, terms: Sequence[Cooccurrence], weights: Sequence[float]) -> None:
        self.terms = tuple(terms)
        self.weights = tuple(weights)
        self.n_words = terms[0].shape[0]
        self.documents = next((term.documents for term in terms if term.documents is not None), None)

    def _sum(self, answer: Callable[[Cooccurrence], Array]) -> Array:
        return reduce(np.add, (w * answer(term) for w, term in zip(self.weights, self.terms, strict=True)))

    @property
    def nbytes(self) -> int:
        return sum(term.nbytes for term in self.terms)

    def __matmul__(self, V: Array) -> Array:
        return self._sum(lambda term: term @ V)

    def rows(self, words: Words) -> Array:
        return self._sum(lambda term: term.rows(words))

    def diagonal(self) -> Array:
        return self._sum(lambda term: term.diagonal())

    def toarray(self) -> Array:
        total = np.zeros(self.shape)
        for weight, term in zip(self.weights, self.terms, strict=True):
            for words in term.row_blocks():
                total[words] += weight * term.rows(words)
        return total

    def restrict(self, words: Words) -> Combined:
        return type(self)([term.restrict(words) for term in self.terms], self.weights)


class Remembered(Cooccurrence):
    """Another co-occurrence, which computes its row sums and the norms of its rows once; both are read-only.

    The norms cost as much as all pairs of words that occur, so several measures of one C should share them.
    """

    def __init__(self, C: Cooccurrence) -> None:
        self.C = C
        self.n_words = C.shape[0]
        self.documents = C.documents

    @property
    def nbytes(self) -> int:
        return self.C.nbytes + 16 * self.n_words

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
