"""Which numbers of topics to try: coarse steps until the evidence falls, then the numbers next to the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cotopics.choice import AS_GOOD
from cotopics.choose.halves import COARSEST, Trial

FIRST = (5, 10, 20)  # numbers to begin with
LADDER = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)  # what lies between, documents do not tell
MOST = LADDER[-1]


def search(ask: Callable[[int], Trial | None], most: int) -> list[Trial]:
    """The trials of the numbers that were tried, smallest first; `ask` gives None for a number that is too large.

    The score, the reliable gain, rises and then falls, though not evenly. So larger numbers are tried until it has
    clearly fallen, then those next to the best one, and smaller ones as long as they may be as good."""
    tried: dict[int, Trial] = {}
    too_many = most + 1

    def look(K: int) -> None:
        nonlocal too_many
        if COARSEST <= K < too_many and K not in tried:
            trial = ask(K)
            if trial is None:
                too_many = K
            else:
                tried[K] = trial

    for K in (COARSEST, *FIRST):
        look(min(K, most))
    while tried and tried[max(tried)].score >= AS_GOOD * best_of(tried).score and max(tried) < too_many - 1:
        look(min(_next_to(max(tried))[1], too_many - 1))
    n_tried = 0
    while len(tried) > n_tried:
        n_tried = len(tried)
        smallest = min(contenders(list(tried.values())))
        for K in (*_next_to(best_of(tried).n_topics), _next_to(smallest)[0]):
            look(K)
    return [tried[K] for K in sorted(tried)]


def contenders(trials: Sequence[Trial]) -> list[int]:
    """The numbers that other halvings may show to be as good as the best, of those that most halvings were asked about.

    One halving changes a score by about 1 − AS_GOOD of the best, and the mean of several by that over their root."""
    asked = asked_most(trials)
    best, another = max(trial.score for trial in asked), 1 - AS_GOOD
    margin = another * (1 + 1 / np.sqrt(asked[0].n_halvings))
    return [trial.n_topics for trial in asked if trial.score >= best - margin * abs(best)]


def asked_most(trials: Sequence[Trial]) -> list[Trial]:
    """The trials that most halvings were asked about."""
    most = max(trial.n_halvings for trial in trials)
    return [trial for trial in trials if trial.n_halvings == most]


def best_of(tried: dict[int, Trial]) -> Trial:
    """The trial with the greatest score; of several, the smallest."""
    return max((tried[K] for K in sorted(tried)), key=lambda trial: trial.score)


def _next_to(K: int) -> tuple[int, int]:
    """The numbers of the ladder below and above K."""
    return max((n for n in LADDER if n < K), default=K), min((n for n in LADDER if n > K), default=K)
