"""What earlier documents count for when documents are added to a fit, or taken out of it.

How a word is shared out among topics is forgotten slowly, as it was found with topics of fewer documents, and faster
where documents drift; how often the word occurs is not.
"""

from __future__ import annotations

import numpy as np

from cotopics.models.topic_sums import TopicSums
from cotopics.records import Array

# A document that was the i-th of n speaks for (i/n)^ageing of how words are shared out among topics: ageing is the
# first of these, and up to the second where documents drift. Where they have one topic each, fewer speak for a topic,
# and more of them are needed.
AGEING_OF_MANY, AGEING_OF_ONE = (3, 12), (1, 1)
ENOUGH_DOCUMENTS = 5  # of each sample, that have a word, for their shares to be compared
LEAST_WEIGHT = 0.1  # of documents that are left: smaller ones would be mostly rounding


def weight_of_earlier(before: TopicSums, after: TopicSums, ageing: tuple[int, int]) -> float:
    """What earlier documents' shares of topics count for. Documents in many pieces or in few come to the same.

    Less where words are used otherwise than before: if what is estimated drifts, an estimate from n documents is worth
    1/(1 + n·drift) of what it was (Kalman 1960); but not so little that what does not come every time is lost."""
    n, (least, most) = before.n_documents, ageing
    share = n / after.n_documents
    return float(np.clip(1 / (1 + n * drift(before, after)), share**most, share**least))


def drift(before: TopicSums, after: TopicSums) -> float:
    """By how much shares of documents with a word differ between those before and those that came, beyond chance.

    Squared, on average over words, in units of what one document varies: two samples of n and m documents differ by
    1/n + 1/m."""
    n, m = before.n_documents, after.n_documents - before.n_documents
    p = after.frequency / after.n_documents
    some = (p < 1) & (p * min(n, m) >= ENOUGH_DOCUMENTS)
    if not some.any():
        return 0.0
    p, then, came = p[some], before.frequency[some] / n, (after.frequency - before.frequency)[some] / m
    return max(float(((came - then) ** 2 / (p * (1 - p))).mean()) - (1 / n + 1 / m), 0.0)


def all_tokens(tokens: Array, kept: Array, weight: float) -> Array:
    """Tokens (n_words, n_topics), in which those kept of earlier documents have a weight, as if they had none.

    Shares of every word stay; its number becomes that of all documents, so that rare words are not lost with time."""
    tokens = np.maximum(tokens, 0)
    sums = tokens.sum(axis=1)
    return np.asarray(tokens * (1 + (1 - weight) * kept.sum(axis=1) / np.where(sums > 0, sums, 1))[:, None])


def without(tokens: Array, found: Array, weight: float) -> Array:
    """Tokens (n_words, n_topics) less those found in documents: `all_tokens` the other way round.

    When each document came is not known; these are taken to be the last, so that what was just added is undone."""
    weight, sums, gone = max(weight, LEAST_WEIGHT), tokens.sum(axis=1), found.sum(axis=1)
    rest = np.maximum(sums - gone, 0)
    own = (weight * rest + gone) / np.where(sums > 0, sums, 1)
    left = np.maximum(tokens * own[:, None] - found, 0)
    total = left.sum(axis=1)
    return np.asarray(left * (rest / np.where(total > 0, total, 1))[:, None])


def totals_of(tokens: Array, smoothing: float) -> Array:
    return np.asarray(tokens.sum(axis=0) + len(tokens) * smoothing)


def at_most(tokens: Array, totals: Array) -> Array:
    """Tokens (n_words, n_topics), made less where a word has more than the documents that are left (n_words,)."""
    sums = tokens.sum(axis=1)
    return np.asarray(tokens * np.minimum(1, totals / np.where(sums > 0, sums, 1))[:, None])
