"""TOP's topics: anchors by their frequencies, all other words by an approximate inverse.

Bing et al. 2020, Algorithm 3, steps 5 to 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.records import Anchors, Array, Topics, WordIds, topics_of_words
from cotopics.top.error_bounds import error_bounds
from cotopics.top.l1_inverse import l1_inverse


@dataclass(frozen=True)
class DecoupledPrograms:
    """Topics from groups of anchor words: K linear programs with K unknowns instead of one problem per word.

    L has one representative word of each group. Every word's row of C is a combination of theirs: C_JL = B_J C_LL. C_LL
    is an estimate, so its inverse comes from (41) and (42), in the convex form of `cotopics.top.l1_inverse`, with
    λ = c0 max_i Σ_j η_ij over L: the better the estimate, the closer to the exact inverse. The result is the mean over
    n_repeats random choices of L; one is enough if every group has one word.

    A representative that never occurs twice in a document has C_ii = 0. Then C_LL has no inverse, or rounding decides
    which one: this moved a topic by up to 2 in L1. Such a C_ii is estimated from the whole group: the lift R_ii of an
    anchor is that of any two anchors of its topic, and at least 1. If no two words of a group ever co-occur, 1 is a
    guess, and `converged` is False.
    """

    c0: float = 0.01
    n_repeats: int = 10
    random_state: int = 0

    def __post_init__(self) -> None:
        is_number = isinstance(self.c0, int | float | np.integer | np.floating) and not isinstance(self.c0, bool)
        if not is_number or not self.c0 >= 0:
            raise ParameterError(f"c0={self.c0!r} must be a number, 0 or more")
        if not isinstance(self.n_repeats, int | np.integer) or self.n_repeats < 1:
            raise ParameterError(f"n_repeats={self.n_repeats!r} must be an integer of at least 1")

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        """Topics of C, which has its documents or is exact. Every word of a group is in its topic only."""
        bounds = error_bounds(C)
        f, anchor_words = bounds.frequency, anchors.all_words
        rows, rows_E = bounds.rows(anchor_words)  # (n_anchor_words, n_words)
        sets = self._representatives(np.cumsum([0, *(len(group) for group in anchors.groups)]))
        lift, unseen = _lift_within_groups(rows, anchors, f)
        B, steps, lams = np.zeros((len(f), len(anchors.groups))), 0, []
        for count, L in enumerate(sets):
            words = anchor_words[L]
            lam = self.c0 * float(bounds.eta_from(rows_E[np.ix_(L, words)], words, words).sum(axis=1).max())
            theta = rows[np.ix_(L, words)]
            own = theta.diagonal()
            theta[np.diag_indices_from(theta)] = np.where(own > 0, own, lift * f[words] ** 2)
            B_L, n = _topics(rows[L].T, theta, anchors, words, f, lam)
            B, steps = B + B_L / len(sets), steps + n
            lams.append(lam)
            progress.tell("recovering topics", count + 1, len(sets))
        # an anchor's frequency is its probability in its topic times the topic's prevalence; (18)
        prevalence = np.array([f[group].sum() / B[group, k].sum() for k, group in enumerate(anchors.groups)])
        prevalence /= prevalence.sum()
        reason = (
            f"no two anchor words of topics {unseen} were ever in one document, so how often two words of a document "
            "come from such a topic is a guess. Raise c1, or give more or longer documents"
        )
        membership = topics_of_words(B, prevalence)
        return Topics(B, membership, prevalence, steps, not unseen, {"lambda": lams}, reason=reason if unseen else "")

    def _representatives(self, starts: Any) -> list[WordIds]:
        """A position among the anchor words for every group, n_repeats times; `starts` has the end of the last too."""
        sizes = np.diff(starts)
        if sizes.max() == 1:
            return [starts[:-1]]
        rng = np.random.default_rng(self.random_state)
        return [starts[:-1] + rng.integers(sizes) for _ in range(self.n_repeats)]


def _lift_within_groups(rows: Array, anchors: Anchors, f: Array) -> tuple[Array, list[int]]:
    """The lift among the anchors of each topic, at least 1, and the topics whose anchors never co-occur.

    rows (n_anchor_words, n_words) are the rows of C of all anchor words. The true lift is at least 1, because the mean
    square of a topic's shares is at least the square of their mean.
    """
    together = anchors.merge_columns(anchors.merge_rows(rows)).diagonal()
    frequency = np.array([f[group].sum() for group in anchors.groups])
    return np.maximum(together / frequency**2, 1), np.flatnonzero(together <= 0).tolist()


def _topics(C_L: Array, theta: Array, anchors: Anchors, L: WordIds, f: Array, lam: float) -> tuple[Array, int]:
    """B (n_words, n_topics) from the columns of C of the representatives L and Θ = C_LL, and the steps it took."""
    try:
        inverse = l1_inverse(theta, lam)
    except np.linalg.LinAlgError:
        raise CooccurrenceError(
            "the anchor words' co-occurrence has no inverse: two groups of anchors are one topic. Raise c1, so that "
            "they are merged, or c0, so that an approximate inverse is enough"
        ) from None
    B = np.maximum(C_L @ inverse.omega, 0)  # (43)
    for k, group in enumerate(anchors.groups):
        B[group] = 0
        B[group, k] = f[group] / f[L[k]]  # (38)
    return B / B.sum(axis=0), inverse.n_iter  # (44)
