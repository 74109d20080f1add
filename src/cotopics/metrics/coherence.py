"""Whether a topic's leading words are found in the same documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import check_counts
from cotopics.errors import ParameterError
from cotopics.metrics.inputs import leading_words, topic_matrix


def coherence(topics: Any, X: Any, *, n_words: int = 20, epsilon: float = 0.01) -> float:
    """Mean over topics of Σ_{i>j} log((D₂(i, j) + ε) / D₁(j)); 001, section 4, 000, section 6.2. Higher is better.

    i and j run over the topic's `n_words` leading words, j the more probable; D₁(j) counts the documents of X
    (documents × words) that word j is in, D₂(i, j) those that both are in. A word that X lacks counts as in one.

    Word 0 is in two documents, and in one of them with word 1:

    >>> B, X = np.array([[0.6], [0.4]]), [[1, 2], [3, 0]]
    >>> round(coherence(B, X), 4), round(float(np.log(1.01 / 2)), 4)
    (-0.6832, -0.6832)
    """
    B, counts = topic_matrix(topics), check_counts(X)
    if counts.shape[1] != B.shape[0]:
        raise ParameterError(f"the topics are over {B.shape[0]} words and X has {counts.shape[1]}")
    leading = leading_words(B, n_words)
    used, position = np.unique(leading, return_inverse=True)
    present = sp.csc_array(counts[:, used] > 0, dtype=np.float64)
    together = (present.T @ present).toarray()  # D₂, and D₁ on its diagonal
    position = position.reshape(leading.shape)
    total = 0.0
    for words in position.T:
        D2 = together[np.ix_(words, words)]
        D1 = np.maximum(np.diag(D2), 1)
        total += np.tril(np.log((D2 + epsilon) / D1), k=-1).sum()
    return float(total / B.shape[1])
