"""Documents prepared for steps of EM: weighted tokens, and one step of documents and of topics."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.errors import ParameterError
from cotopics.linalg.changes import LOG1P
from cotopics.linalg.columns import repeated
from cotopics.linalg.sparse_matrices import changed_numbers, column_sums
from cotopics.linalg.threads import share_phases
from cotopics.records import Array
from cotopics.refine.blocks import Blocks

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
    """Weighted tokens X (n_documents, n_words, CSR) of some documents; X is not copied.

    weights (n_documents,): how often each document counts in sums over them; None: once.
    """

    def __init__(self, X: sp.csr_array, weights: Array | None = None) -> None:
        self.X, self.weights = X, weights

    @cached_property
    def blocks(self) -> Blocks:
        return Blocks.of(self.X)

    @cached_property
    def ratios(self) -> Array:
        """(1 − Σ common) x/q of every non-zero of the block at work."""
        rows = self.X.indptr[self.blocks.first_rows]
        return np.empty(int(np.diff(rows).max(initial=0)), self.X.dtype)

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
        return Tokens, (self.X, self.weights)  # blocks are made anew

    def totals(self) -> tuple[Array, float]:
        """Tokens of every word (n_words,), and of all words."""
        return column_sums(self.X), float(self.X.data.sum(dtype=np.float64))

    def first_topics(self, prevalence: Array) -> Any:
        """W (n_documents, n_topics) before anything is known of the documents."""
        return repeated((prevalence / prevalence.sum()).astype(self.X.dtype), self.X.shape[0])

    def update_documents(self, W: Array, B: Array, model: Mixture, relax: bool) -> float:
        """One step of the documents alone: W (n_documents, n_topics) becomes the new one. Returns nothing, as 0."""
        none = np.empty((0, W.shape[1]))
        self._step(W, B, model, False, relax, self.blocks.phases(words=False), none.astype(W.dtype), none, none)
        return 0.0

    def step(
        self, W: Array, B: Array, model: Mixture, with_likelihood: bool, relax: bool
    ) -> tuple[Array, float, Array]:
        """Tokens of every word in every topic (n_words, n_topics), and Σ x log q where that is asked for.

        The tokens of every topic (n_topics,) come last. W becomes the documents' new one."""
        tokens, sums = np.zeros(B.shape), np.empty((n_pieces(B), B.shape[1]))
        old = np.empty((self.blocks.longest_block, W.shape[1]), W.dtype)
        likelihood = self._step(W, B, model, with_likelihood, relax, self.blocks.phases(), old, tokens, sums)
        return tokens, likelihood, np.asarray(sums.sum(axis=0))

    def _step(
        self,
        W: Array,
        B: Array,
        model: Mixture,
        with_likelihood: bool,
        relax: bool,
        phases: Any,
        old: Array,
        tokens: Array,
        sums: Array,
    ) -> float:
        """`kernels.step_pieces` on all threads; Σ x log q, or 0."""
        from cotopics.refine.kernels import step_pieces

        X, blocks, K = self.X, self.blocks, W.shape[1]
        B = np.ascontiguousarray(B)
        read = B if B.dtype == X.dtype else np.empty(B.shape, X.dtype)
        sizes = np.array([0 if read is B else n_pieces(B), *phases, len(sums)])
        likelihoods, none = np.zeros(len(blocks.edges) - 1), np.empty(0, W.dtype)
        weights = none if self.weights is None else self.weights.astype(W.dtype)
        documents = (*blocks.by_document, X.indptr, X.indices, X.data, W, model.share, model.common, model.smoothing)
        given = (B, read, topic_rows(B), *documents, relax, with_likelihood, weights, old, self.ratios, likelihoods)

        def work(counters: Any) -> bool:
            own = np.empty(K), np.empty(blocks.longest_word, X.dtype)
            return bool(step_pieces(counters, sizes, *given, *blocks.by_word, tokens, sums, *own))

        share_phases(work, len(sizes), threads_of_numbers(X, K))
        parts = pairwise(blocks.pieces.tolist())
        return float(sum(sum(likelihoods[first:last].tolist()) for first, last in parts))  # in order


def threads_of_numbers(X: sp.csr_array, n_topics: int) -> int:
    """How many threads there is work for where every non-zero meets all topics."""
    return int(X.nnz * n_topics // MIN_WORK)


def topic_rows(B: Array) -> int:
    """Rows of B (n, k) that make a piece, the same for any number of threads."""
    return max(1, TOPIC_NUMBERS // max(B.shape[1], 1))


def n_pieces(B: Array) -> int:
    """How many pieces of topics B (n, k) these are."""
    return -(-len(B) // topic_rows(B))


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
