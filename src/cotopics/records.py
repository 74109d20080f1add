"""What the steps between co-occurrence and topics take and return: arrays, word ids and small records.

Steps do not import one another, so what they share is here. A record holds its matrix with `n_iter`, `converged` and
`history` (one number per step, or a few in all). Diagnostics, reports and tests read the same record.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cotopics.arrays import Array
from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.errors import CooccurrenceError

WordIds = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Rectified:
    """A rectified co-occurrence. Its entries have the same sum as those of the input."""

    C: Cooccurrence
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Anchors:
    """One group of anchor words per topic; a group of several words acts as one merged word.

    rank counts the anchors whose rows do not depend linearly on those before them. history["residual"] is the distance
    of each anchor's row from the span of the rows before it.
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
        """The words of all groups, group after group."""
        return np.concatenate(self.groups)

    def merged_rows(self, C: Cooccurrence) -> Array:
        """The anchors' rows of C, summed within each group: (n_topics, n_words)."""
        return self.merge_rows(C.rows(self.all_words))

    def merge_rows(self, R: Array) -> Array:
        """The rows of `all_words` (n_all_words, m), summed within each group: (n_topics, m)."""
        starts = np.cumsum([0, *(len(group) for group in self.groups[:-1])])
        return np.add.reduceat(R, starts, axis=0)

    def merge_columns(self, R: Array) -> Array:
        """The anchors' columns of R (m, n_words), summed within each group: (m, n_topics)."""
        return np.column_stack([R[:, group].sum(axis=1) for group in self.groups])


@dataclass(frozen=True)
class Topics:
    """Topics, and the topics of each word.

    B (n_words, n_topics): p(word | topic), columns sum to one. membership (n_words, n_topics): p(topic | word), rows
    sum to one, or to zero for words that never co-occur. prevalence (n_topics,): p(topic), sums to one. reason says why
    the topics are unreliable, if more steps would not help.
    """

    B: Array
    membership: Array
    prevalence: Array
    n_iter: int
    converged: bool
    history: dict[str, list[float]] = field(default_factory=dict)
    reason: str = field(default="", kw_only=True)


def check_cooccurrence(C: Any, n_topics: int) -> tuple[Cooccurrence, Array]:
    """C as a Cooccurrence and its row sums; an error if it is zero or has fewer words than n_topics."""
    C = as_cooccurrence(C)
    if not 1 <= n_topics <= C.shape[0]:
        raise CooccurrenceError(
            f"n_topics={n_topics} needs as many words, and there are {C.shape[0]}. Ask for fewer topics"
        )
    row_sums = C.row_sums()
    if not row_sums.sum() > 0:
        raise CooccurrenceError("the co-occurrence is zero: no two words were seen together")
    return C, row_sums


def topics_of_words(B: Array, prevalence: Array) -> Array:
    """p(topic | word) from p(word | topic) and p(topic), by Bayes' rule: (n_words, n_topics); zero rows stay zero."""
    joint = B * prevalence
    total = joint.sum(axis=1, keepdims=True)
    return np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
