"""From evidence to a number: where the spectrum breaks, which numbers to compare, and which to recommend."""

from __future__ import annotations

import numpy as np

from cotopics.records import Array

USUAL_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60)
COMES_BACK = 0.5  # overlap of a topic with the matched topic from other documents, from which it has come back
OUTLIER_RATIO, NOISE_GAPS = 4, 8  # an outlying gap is this many times as wide, in logarithms, as the next gaps
EDGE_RATIO = 3  # before an edge, directions come back this many times as much as after it


def find_edge(replication: Array) -> int | None:
    """The number of directions that come back, if the next ones hardly do; None if there is no such edge.

    Each of them must come back, because among many directions of noise some do by chance.
    """
    best, weakest = None, np.inf
    for K in range(2, len(replication) - 2):
        weakest = min(weakest, replication[K - 1])
        before, behind = replication[max(K - 3, 1) : K].mean(), max(replication[K : K + 3].mean(), 0.05)
        if before >= EDGE_RATIO * behind and weakest > 2 * behind:
            best = K
    return best


def outlying_gap(spectrum: Array) -> int | None:
    """The last number of topics with a gap that is much wider than the next ones, which look like noise; or None."""
    gaps = np.log(spectrum[:-1] / spectrum[1:])  # gaps[K − 1] is that of K
    outlying = [
        K for K in range(2, len(gaps) - NOISE_GAPS) if gaps[K - 1] > OUTLIER_RATIO * gaps[K : K + NOISE_GAPS].max() > 0
    ]
    return outlying[-1] if outlying else None


def promising(spectrum: Array, edge: int | None, by_c1: dict[float, int], most: int) -> list[int]:
    """The usual numbers, those with the widest gaps, the edge, those of TOP, and the next after each of these."""
    gaps = spectrum[1:-1] / spectrum[2:]
    special = {int(K) + 2 for K in np.argsort(-gaps, kind="stable")[:3]} | set(by_c1.values())
    special |= set() if edge is None else {edge}
    numbers = set(USUAL_NUMBERS) | special | {K + 1 for K in special}
    largest = most if edge is None else min(most, edge + max(5, edge // 2))  # far after an edge there is only noise
    return sorted(K for K in numbers if 2 <= K <= largest)


def recommend(
    numbers: list[int], table: dict[str, Array], edge: int | None, gap: int | None, by_c1: dict[float, int]
) -> tuple[int, str]:
    """The recommended number, one of `numbers`, and a sentence that says why."""
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
