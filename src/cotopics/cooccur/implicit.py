"""The documents themselves: C is never formed."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.cooccur.base import Cooccurrence, DocumentSummary, Words, diagonal_correction
from cotopics.linalg.changes import SQUARED
from cotopics.linalg.gram import gram_times, squared_gram_rows
from cotopics.linalg.sparse_matrices import column_counts, column_sums, row_sums
from cotopics.word_matching import places_of

LONG_DOCUMENTS = 0.02  # share of the vocabulary in a document: from here dense products are faster than sparse ones
BLOCK_DOCUMENTS = 2048
WHOLE_COUNT_TOLERANCE = 1e-9  # relative: a count that is nearer to a whole number is that number
MANY_ROWS = 64  # from this many rows of long documents, dense products are faster


class DocumentLengths(NamedTuple):
    """The number of tokens of each document, and the factor that turns its row of Ĥᵀ back into counts."""

    lengths: Array
    scale: Array


class Implicit(Cooccurrence):
    """C = Ĥ diag(s) Ĥᵀ − diag(c), computed from the documents; Lee et al. 2021, Eq. 1.

    Products need Ĥᵀ only. The first question about rows of short documents also forms Ĥ, and keeps it.

    Parameters
    ----------
    H_t : CSR array (documents × words)
        Ĥᵀ, the counts divided by √(n(n−1)), or other weights.
    correction : array (n_words,)
        c, the pairs of a token with itself.
    documents : DocumentSummary, optional
    signs : array (n_documents,), optional
        s, +1 for a document that was added and −1 for one that was removed. None: all +1.
    tokens : DocumentLengths, optional
        How long the documents are, where that is known.
    """

    def __init__(
        self,
        H_t: Any,
        correction: Array,
        documents: DocumentSummary | None = None,
        signs: Array | None = None,
        tokens: DocumentLengths | None = None,
    ) -> None:
        self.H_t = sp.csr_array(H_t)
        self.n_words = self.H_t.shape[1]
        self.signs = signs
        self.tokens = tokens
        self.correction = correction
        self.documents = documents

    @property
    def nbytes(self) -> int:
        return (12 + 2 * self.H_t.dtype.itemsize) * int(self.H_t.nnz)  # Ĥᵀ, its words by frequency, and Ĥ

    @cached_property
    def H(self) -> sp.csr_array:
        """Ĥ diag(s), words × documents."""
        return sp.csr_array(self.H_t.T if self.signs is None else (sp.diags_array(self.signs) @ self.H_t).T)

    def __matmul__(self, V: Array) -> Array:
        block = V.reshape(len(V), -1)
        order, H_t = self._by_frequency
        product = gram_times(H_t, block, self.signs, order)
        if self.correction.any():
            product -= self.correction[:, None] * block
        return product.reshape(V.shape)

    def row_sums(self) -> Array:
        lengths = row_sums(self.H_t)
        lengths = lengths if self.signs is None else self.signs * lengths
        return column_sums(self.H_t, weights=lengths) - self.correction

    @cached_property
    def _by_frequency(self) -> tuple[Any, sp.csr_array]:
        """Words by descending frequency, and Ĥᵀ with its columns in this order: what is used most lies together."""
        indices, frequency = self.H_t.indices, column_counts(self.H_t)
        if (np.diff(frequency) <= 0).all():
            return None, self.H_t
        order = np.argsort(-frequency, kind="stable")
        moved = places_of(order, len(order)).astype(indices.dtype)[indices]
        return order, sp.csr_array((self.H_t.data, moved, self.H_t.indptr), shape=self.H_t.shape)

    def rows(self, words: Words) -> Array:
        words = np.asarray(words)
        if len(words) >= MANY_ROWS and self.documents_are_long():
            R = self._dense_rows(words)
        else:
            R = (self.H[words] @ self.H_t).toarray()
        places = np.arange(len(words)), words
        R[places] -= diagonal_correction(R[places], self.correction[words])
        return R

    def _dense_rows(self, words: Words) -> Array:
        """Rows of ĤĤᵀ by products of full arrays, a block of documents at a time."""
        n_documents, n_words = self.H_t.shape
        R = np.zeros((len(words), n_words))
        for start in range(0, n_documents, BLOCK_DOCUMENTS):
            D = self.H_t[start : start + BLOCK_DOCUMENTS].toarray()
            left = D if len(words) == n_words and (np.diff(words) == 1).all() else D[:, words]
            if self.signs is not None:
                left = self.signs[start : start + BLOCK_DOCUMENTS, None] * left
            R += left.T @ D
        return R

    def diagonal(self) -> Array:
        gram = self._gram_diagonal()
        return gram - diagonal_correction(gram, self.correction)

    def _gram_diagonal(self) -> Array:
        """The diagonal of Ĥ diag(s) Ĥᵀ."""
        if self.signs is None:
            return column_sums(self.H_t, SQUARED)
        squares = self.H_t.data**2 * np.repeat(self.signs, np.diff(self.H_t.indptr))
        return np.asarray(np.bincount(self.H_t.indices, weights=squares, minlength=self.shape[0]), dtype=np.float64)

    def squared_row_norms(self) -> Array:
        if self.documents_are_long():
            return super().squared_row_norms()
        squared = squared_gram_rows(self.H, self.H_t)
        gram = self._gram_diagonal()  # not yet corrected
        return np.maximum(squared - self.correction * (2 * gram - self.correction), 0)

    def pairs(self) -> sp.csr_array:
        """C as a sparse array of the pairs that occur."""
        gram = self.H @ self.H_t
        return sp.csr_array(gram - sp.diags_array(diagonal_correction(gram.diagonal(), self.correction)))

    def documents_are_long(self) -> bool:
        """Whether documents hold enough of the vocabulary for dense products to be faster than sparse ones."""
        n_documents, n_words = self.H_t.shape
        return self.H_t.nnz >= LONG_DOCUMENTS * n_documents * n_words

    def restrict(self, words: Words) -> Implicit:
        words = np.asarray(words)
        # the length of a document still counts the words that are left out; Ĥ contains it already
        summary = self._summary_for(words)
        return Implicit(self.H_t[:, words], self.correction[words], summary, self.signs, self.tokens)

    def counts(self) -> sp.csr_array:
        """The original counts of the documents that gave pairs, (n_documents, n_words); `tokens` must be known."""
        assert self.tokens is not None
        data = self.H_t.data * np.repeat(self.tokens.scale, np.diff(self.H_t.indptr))
        whole = np.rint(data)
        data = np.where(np.abs(data - whole) <= WHOLE_COUNT_TOLERANCE * data, whole, data)
        return sp.csr_array((data, self.H_t.indices, self.H_t.indptr), shape=self.H_t.shape)
