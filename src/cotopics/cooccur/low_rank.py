"""Thin factors: C = YYᵀ as it is, or with negative entries set to zero in some rows.

LAW is ordinary selection and recovery on a `LowRank`. Rare words whose rows are more than a tenth below zero cannot be
anchors. After selection, negative entries in the anchors' rows (and in rows that sum to zero) are set to zero, so that
A has no negative entry. Where YYᵀ ≥ 0 neither changes anything, and the result is that of the full matrix (Lee et al.
2021, Lemma 2).
"""

from __future__ import annotations

import numpy as np

from cotopics.arrays import Array
from cotopics.cooccur.base import Cooccurrence, DocumentSummary, Words
from cotopics.linalg.thin_factors import times_negative_part
from cotopics.linalg.threads import one_blas_thread, thin_product

MAX_COLUMNS = 2000  # of C, those of the longest rows of Y: negative entries are looked for in these


class _Thin(Cooccurrence):
    """What does not depend on whether negative entries of YYᵀ are kept; Y (n_words, k)."""

    def __init__(self, Y: Array, documents: DocumentSummary | None = None) -> None:
        self.Y = Y
        self.n_words = len(Y)
        self.documents = documents

    @property
    def nbytes(self) -> int:
        return int(self.Y.nbytes)

    def diagonal(self) -> Array:
        return np.einsum("ij,ij->i", self.Y, self.Y)


class LowRank(_Thin):
    """C = YYᵀ from Y (n_words, k); entries of C may be slightly negative."""

    def __matmul__(self, V: Array) -> Array:
        return self.Y @ (self.Y.T @ V)

    def rows(self, words: Words) -> Array:
        return self.Y[np.asarray(words)] @ self.Y.T

    def squared_row_norms(self) -> Array:
        return np.einsum("ij,ij->i", self.Y @ (self.Y.T @ self.Y), self.Y)

    def isometric_rows(self) -> Array:
        """Rows of C are Y_i Yᵀ = Y_i RᵀQᵀ for Y = QR, and Q changes no length and no angle."""
        with one_blas_thread():
            R: Array = np.linalg.qr(self.Y, mode="r")  # type: ignore[assignment]  # numpy's stubs know another mode
            return thin_product(self.Y, R.T)

    def negative_share(self) -> Array:
        """Negative entries are counted in the rows and columns of the longest y_i only, where all large entries are."""
        I = np.sort(np.argsort(-self.diagonal(), kind="stable")[:MAX_COLUMNS])
        scale = np.abs(self.Y).max(initial=0) or 1.0
        ones = np.ones((self.shape[0], 1), dtype=np.float32)
        negative = times_negative_part((self.Y / scale).astype(np.float32), I, ones)[:, 0].astype(np.float64)
        negative *= scale**2  # in double precision: the square of a small scale could be zero in single
        return negative / np.maximum(self.row_sums() + 2 * negative, np.where(negative > 0, negative, 1))

    def nonnegative_rows(self, words: Words) -> Cooccurrence:
        return Clipped(self.Y, words, self.documents)

    def restrict(self, words: Words) -> LowRank:
        return LowRank(self.Y[np.asarray(words)], self._summary_for(words))


class Clipped(_Thin):
    """C_ij = max(y_i·y_j, 0) if word i or j is one of `words`, y_i·y_j elsewhere; y_i are the rows of Y (n_words, k).

    Low rank plus a correction that is never stored: a product costs 2 · n_words · |words| operations for each column
    of Y and of the block. Use YYᵀ (`LowRank`) where that is enough.
    """

    def __init__(self, Y: Array, words: Words, documents: DocumentSummary | None = None) -> None:
        super().__init__(Y, documents)
        self.words = np.unique(np.asarray(words, dtype=np.int64))
        self._is_clipped = np.zeros(len(Y), dtype=bool)
        self._is_clipped[self.words] = True

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

    def nonnegative_rows(self, words: Words) -> Clipped:
        return Clipped(self.Y, np.union1d(self.words, words), self.documents)

    def restrict(self, words: Words) -> Clipped:
        words = np.asarray(words)
        return Clipped(self.Y[words], np.flatnonzero(self._is_clipped[words]), self._summary_for(words))
