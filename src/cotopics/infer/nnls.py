"""Documents' topic proportions by non-negative least squares; 000, section 6.2."""

from __future__ import annotations

from typing import Any

from cotopics.linalg import nonnegative_least_squares
from cotopics.records import Array


def infer_nnls(X: Any, B: Array) -> Array:
    """W (n_documents, n_topics): minimise ‖h/n − BW‖² over W ≥ 0 for every document h of X, then make rows sum to one.

    X (documents × words, CSR, no empty document) holds only words that B (n_words, n_topics) knows.
    """
    W = nonnegative_least_squares(B.T @ B, X @ B / X.sum(axis=1)[:, None])
    return W / W.sum(axis=1, keepdims=True)
