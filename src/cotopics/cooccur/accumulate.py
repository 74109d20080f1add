"""The exact co-occurrence of documents that come piece by piece: add, merge and remove them in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.cooccur.base import Cooccurrence, DocumentSummary, diagonal_correction
from cotopics.cooccur.counts import contents
from cotopics.cooccur.implicit import DocumentLengths, Implicit
from cotopics.cooccur.matrices import Combined, Dense, Sparse
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import ScaledDocuments, require_pairs

MAX_KEPT_COUNTS = 50_000_000  # non-zeros of documents that are kept as documents: 600 MB
MAX_PAIRS = 1 << 29  # with more pairs of words (23,170 words, 4 GiB) documents always stay documents
DENSE_SHARE = 0.25  # of all pairs: from here a full array is smaller and faster than a sparse one


@dataclass(frozen=True)
class KeptDocuments:
    """Rows h/√(n(n−1)) of documents that were added (sign +1) or removed (−1), and their lengths n."""

    sign: int
    H_t: sp.csr_array
    lengths: Array


class CooccurrenceAccumulator(DocumentSums):
    """The sufficient statistics of `cooccurrence(X)`, built up piece by piece.

    Any split of the documents, in any order, gives the same C up to rounding; `remove` undoes `update`. Documents stay
    documents while that takes less memory than the pairs of words in them, and are then summed. So up to 23,170 words,
    memory stays below 8 · n_words² bytes plus a constant for any number of documents. With more words it grows with the
    non-zeros; that of `CooccurrenceSketch` does not. n_words=None takes the width of the widest X so far, so later
    pieces may add new words at the end. If n_words is given, every X must have it. With keep_documents=True documents
    are never summed, for methods that look at each of them.

    >>> accumulator = CooccurrenceAccumulator()
    >>> accumulator.update([[2, 1, 0]]).update([[0, 1, 1]]).finish().toarray().round(3)
    array([[0.167, 0.167, 0.   ],
           [0.167, 0.   , 0.25 ],
           [0.   , 0.25 , 0.   ]])
    """

    def __init__(self, n_words: int | None = None, *, keep_documents: bool = False) -> None:
        super().__init__(n_words)
        self.keep_documents = keep_documents
        self._documents: list[KeptDocuments] = []  # not yet in _pairs
        self._pairs: Any = None  # Σ hhᵀ/(n(n−1)) of earlier documents: None, CSR, or an array once it is full

    def copy(self) -> CooccurrenceAccumulator:
        return CooccurrenceAccumulator(self.n_words, keep_documents=self.keep_documents).merge(self)

    def finish(self) -> Cooccurrence:
        """The co-occurrence so far, entries summing to one. More documents may follow."""
        total = self._total()
        require_pairs(self._n_used, total, self.n_documents)
        summary = self._summary()
        seen = self._frequency > 0  # exact; sums of removed documents are not zero but rounding errors
        correction = np.where(seen, self._correction, 0) / total
        if self._pairs is None:
            return self._implicit(total, seen, correction, summary)
        if len(seen) ** 2 > MAX_PAIRS:  # documents that came after there were too many words
            pairs = Sparse(
                self._of_seen(_without_own_pairs(sp.csr_array(self._pairs) / total, correction), seen), summary
            )
            if not self._documents:
                return pairs
            later = self._implicit(total, seen, np.zeros(len(seen)), summary)
            return Combined([pairs, later], [1.0, 1.0])
        self._fold()
        if sp.issparse(self._pairs):
            C = self._of_seen(_without_own_pairs(self._pairs / total, correction), seen)
            return Sparse(C.maximum(0), summary)
        C = self._pairs / total
        C[np.diag_indices_from(C)] -= diagonal_correction(C.diagonal(), correction)
        C[~seen] = 0
        C[:, ~seen] = 0
        return Dense(np.maximum(C, 0, out=C), summary)

    def _implicit(self, total: float, seen: Any, correction: Array, summary: DocumentSummary) -> Implicit:
        H_t, signs, lengths = self._stack()
        if (signs < 0).any():
            present = ~removed(H_t, signs)
            H_t, signs, lengths = H_t[present], signs[present], lengths[present]
        tokens = DocumentLengths(lengths, np.sqrt(lengths * (lengths - 1) * total))
        data = H_t.data * seen[H_t.indices] / np.sqrt(total)
        H_t = sp.csr_array((data, H_t.indices, H_t.indptr), shape=H_t.shape)
        return Implicit(H_t, correction, summary, None if (signs > 0).all() else signs, tokens)

    @staticmethod
    def _of_seen(C: Any, seen: Any) -> sp.csr_array:
        keep = sp.diags_array(seen.astype(np.float64))
        return sp.csr_array(keep @ C @ keep)

    def _add(self, scaled: ScaledDocuments, sign: int) -> None:
        self._documents.append(KeptDocuments(sign, scaled.H_t, scaled.lengths))
        self._fold_if_large()

    def _merge(self, other: CooccurrenceAccumulator) -> None:
        if other._pairs is not None:
            self._add_pairs(other._pairs)  # first, because it can fail
        self._documents = [*self._documents, *other._documents]
        self._fold_if_large()

    def _widen(self, n_words: int) -> None:
        if self._pairs is not None:
            self._pairs = _widen(self._pairs, n_words)

    def _stack(self) -> tuple[sp.csr_array, Array, Array]:
        """The kept documents as one CSR array over the whole vocabulary, and the sign and the length of each."""
        n, kept = len(self._frequency), self._documents
        rows = [sp.csr_array((H.data, H.indices, H.indptr), shape=(H.shape[0], n)) for H in (d.H_t for d in kept)]
        signs = np.concatenate([np.full(len(documents.lengths), float(documents.sign)) for documents in kept])
        lengths = np.concatenate([documents.lengths for documents in kept])
        return rows[0] if len(rows) == 1 else sp.csr_array(sp.vstack(rows, format="csr")), signs, lengths

    def _total(self) -> float:
        """The entry sum of Σ (hhᵀ − diag h)/(n(n−1)): the number of documents when counts are whole."""
        total = -self._correction.sum() + (0 if self._pairs is None else self._pairs.sum())
        return float(total + sum(kept.sign * (kept.H_t.sum(axis=1) ** 2).sum() for kept in self._documents))

    def _fold_if_large(self) -> None:
        n_pairs = len(self._frequency) ** 2
        if n_pairs > MAX_PAIRS or self.keep_documents:
            return
        if sum(kept.H_t.nnz for kept in self._documents) > min(max(n_pairs // 2, 1_000_000), MAX_KEPT_COUNTS):
            self._fold()

    def _fold(self) -> None:
        """Add the pairs of the kept documents to the sum of pairs."""
        if self._documents:
            H_t, signs, _ = self._stack()
            documents = Implicit(H_t, np.zeros(H_t.shape[1]), None, signs)
            long = documents.documents_are_long()
            self._add_pairs(documents.toarray() if long else (sp.diags_array(signs) @ H_t).T @ H_t)
            self._documents = []  # last: if something above fails, no document is lost

    def _add_pairs(self, pairs: Any) -> None:
        n = len(self._frequency)
        pairs = _widen(pairs, n)
        if self._pairs is not None:
            pairs = self._pairs + pairs
        if sp.issparse(pairs) and pairs.nnz > DENSE_SHARE * n * n:
            pairs = pairs.toarray()
        self._pairs = sp.csr_array(pairs) if sp.issparse(pairs) else np.asarray(pairs)


def _without_own_pairs(pairs: sp.csr_array, correction: Array) -> Any:
    """The pairs of words without the pairs of a token with itself."""
    return pairs - sp.diags_array(diagonal_correction(pairs.diagonal(), correction))


def removed(H_t: sp.csr_array, signs: Array) -> Any:
    """Mask of the documents that were added and removed: each row with sign −1, and an equal row with sign +1."""
    mask = np.zeros(len(signs), dtype=bool)
    content = contents(H_t)
    negative: dict[bytes, list[int]] = {}
    for m in np.flatnonzero(signs < 0).tolist():
        negative.setdefault(content[m], []).append(m)
    for m in np.flatnonzero(signs > 0).tolist():
        equal = negative.get(content[m])
        if equal:
            mask[[m, equal.pop()]] = True
    return mask


def _widen(pairs: Any, n_words: int) -> Any:
    """The pairs for n_words; an array that would be mostly zeros becomes sparse."""
    new = n_words - pairs.shape[0]
    if new == 0:
        return pairs
    if sp.issparse(pairs) or pairs.size < DENSE_SHARE * n_words**2 or n_words**2 > MAX_PAIRS:
        pairs = sp.csr_array(pairs, copy=True)
        pairs.resize((n_words, n_words))
        return pairs
    return np.pad(pairs, (0, new))
