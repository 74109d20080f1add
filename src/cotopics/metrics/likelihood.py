"""How well topics predict words of documents that they have not seen."""

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
NONE_HELD_OUT = "no document has two tokens, one to see and one to predict"
MAX_DRAWN_TOKENS = 10**9  # of a document: numpy cannot draw from more


def held_out_likelihood(
    model: Any, X: Any, *, random_state: int | np.random.Generator | None = 0, smoothing: float = SMOOTHING
) -> float:
    """Mean log p(word | document) of a held-out token, in nats; exp of its negative is the perplexity.

    Document completion (Wallach et al. 2009): the tokens of each document of X (documents × words) are split into two
    random halves; if their number is odd, the first half gets one more. The model's `transform` finds the topic
    proportions w of the first half, and the tokens of the second half are scored. Higher is better. Use documents that
    the model was not fitted on.

    p is (1 − ε) B w + ε f with ε = `smoothing`: f are the frequencies of words in all first halves, each word counted
    once more than it occurs. So p is not 0 for a word that the topics of a document lack; with smoothing=0 one such
    word gives −inf. Documents of fewer than two tokens are left out. Counts must be whole numbers. If a model assigns a
    share of every document to background words, as TopicModel does, that share is included; and if its topics are of
    weighted words, B is made to use words as often as the documents of the fit did.

    model: fitted, with components_ (rows that sum to one) and transform. The same seed gives the same halves.
    For documents on Dask use `cotopics.distributed.held_out_likelihood`.

    Two topics, of words 0 and 1 and of words 2 and 3, equally probable. Document 0 has four tokens, two of which are
    predicted, and document 1 has two, one of which is. The three first tokens give f = (3, 1, 1, 2) / 7:

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
    first, second = split_tokens(counts, np.random.default_rng(random_state))
    if first.shape[0] == 0:
        raise CorpusError(NONE_HELD_OUT)
    f = first.sum(axis=0) + 1
    return log_likelihood(model, B, first, second, smoothing * f / f.sum()) / float(second.sum())


HELD_OUT_LIKELIHOOD = Measure(
    "higher", "log p of a held-out token, nats", lambda g: g.held_out, needs=("documents",),
    good="closer to 0 is better; compare models on the same documents",
)  # fmt: skip
PERPLEXITY = Measure(
    "lower", "exp(−held-out likelihood)", lambda g: float(np.exp(-g.held_out)), needs=("documents",),
    good="each word is as hard to predict as one of this many equally likely words",
)  # fmt: skip


def document_topics(model: Any, n_words: int, smoothing: float) -> Array:
    """p(word | a document of topic k only) (n_words, n_topics); an error if the model cannot predict n_words words."""
    if not 0 <= smoothing <= 1:
        raise ParameterError(f"smoothing={smoothing} must be from 0 to 1")
    B = topic_matrix(model)
    if n_words != B.shape[0]:
        raise ParameterError(f"the topics are over {B.shape[0]} words and X has {n_words}")
    if not np.allclose(B.sum(axis=0), 1):
        raise ParameterError("the topics are not probabilities of words; divide each row of components_ by its sum")
    fit = getattr(model, "fit_", None)  # of a model of ours: documents may have a share of background words
    return B if fit is None else np.asarray(fit.predicted_words())


def log_likelihood(model: Any, B: Array, first: sp.csr_array, second: sp.csr_array, common: Array) -> float:
    """Σ log p of the tokens of `second` under (1 − Σ common) W Bᵀ + common, where W are the topics of `first`."""
    if first.shape[0] == 0:
        return 0.0
    W = proportions(model, first)
    if not np.allclose(W.sum(axis=1), 1):
        raise ParameterError(f"{type(model).__name__}.transform must give proportions; its rows do not sum to one")
    return mixture_likelihood(second, W, B, float(1 - common.sum()), common)


def split_tokens(counts: sp.csr_array, rng: np.random.Generator) -> tuple[sp.csr_array, sp.csr_array]:
    """Two random halves of the tokens of each document of two tokens or more; an odd one goes to the first half.

    Tokens are drawn without replacement, one word of every document at a time: how many of a word's tokens are drawn
    is hypergeometric. Documents are visited by their number of words, so those with a next word always come first.
    """
    lengths = counts.sum(axis=1)
    if not (lengths >= 2).all():
        counts, lengths = counts[lengths >= 2], lengths[lengths >= 2]
    if counts.shape[0] == 0:
        return counts, counts
    if (counts.data != np.rint(counts.data)).any():
        raise CorpusError("X has fractional counts, and only whole tokens can be held out; give counts, not weights")
    if lengths.max() >= MAX_DRAWN_TOKENS:
        raise CorpusError(f"a document has {lengths.max():.3g} tokens; at most {MAX_DRAWN_TOKENS:.0e} can be split")
    tokens = counts.data.astype(np.int64)
    n_words = np.diff(counts.indptr)
    order = np.argsort(-n_words, kind="stable")
    starts, left = counts.indptr[order], lengths[order].astype(np.int64)
    wanted = left - left // 2
    taken = np.zeros_like(tokens)
    n_documents = np.searchsorted(-n_words[order], -np.arange(n_words.max()))  # with more than 0, 1, 2, … words
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
