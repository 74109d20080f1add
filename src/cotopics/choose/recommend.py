"""From evidence to a number, and a sentence that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cotopics.choose.halves import COARSEST, Trial
from cotopics.choose.search import asked_most, smallest_nearly_best
from cotopics.choose.spectrum import Spectrum
from cotopics.records import Array

COMES_BACK = 0.8  # correlation of a topic's shares with those of its partner from other documents
NEARLY = 20  # an edge that differs by one in so many from TOP's number means the same


@dataclass(frozen=True)
class Recommendation:
    n_topics: int
    reason: str
    finest: int
    coarser: tuple[int, ...]


def recommend(trials: Sequence[Trial], spectrum: Spectrum) -> Recommendation:
    """The recommended number, one of those tried, and why."""
    numbers = [trial.n_topics for trial in trials]
    finest = numbers[smallest_as_good([trial.gains[0] for trial in trials])]
    n_topics, reason = _edge(numbers, spectrum) or _reliable(trials, finest)
    coarser = tuple(t.n_topics for t in trials if COARSEST < t.n_topics < n_topics and t.agreement.min() >= COMES_BACK)
    if coarser:
        reason += f"; of {_listed(coarser)} topics, every one comes back in other documents"
    return Recommendation(n_topics, f"{reason}.", finest, coarser)


def smallest_as_good(scores: Sequence[Array]) -> int:
    """The first of several scores (n_folds,) whose mean is within one standard error of the best mean.

    The error is that of the difference, over the same folds."""
    best = int(np.argmax([score.mean() for score in scores]))
    for i, score in enumerate(scores):
        if (scores[best] - score).mean() <= difference_error(scores[best], score):
            return i
    return best


def difference_error(one: Array, other: Array) -> float:
    """The standard error of the mean of differences (n_folds,)."""
    return float((one - other).std(ddof=1) / np.sqrt(len(one)))


def _reliable(trials: Sequence[Trial], finest: int) -> tuple[int, str]:
    """The smallest number whose reliable gain is nearly the largest, of those that most halvings were asked about."""
    chosen = smallest_nearly_best(asked_most(trials))
    K = chosen.n_topics
    if chosen.gains.mean() <= 0:
        return K, "no number predicts unseen documents better than the frequencies of words do"
    if finest <= K:
        return K, "more do not predict unseen documents better"
    if chosen is trials[-1]:
        return K, "more than that were not tried"
    return K, f"more, up to {finest}, predict unseen documents better, but come back less in other documents"


def _edge(numbers: Sequence[int], spectrum: Spectrum) -> tuple[int, str] | None:
    """Where the spectrum breaks off, TOP always finds the same, or noise begins, that number or the nearest tried."""
    edge, gap, steady = spectrum.edge, spectrum.gap, spectrum.steady
    if edge is not None:
        if steady >= 2 and abs(steady - edge) <= max(1, edge // NEARLY):
            found = f"{edge} directions of the co-occurrence come back in other documents and hardly more"
            return _nearest(numbers, steady, f"{found}, and TOP finds {steady} groups of anchor words")
        also = f", but TOP finds {steady} groups of anchor words" if steady >= 2 else ""
        return _nearest(
            numbers, edge, f"{edge} directions of the co-occurrence come back in other documents and hardly more{also}"
        )
    if gap is not None:
        return _nearest(
            numbers,
            gap,
            f"eigenvalue {gap} stands out from the next ({spectrum.gap_at(gap):.2f} times as large) as none behind it "
            "does, so the rest is like noise",
        )
    if 2 <= steady <= max(numbers):
        return _nearest(
            numbers, steady, f"TOP finds {steady} groups of anchor words, whether its tolerance is halved or doubled"
        )
    K = (spectrum.above_noise or 0) + 1  # a direction less than topics, as their shares sum to one
    if 2 <= K <= max(numbers):
        return _nearest(
            numbers,
            K,
            f"{K - 1} directions of the counts stand out, and what is behind them cannot be told from noise, though "
            "weaker topics may be hidden in it",
        )
    return None


def numbers_around(spectrum: Spectrum, most: int) -> list[int] | None:
    """The numbers to try where the spectrum or TOP says how many topics there are; None where neither does."""
    steady, beyond_noise = spectrum.steady, (spectrum.above_noise or 0) + 1
    special = [K for K in (spectrum.edge, spectrum.gap, steady, beyond_noise) if K is not None and 2 <= K <= most]
    if not special:
        return None
    decisive = special[0]
    numbers = {decisive // 2, decisive - 1, decisive, decisive + 1, decisive + max(2, decisive // 2)}
    if steady >= 2:
        numbers |= {steady}
    return sorted(K for K in numbers if 2 <= K <= most)


def _nearest(numbers: Sequence[int], K: int, reason: str) -> tuple[int, str]:
    """K, or the number nearest to it that was tried."""
    chosen = min(numbers, key=lambda number: (abs(number - K), number))
    return chosen, reason if chosen == K else f"{reason}, and of the numbers to choose from this is the nearest"


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
