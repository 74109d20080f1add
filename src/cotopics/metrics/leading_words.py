"""Measures of the leading words of topics: whether topics share them, and whether they are in the same documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import check_counts
from cotopics.errors import ParameterError
from cotopics.metrics.inputs import leading_words, topic_matrix
from cotopics.metrics.measure import Measure
from cotopics.records import Array


def dissimilarity(topics: Any, *, n_words: int = 20) -> float:
    """Mean number of a topic's `n_words` most probable words that lead no other topic; Lee et al. 2015, section 4.

    From 0 (every word is shared) to n_words (no word is). `topics` is B (words × topics) or a fitted model.

    Each of these topics has two leading words, and word 0 leads both:

    >>> B = np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]])
    >>> dissimilarity(B, n_words=2)
    1.0
    """
    B = topic_matrix(topics)
    uses = np.bincount(leading_words(B, n_words).ravel())
    return float(np.count_nonzero(uses == 1) / B.shape[1])


DISSIMILARITY = Measure(
    "higher", "of a topic's 20 leading words, those in no other's", lambda g: dissimilarity(g.model),
    good="20 is best: no leading word is shared",
)  # fmt: skip


def similarity_count(topics: Any, *, n_words: int = 20) -> int:
    """Number of leading words that two topics share, summed over all pairs; Fu et al. 2019, section 6.2.

    Each pair counts the words that are among the `n_words` most probable of both. Lower is better.

    >>> similarity_count(np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]]), n_words=2)  # word 0
    1
    """
    uses = np.bincount(leading_words(topic_matrix(topics), n_words).ravel())
    return int((uses * (uses - 1) // 2).sum())


SIMILARITY_COUNT = Measure(
    "lower", "words shared by two topics' leading 20, over all pairs", lambda g: similarity_count(g.model),
    good="0 is best: no leading word is shared",
)  # fmt: skip


def topic_diversity(topics: Any, *, n_words: int = 25) -> float:
    """Share of distinct words among the `n_words` most probable words of all topics: 1 if topics share none.

    At least 1/n_topics, if all topics have the same leading words. `topics` is B (words × topics) or a fitted model.

    Of these four leading words, two for each topic, word 0 appears twice:

    >>> topic_diversity(np.array([[0.5, 0.4], [0.4, 0.1], [0.1, 0.5]]), n_words=2)
    0.75
    """
    leading = leading_words(topic_matrix(topics), n_words)
    return len(np.unique(leading)) / leading.size


TOPIC_DIVERSITY = Measure(
    "higher", "share of distinct words among the leading 25", lambda g: topic_diversity(g.model),
    good="1 is best; below 0.7 topics repeat one another",
)  # fmt: skip


def exclusivity(topics: Any, *, n_words: int = 10) -> float:
    """Mean over topics, and over their `n_words` most probable words, of p(w | z) / Σ_z' p(w | z'). Higher is better.

    This is the definition of Mallet's diagnostics. (stm uses the same ratio, but ranks words by it and mixes in their
    frequency: FREX.) From 1/n_topics, if all topics are the same, to 1, if no two share a leading word. Words without
    probability in a topic are left out of its mean; a topic without any word counts 0. `topics` is B (words × topics)
    or a fitted model.

    Topic 0 has 3/4 of word 0 and all of word 1; topic 1 has all of word 2 and 1/4 of word 0:

    >>> B = np.array([[0.6, 0.2], [0.4, 0.0], [0.0, 0.8]])
    >>> round(exclusivity(B, n_words=2), 4), (3 / 4 + 1 + 1 + 1 / 4) / 4
    (0.75, 0.75)
    """
    B = topic_matrix(topics)
    leading = leading_words(B, n_words)
    p = np.take_along_axis(B, leading, axis=0)
    share = np.divide(p, B.sum(axis=1)[leading], out=np.zeros_like(p), where=p > 0)
    return float((share.sum(axis=0) / np.maximum(np.count_nonzero(p > 0, axis=0), 1)).mean())


EXCLUSIVITY = Measure(
    "higher", "p(word | topic) over all topics' p, of the leading 10", lambda g: exclusivity(g.model),
    good="1 is best: leading words belong to one topic alone",
)  # fmt: skip


def coherence(topics: Any, X: Any, *, n_words: int = 20, epsilon: float = 0.01, ordered: bool = False) -> float:
    """Mean over topics of Σ_{i>j} log((D₂(i, j) + ε) / D₁(j)). Higher is better.

    Lee et al. 2015, section 4. i and j run over the topic's `n_words` leading words, and j is the more probable one.
    ordered: every pair counts twice, with D₁ of either word, as Fu et al. 2019, section 6.2, have it: values are about
    twice as far below zero. D₁(j) counts the documents of X (documents × words) with word j, D₂(i, j) those with both.
    A word that X does not have counts as in one document.

    Word 0 is in three documents: two of them have word 1 too, and one has word 2, which is in no other:

    >>> B, X = np.array([[0.5], [0.3], [0.2]]), [[1, 2, 0], [3, 0, 0], [1, 1, 1]]
    >>> round(coherence(B, X), 4), round(float(np.log(2.01 / 3) + np.log(1.01 / 3) + np.log(1.01 / 2)), 4)
    (-2.1723, -2.1723)

    Every pair with the other word's documents, too:

    >>> round(coherence(B, X, ordered=True), 4), round(float(-2.1723 + np.log(2.01 / 2) + 2 * np.log(1.01 / 1)), 4)
    (-2.1474, -2.1474)
    """
    together, _ = _documents_in_common(topics, X, n_words)
    total = 0.0
    for D2 in together:
        D1 = np.maximum(np.diag(D2), 1)
        logarithms = np.log((D2 + epsilon) / D1)
        total += np.tril(logarithms, k=-1).sum() + (np.triu(logarithms, k=1).sum() if ordered else 0)
    return float(total / len(together))


COHERENCE = Measure(
    "higher", "leading 20 words in the same documents, sum of logs", lambda g: coherence(g.model, g.X),
    needs=("documents",), good="closer to 0 is better; compare models of the same corpus",
)  # fmt: skip


def npmi(topics: Any, X: Any, *, n_words: int = 10, known_only: bool = False) -> float:
    """Mean over topics, and over pairs of a topic's `n_words` leading words, of log(p_ij / p_i p_j) / −log p_ij.

    p_i and p_ij are the shares of the documents of X (documents × words) with word i, and with both. −1 is a pair that
    is never together, or whose words X does not have; 0 is as often as by chance; 1 is only ever together. A pair that
    is in every document, where the formula is 0/0, counts 1. Higher is better. With `known_only`, pairs of which X does
    not have both words are left out: for a reference corpus, which may lack some.

    Words 0 and 1 are together in one document of four, twice as often as by chance: log 2 / log 4. Words 0 and 2, the
    other topic, never are:

    >>> X = [[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]]
    >>> npmi(np.array([[0.6, 0.6], [0.4, 0.0], [0.0, 0.4]]), X, n_words=2)
    -0.25
    """
    together, n_documents = _documents_in_common(topics, X, n_words)
    if together[0].shape[0] < 2:
        raise ParameterError("npmi needs pairs of words: give n_words of 2 or more, and topics of 2 words or more")
    means = []
    for D2 in together:
        i, j = np.tril_indices(len(D2), k=-1)
        if known_only:
            known = (np.diag(D2)[i] > 0) & (np.diag(D2)[j] > 0)
            i, j = i[known], j[known]
            if not len(i):
                continue
        p, p_ij = np.diag(D2) / n_documents, D2[i, j] / n_documents
        values = np.where(p_ij > 0, 1.0, -1.0)
        defined = (p_ij > 0) & (p_ij < 1)
        pmi = np.log(p_ij[defined] / (p[i] * p[j])[defined])
        values[defined] = pmi / -np.log(p_ij[defined])
        means.append(values.mean())
    if not means:
        raise ParameterError("npmi: the documents of X have no two words of any topic")
    return float(np.mean(means))


NPMI = Measure(
    "higher", "leading 10 words in the same documents, −1 to 1", lambda g: npmi(g.model, g.X),
    needs=("documents",), good="0 is chance; from 0.1 on a reader sees that words belong together",
)  # fmt: skip

REFERENCE_NPMI = Measure(
    "higher", "leading 10 words in the same documents of a reference corpus", lambda g: npmi(
        g.model, g.reference, known_only=True
    ),
    needs=("reference",), good="0 is chance; in texts of a few words, npmi itself is mostly noise, and this is not",
)  # fmt: skip


def _documents_in_common(topics: Any, X: Any, n_words: int) -> tuple[list[Array], int]:
    """For each topic, the number of documents with both leading words i and j, (n, n); and the number of documents."""
    B, counts = topic_matrix(topics), check_counts(X)
    if counts.shape[1] != B.shape[0]:
        raise ParameterError(f"the topics are over {B.shape[0]} words and X has {counts.shape[1]}")
    leading = leading_words(B, n_words)
    used, position = np.unique(leading, return_inverse=True)
    present = sp.csc_array(counts[:, used] > 0, dtype=np.float64)
    together = (present.T @ present).toarray()  # D₂, and D₁ on its diagonal
    return [together[np.ix_(words, words)] for words in position.reshape(leading.shape).T], counts.shape[0]
