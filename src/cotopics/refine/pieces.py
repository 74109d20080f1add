"""Documents made ready for steps of EM: weighed, cut into pieces, and these into blocks that stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.linalg.threads import map_row_blocks
from cotopics.records import Array

BLOCK_NUMBERS = 1 << 20  # non-zeros of a block: what is looked up for them stays in the cache, and little is kept
BLOCK_DOCUMENTS = 1 << 16  # so that two bytes say which of a block a document is
MOST_SHARES = 16  # of a block's documents and words, taken by the threads
LEAST_WORK = 300_000  # multiplications in a share: half a millisecond, ten times what it takes to hand it out


@dataclass(frozen=True)
class Tokens:
    """Documents ready for steps: weighed and cut into pieces, tokens that were set aside, and p(word) (n_words,)."""

    pieces: Pieces
    aside: sp.csr_array | None
    shares: Array


class Pieces:
    """Documents cut into pieces; one piece is kept, several are made when their turn comes."""

    def __init__(self, X: sp.csr_array, n_pieces: int, common: Array, smoothing: float) -> None:
        edges = np.linspace(0, X.shape[0], min(n_pieces, X.shape[0]) + 1).astype(int).tolist()
        self.X, self.cuts, self.model = X, list(pairwise(edges)), (common, smoothing)
        self.whole: Piece | None = Piece(X, 0, X.shape[0], *self.model) if len(self.cuts) == 1 else None

    def __len__(self) -> int:
        return len(self.cuts)

    def __iter__(self) -> Iterator[Piece]:
        if self.whole is not None:
            yield self.whole
        else:
            yield from (Piece(self.X[first:last], first, last, *self.model) for first, last in self.cuts)

    def documents_alone(self, B: Array, W: Array, relax: bool) -> None:
        for piece in self:
            piece.documents_step(B, W[piece.first : piece.last], False, relax)


class Piece:
    """Documents first to last, in blocks."""

    def __init__(self, X: sp.csr_array, first: int, last: int, common: Array, smoothing: float) -> None:
        self.X, self.first, self.last, self.common, self.smoothing = X, first, last, common, smoothing
        self.blocks = [Block(X, start, stop) for start, stop in block_bounds(X.indptr)]
        largest = max((len(block.data) for block in self.blocks), default=0)
        self.ratios = np.empty(largest, X.dtype)  # (1 − background)x/q of every non-zero of the block at work

    def __reduce__(self) -> tuple[Any, ...]:
        return Piece, (self.X, self.first, self.last, self.common, self.smoothing)  # blocks are views of X

    def documents_step(self, B: Array, W: Array, likely: bool, relax: bool) -> float:
        """W (n_documents, n_topics) becomes the documents' new one; Σ x log q of the old one where `likely` asks."""
        B = np.ascontiguousarray(B, self.X.dtype)
        return sum(self._documents(block, B, W[block.rows], likely, relax) for block in self.blocks)

    def step(self, B: Array, W: Array, likely: bool, relax: bool = False) -> tuple[Array, float]:
        """Tokens of every word in every topic (n_words, n_topics), and Σ x log q; W becomes the documents' new one."""
        read, tokens, likelihood = np.ascontiguousarray(B, self.X.dtype), np.zeros(B.shape), 0.0
        for block in self.blocks:
            old = W[block.rows].copy()
            likelihood += self._documents(block, read, W[block.rows], likely, relax)
            self._words(block, old, tokens)
        tokens *= read
        return tokens, likelihood

    def _documents(self, block: Block, B: Array, W: Array, likely: bool, relax: bool) -> float:
        """The rows of a block: W (n_documents, n_topics) is read and written, and `ratios` with it."""
        from cotopics.refine.kernels import document_pass

        matrix, model = (block.indptr, block.indices, block.data), (1 - self.common.sum(), self.common, self.smoothing)

        def documents(first: int, last: int) -> float:
            return float(document_pass(*matrix, B, W, *model, first, last, relax, likely, self.ratios))

        return sum(shared_out(documents, block.indptr, len(block.data) * B.shape[1]))

    def _words(self, block: Block, W: Array, tokens: Array) -> None:
        """tokens (n_words, n_topics) += Σ_d ratio_dw W_d over the documents of a block."""
        from cotopics.refine.kernels import word_pass

        own, indptr, documents, places = block.by_word

        def words(first: int, last: int) -> None:
            word_pass(own, indptr, documents, places, self.ratios, W, first, last, tokens)

        for _ in shared_out(words, indptr, len(block.data) * W.shape[1]):
            pass


class Block:
    """Rows start to stop of X, as views of it, by document and by word."""

    def __init__(self, X: sp.csr_array, start: int, stop: int) -> None:
        numbers = slice(X.indptr[start], X.indptr[stop])
        self.rows, self.n_words = slice(start, stop), X.shape[1]
        self.indptr = X.indptr[start : stop + 1] - X.indptr[start]
        self.indices, self.data = X.indices[numbers], X.data[numbers]

    @cached_property
    def by_word(self) -> tuple[Any, Any, Any, Any]:
        """The words of the block; indptr and documents of each, and where its non-zeros are in the block."""
        shape = (len(self.indptr) - 1, self.n_words)
        numbered = sp.csr_array((np.arange(len(self.data), dtype=np.int32), self.indices, self.indptr), shape=shape)
        turned = numbered.tocsc()
        words = np.flatnonzero(np.diff(turned.indptr)).astype(np.int32)
        return words, np.append(turned.indptr[words], turned.indptr[-1]), turned.indices.astype(np.uint16), turned.data


def block_bounds(indptr: Any) -> list[tuple[int, int]]:
    """First and last of consecutive rows that make a block."""
    edges, n = [0], len(indptr) - 1
    while edges[-1] < n:
        first = edges[-1]
        most = min(int(indptr[first]) + BLOCK_NUMBERS, int(indptr[-1]))
        full = int(np.searchsorted(indptr, indptr.dtype.type(most), side="right")) - 1
        edges.append(min(max(full, first + 1), first + BLOCK_DOCUMENTS, n))
    return list(pairwise(edges))


def shared_out(function: Any, indptr: Any, work: int) -> Iterator[Any]:
    """function(first, last) for consecutive rows with as many non-zeros each, the same for any number of threads."""
    n_shares = min(max(work // LEAST_WORK, 1), MOST_SHARES)
    bounds = np.unique(np.searchsorted(indptr, np.linspace(0, indptr[-1], n_shares + 1)[1:-1]))
    edges = [0, *(int(b) for b in bounds if 0 < b < len(indptr) - 1), len(indptr) - 1]
    shares = list(pairwise(edges))

    def run(start: int, stop: int) -> list[Any]:
        return [function(*shares[i]) for i in range(start, stop)]

    for results in map_row_blocks(run, len(shares), block=1):
        yield from results
