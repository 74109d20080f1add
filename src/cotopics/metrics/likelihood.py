"""How well topics foretell words of documents that they have not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import check_counts
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg import mixture_likelihood
from cotopics.metrics.inputs import proportions, topic_matrix
from cotopics.metrics.measure import Measure
from cotopics.records import Array

SMOOTHING = 0.01
NONE_HELD_OUT = "no document has two tokens, one to see and one to foretell"
MOST_TOKENS = 10**9  # of a document, that numpy can draw from


def held_out_likelihood(
    model: Any, X: Any, *, random_state: int | np.random.Generator | None = 0, smoothing: float = SMOOTHING
) -> float:
    """Mean log p(word | document) of a token that was held out, in nats; exp of its negative is the perplexity.

    Document completion (Wallach et al. 2009): the tokens of each document of X (documents × words) are
    dealt into two halves at random, without replacement; the odd one goes to the first. The model's `transform` finds
    the topic proportions w of the first half, and the tokens of the second are scored. Higher is better. The documents
    should not be those that the model was fitted on.

    p is (1 − ε) B w + ε f, ε = `smoothing`, so that a word that the topics of a document lack stays finite: f are the
    frequencies of words in all first halves, each word counted once more than it occurs. With smoothing=0 one such word
    makes it −inf. Documents of fewer than two tokens are left out. Counts must be whole: there is no half of a weight.
    Where a model takes a share of every document for words as the corpus uses them, as TopicModel does, they count too.

    model: fitted, with components_ (rows that sum to one) and transform. The same seed gives the same halves.
    For documents on Dask there is `cotopics.distributed.held_out_likelihood`.

    Two topics, of words 0 and 1 and of words 2 and 3, halves each. Document 0 leaves two of its four tokens to be
    foretold, and the other one of two; the three first tokens make f = (3, 1, 1, 2) / 7:

    >>> from cotopics import AnchorWords
    >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8)
    >>> X = [[4, 0, 0, 0], [0, 0, 0, 2]]
    >>> round(held_out_likelihood(model, X, smoothing=0), 4), round(float(np.log(1 / 2)), 4)
    (-0.6931, -0.6931)
    >>> by_hand = (2 * np.log(0.99 / 2 + 0.01 * 3 / 7) + np.log(0.99 / 2 + 0.01 * 2 / 7)) / 3
    >>> round(held_out_likelihood(model, X), 4), round(float(by_hand), 4)
    (-0.6955, -0.6955)
    """
    counts = counts_over_words_of(model, X) if hasattr(model, "components_") else check_counts(X)
    B = document_topics(model, counts.shape[1], smoothing)
    first, second = deal(counts, np.random.default_rng(random_state))
    if first.shape[0] == 0:
        raise CorpusError(NONE_HELD_OUT)
    f = first.sum(axis=0) + 1
    return foretold(model, B, first, second, smoothing * f / f.sum()) / float(second.sum())


HELD_OUT_LIKELIHOOD = Measure(
    "higher", "log p of a held-out token, nats", lambda g: g.held_out, needs=("documents",),
    good="closer to 0 is better; compare models on the same documents",
)  # fmt: skip
PERPLEXITY = Measure(
    "lower", "exp(−held-out likelihood)", lambda g: float(np.exp(-g.held_out)), needs=("documents",),
    good="as if each word were chosen from so many equally likely ones",
)  # fmt: skip


def document_topics(model: Any, n_words: int, smoothing: float) -> Array:
    """p(word | a document of topic k alone) (n_words, n_topics), and errors for what cannot foretell n_words words."""
    if not 0 <= smoothing <= 1:
        raise ParameterError(f"smoothing={smoothing} must be from 0 to 1")
    B = topic_matrix(model)
    if n_words != B.shape[0]:
        raise ParameterError(f"the topics are over {B.shape[0]} words and X has {n_words}")
    if not np.allclose(B.sum(axis=0), 1):
        raise ParameterError("the topics are no probabilities of words; divide each of components_ by its sum")
    fit = getattr(model, "fit_", None)  # of ours: documents may have a share of background words
    return B if fit is None else np.asarray(fit.document_words())


def deal(counts: sp.csr_array, rng: np.random.Generator) -> tuple[sp.csr_array, sp.csr_array]:
    """The two halves of documents of two tokens or more."""
    counts = counts[counts.sum(axis=1) >= 2]
    return _halves(counts, rng) if counts.shape[0] else (counts, counts)


def foretold(model: Any, B: Array, first: sp.csr_array, second: sp.csr_array, common: Array) -> float:
    """Σ log p of the tokens of `second` under (1 − Σ common) W Bᵀ + common, where W are the topics of `first`."""
    if first.shape[0] == 0:
        return 0.0
    W = proportions(model, first)
    if not np.allclose(W.sum(axis=1), 1):
        raise ParameterError(f"{type(model).__name__}.transform gives no proportions: its rows do not sum to one")
    return mixture_likelihood(second, W, B, float(1 - common.sum()), common)


def _halves(counts: sp.csr_array, rng: np.random.Generator) -> tuple[sp.csr_array, sp.csr_array]:
    """Whole counts (documents × words) as the sum of two, tokens drawn without replacement, the odd one in the first.

    One word of every document at a time: how many of its tokens are among those still to be drawn is hypergeometric.
    Documents with most words come first, so that those with a next word are always the leading ones.
    """
    lengths = counts.sum(axis=1)
    if (counts.data != np.rint(counts.data)).any():
        raise CorpusError("X has fractional counts, and only whole tokens can be held out; give counts, not weights")
    if lengths.max() >= MOST_TOKENS:
        raise CorpusError(
            f"a document has {lengths.max():.3g} tokens; up to {MOST_TOKENS:.0e} can be dealt into halves"
        )
    tokens = counts.data.astype(np.int64)
    n_words = np.diff(counts.indptr)
    order = np.argsort(-n_words, kind="stable")
    starts, left = counts.indptr[order], lengths[order].astype(np.int64)
    wanted = left - left // 2
    taken = np.zeros_like(tokens)
    n_documents = np.searchsorted(-n_words[order], -np.arange(n_words.max()))  # that have more than so many words
    for position, n in enumerate(n_documents):
        entries = starts[:n] + position
        left[:n] -= tokens[entries]
        taken[entries] = rng.hypergeometric(tokens[entries], left[:n], wanted[:n])
        wanted[:n] -= taken[entries]
    return _with_data(counts, taken), _with_data(counts, tokens - taken)


def _with_data(counts: sp.csr_array, data: Any) -> sp.csr_array:
    half = sp.csr_array((data.astype(np.float64), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)
    half.eliminate_zeros()
    return half
