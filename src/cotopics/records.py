"""What the steps between co-occurrence and topics hand to one another: small records of arrays and word ids.

Each carries its matrix with `n_iter`, `converged` and `history` (one number a step, or a few in all), so that
diagnostics, reports and tests read the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence

Array = np.ndarray[Any, np.dtype[np.float64]]
WordIds = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Rectified:
    """A co-occurrence made fit for factoring, in the scale of the one given."""

    C: Cooccurrence
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Anchors:
    """One group of anchor words per topic; a group of several words acts as one merged word.

    rank counts the anchors that are independent of those before them; history["residual"] is how far each one's row
    was from the span of those before it.
    """

    groups: tuple[WordIds, ...]
    rank: int
    n_iter: int
    converged: bool = True
    history: dict[str, list[float]] = field(default_factory=dict)

    @property
    def words(self) -> WordIds:
        """The first word of each group, (n_topics,)."""
        return np.array([group[0] for group in self.groups], dtype=np.int64)

    @property
    def all_words(self) -> WordIds:
        """The words of all groups, one group after the other."""
        return np.concatenate(self.groups)

    def merged_rows(self, C: Cooccurrence) -> Array:
        """The rows of C of the anchors, those of a group added up: (n_topics, n_words)."""
        return self.merge_rows(C.rows(self.all_words))

    def merge_rows(self, R: Array) -> Array:
        """Rows of all_words (n_all_words, m), those of a group added up: (n_topics, m)."""
        starts = np.cumsum([0, *(len(group) for group in self.groups[:-1])])
        return np.add.reduceat(R, starts, axis=0)

    def merge_columns(self, R: Array) -> Array:
        """Columns of R (m, n_words) of the anchors, those of a group added up: (m, n_topics)."""
        return np.column_stack([R[:, group].sum(axis=1) for group in self.groups])


@dataclass(frozen=True)
class Topics:
    """Topics and what each word is made of.

    B (n_words, n_topics), columns sum to one: p(word | topic). membership (n_words, n_topics), rows sum to one:
    p(topic | word), zero for words that never co-occur. prevalence (n_topics,): p(topic), sums to one. reason says why
    they are not to be trusted, where that is not for want of steps.
    """

    B: Array
    membership: Array
    prevalence: Array
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)
    reason: str = field(default="", kw_only=True)
