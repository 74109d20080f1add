"""Documents prepared for steps of EM: weighted tokens, in blocks that stay in the processor's cache.

A step goes through a block's documents, then through the words of the same block: what a word's documents hold is then
in the cache, however many documents there are, and only one block's ratios are kept. Two bytes say which document of
its block a number belongs to. Blocks depend on the documents alone, so the number of threads changes nothing.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.errors import ParameterError
from cotopics.linalg.changes import LOG1P
from cotopics.linalg.columns import repeated
from cotopics.linalg.sparse_matrices import changed_numbers, column_sums, row_edges
from cotopics.linalg.threads import map_row_blocks, share_pieces
from cotopics.records import Array

BLOCK_NUMBERS = 1 << 20  # non-zeros of a block
BLOCK_DOCUMENTS = 1 << 16  # of a block: their numbers fit into two bytes
MAX_SHARES = 256  # of a block's documents and words, taken by the threads,
SHARE_NUMBERS = 2048  # with no fewer non-zeros each: a twentieth of a millisecond
LARGEST_SINGLE = 1e7  # a count that single precision still tells from the next
TOPIC_NUMBERS = 1 << 13  # of words' topics that are read and written together
THREAD_NUMBERS = 1 << 16  # of them that are worth waking a thread for
MIN_WORK = 300_000  # multiplications that are worth waking a thread for: a fifth of a millisecond


class Mixture(NamedTuple):
    """The model of a word in a document: (1 − Σ common) · W_d·B_w + common_w, and a prior for W.

    common (n_words,) is the part that every document has, smoothing the tokens that every topic gets in each document.
    """

    common: Array
    smoothing: float

    @property
    def share(self) -> float:
        """Of a document, for topics to explain."""
        return float(1 - self.common.sum())


class Tokens:
    """Weighted tokens X (n_documents, n_words, CSR) of some documents, in blocks; X is not copied."""

    def __init__(self, X: sp.csr_array) -> None:
        self.X = X

    @cached_property
    def blocks(self) -> list[Block]:
        blocks = [Block(self.X, start, stop) for start, stop in block_bounds(self.X.indptr)]
        map_row_blocks(lambda first, _: blocks[first].by_word, len(blocks), block=1)  # turned on all threads
        return blocks

    @cached_property
    def ratios(self) -> Array:
        """(1 − Σ common) x/q of every non-zero of the block at work."""
        return np.empty(max((len(block.data) for block in self.blocks), default=0), self.X.dtype)

    @classmethod
    def of_counts(cls, counts: sp.csr_array, idf: Array | None, dtype: Any) -> Tokens:
        """Counts as they are, or log(1 + count) · idf where an idf (n_words,) is given."""
        if dtype == np.float32 and idf is None and counts.nnz and counts.data.max() > LARGEST_SINGLE:
            raise ParameterError(
                f"single=True holds counts up to {LARGEST_SINGLE:.0e}, and one is larger; leave it out, or use "
                "weighting='damped'"
            )
        return cls(as_type(counts, dtype) if idf is None else damped(counts, idf, dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokens, (self.X,)  # blocks are views of X

    def totals(self) -> tuple[Array, float]:
        """Tokens of every word (n_words,), and of all words."""
        return column_sums(self.X), float(self.X.data.sum(dtype=np.float64))

    def first_topics(self, prevalence: Array) -> Any:
        """W (n_documents, n_topics) before anything is known of the documents."""
        return repeated((prevalence / prevalence.sum()).astype(self.X.dtype), self.X.shape[0])

    def update_documents(self, W: Array, B: Array, model: Mixture, relax: bool) -> float:
        """One step of the documents alone: W (n_documents, n_topics) becomes the new one. Returns nothing, as 0."""
        B = rows_as_type(B, self.X.dtype)
        return sum(self._documents(block, B, W[block.rows], model, False, relax, W[:0]) for block in self.blocks)

    def step(
        self, W: Array, B: Array, model: Mixture, with_likelihood: bool, relax: bool
    ) -> tuple[Array, float, Array]:
        """Tokens of every word in every topic (n_words, n_topics), and Σ x log q where that is asked for.

        The tokens of every topic (n_topics,) come last. W becomes the documents' new one."""
        read, tokens, likelihood = rows_as_type(B, self.X.dtype), np.zeros(B.shape), 0.0
        longest = max((block.rows.stop - block.rows.start for block in self.blocks), default=0)
        old = np.empty((longest, W.shape[1]), W.dtype)
        for block in self.blocks:
            likelihood += self._documents(block, read, W[block.rows], model, with_likelihood, relax, old)
            self._words(block, old, tokens)
        return tokens, likelihood, times_topics(tokens, read)

    def _documents(
        self, block: Block, B: Array, W: Array, model: Mixture, with_likelihood: bool, relax: bool, old: Array
    ) -> float:
        """The documents of a block: W (n_documents, n_topics) is read and written, and `ratios` with it.

        `old` becomes W as it was, if it has rows."""
        from cotopics.refine.kernels import document_pieces

        edges, likelihoods = block.edges, np.empty(len(block.edges) - 1)
        given = (block.indptr, block.indices, block.data, B, W, model.share, model.common, model.smoothing)
        asked, K = (relax, with_likelihood, old, self.ratios, likelihoods), W.shape[1]
        share_pieces(lambda counter: document_pieces(counter, edges, *given, *asked, np.empty(K)), block.n_threads(K))
        return float(sum(likelihoods.tolist()))  # in order

    def _words(self, block: Block, W: Array, tokens: Array) -> None:
        """tokens (n_words, n_topics) += Σ_d ratio_dw W_d over the documents of a block."""
        from cotopics.refine.kernels import word_pieces

        given = (block.word_edges, *block.by_word, self.ratios, W, tokens)
        share_pieces(lambda counter: word_pieces(counter, *given), block.n_threads(W.shape[1]))


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

    @cached_property
    def edges(self) -> Any:
        """Where pieces of the documents begin and end."""
        return share_edges(self.indptr)

    @cached_property
    def word_edges(self) -> Any:
        """Where pieces of the words begin and end."""
        return share_edges(self.by_word[1])

    def n_threads(self, n_topics: int) -> int:
        """How many threads there is work for."""
        return len(self.data) * n_topics // MIN_WORK


def block_bounds(indptr: Any) -> list[tuple[int, int]]:
    """First and last of consecutive rows that make a block."""
    edges, n = [0], len(indptr) - 1
    while edges[-1] < n:
        first = edges[-1]
        most = min(int(indptr[first]) + BLOCK_NUMBERS, int(indptr[-1]))
        full = int(np.searchsorted(indptr, indptr.dtype.type(most), side="right")) - 1
        edges.append(min(max(full, first + 1), first + BLOCK_DOCUMENTS, n))
    return list(pairwise(edges))


def share_edges(indptr: Any) -> Any:
    """Where shares of consecutive rows begin and end, the same for any number of threads."""
    return row_edges(indptr, min(int(indptr[-1]) // SHARE_NUMBERS, MAX_SHARES))


def share_out(function: Any, edges: Any, threads: int) -> list[Any]:
    """function(first, last) for the rows between edges, several shares at a time where there is work for threads."""
    results: list[Any] = [None] * (len(edges) - 1)

    def run(start: int, stop: int) -> None:
        for i in range(start, stop):
            results[i] = function(int(edges[i]), int(edges[i + 1]))

    map_row_blocks(run, len(results), block=max(1, len(results) // max(4 * threads, 1)))
    return results


def rows_as_type(B: Array, dtype: Any) -> Array:
    """B (n, k) in this type, row after row; B itself where it is so."""
    if B.dtype == dtype and B.flags.c_contiguous:
        return B
    if not B.flags.c_contiguous:
        return np.ascontiguousarray(B, dtype)
    from cotopics.refine.kernels import typed_pieces

    found = np.empty(B.shape, dtype)
    share_pieces(lambda counter: typed_pieces(counter, topic_rows(B), B, found), threads_of_topics(B))
    return found


def times_topics(tokens: Array, B: Array) -> Array:
    """tokens (n, k) *= B, and the sums over their rows (k,)."""
    from cotopics.refine.kernels import product_pieces

    rows = topic_rows(B)
    sums = np.empty((-(-len(B) // rows), B.shape[1]))
    share_pieces(lambda counter: product_pieces(counter, rows, B, tokens, sums), threads_of_topics(B))
    return np.asarray(sums.sum(axis=0))


def topic_rows(B: Array) -> int:
    """Rows of B (n, k) that make a piece, the same for any number of threads."""
    return max(1, TOPIC_NUMBERS // max(B.shape[1], 1))


def threads_of_topics(B: Array) -> int:
    """How many threads there is work for where every number of B is read once."""
    return B.size // THREAD_NUMBERS


def as_type(X: sp.csr_array, dtype: Any) -> sp.csr_array:
    """X with its numbers in this type, and indices that are X's; X itself where they are."""
    return X if X.dtype == dtype else sp.csr_array((X.data.astype(dtype), X.indices, X.indptr), shape=X.shape)


def damped(X: sp.csr_array, idf: Array, dtype: Any = np.float64) -> sp.csr_array:
    """log(1 + count) · idf (n_words,), with indices that are X's."""
    data = changed_numbers(X, LOG1P, idf, dtype)
    return sp.csr_array((data, X.indices, X.indptr), shape=X.shape)
