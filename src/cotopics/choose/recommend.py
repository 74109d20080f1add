"""From evidence to a number: where the spectrum breaks, which numbers are worth a look, and which to start with."""

from __future__ import annotations

import numpy as np

from cotopics.records import Array

USUAL = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60)
COMES_BACK = 0.5  # overlap of a topic with its like from other documents: more of it is shared than not
OUTLYING, NOISE_GAPS = 4, 8  # a gap so many times as wide, in logarithms, as any of so many behind it
EDGE = 3  # times as much of a direction comes back before the edge of the spectrum as behind it


def find_edge(replication: Array) -> int | None:
    """The number of directions that come back, where those behind them hardly do; None where there is no such edge.

    Each of them does, because of many directions of noise some come back by chance.
    """
    best, weakest = None, np.inf
    for K in range(2, len(replication) - 2):
        weakest = min(weakest, replication[K - 1])
        before, behind = replication[max(K - 3, 1) : K].mean(), max(replication[K : K + 3].mean(), 0.05)
        if before >= EDGE * behind and weakest > 2 * behind:
            best = K
    return best


def outlying_gap(spectrum: Array) -> int | None:
    """The last number of topics whose gap dwarfs those behind it, as where the rest is noise; None without one."""
    gaps = np.log(spectrum[:-1] / spectrum[1:])  # gaps[K − 1] is that of K
    outlying = [
        K for K in range(2, len(gaps) - NOISE_GAPS) if gaps[K - 1] > OUTLYING * gaps[K : K + NOISE_GAPS].max() > 0
    ]
    return outlying[-1] if outlying else None


def promising(spectrum: Array, edge: int | None, by_c1: dict[float, int], most: int) -> list[int]:
    """The usual numbers, those with the widest gaps, the edge, what TOP found, and the next one after each of these."""
    gaps = spectrum[1:-1] / spectrum[2:]
    special = {int(K) + 2 for K in np.argsort(-gaps, kind="stable")[:3]} | set(by_c1.values())
    special |= set() if edge is None else {edge}
    numbers = set(USUAL) | special | {K + 1 for K in special}
    largest = most if edge is None else min(most, edge + max(5, edge // 2))  # far behind an edge there is only noise
    return sorted(K for K in numbers if 2 <= K <= largest)


def recommend(
    numbers: list[int], table: dict[str, Array], edge: int | None, gap: int | None, by_c1: dict[float, int]
) -> tuple[int, str]:
    """The number to start with, of those looked at, and one sentence that says why."""
    agreeing = set(by_c1.values())
    steady = min(agreeing) if len(agreeing) == 1 else 0
    if edge is not None:
        word = "and" if steady == edge else "but"
        also = f", {word} TOP finds {steady} groups of anchor words" if steady >= 2 else ""
        return _nearest(
            numbers, edge, f"{edge} directions of the co-occurrence come back in other documents and hardly more{also}"
        )
    if gap is not None:
        width = table["gap"][numbers.index(gap)] if gap in numbers else None
        than = "" if width is None else f" ({width:.2f} times as large)"
        return _nearest(
            numbers,
            gap,
            f"eigenvalue {gap} stands out from the next{than} as none behind it does: the rest is like noise",
        )
    if 2 <= steady <= max(numbers):
        return _nearest(
            numbers, steady, f"TOP finds {steady} groups of anchor words, whether its tolerance is halved or doubled"
        )
    weakest = table["weakest"]
    come_back = np.flatnonzero(weakest >= COMES_BACK)
    if len(come_back):
        best = int(come_back[-1])
        return numbers[best], (
            f"{numbers[best]} is the largest number of topics that all come back when they are found in other "
            f"documents: the weakest shares {weakest[best]:.0%} of its words with its like."
        )
    best = int(np.argmax(weakest))
    return numbers[best], (
        f"at no number do all topics come back in other documents; with {numbers[best]} the weakest does most "
        f"({weakest[best]:.0%} of its words)."
    )


def _nearest(numbers: list[int], K: int, reason: str) -> tuple[int, str]:
    """K, or the candidate nearest to it."""
    chosen = min(numbers, key=lambda number: (abs(number - K), number))
    return chosen, f"{reason}." if chosen == K else f"{reason}; {chosen} is the nearest candidate."
