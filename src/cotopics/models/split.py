"""One topic becomes several: a fit of the topic's share of the documents.

The words of a document are shared out among its topics, and a fit of those of one topic finds what it is made of. It
decides how the topic's words are divided among the new ones, p(new topic | word): so the new topics, merged again, have
the words, the prevalence and the correlations of the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import CorpusError, ParameterError
from cotopics.infer import OneTopic
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.models.fit import Fit, Start
from cotopics.models.operations import START, check_topic, noted, some_topics, with_parts
from cotopics.records import Array, WordIds, topics_of_words

MIN_DOCUMENTS = 2  # with two tokens or more of the topic, for each new one
TOGETHER = 0.5  # how much new topics go together, before documents say it: 0 as by chance, 1 never
Find = Callable[[Any, int, bool], Start]  # so many topics of counts; whether documents have one topic each
Infer = Callable[[Fit, Any], Array]  # documents' shares (n_documents, n_topics) by a fit


def split(fit: Fit, topic: int, into: int, counts: sp.csr_array, infer: Infer, find: Find) -> Fit:
    """The fit in which `topic` is `into` topics: the first in its place, the others at the end.

    counts (n_documents, n_words): documents. infer: documents' shares by a fit. find: topics of counts, so many, of
    documents that have one topic each or not.
    """
    topic = check_topic(topic, fit.n_topics)
    if not isinstance(into, int | np.integer) or isinstance(into, bool) or into < 2:
        raise ParameterError(f"into={into!r} must be a number of topics, 2 or more")
    W = infer(fit, counts)
    has_one = isinstance(fit.inference, OneTopic)
    share = topic_tokens(fit, topic, counts, W, by_document=has_one)
    n_long = int((row_sums(share) >= 2).sum())
    if n_long < MIN_DOCUMENTS * into:
        raise CorpusError(
            f"topic {topic} has two words or more in {n_long} of these documents, too few to split it into {into}; "
            "give more documents, or fewer topics"
        )
    found = find(share, int(into), has_one)
    if found.n_topics < 2:
        raise CorpusError(f"the documents of topic {topic} show no topics within it")
    members, others = _parts_of(fit, topic)
    membership = topics_of_words(found.components.T, found.prevalence)
    membership[membership.sum(axis=1) == 0] = found.prevalence
    new = _divided(fit, topic, members, others, membership)
    new = _with_moments(new, topic, found.n_topics, W, infer(new, counts))
    return noted(new, {"split": [int(topic), found.n_topics]})


def topic_tokens(fit: Fit, topic: int, counts: sp.csr_array, W: Array, *, by_document: bool) -> sp.csr_array:
    """The tokens of documents that are a topic's, rounded to whole ones: (n_documents, n_words).

    Of word i in document d they are the share W_dk B_ik / Σ_j W_dj B_ij; with by_document, where a document has one
    topic, W_dk of all its words."""
    counts = sp.csr_array(counts)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    share = W[rows, topic]
    if not by_document:
        own = share * fit.components[topic, counts.indices]
        total = np.zeros(len(own))
        for k in range(fit.n_topics):
            total += W[rows, k] * fit.components[k, counts.indices]
        share = np.divide(own, total, out=np.zeros_like(own), where=total > 0)
    tokens = sp.csr_array(
        (np.rint(counts.data * share), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape
    )
    tokens.eliminate_zeros()
    return tokens


def _parts_of(fit: Fit, topic: int) -> tuple[WordIds, WordIds]:
    """The parts that a topic is made of, and all others."""
    topic_of = np.arange(fit.n_topics) if fit.topic_of is None else fit.topic_of
    return np.flatnonzero(topic_of == topic), np.flatnonzero(topic_of != topic)


def _divided(fit: Fit, topic: int, members: WordIds, others: WordIds, membership: Array) -> Fit:
    """The fit whose topic is divided by p(new topic | word), with a first guess of correlations."""
    parts, B = fit.inferred, fit.components[topic]
    joint = membership.T * B
    shares = joint.sum(axis=1)
    components = np.where(shares[:, None] > 0, joint / np.maximum(shares[:, None], 1e-300), B)
    n_new = len(shares)
    spread = TOGETHER * np.diag(shares) + (1 - TOGETHER) * np.outer(shares, shares)
    across = parts.correlation[np.ix_(members, others)].sum(axis=0)
    correlation = np.block(
        [
            [parts.correlation[np.ix_(others, others)], np.outer(across, shares)],
            [np.outer(shares, across), fit.correlation[topic, topic] * spread],
        ]
    )
    groups, anchored = parts.anchor_groups, parts.anchor_cooccurrence
    new = Start(
        components=np.vstack([parts.components[others], components]),
        prevalence=np.append(parts.prevalence[others], fit.prevalence[topic] * shares),
        correlation=correlation,
        diagnostics=fit.diagnostics,
        anchor_groups=None if groups is None else [*(groups[i] for i in others), *_leading(components)],
        anchor_cooccurrence=None if anchored is None else np.vstack([anchored[others], components]),
    )
    topic_of = np.arange(fit.n_topics) if fit.topic_of is None else fit.topic_of
    topic_of = np.concatenate([topic_of[others], [topic], fit.n_topics + np.arange(n_new - 1)])
    names = None
    if fit.names is not None:
        names = (*(None if k == topic else name for k, name in enumerate(fit.names)), *[None] * (n_new - 1))
    by_topic = np.argsort(topic_of, kind="stable")
    return with_parts(fit, some_topics(new, by_topic), topic_of[by_topic], names, fit.diagnostics)


def _with_moments(new: Fit, topic: int, n_new: int, before: Array, after: Array) -> Fit:
    """The fit whose new topics correlate as their shares of documents do; their sums stay those of the old topic."""
    own = np.append(topic, np.arange(before.shape[1], before.shape[1] + n_new - 1))
    inside = after[:, own]
    total = inside.sum(axis=1, keepdims=True)
    inside = np.divide(inside, total, out=np.full_like(inside, 1 / n_new), where=total > 0) * before[:, [topic]]
    topic_of = np.arange(new.n_topics) if new.topic_of is None else new.topic_of
    places = np.array([int(np.flatnonzero(topic_of == k)[0]) for k in own])
    rest = np.setdiff1d(np.arange(len(topic_of)), places)
    A = new.inferred.correlation.copy()
    W = before[:, topic_of[rest]] if len(rest) else before[:, :0]
    across = inside.T @ W
    A[np.ix_(places, rest)] = A[np.ix_(places, rest)].sum(axis=0) * _columns_to_one(across)
    A[np.ix_(rest, places)] = A[np.ix_(places, rest)].T
    within = inside.T @ inside
    if within.sum() > 0:
        A[np.ix_(places, places)] = A[np.ix_(places, places)].sum() * within / within.sum()
    parts = replace(Start(**{name: getattr(new.inferred, name) for name in START}), correlation=A)
    return with_parts(new, parts, topic_of, new.names, new.diagnostics)


def _columns_to_one(rows: Array) -> Array:
    total = rows.sum(axis=0, keepdims=True)
    return np.divide(rows, total, out=np.full_like(rows, 1 / len(rows)), where=total > 0)


def _leading(components: Array) -> list[WordIds]:
    """The most probable word of each new topic, in place of an anchor."""
    return [np.array([int(np.argmax(row))]) for row in components]
