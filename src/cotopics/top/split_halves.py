"""c1 by cross-validation: do the groups found in one half of the documents describe the other half?

Bing et al. 2020 use cross-validation in section 6; `SplitHalves` says what is different here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, Implicit, cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.records import Array, WordIds
from cotopics.top.anchors import anchor_groups
from cotopics.top.error_bounds import FREQUENCY_SCALE, ErrorBounds, error_bounds

C1_GRID = tuple(float(c) for c in np.geomspace(0.1, 12.8, 22).round(4))  # in the paper, K̂ = K from 0.2 to 10
BLOCK_ROWS = 512  # of R


@dataclass(frozen=True)
class SplitHalves:
    """The c1 of the grid whose groups, found in a random half of the documents, describe the other half best.

    In a group, all rows of the lift R are the same except for noise. So averaging them should bring R of the first half
    closer to R of the second. A c1 is judged by how much, in units of the error bounds. A group of one word changes
    nothing; a group of words that do not belong together makes it worse. A c1 with one group of all words is not
    considered, because with much noise nothing predicts as well as the mean. The result is the median of the best c1
    (of all that tie) over n_splits random splits.

    The authors' code has another loss, the mean |R₂ − averaged R₁| over the anchor words of a c1. It compares different
    words for every c1, and prefers few words with small R, even if topics are planted.
    """

    n_splits: int = 10
    grid: tuple[float, ...] = C1_GRID
    random_state: int = 0

    def __post_init__(self) -> None:
        if self.n_splits < 1:
            raise ParameterError(f"n_splits={self.n_splits} must be at least 1")
        object.__setattr__(self, "grid", tuple(self.grid))
        between = np.array([0.0, *self.grid, np.inf])
        if len(self.grid) == 0 or not (between[:-1] < between[1:]).all():
            raise ParameterError("grid must have values of c1 above 0, in ascending order")

    def __call__(
        self, C: Cooccurrence, *, candidates: WordIds | None = None, unit: float | str = FREQUENCY_SCALE
    ) -> float:
        """c1 for a co-occurrence that has its documents; unit: that of the error bounds."""
        if not isinstance(C, Implicit) or C.tokens is None or C.signs is not None:
            raise CooccurrenceError(
                "c1='cv' splits the documents, and there are none: fit counts, or set c1 to a number"
            )
        X, rng = C.counts(), np.random.default_rng(self.random_state)
        n = X.shape[0]
        if n < 4:
            raise CooccurrenceError(
                f"c1='cv' needs four documents or more to split, and there are {n}; set c1 to a number"
            )
        best = []
        for split in range(self.n_splits):
            order = rng.permutation(n)
            first, second = (
                error_bounds(cooccurrence(X[np.sort(half)], representation="implicit"), unit=unit)
                for half in (order[: n // 2], order[n // 2 :])
            )
            gains = self._gains(first, second, candidates)
            if np.isfinite(gains).any():
                best.append(float(np.median(np.asarray(self.grid)[gains == np.nanmax(gains)])))
            progress.tell("choosing c1", split + 1, self.n_splits)
        if not best:
            raise CooccurrenceError(
                "no half of the documents has two groups of anchor words at any c1 of the grid. Set c1 to a number, "
                "leave out more rare words (min_documents), or give more documents"
            )
        return float(np.median(best))

    def _gains(self, first: ErrorBounds, second: ErrorBounds, candidates: WordIds | None) -> Array:
        """By how much averaging over groups brings R₁ closer to R₂, for every c1; NaN for fewer than two groups."""
        known = (first.frequency > 0) & (second.frequency > 0)
        found = [
            [group for group in (g[known[g]] for g in groups) if len(group)]
            for groups in anchor_groups(first, self.grid, candidates=candidates)
        ]
        return np.array([averaging_gain(groups, first, second) if len(groups) > 1 else np.nan for groups in found])


def averaging_gain(groups: Sequence[WordIds], first: ErrorBounds, second: ErrorBounds) -> float:
    """Σ (|R₂ − R₁| − |R₂ − R₁ averaged over groups|)/δ₂ over rows of groups of several words, columns of all groups."""
    words = np.concatenate(groups)
    sizes = np.array([len(group) for group in groups])
    starts = np.cumsum([0, *sizes[:-1]])
    gain = 0.0
    for start, size in zip(starts[sizes > 1], sizes[sizes > 1], strict=True):
        stop = start + size
        rows = [words[a : min(a + BLOCK_ROWS, stop)] for a in range(start, stop, BLOCK_ROWS)]
        mean = sum(_R(first, chunk, words).sum(axis=0) for chunk in rows) / size
        fitted = np.repeat(np.add.reduceat(mean, starts) / sizes, sizes)
        for chunk in rows:
            R1, R2 = _R(first, chunk, words), _R(second, chunk, words)
            closer = (np.abs(R2 - R1) - np.abs(R2 - fitted)) / second.delta(chunk, words)
            gain += float(closer.sum() - closer[chunk[:, None] == words].sum())  # without pairs of a word with itself
    return gain


def _R(bounds: ErrorBounds, rows: WordIds, columns: WordIds) -> Any:
    f = bounds.frequency
    return bounds.rows(rows)[0][:, columns] / np.outer(f[rows], f[columns])
