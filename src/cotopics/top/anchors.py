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
from cotopics.top.tolerance import Tolerance, tolerance

FACTORS = (0.25, 0.5, 1, 2, 4)  # of c1, for which it is also said how many groups there are
BLOCK_ENTRIES = 1 << 21  # of C, of E and of what is made of them, for every thread: 16 MiB each

Groups = tuple[WordIds, ...]


@dataclass(frozen=True)
class FindAnchorWords:
    """All anchor words, in one group a topic, without being told how many topics there are.

    R_il = C_il/(f_i f_l) says how many times as often words i and l meet as by chance. An anchor word meets the other
    anchors of its topic most, as often as itself, and each of them has it among those it meets most; for any other word
    some word that it meets most meets another one more (Proposition 2). "Most" is up to c1 times the bounds on the
    error of R that the documents give; `cotopics.top.tolerance` explains them.

    MERGE of the paper keeps what a word's group and the first group it meets have in common, so groups that overlap
    come out differently for different orders of the words. Here words come the most frequent first, whatever their
    order in C, so that the best estimated ones shape the groups; of equally frequent ones the most bursty.
    """

    c1: float = 1.1

    def __post_init__(self) -> None:
        is_number = isinstance(self.c1, int | float | np.integer | np.floating) and not isinstance(self.c1, bool)
        if not is_number or not 0 < self.c1 < np.inf:
            raise ParameterError(f"c1={self.c1!r} must be a number above 0 and finite")

    def __call__(self, C: Any, *, candidates: Sequence[int] | WordIds | None = None) -> Anchors:
        """The groups found in C, which keeps its documents or is exact; only `candidates` (None: all) are anchors."""
        grid = [self.c1 * factor for factor in FACTORS]
        found = anchor_groups(C, grid, candidates=candidates)
        groups = found[FACTORS.index(1)]
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
    """The groups of anchor words for every c1 of an ascending grid, from two looks at the rows of C.

    Another c1 costs next to nothing (`kernels.near_maxima` says why). Words of a group and groups come the most
    frequent first. Memory is a few blocks of rows.
    """
    bounds, grid = tolerance(C), np.asarray(grid, dtype=np.float64)
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
    """So that the order of a sum decides no tie."""
    largest = values.max()
    return np.round(values / largest, 12) if largest > 0 else values


def _groups(label: Any, words: WordIds) -> Groups:
    """Words by label, groups in the order of their first words; a label may be no word's."""
    places = [np.flatnonzero(label == k) for k in range(label.max(initial=-1) + 1)]
    return tuple(words[place] for place in sorted(filter(len, places), key=lambda place: int(place[0])))


def group_rare_words(C: Implicit, frequent: WordIds) -> Implicit:
    """The co-occurrence of the frequent words, in this order, and of one more word that stands for all others.

    Documents keep their lengths, and no tolerance depends on words that were seen a few times.
    """
    X = C.counts()
    rare = np.setdiff1d(np.arange(X.shape[1]), frequent)
    grouped = sp.hstack([X[:, frequent], X[:, rare].sum(axis=1)[:, None]], format="csr")
    merged = cooccurrence(grouped, representation="implicit")
    assert isinstance(merged, Implicit)
    return merged


def _labels(bounds: Tolerance, order: WordIds, grid: Array, candidate: Any) -> Any:
    """The group of every word, −1 for none, for every c1: (n_grid, n_words). Rows are merged in this order."""
    from cotopics.top.kernels import merge, near_maxima, row_maxima

    n, vectors = len(order), bounds.vectors
    block = max(1, min(BLOCK_ENTRIES // n, -(-n // n_threads())))
    T, d = np.empty(n), np.empty(n)
    bounds.rows(order[:1])  # small matrices are computed here, on all threads, and not by each of them

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
    wave = block * n_threads()  # so many rows are compared at once; groups are merged one row after the other
    for start in range(0, n, wave):
        for near, agrees in map_row_blocks(compare, min(start + wave, n), block=block, first=start):
            merge(near, agrees, grid, labels, n_groups)
        progress.tell("finding anchor words", min(start + wave, n), n)
    return labels
