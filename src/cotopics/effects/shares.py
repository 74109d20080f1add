"""Documents' shares for a regression: unbiased ones, or means given the documents with how uncertain they are.

The mean given a document (`transform`) is drawn towards the mean of all documents, the more the fewer words it has. So
a difference between groups comes out too small, and draws from documents' posteriors do not change that: their mean is
the same. An unbiased share has no such pull. It is a sum over a document's words, each with a fixed weight for each
topic; its noise is larger, but it averages out over documents, and a regression sees it as part of the residuals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.counts import counts_over_words_of
from cotopics.errors import ParameterError
from cotopics.infer import OneTopic, PriorAware
from cotopics.infer.prior import prior_of
from cotopics.linalg import linear_bayes_mixtures
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.metrics.inputs import proportions
from cotopics.models.recount import topics_of_documents
from cotopics.records import Array

KINDS = ("unbiased", "posterior")
SCALE_ERROR = 0.1  # of estimated topics: standard error of a factor that all shares' distances have in common
WORST_CONDITION = 1e8  # of topics that can still be told apart


@dataclass(frozen=True)
class DocumentShares:
    """W (n_documents, n_topics), rows sum to one. variance (n_documents, n_topics): how uncertain each is given its
    document; None where the noise is in W itself. known (n_documents,): whether a document has a word of the topics;
    rows of others mean nothing."""

    W: Array
    variance: Array | None
    known: np.ndarray[Any, np.dtype[np.bool_]]


def document_shares(model: Any, X: Any, kind: str = "unbiased", topics: str = "known") -> DocumentShares:
    """The shares of documents X (n_documents, n_words) by a fitted model.

    topics "estimated": unbiased shares are of its topics as they are counted in X (`models/recount.py`).

    >>> from cotopics import AnchorWords
    >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8)
    >>> document_shares(model, np.array([[3, 3, 1, 1], [1, 1, 1, 1]])).W.round(6).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    if kind not in KINDS:
        raise ParameterError(f"shares={kind!r} is unknown; choose one of {', '.join(KINDS)}")
    if topics not in ("estimated", "known"):
        raise ParameterError(f"topics={topics!r} is unknown; choose 'estimated' or 'known'")
    if not hasattr(model, "fit_"):
        raise ParameterError(f"{type(model).__name__} is not a fitted model of cotopics")
    counts = counts_over_words_of(model, X)
    has_topic = model.components_.sum(axis=0) > 0
    known = row_sums(counts[:, has_topic]) > 0
    if kind == "posterior":
        return DocumentShares(*posterior_shares(model, counts, known), known)
    if topics == "estimated" and not isinstance(model.fit_.inference, OneTopic) and known.any():
        weights = weights_of(*topics_of_documents(model.fit_, counts, known))
    else:  # of one-topic documents, topics are counts already
        weights = word_weights(model.fit_)
    return DocumentShares(unbiased_shares(model.fit_, counts, *weights), None, known)


def word_weights(fit: Any) -> tuple[Array, Array]:
    """`weights_of` the topics of a fit, and of its background."""
    B, mean = fit.inferred.components.T, fit.inferred.prevalence / fit.inferred.prevalence.sum()
    share = getattr(fit.inference, "background", 0.0)
    p = B @ mean if fit.background is None else np.where(B.sum(axis=1) > 0, fit.background, 0.0)
    return weights_of(B, mean, share, p / p.sum())


def weights_of(B: Array, mean: Array, share: float = 0.0, p: Array | None = None) -> tuple[Array, Array]:
    """G (n_topics, n_words) and offset (n_topics,): a document of word shares h has the shares G h − offset.

    If h has the mean (1 − b) B w + b p for topics B, shares w and a background p of share b, the result has the mean w:
    G is a left inverse of B. Of all, it is the one with the least noise for documents of average shares, as
    generalised least squares gives it. Rows of G h − offset are then made to sum to one, along the prevalence.
    """
    p = B @ mean if p is None else p
    expected = (1 - share) * (B @ mean) + share * p
    lift = np.divide(B, expected[:, None], out=np.zeros_like(B), where=expected[:, None] > 0)
    information = B.T @ lift
    if not np.linalg.cond(information) < WORST_CONDITION:
        raise ParameterError(
            "some topics have the same words and cannot be told apart; merge them, or use shares='posterior'"
        )
    G = np.linalg.solve(information, lift.T) / (1 - share)
    offset = share * (G @ p)
    missing = 1 - G.sum(axis=0)  # of a sum of one, for each word
    G = G + np.outer(mean, missing)
    offset = offset - mean * offset.sum()
    return np.asarray(G), np.asarray(offset)


def unbiased_shares(fit: Any, counts: sp.csr_array, G: Array, offset: Array) -> Array:
    """Shares (n_documents, n_topics) whose mean is the truth, if the topics are right. Some are below zero."""
    has_topic = fit.components.sum(axis=0) > 0
    some = sp.csr_array(counts[:, has_topic], dtype=np.float64)
    lengths = np.maximum(row_sums(some), 1e-300)
    return fit.add_up(np.asarray(some @ np.ascontiguousarray(G[:, has_topic].T)) / lengths[:, None] - offset)


def posterior_shares(model: Any, counts: sp.csr_array, known: Any) -> tuple[Array, Array]:
    """Means and variances of shares given each document, under the model's own prior.

    As in `infer/prior.py`, shares are as uncertain as under a Dirichlet of the document's words and of the prior's; if
    documents have one topic each, as the draw of that topic. Both hold for sums over merged topics too."""
    fit = model.fit_
    W = np.array(proportions(model, counts))
    if isinstance(fit.inference, OneTopic):
        return W, W * (1 - W)
    words, weight = row_sums(counts), 1.0
    if isinstance(fit.inference, PriorAware):
        words, weight = _words_of_topics(fit, counts, known)
    return W, W * (1 - W) / (1 + weight + words)[:, None]


def _words_of_topics(fit: Any, counts: sp.csr_array, known: Any) -> tuple[Array, float]:
    """How many words of each document belong to topics, and how many the prior is worth."""
    infer, topics = fit.inference, fit.inferred
    has_topic = topics.components.sum(axis=0) > 0
    mean, spread = prior_of(topics.prevalence, topics.correlation, infer.least_spread)
    B = np.ascontiguousarray(topics.components[:, has_topic].T)
    common = B @ mean if fit.background is None else fit.background[has_topic]
    found = linear_bayes_mixtures(
        sp.csr_array(counts[np.flatnonzero(known)][:, has_topic]),
        (1 - infer.background) * B,
        mean,
        spread,
        common=infer.background * common,
        tolerance=infer.tolerance,
        max_iter=infer.max_iter,
    )
    words = np.zeros(counts.shape[0])
    words[known] = found.explained
    d, k = len(spread.v), len(mean)
    v = (spread.v.sum() + (k - 1 - d) * spread.rest) / max(k - 1, 1)
    return words, 1 / max(v, 1e-12) - 1
