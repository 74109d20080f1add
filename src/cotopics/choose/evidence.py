"""The documents and words that can show how many topics there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.cooccur.counts import contents
from cotopics.cooccur.weighting import require_pairs
from cotopics.errors import CorpusError
from cotopics.linalg.sparse_matrices import column_counts

MAX_WORDS = 1000  # of the spectrum: planted topics show in fewer, and text has no edge in more
MIN_ANCHOR_SHARE = 0.005  # of documents with an anchor


def evidence(counts: Any) -> tuple[Any, Any]:
    """Different documents over the words that several of them have; and over the most widespread of these words.

    The first is what models are fitted to, the second shows which directions of the co-occurrence come back."""
    paired = _with_pairs(counts)
    require_pairs(paired.shape[0], 1.0, counts.shape[0])
    different = _distinct(paired)
    if different.shape[0] == 1:
        cause = (
            "only one document has" if paired.shape[0] == 1 else f"only {paired.shape[0]} copies of one document have"
        )
        raise CorpusError(f"{cause} two tokens or more, but topics are compared between documents. Give more documents")
    shared = _with_pairs(_in_several(different))
    if shared.shape[0] == 0:
        raise CorpusError(
            f"none of the {different.shape[0]} documents has two words that other documents have too, but topics are "
            "compared between documents. Give more or longer documents, or keep more words"
        )
    return shared, _with_pairs(_widespread(shared))


def _distinct(counts: Any) -> Any:
    """The documents without copies: with a copy in the other half, everything would come back."""
    first: dict[bytes, int] = {}
    for m, content in enumerate(contents(counts)):
        first.setdefault(content, m)
    return counts if len(first) == counts.shape[0] else counts[list(first.values())]


def _in_several(counts: Any) -> Any:
    """The counts of words in two documents or more: others say nothing about other documents."""
    frequency = column_counts(counts)
    return counts if (frequency > 1).all() else counts[:, np.flatnonzero(frequency > 1)]


def _widespread(counts: Any) -> Any:
    """The counts of the words that are in most documents, so that the cost does not grow with the vocabulary."""
    frequency = column_counts(counts)
    words = np.argsort(-frequency, kind="stable")[:MAX_WORDS]
    return counts[:, np.sort(words)]


def _with_pairs(counts: Any) -> Any:
    """The documents of two tokens or more; others have no pairs of words."""
    return counts[np.asarray(counts.sum(axis=1)) >= 2]


def max_topics(counts: Any) -> int:
    """The largest number of topics that can be compared: each needs four documents, and a word as its anchor."""
    n_documents, n_words = counts.shape
    n_anchors = np.count_nonzero(column_counts(counts) >= MIN_ANCHOR_SHARE * n_documents)
    return max(0, min(n_words - 1, n_documents // 4, n_anchors))
