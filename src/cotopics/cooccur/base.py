"""What every co-occurrence matrix can answer, whatever form it is kept in.

C (words × words) is symmetric; C_ij is the joint probability of drawing words i and j from one document, up to scale.
Algorithms ask these few questions and nothing else. So each algorithm runs on a full matrix, a sparse one, the
documents themselves or a thin factor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cotopics.arrays import Array, Integers, WordIds

Words = Sequence[int] | Integers  # ids of some words

DIAGONAL_TOLERANCE = 1e-12  # relative to the correction: a smaller difference is rounding
BLOCK_ENTRIES = 1 << 23  # rows are computed in blocks of this many entries: 64 MiB of float64


@dataclass(frozen=True)
class DocumentSummary:
    """What is known of the documents behind a co-occurrence.

    n_used documents gave pairs; n_left_out had fewer than two tokens and gave none;
    frequency (n_words,) counts the used documents that each word is in.
    """

    n_used: int
    n_left_out: int
    frequency: WordIds


class Cooccurrence(ABC):
    """A symmetric matrix, n_words × n_words. `documents` is None where only the matrix is known."""

    n_words: int
    documents: DocumentSummary | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_words, self.n_words

    @abstractmethod
    def __matmul__(self, V: Array) -> Array:
        """C V for a vector (n_words,) or a block (n_words, k)."""

    @abstractmethod
    def rows(self, words: Words) -> Array:
        """The rows of these words, dense: (len(words), n_words)."""

    @abstractmethod
    def diagonal(self) -> Array:
        """C_ii, (n_words,)."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes that this form of C takes, with everything that it computes later and keeps."""

    def row_sums(self) -> Array:
        """Σ_j C_ij, (n_words,): the words' probabilities when C sums to one."""
        return self @ np.ones(self.shape[0])

    def squared_row_norms(self) -> Array:
        """Σ_j C_ij², (n_words,)."""
        norms = [np.einsum("ij,ij->i", R, R) for R in (self.rows(words) for words in self.row_blocks())]
        return np.concatenate(norms)

    def isometric_rows(self) -> Array | None:
        """Z (n_words, k) with ZZᵀ = CCᵀ: rows with the lengths and angles of those of C, where k numbers are enough.

        None where C is not known by a thin factor."""
        return None

    def toarray(self) -> Array:
        """The full matrix, a new array of 8 · n_words² bytes."""
        return self.rows(np.arange(self.shape[0]))

    @abstractmethod
    def restrict(self, words: Words) -> Cooccurrence:
        """The same matrix for these words only, in this order."""

    def negative_share(self) -> Array:
        """How much of each row is below zero: Σ_j max(−C_ij, 0) / Σ_j |C_ij|, (n_words,). Zero for C from counts."""
        return np.zeros(self.shape[0])

    def nonnegative_rows(self, words: Words) -> Cooccurrence:
        """The same matrix, with negative entries in the rows and columns of these words set to zero."""
        return self

    def row_blocks(self) -> Iterator[WordIds]:
        """Consecutive word ids in blocks whose dense rows take a bounded amount of memory."""
        n = self.shape[0]
        size = max(1, BLOCK_ENTRIES // max(n, 1))
        for start in range(0, n, size):
            yield np.arange(start, min(start + size, n))

    def _summary_for(self, words: Words) -> DocumentSummary | None:
        if self.documents is None:
            return None
        documents = self.documents
        return DocumentSummary(documents.n_used, documents.n_left_out, documents.frequency[np.asarray(words)])


def diagonal_correction(diagonal: Array, correction: Array) -> Array:
    """What to subtract from the diagonal of ĤĤᵀ (n,): the correction (n,), or all of it where they differ by rounding.

    A word that is never twice in a document makes no pair with itself. A sum of squares minus the same sum of products
    would be 1e-20 of either sign instead of zero, and would change with the order of documents.
    """
    return np.where(np.abs(diagonal - correction) <= DIAGONAL_TOLERANCE * np.abs(correction), diagonal, correction)
