"""Which numbers of topics to try: coarse steps until the evidence falls, then the numbers next to the best."""

from __future__ import annotations

from collections.abc import Callable

from cotopics.choose.halves import COARSEST, Trial

FIRST = (5, 10, 20)  # numbers to begin with
LADDER = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)  # what lies between, documents do not tell
MOST = LADDER[-1]
FALLEN = 0.88  # of the best score: where the largest number has less, larger ones are not tried
HOPELESS = 0.85  # of the best score: with less, another halving will not make a number the best


def search(ask: Callable[[int], Trial | None], most: int) -> list[Trial]:
    """The trials of the numbers that were tried, smallest first; `ask` gives None for a number that is too large.

    The score, the reliable gain, rises and then falls, though not evenly. So larger numbers are tried until it has
    clearly fallen, and then those next to the best one."""
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
    while tried and tried[max(tried)].score > FALLEN * best_of(tried).score and max(tried) < too_many - 1:
        look(min(_next_to(max(tried))[1], too_many - 1))
    best = None
    while tried and best != best_of(tried).n_topics:
        best = best_of(tried).n_topics
        for K in _next_to(best):
            look(K)
    return [tried[K] for K in sorted(tried)]


def contenders(trials: list[Trial]) -> list[int]:
    """The numbers that may be the best in another halving."""
    best = max(trial.score for trial in trials)
    return [trial.n_topics for trial in trials if trial.score >= best - (1 - HOPELESS) * abs(best)]


def best_of(tried: dict[int, Trial]) -> Trial:
    """The trial with the greatest score; of several, the smallest."""
    return max((tried[K] for K in sorted(tried)), key=lambda trial: trial.score)


def _next_to(K: int) -> tuple[int, int]:
    """The numbers of the ladder below and above K."""
    return max((n for n in LADDER if n < K), default=K), min((n for n in LADDER if n > K), default=K)
