"""Topic × topic matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.cooccur import as_cooccurrence
from cotopics.records import Anchors, Array


def anchor_correlation(C: Any, anchors: Anchors, B: Array) -> Array:
    """A = D⁻¹ C_SS D⁻¹ with D the anchors' rows of B (n_words, n_topics); 001, Eq. 6.

    Non-negative always, and positive semidefinite where C is non-negative too, because a principal submatrix inherits
    both. Its entries sum to one only in the limit. A group of anchors acts as one merged word.
    """
    return rows_correlation(anchors.merged_rows(as_cooccurrence(C).nonnegative_rows(anchors.all_words)), anchors, B)


def rows_correlation(rows: Array, anchors: Anchors, B: Array) -> Array:
    """The same from the anchors' merged rows of C (n_topics, n_words)."""
    C_SS = anchors.merge_columns(rows)
    d = np.array([B[group, k].sum() for k, group in enumerate(anchors.groups)])
    A = C_SS / np.outer(d, d)
    return (A + A.T) / 2
