"""Whether a topic's leading words are found in the same documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import check_counts
from cotopics.errors import ParameterError
from cotopics.metrics.inputs import leading_words, topic_matrix
from cotopics.metrics.measure import Measure
from cotopics.records import Array


def coherence(topics: Any, X: Any, *, n_words: int = 20, epsilon: float = 0.01) -> float:
    """Mean over topics of Σ_{i>j} log((D₂(i, j) + ε) / D₁(j)); 001, section 4, 000, section 6.2. Higher is better.

    i and j run over the topic's `n_words` leading words, j the more probable; D₁(j) counts the documents of X
    (documents × words) that word j is in, D₂(i, j) those that both are in. A word that X lacks counts as in one.

    Word 0 is in three documents, two of them with word 1, which is in two, and one with word 2, in that one only:

    >>> B, X = np.array([[0.5], [0.3], [0.2]]), [[1, 2, 0], [3, 0, 0], [1, 1, 1]]
    >>> round(coherence(B, X), 4), round(float(np.log(2.01 / 3) + np.log(1.01 / 3) + np.log(1.01 / 2)), 4)
    (-2.1723, -2.1723)
    """
    together, _ = _documents_in_common(topics, X, n_words)
    total = 0.0
    for D2 in together:
        D1 = np.maximum(np.diag(D2), 1)
        total += np.tril(np.log((D2 + epsilon) / D1), k=-1).sum()
    return float(total / len(together))


COHERENCE = Measure(
    "higher", "leading 20 words in the same documents, sum of logs", lambda g: coherence(g.model, g.X),
    needs=("documents",), good="closer to 0 is better; compare models of the same corpus",
)  # fmt: skip


def npmi(topics: Any, X: Any, *, n_words: int = 10) -> float:
    """Mean over topics, and over pairs of a topic's `n_words` leading words, of log(p_ij / p_i p_j) / −log p_ij.

    p_i and p_ij are the shares of the documents of X (documents × words) that word i, or both, are in. From −1, for a
    pair that is never together (or whose words X lacks), over 0, as often as by chance, to 1, for words that are only
    ever together; a pair that is together in every document, where the formula is 0/0, counts 1. Higher is better.

    Words 0 and 1 are in one document of four together, twice the rate of chance: log 2 / log 4. Words 0 and 2, the
    other topic, never meet:

    >>> X = [[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]]
    >>> npmi(np.array([[0.6, 0.6], [0.4, 0.0], [0.0, 0.4]]), X, n_words=2)
    -0.25
    """
    together, n_documents = _documents_in_common(topics, X, n_words)
    if together[0].shape[0] < 2:
        raise ParameterError("one leading word makes no pair; npmi needs n_words of 2 or more, and as many words")
    total = 0.0
    for D2 in together:
        i, j = np.tril_indices(len(D2), k=-1)
        p, p_ij = np.diag(D2) / n_documents, D2[i, j] / n_documents
        values = np.where(p_ij > 0, 1.0, -1.0)
        defined = (p_ij > 0) & (p_ij < 1)
        pmi = np.log(p_ij[defined] / (p[i] * p[j])[defined])
        values[defined] = pmi / -np.log(p_ij[defined])
        total += values.mean()
    return float(total / len(together))


NPMI = Measure(
    "higher", "leading 10 words in the same documents, −1 to 1", lambda g: npmi(g.model, g.X),
    needs=("documents",), good="0 is chance; from 0.1 on a reader sees that words belong together",
)  # fmt: skip


def _documents_in_common(topics: Any, X: Any, n_words: int) -> tuple[list[Array], int]:
    """For each topic, in how many documents its leading words i and j both are, (n, n); and how many there are."""
    B, counts = topic_matrix(topics), check_counts(X)
    if counts.shape[1] != B.shape[0]:
        raise ParameterError(f"the topics are over {B.shape[0]} words and X has {counts.shape[1]}")
    leading = leading_words(B, n_words)
    used, position = np.unique(leading, return_inverse=True)
    present = sp.csc_array(counts[:, used] > 0, dtype=np.float64)
    together = (present.T @ present).toarray()  # D₂, and D₁ on its diagonal
    return [together[np.ix_(words, words)] for words in position.reshape(leading.shape).T], counts.shape[0]
