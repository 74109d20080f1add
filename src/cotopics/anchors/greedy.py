"""What all selectors share: the words they may choose, and the loop that chooses one anchor after the other."""

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

TIE_TOLERANCE = 1e-12  # numbers closer than this, relative to the larger, are equal: rounding must not decide a tie
MIN_ROW_SUM = 1e-12  # relative to the largest; smaller row sums are rounding errors
RANK_TOLERANCE = 1e-9  # a residual this small, relative to the largest row, is a rounding error
MAX_NEGATIVE_SHARE = 0.1  # of the mass of a candidate's row


@dataclass(frozen=True)
class Candidates:
    """C, its row sums, and the words to choose from."""

    C: Cooccurrence
    row_sums: Array
    words: WordIds

    def normalised_norms(self) -> Array:
        """Squared norms of the rows of C̄, (n_words,); zero for words that are not candidates."""
        norms = np.zeros(self.C.shape[0])
        norms[self.words] = self.C.squared_row_norms()[self.words] / self.row_sums[self.words] ** 2
        return norms

    def most_frequent(self, among: WordIds) -> int:
        """The word of `among` (sorted) with the largest row sum; the first one in a tie."""
        return int(among[largest(self.row_sums[among])][0])


def largest(values: Array, *, tie: float = TIE_TOLERANCE) -> Any:
    """A mask of the largest of `values`, all positive, and those equal to it up to a relative `tie`."""
    return values >= values.max() * (1 - tie)


def check_candidates(
    C: Any,
    n_topics: int,
    candidates: Sequence[int] | WordIds | None,
    given: Sequence[WordIds] = (),
    *,
    fill_up: bool = False,
) -> Candidates:
    """The words to choose from: `candidates` (None: all), without the given ones and those that cannot be anchors.

    An error says why there are too few; to `fill_up`, those least below zero are taken too where that is the reason.
    """
    C = as_cooccurrence(C)
    row_sums = C.row_sums()
    if len(given) > n_topics:
        raise ParameterError(f"anchors are given for {len(given)} topics, and n_topics={n_topics}")
    # after a low-rank step, a row that sums to almost nothing points in a random direction when it is normalised
    usable = row_sums > MIN_ROW_SUM * row_sums.max(initial=0)
    for topic, group in enumerate(given):
        if not usable[group].all():
            raise CooccurrenceError(
                f"the anchors given for topic {topic} never occur together with another word, or so rarely that "
                "rectification left nothing of them; choose others"
            )
        usable[group] = False
    # rows of rare words that are partly negative point out of the simplex, farther than any anchor
    below_zero = C.negative_share()
    words = np.arange(C.shape[0]) if candidates is None else np.unique(np.asarray(candidates, dtype=np.int64))
    words = words[usable[words]]
    n_enough = np.count_nonzero(below_zero[words] <= MAX_NEGATIVE_SHARE)
    n_kept = max(n_enough, n_topics - len(given)) if fill_up else n_enough
    words = np.sort(words[np.lexsort((-row_sums[words], below_zero[words]))][:n_kept])
    if not 1 <= n_topics <= len(words) + len(given):
        more = f" in addition to the {len(given)} given" if given else ""
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many anchor words, and {len(words)} words can be anchors{more}. "
            "Ask for fewer topics, keep more words, or lower min_anchor_documents where it is given"
        )
    return Candidates(C, row_sums, words)


class Selection(ABC):
    """The anchors chosen so far, and what is needed to choose the next one."""

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
        """Add the merged row of a group; returns its distance from the span (or hull) of the rows before it."""

    @abstractmethod
    def next(self) -> int:
        """The word of `left` to take next."""

    @abstractmethod
    def rank(self) -> int:
        """Number of linearly independent rows among those taken."""


class GreedySelector(ABC):
    """Chooses anchors one by one: first the given ones, then each time the best addition to those before."""

    def __call__(
        self,
        C: Any,
        n_topics: int,
        *,
        candidates: Sequence[int] | WordIds | None = None,
        given: Sequence[WordIds] = (),
    ) -> Anchors:
        """Anchors for n_topics: the `given` groups first, the others chosen from `candidates` (None: all words)."""
        given = [np.asarray(group, dtype=np.int64) for group in given]
        selection = self.start(self.candidates(C, n_topics, candidates, given))
        for group in given:
            selection.take(group)
        for k in range(len(given), n_topics):
            selection.take(np.array([selection.next()]))
            progress.tell("choosing anchors", k + 1, n_topics)
        history = {"residual": selection.distances}
        return Anchors(tuple(selection.groups), selection.rank(), n_topics, selection.converged, history)

    def candidates(
        self, C: Any, n_topics: int, candidates: Sequence[int] | WordIds | None, given: Sequence[WordIds]
    ) -> Candidates:
        """The words to choose from, or an error."""
        return check_candidates(C, n_topics, candidates, given)

    @abstractmethod
    def start(self, candidates: Candidates) -> Selection:
        """A selection without anchors."""
