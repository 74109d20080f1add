"""Documents' topic proportions by least squares on the simplex."""

from __future__ import annotations

from typing import Any

from cotopics.linalg import simplex_least_squares
from cotopics.records import Array


def infer_simplex(X: Any, B: Array) -> Array:
    """W (n_documents, n_topics), rows on the simplex, minimising ‖h/n − BW‖² for every document h of X.

    X (documents × words, CSR, no empty document) holds only words that B (n_words, n_topics) knows.
    """
    frequencies = X @ B / X.sum(axis=1)[:, None]
    return simplex_least_squares(B.T @ B, frequencies).Y
