"""Expectation-maximisation of the multinomial likelihood (probabilistic latent semantic analysis; Hofmann 1999)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur.weighting import inverse_frequency
from cotopics.errors import ParameterError
from cotopics.linalg import mixture_likelihood
from cotopics.linalg.sparse_matrices import column_counts, column_sums, number_blocks
from cotopics.linalg.threads import map_row_blocks, one_blas_thread
from cotopics.records import Array
from cotopics.refine.pieces import Pieces, Tokens

WEIGHTINGS = ("counts", "damped")
WARM_UP = 3  # steps of the documents alone
LEAP = 1.75  # plain steps that an over-relaxed one is worth
CLOSE = 1e-4  # of the likelihood: a step that changes it by less is no step
EVERY = 5  # steps between looks at the likelihood
BLOCK = 50_000  # numbers of topics at a time: so few stay in the cache
LARGEST_SINGLE = 1e7  # a count that single precision still tells from the next
UNSEEN = 1e-3  # tokens of every topic spread evenly at the start, so that no word is ruled out by it
FORGETTING = 0.6  # stepwise EM: piece t counts (t + 2)^−0.6 of what is known (Liang and Klein 2009)


@dataclass(frozen=True)
class Refined:
    """Topics B (n_words, n_topics), documents W (n_documents, n_topics) and p(topic, topic) = WᵀW/n.

    history["likelihood"] is the mean log-likelihood of a token before the steps in history["step"]: every fifth and the
    last two; history["held_out"] that of tokens set aside, after every step. converged says whether tokens set
    aside had become less likely, or a last step changed the likelihood by less than CLOSE of it; a refinement that
    stops before may be as good or better.
    """

    B: Array
    W: Array
    prevalence: Array
    A: Array
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class ExpectationMaximisation:
    """`steps` of EM from topics that are given.

    The model of a word in document d is (1 − background) · W_d·B_w + background · p(w): `background` is the share of
    every document that is words as the whole corpus uses them (as in Chemudugunta, Smyth and Steyvers 2006, where it is
    learned; a share that is given keeps topics from taking it over). Topics need not explain these, and differ more;
    give documents the same share, `transform(X, cotopics.infer.EM(background=…))`.
    weighting: "counts", or "damped": log(1 + count) · idf, which reads better. document_smoothing and topic_smoothing
    are the tokens that every topic gets in every document, and every word in every topic. n_pieces > 1 goes through the
    documents in so many pieces and updates topics after each (stepwise EM): the first passes get farther, from a poor
    start above all, and less memory is taken; the order of documents matters then. held_out is a share of documents
    half of whose words are set aside, by their places in X: when their likelihood has fallen for `patience` steps, the
    best topics are kept. over_relax: every step but the last goes on by three quarters of its length, in logarithms
    (over-relaxation; Salakhutdinov and Roweis 2003), so that `steps` of them come as far as 1.75 times as many plain
    ones; where plain ones never make documents less likely, these may, by a little. single: numbers of documents and of
    their words are kept, and topics read, in single precision; all that is added up over words or documents is in
    double. That takes 10 bytes a non-zero beside the counts instead of 14, and less time with many topics.
    """

    steps: int = 20
    weighting: str = "counts"
    document_smoothing: float = 0.1
    topic_smoothing: float = 0.01
    background: float = 0.0
    n_pieces: int = 1
    held_out: float = 0.0
    patience: int = 3
    over_relax: bool = False
    single: bool = False

    def __post_init__(self) -> None:
        for name in ("steps", "n_pieces", "patience"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
                raise ParameterError(f"{name}={value!r} must be an integer of at least 1")
        if self.weighting not in WEIGHTINGS:
            raise ParameterError(f"weighting={self.weighting!r} is unknown; choose one of {', '.join(WEIGHTINGS)}")
        for name in ("document_smoothing", "topic_smoothing"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ParameterError(f"{name}={getattr(self, name)} must be a number of tokens, 0 or more")
        for name, of in (("held_out", "the documents"), ("background", "every document")):
            if not 0 <= getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)} must be a share of {of} below 1")
        if self.over_relax and self.n_pieces > 1:
            raise ParameterError("over_relax=True takes steps on all documents at once; give n_pieces=1")

    def __call__(self, X: sp.csr_array | Tokens, B: Array, prevalence: Array) -> Refined:
        """Refine topics B (n_words, n_topics) on checked counts X (n_documents, n_words), or `tokens` of them."""
        with one_blas_thread():  # once for all the small pieces of work
            return self._refine(X if isinstance(X, Tokens) else self.tokens(X), B, prevalence)

    def tokens(self, X: sp.csr_array) -> Tokens:
        """Counts made ready for steps: worth keeping where they start from several topics."""
        if self.single and self.weighting == "counts" and X.nnz and X.data.max() > LARGEST_SINGLE:
            raise ParameterError(
                f"single=True holds counts up to {LARGEST_SINGLE:.0e}, and here is a larger; leave it out, or damp them"
            )
        X = weigh_tokens(X, self.weighting, self.dtype)
        X, aside = set_aside(X, self.held_out) if self.held_out else (X, None)
        shares = word_shares(X)
        return Tokens(Pieces(X, self.n_pieces, self.background * shares, self.document_smoothing), aside, shares)

    @property
    def dtype(self) -> Any:
        return np.float32 if self.single else np.float64

    def _refine(self, documents: Tokens, B: Array, prevalence: Array) -> Refined:
        pieces, aside = documents.pieces, documents.aside
        B = columns_to_one(B + UNSEEN / B.shape[0])
        W = same_for_all(prevalence, pieces.X)
        tokens, common = float(pieces.X.data.sum(dtype=np.float64)) or 1.0, self.background * documents.shares
        for _ in range(WARM_UP - self.over_relax):  # topics learned from documents that know nothing yet would blur
            pieces.documents_alone(B, W, self.over_relax)
        history: dict[str, list[float]] = {"step": [], "likelihood": [], "held_out": []}
        best, best_score, worse, step = (B, W), -np.inf, 0, 0
        total = B * (tokens * prevalence / prevalence.sum())
        for step in range(1, self.steps + 1):
            likelihood, asked = 0.0, step % EVERY == 1 or step > self.steps - 2
            relax = self.over_relax and step < self.steps
            for number, piece in enumerate(pieces):
                added, gained = piece.step(B, W[piece.first : piece.last], asked, relax)
                likelihood += gained
                if len(pieces) == 1:
                    total = added
                else:
                    share = ((step - 1) * len(pieces) + number + 2) ** -FORGETTING
                    total = (1 - share) * total + share * added * (tokens / max(added.sum(), 1e-300))
                B = next_topics(total, self.topic_smoothing, B if relax else None)
            if asked:
                history["step"].append(step)
                history["likelihood"].append(likelihood / tokens)
            progress.tell("refining", step, self.steps)
            if aside is not None:
                score = token_likelihood(aside, B, W, common)
                history["held_out"].append(score)
                worse = 0 if score > best_score else worse + 1
                if score > best_score:
                    best, best_score = (B, W.copy()), score
                if worse >= self.patience:
                    break
        if aside is not None:
            B, W = best
        W = in_double(W)
        change = abs(np.diff(history["likelihood"][-2:]))  # of the last two steps
        converged = worse >= self.patience or bool((change < CLOSE * abs(history["likelihood"][-1])).any())
        return Refined(B, W, W.mean(axis=0), W.T @ W / len(W), step, converged, history)


def in_double(W: Any) -> Array:
    """Documents' topics, rows made to sum to one: in single precision they do to seven digits."""
    if W.dtype == np.float64:
        return W
    W = W.astype(np.float64)
    W /= W.sum(axis=1, keepdims=True)
    return np.asarray(W)


def same_for_all(prevalence: Array, X: sp.csr_array) -> Any:
    """The topics of documents X that nothing is known of, numbers as X has them: (n_documents, n_topics)."""
    return np.tile((prevalence / prevalence.sum()).astype(X.dtype), (X.shape[0], 1))


def next_topics(tokens: Array, smoothing: float, old: Array | None) -> Array:
    """Topics from the tokens of every word in each (n_words, n_topics); gone on with where `old` ones are given."""
    from cotopics.refine.kernels import leap_rows

    B = columns_to_one(tokens + smoothing)
    if old is None:
        return B
    map_row_blocks(lambda first, last: leap_rows(old, B, first, last), len(B), block=max(1, BLOCK // B.shape[1]))
    return columns_to_one(B)


def columns_to_one(B: Array) -> Array:
    total = B.sum(axis=0)
    B /= np.where(total > 0, total, 1)
    return B


def weigh_tokens(X: sp.csr_array, weighting: str, dtype: Any = np.float64) -> sp.csr_array:
    """Counts as they are, or log(1 + count) · log((1 + M)/df)."""
    return in_type(X, dtype) if weighting == "counts" else damped(X, token_idf(X), dtype)


def in_type(X: sp.csr_array, dtype: Any) -> sp.csr_array:
    """X with its numbers in this type, and indices that are X's; X itself where they are."""
    return X if X.dtype == dtype else sp.csr_array((X.data.astype(dtype), X.indices, X.indptr), shape=X.shape)


def token_idf(X: sp.csr_array) -> Array:
    return inverse_frequency(column_counts(X), X.shape[0])


def damped(X: sp.csr_array, idf: Array, dtype: Any = np.float64) -> sp.csr_array:
    """log(1 + count) · idf (n_words,)."""
    data = np.empty(X.nnz, dtype)
    for some in number_blocks(X):
        data[some] = np.log1p(X.data[some]) * idf[X.indices[some]]
    return sp.csr_array((data, X.indices, X.indptr), shape=X.shape)


def set_aside(X: sp.csr_array, share: float) -> tuple[sp.csr_array, sp.csr_array]:
    """X without half of the non-zeros of some documents, and these: (n_documents, n_words) each. The seed is fixed."""
    rng = np.random.default_rng(0)
    chosen = rng.random(X.shape[0]) < share
    chosen[rng.integers(X.shape[0])] = True
    aside = np.repeat(chosen, np.diff(X.indptr)) & (rng.random(X.nnz) < 0.5)
    kept, held = (
        sp.csr_array((np.where(mask, X.data, 0), X.indices.copy(), X.indptr.copy()), shape=X.shape)
        for mask in (~aside, aside)
    )
    for matrix in (kept, held):
        matrix.eliminate_zeros()
    if held.nnz == 0:
        raise ParameterError(f"held_out={share} sets no word aside here; give a larger share of the documents")
    return kept, held


def word_shares(X: sp.csr_array, idf: Array | None = None) -> Array:
    """p(word) (n_words,) in X (n_documents, n_words); in `damped` tokens where an idf is given."""
    totals = word_totals(X, idf)
    return np.asarray(totals / (totals.sum() or 1.0))


def word_totals(X: sp.csr_array, idf: Array | None = None) -> Array:
    """Tokens of every word (n_words,), damped where an idf is given."""
    return column_sums(X) if idf is None else column_sums(X, np.log1p) * idf


def token_likelihood(X: sp.csr_array, B: Array, W: Array, common: Array) -> float:
    """Mean log p of the tokens of X (n_documents, n_words) under (1 − Σ common) W Bᵀ + common."""
    tokens = float(X.data.sum(dtype=np.float64))
    return mixture_likelihood(X, W, B, float(1 - common.sum()), common) / max(tokens, 1e-300)
