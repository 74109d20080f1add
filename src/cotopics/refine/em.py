"""Expectation-maximisation of the multinomial likelihood (probabilistic latent semantic analysis; Hofmann 1999).

A step has two passes. The pass over documents keeps x/(W Bᵀ) of each non-zero, the pass over words uses them: no sums
of several threads are added up, so results do not depend on the number of threads. Documents take a few steps before
topics move: topics learned from documents of which nothing is known yet would blur.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur.weighting import inverse_frequency
from cotopics.documents import Documents, InMemory, Pieces
from cotopics.errors import ParameterError
from cotopics.linalg.changes import LOG1P
from cotopics.linalg.columns import block_rows, columns_to_one, dense_column_sums
from cotopics.linalg.sparse_matrices import column_sums
from cotopics.linalg.threads import map_row_blocks, one_blas_thread, share_phases, thin_product
from cotopics.records import Array
from cotopics.refine.tokens import Mixture, Tokens, n_pieces, threads_of_topics, topic_rows

WEIGHTINGS = ("counts", "damped")
WARM_UP = 3  # steps of the documents alone
RELAXED_STEP = 1.75  # plain steps that an over-relaxed one is worth
CONVERGED = 1e-4  # of the likelihood: a step that changes it by less is the last one needed
EVERY = 5  # steps between looks at the likelihood
LEAPS = 50_000  # numbers that are extrapolated at a time
UNSEEN = 1e-3  # tokens spread evenly in every topic at the start, so that no word is ruled out by it


@dataclass(frozen=True)
class Refined:
    """Topics B (n_words, n_topics), documents W (n_documents, n_topics) and p(topic, topic) = WᵀW/n.

    history["likelihood"] is the mean log-likelihood of a token before the steps in history["step"]: every fifth and the
    last two. converged says whether the last step changed the likelihood by less than CONVERGED of it; a refinement
    that stops before may be as good or better. tokens (n_words, n_topics): those of every word in each topic, where
    documents have one topic. totals (n_topics,): the tokens that each topic is made of, smoothing included; B · totals
    less the smoothing are those of every word.
    """

    B: Array
    W: Array
    prevalence: Array
    A: Array
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)
    tokens: Any = None
    totals: Any = None


@dataclass(frozen=True)
class Prepared:
    """Documents prepared for steps from any number of starts: their tokens, how many, and p(word) (n_words,)."""

    tokens: Pieces
    n_tokens: float
    word_shares: Array


@dataclass(frozen=True)
class ExpectationMaximisation:
    """Steps of EM from topics that are given.

    The model of a word in document d is (1 − background) · W_d·B_w + background · p(w).

    Parameters
    ----------
    steps : int
        How many.
    weighting : "counts" or "damped"
        Counts as they are, or log(1 + count) · idf, which gives topics that read better.
    document_smoothing, topic_smoothing : float
        Tokens that every topic gets in every document, and every word in every topic.
    background : float
        Share of every document that is words as the whole corpus uses them (as in Chemudugunta, Smyth and Steyvers
        2006, where it is learned; a given share keeps topics from taking it over). Topics need not explain these words,
        and differ more. Infer documents with the same share: `cotopics.infer.EM(background=…)`.
    over_relax : bool
        Every step but the last goes three quarters of its length further, in logarithms (Salakhutdinov and Roweis
        2003). Where a plain step shrinks the distance that is left by a factor λ, this one does by 1.75 λ − 0.75: slow
        directions (λ near 1) take 1.75 times fewer steps. Plain steps never make documents less likely; these may, by
        a little. A number that changes by a factor beyond ten is not extrapolated.
    single : bool
        Tokens and documents' topics are kept, and topics read, in single precision; sums over words or documents are
        in double. It takes 10 bytes a non-zero in addition to the counts instead of 14, and less time with many topics:
        most of a step is reading a row of topics for every word of every document.
    """

    steps: int = 20
    weighting: str = "counts"
    document_smoothing: float = 0.1
    topic_smoothing: float = 0.01
    background: float = 0.0
    over_relax: bool = False
    single: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.steps, int | np.integer) or isinstance(self.steps, bool) or self.steps < 1:
            raise ParameterError(f"steps={self.steps!r} must be an integer of at least 1")
        if self.weighting not in WEIGHTINGS:
            raise ParameterError(f"weighting={self.weighting!r} is unknown; choose one of {', '.join(WEIGHTINGS)}")
        for name in ("document_smoothing", "topic_smoothing"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ParameterError(f"{name}={getattr(self, name)} must be a number of tokens, 0 or more")
        if not 0 <= self.background < 1:
            raise ParameterError(f"background={self.background} must be a share of every document below 1")

    def __call__(
        self, X: sp.csr_array | Documents | Prepared, B: Array, prevalence: Array, kept: Array | None = None
    ) -> Refined:
        """Refine topics B (n_words, n_topics) on checked counts X (n_documents, n_words), or on prepared ones.

        kept (n_words, n_topics): tokens of other documents, which are part of the topics and stay as they are. Steps
        are then those of incremental expectation-maximisation (Neal and Hinton 1998)."""
        with one_blas_thread():  # once for all the small pieces of work
            return self._refine(X if isinstance(X, Prepared) else self.prepare(X), B, prevalence, kept)

    def prepare(self, X: sp.csr_array | Documents) -> Prepared:
        """Documents made ready for steps: worth keeping where several starts are tried."""
        documents = InMemory(X) if sp.issparse(X) else X
        dtype = np.float32 if self.single else np.float64
        tokens = documents.pieces.map(Tokens.of_counts, token_idf(documents, self.weighting), dtype).keep()
        totals, n_tokens = tokens.sum(Tokens.totals)
        return Prepared(tokens, n_tokens or 1.0, totals / (totals.sum() or 1.0))

    def _refine(self, documents: Prepared, B: Array, prevalence: Array, kept: Array | None) -> Refined:
        pieces = documents.tokens
        model = Mixture(self.background * documents.word_shares, self.document_smoothing)
        B = columns_to_one(np.ascontiguousarray(B) + UNSEEN / B.shape[0])
        W = pieces.map(Tokens.first_topics, prevalence)
        for _ in range(WARM_UP - self.over_relax):
            W, _ = pieces.update(W, Tokens.update_documents, B, model, self.over_relax)
        history: dict[str, list[float]] = {"step": [], "likelihood": []}
        others = len(B) * self.topic_smoothing + (0.0 if kept is None else dense_column_sums(kept))
        for step in range(1, self.steps + 1):
            asked = step % EVERY == 1 or step > self.steps - 2
            relax = self.over_relax and step < self.steps
            W, sums = pieces.update(W, Tokens.step, B, model, asked, relax)
            B = pieces.once(next_topics, sums, B, self.topic_smoothing, relax, kept)
            W, B, told = pieces.now(W, B, pieces.once(told_of, sums, others if step == self.steps else None))
            likelihood, totals = pieces.fetch(told)  # on a cluster this waits: one step after another is there
            if asked:
                history["step"].append(step)
                history["likelihood"].append(likelihood / documents.n_tokens)
            progress.tell("refining", step, self.steps)
        W = W.map(in_double)
        squares, total, n_documents = W.sum(moments)
        change = abs(np.diff(history["likelihood"][-2:]))  # of the last two steps
        converged = bool((change < CONVERGED * abs(history["likelihood"][-1])).any())
        prevalence, A = total / max(n_documents, 1), squares / max(n_documents, 1)
        W = W.rows(len(A))
        return Refined(pieces.fetch(B), W, prevalence, A, self.steps, converged, history, totals=totals)


def next_topics(
    sums: tuple[Array, float, Array], old: Array, smoothing: float, relax: bool, kept: Array | None = None
) -> Array:
    """Topics from the tokens of every word in each (n_words, n_topics); extrapolated from the old ones if `relax`.

    sums are those of `Tokens.step`."""
    from cotopics.refine.kernels import topic_pieces

    tokens = sums[0]
    totals = sums[2] + len(tokens) * smoothing
    totals = totals if kept is None else totals + dense_column_sums(kept)
    B: Array = np.empty(tokens.shape)
    parts = np.empty((n_pieces(tokens), B.shape[1]))
    sizes = np.array([len(parts), *((1, len(parts)) if relax and len(parts) else (0, 0))])
    none = tokens[:0] if kept is None else kept
    given = (topic_rows(tokens), tokens, none, smoothing, np.where(totals > 0, totals, 1), old, relax, B, parts)
    share_phases(lambda counters: bool(topic_pieces(counters, sizes, *given)), len(sizes), threads_of_topics(tokens))
    return B


def in_double(W: Any, out: Array | None = None) -> Array:
    """Documents' topics, rows made to sum to one: in single precision they do to seven digits."""
    if W.dtype == np.float64:
        return W
    double = np.empty(W.shape) if out is None else out

    def block(first: int, last: int) -> None:
        rows = W[first:last].astype(np.float64)
        np.divide(rows, rows.sum(axis=1, keepdims=True), out=double[first:last])

    map_row_blocks(block, len(W), block=block_rows(W))
    return double


def moments(W: Array) -> tuple[Array, Array, int]:
    """WᵀW, the sum of W, and how many documents there are."""
    return thin_product(W.T, W), dense_column_sums(W), len(W)


def moments_of(counts: Any, infer: Any, B: Array, prevalence: Array) -> tuple[Array, Array, int]:
    """The same of the shares that a step of `cotopics.infer` finds for documents."""
    return moments(infer(counts, B, prevalence, None))


def told_of(sums: tuple[Array, float, Array], others: Any) -> tuple[float, Any]:
    """The likelihood, and the tokens of each topic (n_topics,) with those of others; None where these are."""
    return sums[1], None if others is None else sums[2] + others


def token_idf(documents: Documents, weighting: str) -> Array | None:
    """What damped counts are multiplied by (n_words,); None: counts are taken as they are."""
    return None if weighting == "counts" else inverse_frequency(documents.frequency, documents.n_documents)


def word_shares(documents: Documents, weighting: str = "counts") -> Array:
    """p(word) (n_words,) in tokens, weighted as EM weights them."""
    totals = documents.pieces.sum(word_totals, token_idf(documents, weighting))
    return np.asarray(totals / (totals.sum() or 1.0))


def word_totals(X: sp.csr_array, idf: Array | None = None) -> Array:
    """Tokens of every word (n_words,), damped where an idf is given."""
    return column_sums(X) if idf is None else column_sums(X, LOG1P) * idf


def occurrences_and_damped(X: sp.csr_array) -> tuple[Array, Array]:
    """Σ count and Σ log(1 + count) of every word (n_words,)."""
    return word_totals(X), column_sums(X, LOG1P)
