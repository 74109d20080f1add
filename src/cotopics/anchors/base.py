"""What every selector is given and gives back, and the greedy loop that all of them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.records import Anchors, Array, WordIds

Selector = Callable[..., Anchors]

ROUNDING = 1e-12  # numbers closer than this, relative to the larger, are equal: the order of a sum decides no tie
RANK_TOLERANCE = 1e-9  # a residual this small, relative to the largest row, is rounding: the rank is exhausted

MOST_NEGATIVE = 0.1  # share of a row below zero that a candidate may have


@dataclass(frozen=True)
class Candidates:
    """C, its row sums, and the words to choose from: those asked for, less the given ones and those without pairs."""

    C: Cooccurrence
    row_sums: Array
    words: WordIds

    def normalised_norms(self) -> Array:
        """Squared lengths of the rows of C̄, (n_words,), zero for words that are no candidates."""
        norms = np.zeros(self.C.shape[0])
        norms[self.words] = self.C.squared_row_norms()[self.words] / self.row_sums[self.words] ** 2
        return norms

    def most_frequent(self, among: WordIds) -> int:
        """The word of `among` (sorted) with the largest row sum; the first of those that are equal."""
        return int(among[largest(self.row_sums[among])][0])


def largest(values: Array, *, tie: float = ROUNDING) -> Any:
    """Where `values`, all positive, are the largest up to a relative `tie`: a mask."""
    return values >= values.max() * (1 - tie)


def check_candidates(
    C: Any, n_topics: int, candidates: Sequence[int] | WordIds | None, given: Sequence[WordIds] = ()
) -> Candidates:
    """What there is to choose from, or an error that says why it does not suffice."""
    C = as_cooccurrence(C)
    row_sums = C.row_sums()
    if len(given) > n_topics:
        raise ParameterError(f"anchors are given for {len(given)} topics, and n_topics={n_topics}")
    # after a low-rank step, rows that sum to rounding noise point anywhere once they are normalised
    usable = row_sums > ROUNDING * row_sums.max(initial=0)
    for topic, group in enumerate(given):
        if not usable[group].all():
            raise CooccurrenceError(
                f"the anchors given for topic {topic} never occur together with another word, or so rarely that "
                "rectification left nothing of them; choose others"
            )
        usable[group] = False
    # and rows of rare words that are partly below zero point out of the simplex: farther than any anchor
    usable &= C.negative_share() <= MOST_NEGATIVE
    words = np.arange(C.shape[0]) if candidates is None else np.unique(np.asarray(candidates, dtype=np.int64))
    words = words[usable[words]]
    if not 1 <= n_topics <= len(words) + len(given):
        beside = f" beside the {len(given)} given" if given else ""
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many anchor words, and {len(words)} words can be anchors{beside}. "
            "Ask for fewer topics, keep more words, or lower min_anchor_documents"
        )
    return Candidates(C, row_sums, words)


class Chosen(ABC):
    """The anchors chosen so far, and what is needed to choose the next."""

    converged = True

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self.C, self.row_sums = candidates.C, candidates.row_sums
        self.left = candidates.words
        self.groups: list[WordIds] = []
        self.distances: list[float] = []

    def take(self, group: WordIds) -> None:
        """Make these words, merged, the next anchor."""
        self.distances.append(self.expand(group))
        self.groups.append(group)
        self.left = self.left[~np.isin(self.left, group)]

    @abstractmethod
    def expand(self, group: WordIds) -> float:
        """Take in the merged row of a group; returns how far it was from what the rows before it make up."""

    @abstractmethod
    def next(self) -> int:
        """The word of `left` to take next."""

    @abstractmethod
    def rank(self) -> int:
        """How many of the rows taken are linearly independent."""


class GreedySelector(ABC):
    """Anchors one after the other: the given ones, then as many as are missing, each the best next to those before."""

    def __call__(
        self,
        C: Any,
        n_topics: int,
        *,
        candidates: Sequence[int] | WordIds | None = None,
        given: Sequence[WordIds] = (),
    ) -> Anchors:
        """Anchors for n_topics: the `given` groups first, the rest chosen among `candidates` (None: all words)."""
        given = [np.asarray(group, dtype=np.int64) for group in given]
        chosen = self.start(check_candidates(C, n_topics, candidates, given))
        for group in given:
            chosen.take(group)
        for k in range(len(given), n_topics):
            chosen.take(np.array([chosen.next()]))
            progress.tell("choosing anchors", k + 1, n_topics)
        return Anchors(tuple(chosen.groups), chosen.rank(), n_topics, chosen.converged, {"residual": chosen.distances})

    @abstractmethod
    def start(self, candidates: Candidates) -> Chosen:
        """Nothing chosen yet."""
