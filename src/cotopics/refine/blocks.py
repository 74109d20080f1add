"""Documents in blocks that stay in the processor's cache, and which words of a block are where.

A step goes through a block's documents, then through the words of the same block: what a word's documents hold is then
in the cache, however many documents there are, and only one block's ratios are kept. Two bytes say which document of
its block a number belongs to. Blocks depend on the documents alone, so the number of threads changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.linalg.sparse_matrices import row_edges
from cotopics.linalg.threads import map_row_blocks

BLOCK_NUMBERS = 1 << 20  # non-zeros of a block
BLOCK_DOCUMENTS = 1 << 16  # of a block: their numbers fit into two bytes
MAX_SHARES = 256  # of a block's documents and words, taken by the threads,
SHARE_NUMBERS = 2048  # with no fewer non-zeros each: a twentieth of a millisecond


@dataclass(frozen=True)
class Blocks:
    """Consecutive documents of X (n_documents, n_words, CSR) in blocks, divided into pieces of much the same work.

    first_rows (n_blocks + 1,): the documents of block b are those from first_rows[b] to first_rows[b + 1].
    edges: where pieces of documents begin and end; pieces (n_blocks + 1,): the first piece of each block.
    words: those of the first block, then those of the next; the non-zeros of words[i] are starts[i] to starts[i + 1] of
    `documents`, which document of its block a non-zero is in, and `numbers`, where it is among those of its block.
    word_edges, word_pieces: as of documents.
    """

    first_rows: Any
    edges: Any
    pieces: Any
    words: Any
    starts: Any
    documents: Any
    numbers: Any
    word_edges: Any
    word_pieces: Any
    longest_block: int
    longest_document: int
    longest_word: int

    @classmethod
    def of(cls, X: sp.csr_array) -> Blocks:
        bounds = block_bounds(X.indptr)
        documents, numbers = np.empty(X.nnz, np.uint16), np.empty(X.nnz, np.int32)
        turned = map_row_blocks(lambda b, _: _by_word(X, *bounds[b], documents, numbers), len(bounds), block=1)
        starts = np.concatenate([*(starts for _, starts in turned), X.indptr[-1:]])
        words = np.concatenate([np.empty(0, np.int32), *(words for words, _ in turned)])
        edges, pieces = _edges(X.indptr[first : last + 1] for first, last in bounds)
        n_words = np.cumsum([0, *(len(words) for words, _ in turned)])
        word_edges, word_pieces = _edges(starts[first : last + 1] for first, last in pairwise(n_words))
        return cls(
            np.array([0, *(last for _, last in bounds)]), edges, pieces, words, starts, documents, numbers, word_edges,
            word_pieces,
            max((last - first for first, last in bounds), default=0),
            int(np.diff(X.indptr).max(initial=0)),
            int(np.diff(starts).max(initial=0)),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.first_rows) - 1

    @property
    def by_document(self) -> tuple[Any, ...]:
        """As kernels take them."""
        return self.first_rows, self.pieces, self.edges

    @property
    def by_word(self) -> tuple[Any, ...]:
        return self.word_pieces, self.word_edges, self.words, self.starts, self.documents, self.numbers

    def phases(self, *, words: bool = True) -> Any:
        """How many pieces there are of the documents of each block, and of its words: (2 n_blocks,)."""
        n_word_pieces = np.diff(self.word_pieces) if words else np.zeros(len(self), dtype=np.int64)
        return np.stack([np.diff(self.pieces), n_word_pieces], axis=1).ravel()


def block_bounds(indptr: Any) -> list[tuple[int, int]]:
    """First and last of consecutive rows that make a block."""
    edges, n = [0], len(indptr) - 1
    while edges[-1] < n:
        first = edges[-1]
        most = min(int(indptr[first]) + BLOCK_NUMBERS, int(indptr[-1]))
        full = int(np.searchsorted(indptr, indptr.dtype.type(most), side="right")) - 1
        edges.append(min(max(full, first + 1), first + BLOCK_DOCUMENTS, n))
    return list(pairwise(edges))


def _by_word(X: sp.csr_array, first: int, last: int, documents: Any, numbers: Any) -> tuple[Any, Any]:
    """The words of a block and where the non-zeros of each begin; its part of `documents` and `numbers` is filled."""
    here = slice(X.indptr[first], X.indptr[last])
    n, shape = int(here.stop - here.start), (last - first, X.shape[1])
    own = sp.csr_array((np.arange(n, dtype=np.int32), X.indices[here], X.indptr[first : last + 1] - here.start), shape)
    turned = own.tocsc()
    documents[here], numbers[here] = turned.indices, turned.data
    words = np.flatnonzero(np.diff(turned.indptr)).astype(np.int32)
    return words, (turned.indptr[words] + here.start).astype(X.indptr.dtype)


def _edges(blocks: Any) -> tuple[Any, Any]:
    """Where pieces of the rows of all blocks begin and end, from parts of one indptr; and the first piece of each.

    The same for any number of threads."""
    edges, first_pieces, row = [0], [0], 0
    for indptr in blocks:
        indptr = indptr - indptr[0]
        own = row_edges(indptr, min(int(indptr[-1]) // SHARE_NUMBERS, MAX_SHARES))
        edges += (row + own[1:]).tolist()
        first_pieces.append(len(edges) - 1)
        row += int(own[-1])
    return np.array(edges), np.array(first_pieces)
