"""What every selector is given and gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.records import Anchors, Array, WordIds

Selector = Callable[..., Anchors]


def check_candidates(
    C: Any, n_topics: int, candidates: Sequence[int] | WordIds | None
) -> tuple[Cooccurrence, Array, WordIds]:
    """C, its row sums, and the words that may be anchors: those asked for whose row is not zero."""
    C = as_cooccurrence(C)
    row_sums = C.row_sums()
    allowed = np.arange(C.shape[0]) if candidates is None else np.unique(np.asarray(candidates, dtype=np.int64))
    # rows that sum to rounding noise (after a low-rank step) point anywhere once they are normalised
    allowed = allowed[row_sums[allowed] > 1e-12 * row_sums.max(initial=0)]
    if not 1 <= n_topics <= len(allowed):
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many anchor words, and {len(allowed)} words can be anchors. "
            "Ask for fewer topics, keep more words, or lower min_anchor_documents"
        )
    return C, row_sums, allowed
