"""What the co-occurrence itself says about the number of topics: where its spectrum breaks off, and what TOP finds.

If topics are planted, directions of C beyond their number do not come back in the other half of the documents, with or
without anchors. Real text has no such edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur import Cooccurrence, Implicit, cooccurrence
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.records import Array
from cotopics.rectify import EpsilonNonNegative
from cotopics.top import anchor_groups, group_rare_words

MAX_STEPS, TOLERANCE = 30, 1e-3  # of rectification: a fifth of the steps of a fit are enough to compare
OUTLIER_RATIO, NOISE_GAPS = 4, 8  # an outlying gap is this many times as wide, in logarithms, as the next gaps
NOT_NOISE = 0.5  # share of directions that comes back: behind a gap, more than that is not noise
EDGE_RATIO = 3  # before an edge, directions come back this many times as much as after it
MAX_DIRECTIONS = 60  # without candidates
EXTRA_DIRECTIONS = NOISE_GAPS + 2  # after the last candidate; they show whether it is an edge
PRECISION = 1e-3  # of eigenpairs
ROUNDING = 1e-12  # relative to the largest eigenvalue; smaller ones are rounding errors
C1_FACTORS = (0.5, 1.0, 2.0)  # of TOP's c1
TOP_C1, MIN_TOP_FREQUENCY = 1.1, 0.01  # of TOP: its tolerance, and the share of documents that its words are in
MIN_MEAN_COUNT = 0.5  # tokens of a word in a document: in fewer, text that repeats its words looks like noise too
LIKE_NOISE = 0.02  # what is left behind the directions above noise has a mean square of one, within this share
MIN_ENTRIES = 20_000  # whose mean square is known to a percent
MOST_ABOVE = 0.2  # of the directions: where more stand out, little is left that could tell noise from text
BLOCK_DOCUMENTS = 1024  # that are a full matrix at a time
RARELY = 2.0  # Tracy–Widom's law: noise is above its edge by so many of its scales in one corpus of a hundred


@dataclass(frozen=True)
class _Part:
    """The co-occurrence of some documents, and its leading eigenpairs for all numbers of topics."""

    C: Cooccurrence
    pairs: Eigenpairs

    @classmethod
    def of(cls, X: Any, most: int) -> _Part:
        C = cooccurrence(X, representation="dense")  # at most MAX_WORDS words
        return cls(C, top_eigenpairs(C, min(most, C.shape[0]), tolerance=PRECISION))

    def rectified(self, n_topics: int) -> Any:
        return EpsilonNonNegative(max_iter=MAX_STEPS, tolerance=TOLERANCE)(self.C, n_topics, start=self.pairs).C


@dataclass(frozen=True)
class Spectrum:
    """What the co-occurrence itself says about the number of topics.

    values, replication (m,): eigenvalues after rectification, and the share of each direction that comes back in other
    documents. edge, gap: the number after which these break off, or None. by_c1: TOP's number for each c1.
    above_noise: how many directions of counts stand out from noise; None where more than noise is behind them, or where
    there is an edge or a gap.
    """

    values: Array
    replication: Array
    edge: int | None
    gap: int | None
    by_c1: dict[float, int]
    above_noise: int | None = None

    def gap_at(self, K: int) -> float:
        """Eigenvalue K over the next; NaN beyond those that were computed."""
        return float(self.values[K - 1] / self._at_least[K]) if len(self.values) > K else np.nan

    def replication_at(self, K: int) -> float:
        return float(self.replication[K - 1]) if len(self.replication) >= K else np.nan

    @property
    def steady(self) -> int:
        """The number that TOP finds whether its tolerance is halved or doubled; 0 where there is none."""
        numbers = set(self.by_c1.values())
        return min(numbers) if len(numbers) == 1 else 0

    @property
    def _at_least(self) -> Array:
        return np.maximum(self.values, ROUNDING * self.values[0])


def read_spectrum(counts: Any, most: int, n_splits: int, rng: np.random.Generator) -> Spectrum:
    """The spectrum of counts (documents × words, few enough words for a full matrix), up to `most` topics."""
    progress.tell("spectrum", 0, 1 + 2 * n_splits)
    whole = _Part.of(counts, most + 1)
    halves = _halves(counts, most + 1, n_splits, rng)
    replication = np.mean([_replication(a, b) for split in halves for a, b in (split, split[::-1])], axis=0)
    Y = whole.rectified(most + 1).Y
    values = np.maximum(np.sort(np.linalg.eigvalsh(Y.T @ Y))[::-1], 0)
    at_least = np.maximum(values, ROUNDING * values[0])
    edge, gap = find_edge(replication), gap_before_noise(at_least, replication)
    above_noise = directions_above_noise(counts) if edge is None and gap is None else None
    return Spectrum(values, replication, edge, gap, _top(counts), above_noise)


# --- where it breaks off ---------------------------------------------------------------------------------------------


def find_edge(replication: Array) -> int | None:
    """The number of directions that come back, if the next ones hardly do; None if there is no such edge.

    Each of them must come back, because among many directions of noise some do by chance.
    """
    best, weakest = None, np.inf
    for K in range(2, len(replication) - 2):
        weakest = min(weakest, replication[K - 1])
        before, behind = replication[max(K - 3, 1) : K].mean(), max(replication[K : K + 3].mean(), 0.05)
        if before >= EDGE_RATIO * behind and weakest > 2 * behind:
            best = K
    return best


def outlying_gap(spectrum: Array) -> int | None:
    """The last number of topics with a gap that is much wider than the next ones, which look like noise; or None."""
    gaps = np.log(spectrum[:-1] / spectrum[1:])  # gaps[K − 1] is that of K
    outlying = [
        K for K in range(2, len(gaps) - NOISE_GAPS) if gaps[K - 1] > OUTLIER_RATIO * gaps[K : K + NOISE_GAPS].max() > 0
    ]
    return outlying[-1] if outlying else None


def gap_before_noise(spectrum: Array, replication: Array) -> int | None:
    """The outlying gap, if the directions behind it do not come back: in text a few first topics may be large, and
    others follow."""
    K = outlying_gap(spectrum)
    return None if K is None or replication[K : K + 3].mean() > NOT_NOISE else K


def directions_above_noise(counts: Any) -> int | None:
    """How many directions of counts (n, p) stand out from multinomial noise; None where more than noise is behind them.

    Topics can stand out by that where halves of the documents do not agree on them. Text repeats its words: whatever
    stands out, much more than noise is left behind it. Too few words cannot show that."""
    n, p = counts.shape
    if counts.sum() < MIN_MEAN_COUNT * n * p or n * p < MIN_ENTRIES:
        return None
    above, left = above_and_behind(counts)
    return above if above <= MOST_ABOVE * min(n, p) and abs(left - 1) <= LIKE_NOISE else None


def above_and_behind(counts: Any) -> tuple[int, float]:
    """How many directions of counts are above those of noise, and the mean square of what is behind them.

    If words were drawn alike in all documents, counts less what is expected, over its square root, would be entries of
    variance one. The largest squared singular value of such noise is (√n + √p)², and a little more by the law of Tracy
    and Widom (Johnstone 2001)."""
    sums = counts.sum(axis=0)
    counts, frequency = sp.csr_array(counts[:, sums > 0]), sums[sums > 0] / sums.sum()
    n, p = counts.shape
    squares = np.zeros((p, p))
    for first in range(0, n, BLOCK_DOCUMENTS):
        found = counts[first : first + BLOCK_DOCUMENTS].toarray()
        expected = found.sum(axis=1, keepdims=True) * frequency
        residual = (found - expected) / np.sqrt(expected)
        squares += residual.T @ residual
    values, sides = np.linalg.eigvalsh(squares)[::-1], np.sqrt(n) + np.sqrt(p)
    scale = sides * (1 / np.sqrt(n) + 1 / np.sqrt(p)) ** (1 / 3)
    above = int(np.count_nonzero(values > sides**2 + RARELY * scale))
    left = max((n - 1 - above) * (p - 1 - above), 1)  # expected counts have the sums of counts
    return above, float(values[above:].sum() / left)


# --- parts of the documents -------------------------------------------------------------------------------------------


def _halves(counts: Any, most: int, n_splits: int, rng: np.random.Generator) -> list[tuple[_Part, _Part]]:
    halves = []
    for split in range(n_splits):
        order = rng.permutation(counts.shape[0])
        first, second = np.array_split(order, 2)
        halves.append((_Part.of(counts[np.sort(first)], most), _Part.of(counts[np.sort(second)], most)))
        progress.tell("spectrum", 1 + 2 * (split + 1), 1 + 2 * n_splits)
    return halves


def _replication(found: _Part, other: _Part) -> Array:
    """vᵀC'v/λ for each leading direction v of one half: the share of its eigenvalue that it has in the other half."""
    V, values = found.pairs.vectors, found.pairs.values
    return np.einsum("ij,ij->j", V, other.C @ V) / np.where(values > 0, values, np.inf)


def _top(counts: Any) -> dict[float, int]:
    """TOP's number of topics for a few c1; Bing et al. 2020."""
    C = cooccurrence(counts, representation="implicit")
    assert isinstance(C, Implicit)
    assert C.documents is not None
    frequent = np.flatnonzero(C.documents.frequency >= MIN_TOP_FREQUENCY * C.documents.n_used)
    if len(frequent) < C.shape[0]:
        C = group_rare_words(C, frequent)
    grid = [round(TOP_C1 * factor, 3) for factor in C1_FACTORS]
    return {
        c1: len(groups)
        for c1, groups in zip(grid, anchor_groups(C, grid, candidates=np.arange(len(frequent))), strict=True)
    }
