"""How the starts of the recommended fit find topics: on the widespread words, by anchor words, roughly.

Refinement adds the other words, and mends what is rough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from cotopics.anchors import PivotedQR
from cotopics.cooccur import Cooccurrence
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.models.anchor_start import Recipe
from cotopics.models.fit import in_enough_documents
from cotopics.records import WordIds
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import EpsilonNonNegative

MIN_ANCHOR_SHARE = 0.005  # of documents that an anchor is in
ANCHORS_TO_CHOOSE = 4  # for a topic, where too few words are in so many
MIN_SHARE = 0.002  # of documents that a word of the start is in
MAX_WORDS = 5000  # of the start, and those in as many documents: its cost does not grow with the vocabulary
MIN_WORDS = 20  # a topic that the start looks at even if they are rarer
RECTIFIER = EpsilonNonNegative(max_iter=2, tolerance=1e-4, precision=1e-3, n_rows=500)


@dataclass(frozen=True)
class SharedEigenpairs:
    """The rectifier of the start, for several numbers of topics: eigenpairs of the largest serve all.

    least: how many to find at first. found: what was found, by the row sums of the co-occurrence they belong to."""

    least: int
    found: dict[bytes, Eigenpairs] = field(default_factory=dict, compare=False)

    def memory(self, n_words: int, n_topics: int) -> int:
        return RECTIFIER.memory(n_words, max(n_topics, self.least))

    def __call__(self, C: Cooccurrence, n_topics: int) -> Any:
        key, n = C.row_sums().tobytes(), min(max(n_topics, self.least), C.shape[0])
        if key not in self.found or len(self.found[key].values) < n:
            self.found[key] = top_eigenpairs(C, n, tolerance=RECTIFIER.precision)
        return RECTIFIER(C, n_topics, start=self.found[key])


def recommended_recipe(n_topics: int, given: tuple[WordIds, ...] = ()) -> Recipe:
    """How both starts find topics. Two steps of rectification are a start; weak topics have small eigenvalues."""
    return Recipe(
        n_topics,
        RECTIFIER,
        PivotedQR(fill_up=True),  # refinement mends what is no good anchor
        SimplexLeastSquares(),
        candidates=_widespread,
        given=given,
        words=partial(_start_words, given=given),
        representation="implicit",
    )


def _start_words(C: Cooccurrence, words: WordIds, n_topics: int, *, given: tuple[WordIds, ...]) -> WordIds:
    """Words that the start looks at: widespread ones, and those that the user gave.

    The most frequent first: eigenvectors that are good enough for a start, and no better, are then the same, up to
    rounding, whatever the order of the columns."""
    if C.documents is None:
        return words
    frequency = C.documents.frequency[words]
    chosen = frequency >= max(MIN_SHARE * C.documents.n_used, np.sort(frequency)[-MAX_WORDS:][0])
    chosen |= frequency >= np.sort(frequency)[-min(MIN_WORDS * n_topics, len(frequency))]  # with all that tie
    for group in given:
        chosen |= np.isin(words, group)
    return words[chosen][np.lexsort((-C.row_sums()[words[chosen]], -frequency[chosen]))]


def _widespread(C: Cooccurrence, n_topics: int) -> Any:
    """Mask of the words that may be anchors: in enough documents, or the most frequent where too few are, several for
    each topic, as not all of them can be used.

    Of a matrix nobody knows what documents its words are in, so all may."""
    if C.documents is None:
        return np.ones(C.shape[0], dtype=bool)
    enough, frequency = in_enough_documents(C, "min_anchor_documents", MIN_ANCHOR_SHARE), C.documents.frequency
    if enough.sum() >= n_topics:
        return enough
    return frequency >= max(np.sort(frequency)[-min(ANCHORS_TO_CHOOSE * n_topics, len(frequency))], 1)
