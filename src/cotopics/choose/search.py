"""Which numbers of topics to try: coarse steps until the evidence falls, then the numbers next to the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cotopics.choice import AS_GOOD
from cotopics.choose.halves import COARSEST, NOISE, Trial

FIRST = (5, 10, 20)  # numbers to begin with
LADDER = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)  # what lies between, documents do not tell
MOST = LADDER[-1]


def search(ask: Callable[[int], Trial | None], most: int, noise: float = NOISE) -> list[Trial]:
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
    while tried:
        smallest = min(contenders([tried[K] for K in sorted(tried)], noise))
        beside = (*_next_to(best_of(tried).n_topics), _next_to(smallest)[0])
        left = [K for K in beside if COARSEST <= K < too_many and K not in tried]
        if not left:
            break
        look(left[0])  # one by one: the next may not be worth a look then
    return [tried[K] for K in sorted(tried)]


def contenders(trials: Sequence[Trial], noise: float = NOISE) -> list[int]:
    """The numbers to ask other halvings about, of those that most halvings were asked about; one where it is settled.

    One halving changes the difference of two scores by the share `noise`, and several by that over their root. By so
    much a smaller number may come to be nearly the best, or the number that would be recommended now be so no more."""
    asked = asked_most(trials)
    best, chosen, less = max(asked, key=_score), smallest_nearly_best(asked), 1 - AS_GOOD
    change = noise / np.sqrt(asked[0].n_halvings)
    rivals = {t.n_topics for t in asked if t.n_topics < chosen.n_topics and is_nearly(t, best, less + change)}
    rivals |= {t.n_topics for t in asked if t.n_topics > chosen.n_topics and not is_nearly(chosen, t, less - change)}
    return sorted({chosen.n_topics, best.n_topics, *rivals}) if rivals else [chosen.n_topics]


def smallest_nearly_best(trials: Sequence[Trial]) -> Trial:
    """The first trial whose score is nearly the largest."""
    best = max(trials, key=_score)
    return next(trial for trial in trials if is_nearly(trial, best, 1 - AS_GOOD))


def is_nearly(trial: Trial, other: Trial, less: float) -> bool:
    """Whether a score is at most by such a share less than another."""
    return trial.score >= other.score - less * abs(other.score)


def _score(trial: Trial) -> float:
    return trial.score


def asked_most(trials: Sequence[Trial]) -> list[Trial]:
    """The trials that most halvings were asked about."""
    most = max(trial.n_halvings for trial in trials)
    return [trial for trial in trials if trial.n_halvings == most]


def best_of(tried: dict[int, Trial]) -> Trial:
    """The trial with the greatest score; of several, the smallest."""
    return max((tried[K] for K in sorted(tried)), key=_score)


def _next_to(K: int) -> tuple[int, int]:
    """The numbers of the ladder below and above K."""
    return max((n for n in LADDER if n < K), default=K), min((n for n in LADDER if n > K), default=K)
