"""A corpus of any size with known topics: drawn from topics that were fitted to real documents.

Every word of the real topics becomes several words with shares of their own, up to the vocabulary asked for; a document
has few topics, which the prevalence decides. Drawn with CuPy where there is a GPU, with numpy elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

AT_ONCE = 200_000  # documents
TOPICS_A_DOCUMENT = 4


class Planted(NamedTuple):
    """Counts, topics B (n_words, n_topics), and the largest topic of each document."""

    X: sp.csr_array
    B: Any
    largest: Any


def planted(components: Any, prevalence: Any, *, n_documents: int, n_words: int, length: int, xp: Any = np) -> Planted:
    """Documents of `length` tokens from topics (n_topics, ·) of a fit, with more words."""
    rng = xp.random.default_rng(0)
    B = more_words(np.asarray(components).T, n_words)
    cumulative = xp.asarray(np.cumsum(B, axis=0).T + np.arange(B.shape[1])[:, None]).ravel()  # topic after topic
    edges = xp.cumsum(xp.asarray(prevalence / prevalence.sum()))
    parts = [
        _drawn(xp, rng, cumulative, edges, min(AT_ONCE, n_documents - first), len(B), length)
        for first in range(0, n_documents, AT_ONCE)
    ]
    lengths, words, counts, largest = (np.concatenate([part[i] for part in parts]) for i in range(4))
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    X = sp.csr_array((counts, words, indptr), shape=(n_documents, len(B)))
    return Planted(X, B, largest)


def more_words(B: Any, n_words: int) -> Any:
    """Topics (n_words, n_topics) over so many words: each is shared out among kinds of it, the same in all topics."""
    rng = np.random.default_rng(1)
    word = np.concatenate([np.arange(len(B)), rng.integers(0, len(B), max(n_words - len(B), 0))])
    share = np.exp(rng.normal(size=len(word)))
    share /= np.bincount(word, weights=share, minlength=len(B))[word]
    more = B[word] * share[:, None]
    return more / more.sum(axis=0)


def _drawn(xp: Any, rng: Any, cumulative: Any, edges: Any, n: int, n_words: int, length: int) -> tuple[Any, ...]:
    topics = xp.minimum(xp.searchsorted(edges, rng.random((n, TOPICS_A_DOCUMENT))), len(edges) - 1)
    shares = rng.standard_exponential((n, TOPICS_A_DOCUMENT)) ** 2  # uneven: one topic leads
    shares = xp.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)
    u = rng.random((n, length))
    which = (u[:, :, None] > shares[:, None, :]).sum(axis=2)
    topic = xp.take_along_axis(topics, xp.minimum(which, TOPICS_A_DOCUMENT - 1), axis=1)
    place = xp.searchsorted(cumulative, topic + rng.random((n, length)))
    word = xp.clip(place - topic * n_words, 0, n_words - 1)
    keys = xp.sort((xp.arange(n)[:, None] * n_words + word).ravel())
    first = xp.concatenate([xp.ones(1, bool), keys[1:] != keys[:-1]])
    starts = xp.flatnonzero(first)
    counts = xp.diff(xp.concatenate([starts, xp.asarray([len(keys)])]))
    keys = keys[starts]
    lengths = xp.bincount(keys // n_words, minlength=n)
    weight = xp.diff(shares, axis=1, prepend=0)
    same = topics[:, :, None] == topics[:, None, :]
    largest = xp.take_along_axis(topics, (same * weight[:, None, :]).sum(axis=2).argmax(axis=1)[:, None], axis=1)[:, 0]
    host = (lambda a: a.get()) if hasattr(keys, "get") else (lambda a: a)
    return host(lengths), host(keys % n_words).astype(np.int32), host(counts).astype(np.int32), host(largest)
