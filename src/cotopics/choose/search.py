"""Which numbers of topics to try: coarse steps until the evidence falls, then finer ones around the best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cotopics.choose.halves import COARSEST, Trial

FIRST = (5, 10, 20)  # numbers to begin with
LADDER = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 250, 300, 400, 500)
MOST = LADDER[-1]
FALLEN = 0.88  # of the best score: where the largest number has less, larger ones are not tried


def search(ask: Callable[[int], Trial | None], most: int) -> list[Trial]:
    """The trials of the numbers that were tried, smallest first; `ask` gives None for a number that is too large.

    The score, the reliable gain, rises and then falls, though not evenly. So numbers are doubled until it has clearly
    fallen, and made smaller where the smallest is best; then the gaps on both sides of the best number are divided in
    the middle, smaller numbers first, and again where that was better."""
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
    while tried and tried[max(tried)].score > FALLEN * _best(tried).score and max(tried) < too_many - 1:
        look(min(2 * max(tried), too_many - 1))
    for _ in range(2):
        best = _best(tried).n_topics if tried else 0
        for K in _between(tried, best):
            look(K)
            if _best(tried).n_topics == K:  # better than the best, so the other side is farther from the maximum
                break
        else:
            break
    return [tried[K] for K in sorted(tried)]


def _best(tried: dict[int, Trial]) -> Trial:
    """The trial with the greatest score; of several, the smallest."""
    return max((tried[K] for K in sorted(tried)), key=lambda trial: trial.score)


def _between(tried: dict[int, Trial], best: int) -> list[int]:
    """The usual numbers nearest to the middle between the best number and those next to it that were tried."""
    below, above = [K for K in tried if best > K], [K for K in tried if best < K]
    found = []
    for other in ([max(below)] if below else []) + ([min(above)] if above else []):
        inside = [K for K in LADDER if min(best, other) < K < max(best, other)]
        if inside:
            found.append(min(inside, key=lambda K: abs(np.log(K * K / (best * other)))))
    return found
