"""TOP's anchor words and the number of topics, from row and column maxima: Bing et al. 2020, Algorithm 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur import Implicit, cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg.threads import map_row_blocks, n_threads
from cotopics.records import Anchors, Array, WordIds
from cotopics.top.error_bounds import ErrorBounds, error_bounds

C1_FACTORS = (0.25, 0.5, 1, 2, 4)  # the number of groups is also reported for these multiples of c1
BLOCK_ENTRIES = 1 << 21  # entries of C, of E and of arrays made of them, per thread: 16 MiB each

Groups = tuple[WordIds, ...]


@dataclass(frozen=True)
class FindAnchorWords:
    """All anchor words, one group per topic. The number of topics is found, not given.

    The lift R_il = C_il/(f_i f_l) says how many times as often words i and l co-occur as by chance. An anchor word has
    its largest lift with the anchors of its topic (itself included), and that is their largest lift too. Every other
    word has its largest lift with some word whose own largest lift is larger (Proposition 2). "Largest" means up to c1
    times the error bounds of `cotopics.top.error_bounds`.

    MERGE of the paper reduces the first group that shares a word with a new one to the words of both, so overlapping
    groups depend on the order of the words. Here the most frequent words come first, whatever their order in C, because
    their lifts are estimated best; among equally frequent words, those with the largest C_ii.
    """

    c1: float = 1.1

    def __post_init__(self) -> None:
        is_number = isinstance(self.c1, int | float | np.integer | np.floating) and not isinstance(self.c1, bool)
        if not is_number or not 0 < self.c1 < np.inf:
            raise ParameterError(f"c1={self.c1!r} must be a number above 0 and finite")

    def __call__(self, C: Any, *, candidates: Sequence[int] | WordIds | None = None) -> Anchors:
        """Groups of anchors chosen from `candidates` (None: all words). C has its documents, or is exact."""
        grid = [self.c1 * factor for factor in C1_FACTORS]
        found = anchor_groups(C, grid, candidates=candidates)
        groups = found[C1_FACTORS.index(1)]
        if not groups:
            others = ", ".join(f"{len(g)} at c1={c:.3g}" for c, g in zip(grid, found, strict=True) if g)
            raise CooccurrenceError(
                f"no word is an anchor at c1={self.c1:.3g}, so there is no topic"
                + (f"; there are {others}" if others else "")
                + ". Change c1, leave out more rare words (min_documents), or give more documents"
            )
        history = {"c1": grid, "n_groups": [float(len(g)) for g in found]}
        return Anchors(groups, len(groups), 1, True, history)


def anchor_groups(C: Any, grid: Any, *, candidates: Sequence[int] | WordIds | None = None) -> list[Groups]:
    """The groups of anchor words for every c1 of an ascending grid, from two passes over the rows of C.

    One more c1 costs almost nothing (`kernels.near_maxima` says why). Groups, and words in a group, are in order of
    frequency, largest first. Memory is a few blocks of rows.
    """
    bounds, grid = error_bounds(C), np.asarray(grid, dtype=np.float64)
    candidate = np.ones(len(bounds.frequency), dtype=bool)
    if candidates is not None:
        candidate[:] = False
        candidate[np.asarray(candidates, dtype=np.int64)] = True
    used = np.flatnonzero(bounds.frequency > 0)
    if len(used) == 0:
        return [()] * len(grid)
    if len(used) < len(candidate):
        bounds, candidate = bounds.restrict(used), candidate[used]
    order = np.lexsort((-_rounded(bounds.diagonal()), -_rounded(bounds.frequency)))
    labels = _labels(bounds, order, grid, candidate)[:, order]
    return [_groups(label, used[order]) for label in labels]


def _rounded(values: Array) -> Array:
    """Values to twelve digits of the largest: rounding errors must not decide a tie."""
    largest = values.max()
    return np.round(values / largest, 12) if largest > 0 else values


def _groups(label: Any, words: WordIds) -> Groups:
    """Words by label, groups in the order of their first words. A label may belong to no word."""
    places = [np.flatnonzero(label == k) for k in range(label.max(initial=-1) + 1)]
    return tuple(words[place] for place in sorted(filter(len, places), key=lambda place: int(place[0])))


def group_rare_words(C: Implicit, frequent: WordIds) -> Implicit:
    """The co-occurrence of the frequent words, in this order, and of one more word that stands for all others.

    Documents keep their lengths, and no error bound depends on words that occur a few times only.
    """
    X = C.counts()
    rare = np.setdiff1d(np.arange(X.shape[1]), frequent)
    grouped = sp.hstack([X[:, frequent], X[:, rare].sum(axis=1)[:, None]], format="csr")
    merged = cooccurrence(grouped, representation="implicit")
    assert isinstance(merged, Implicit)
    return merged


def _labels(bounds: ErrorBounds, order: WordIds, grid: Array, candidate: Any) -> Any:
    """The group of every word, −1 for none, for every c1: (n_grid, n_words). Rows are merged in the given order."""
    from cotopics.top.kernels import merge, near_maxima, row_maxima

    n, vectors = len(order), bounds.vectors
    block = max(1, min(BLOCK_ENTRIES // n, -(-n // n_threads())))
    T, d = np.empty(n), np.empty(n)
    bounds.rows(order[:1])  # small matrices are computed here once, on all threads, not by each thread

    def find_maxima(first: int, last: int) -> None:
        words = order[first:last]
        row_maxima(*bounds.rows_within(words), words, vectors, T, d)

    def compare(first: int, last: int) -> tuple[Array, Any]:
        words = order[first:last]
        near, agrees = np.empty((len(words), n)), np.empty((len(words), len(grid)), dtype=np.bool_)
        near_maxima(*bounds.rows_within(words), words, vectors, T, d, grid, near, agrees)
        agrees[~candidate[words]] = False
        some = agrees.any(axis=1)
        near = near[some]
        near[:, ~candidate] = np.inf
        return near, agrees[some]

    progress.tell("finding anchor words", 0, None)
    map_row_blocks(find_maxima, n, block=block)
    labels = np.full((len(grid), n), -1, dtype=np.int64)
    n_groups = np.zeros(len(grid), dtype=np.int64)
    wave = block * n_threads()  # rows that are compared at the same time; groups are merged row after row
    for start in range(0, n, wave):
        for near, agrees in map_row_blocks(compare, min(start + wave, n), block=block, first=start):
            merge(near, agrees, grid, labels, n_groups)
        progress.tell("finding anchor words", min(start + wave, n), n)
    return labels
