"""Metrics take arrays or fitted models."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.records import Array, WordIds


def topic_matrix(topics: Any) -> Array:
    """B (n_words, n_topics) from an array of that shape or a fitted model."""
    components = getattr(topics, "components_", None)
    return np.asarray(topics, dtype=np.float64) if components is None else components.T


def leading_words(B: Array, n_words: int) -> WordIds:
    """The n_words most probable words of each topic, most probable first: (n_words, n_topics)."""
    return np.argsort(-B, axis=0, kind="stable")[: min(n_words, B.shape[0])]
