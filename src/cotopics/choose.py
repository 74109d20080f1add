"""How many topics: what the theory offers as evidence, in one table, and a recommendation with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.anchors import PivotedQR, anchor_groups, group_rare_words
from cotopics.cooccur import Cooccurrence, Implicit, check_counts, cooccurrence
from cotopics.cooccur.counts import contents
from cotopics.cooccur.weighting import require_pairs
from cotopics.correlation import anchor_correlation
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.metrics import approximation_error, coherence, dissimilarity, match_topics, recovery_error, specificity
from cotopics.records import Anchors, Array, Topics
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import EpsilonNonNegative

MOST_WORDS = 3000  # 72 MB for each of the few co-occurrences that are kept
MOST_STEPS, CLOSE = 30, 1e-3  # of rectification: a fifth of what a fit does, and enough to compare
MOST_TOPICS = 60  # looked for where no candidates are given
USUAL = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60)
COMES_BACK = 0.5  # overlap of a topic with its like from other documents: more of it is shared than not
OUTLYING, NOISE_GAPS = 4, 8  # a gap so many times as wide, in logarithms, as any of so many behind it
EDGE = 3  # times as much of a direction comes back before the edge of the spectrum as behind it
AHEAD = NOISE_GAPS + 2  # directions looked at behind the last candidate: what is behind it tells whether it is an edge
ROUNDING = 1e-12  # of the largest eigenvalue
FACTORS = (0.5, 1.0, 2.0)  # of TOP's c1
C1, FREQUENT = 1.1, 0.01  # TOP's, and the share of documents that its words are in
LEAST_ANCHOR_SHARE = 0.005  # of documents that an anchor is in

MEASURES = {  # name → what it is, as the legend of the table says it
    "gap": "eigenvalue K over the next, of the rectified co-occurrence",
    "replication": "share of direction K found in one half that is there in the other",
    "stability": "overlap of topics found in independent halves, mean",
    "weakest": "the same, of the topic that comes back least",
    "relative_recovery": "RelativeRecovery (lower is closer)",
    "relative_approximation": "RelativeApproximation (lower is closer)",
    "specificity": "Specificity (higher: topics differ from the corpus)",
    "dissimilarity": "Dissimilarity (higher: topics differ in words)",
    "coherence": "Coherence (higher: words go together)",
}


@dataclass(frozen=True)
class Choice:
    """A number of topics, why, and the evidence.

    candidates (k,) are the numbers that were looked at; measures[name] (k,) is what was found for each, MEASURES says
    what it means. spectrum and replication (most,) are the eigenvalues of the rectified co-occurrence and, for each
    direction, the share of it that comes back in other documents. n_topics_top: TOP's number of topics for each c1.
    """

    n_topics: int
    reason: str
    candidates: np.ndarray[Any, np.dtype[np.int64]]
    measures: dict[str, Array]
    spectrum: Array
    replication: Array
    n_topics_top: dict[float, int]

    @property
    def sentence(self) -> str:
        """The reason as a sentence of its own."""
        return self.reason[0].upper() + self.reason[1:]


@dataclass(frozen=True)
class _Part:
    """The co-occurrence of some documents and its leading eigenpairs: one decomposition for all numbers of topics."""

    C: Cooccurrence
    pairs: Eigenpairs

    @classmethod
    def of(cls, X: Any, most: int) -> _Part:
        C = cooccurrence(X, representation="dense")  # of at most MOST_WORDS
        return cls(C, top_eigenpairs(C, min(most, C.shape[0]), tolerance=1e-8))

    def rectified(self, n_topics: int) -> Any:
        return EpsilonNonNegative(max_iter=MOST_STEPS, tolerance=CLOSE)(self.C, n_topics, start=self.pairs).C

    def topics(self, n_topics: int) -> tuple[Topics, Anchors, Any]:
        """LR-JSMF (002): topics, their anchors and the rectified co-occurrence."""
        C = self.rectified(n_topics)
        assert self.C.documents is not None
        frequency = self.C.documents.frequency
        least = min(LEAST_ANCHOR_SHARE * self.C.documents.n_used, np.sort(frequency)[-n_topics])
        anchors = PivotedQR()(C, n_topics, candidates=np.flatnonzero(frequency >= least))
        return SimplexLeastSquares()(C, anchors), anchors, C


def choose_n_topics(
    X: Any, candidates: Sequence[int] | None = None, *, n_splits: int = 2, random_state: int | None = None
) -> Choice:
    """How many topics counts X (documents × words) hold, with the evidence.

    candidates: numbers of topics to look at (None: up to 60, the usual ones and those that the spectrum and TOP point
    to). n_splits random halvings of the documents show what comes back in other documents. Only the 3,000 words that
    are in most documents are looked at, so that the time does not grow with the vocabulary, and of documents that are
    the same only one.

    The recommendation is the rank of the co-occurrence where it has one: the number of directions that come back, if
    hardly anything does behind them. Text that people wrote has no such edge; there it is the largest number of topics
    that all come back.

    >>> from cotopics.datasets import make_corpus
    >>> X, B, W = make_corpus(800, 300, 7, length=200, anchors_per_topic=3, random_state=0)
    >>> choice = choose_n_topics(X)
    >>> choice.n_topics, choice.n_topics_top[1.1]
    (7, 7)
    """
    wanted = None if candidates is None else _checked_candidates(candidates)
    if not isinstance(n_splits, int | np.integer) or n_splits < 1:
        raise ParameterError(f"n_splits={n_splits!r} must be a whole number of at least 1")
    try:
        rng = np.random.default_rng(0 if random_state is None else random_state)
    except (TypeError, ValueError):
        raise ParameterError(f"random_state={random_state!r} must be a whole number, 0 or more, or None") from None
    counts = _evidence(check_counts(X))
    limit = _limit(counts)
    if limit < (2 if wanted is None else max(wanted)):
        scarce = "documents" if limit == counts.shape[0] // 4 else "words that many documents have"
        raise CooccurrenceError(
            f"{counts.shape[0]} different documents of two tokens or more and {counts.shape[1]} words can tell up to "
            f"{limit} topics apart, not {2 if wanted is None else max(wanted)}: one for four documents, one for a word "
            f"in {LEAST_ANCHOR_SHARE:.1%} of them, and fewer than there are words. Give more {scarce}"
            + (", or smaller candidates" if wanted is not None and limit >= 2 else "")
        )
    most = min(limit, MOST_TOPICS if wanted is None else max(wanted) + AHEAD)
    progress.tell("spectrum", 0, 1 + 2 * n_splits)
    whole = _Part.of(counts, most + 1)
    halves = _halves(counts, most + 1, n_splits, rng)
    replication = np.mean([_replication(a, b) for split in halves for a, b in (split, split[::-1])], axis=0)
    by_c1 = _top(counts)
    Y = whole.rectified(most + 1).Y
    spectrum = np.maximum(np.sort(np.linalg.eigvalsh(Y.T @ Y))[::-1], 0)
    at_least = np.maximum(spectrum, ROUNDING * spectrum[0])
    edge, gap = _edge(replication), _outlying_gap(at_least)
    numbers = wanted or _promising(at_least, edge or gap, by_c1, most)
    found = _compare(whole, halves, counts, numbers, all_of_them=wanted is not None)
    numbers = numbers[: len(found)]
    K = np.array(numbers)
    table = {"gap": spectrum[K - 1] / at_least[K], "replication": replication[K - 1]}
    table |= {name: np.array([row[name] for row in found]) for name in found[0]}
    n_topics, reason = _recommend(numbers, table, edge, gap, by_c1)
    return Choice(n_topics, reason, K, table, spectrum[:most], replication[:most], by_c1)


def _evidence(counts: Any) -> Any:
    """The documents and words that can show what comes back: pairs of words that are in several documents."""
    paired = _with_pairs(counts)
    require_pairs(paired.shape[0], 1.0, counts.shape[0])
    different = _distinct(paired)
    if different.shape[0] == 1:
        cause = "one document alone has" if paired.shape[0] == 1 else f"{paired.shape[0]} copies of one document have"
        raise CorpusError(f"{cause} two tokens or more, and topics come back in others. Give more documents")
    shared = _with_pairs(_widespread(different))
    if shared.shape[0] == 0:
        raise CorpusError(
            f"none of the {different.shape[0]} documents has two words that others have too, and topics come back in "
            "others. Give more or longer documents, or keep more words"
        )
    return shared


def _distinct(counts: Any) -> Any:
    """The first of documents that are the same: a copy in the other half would make anything come back."""
    first: dict[bytes, int] = {}
    for m, content in enumerate(contents(counts)):
        first.setdefault(content, m)
    return counts if len(first) == counts.shape[0] else counts[list(first.values())]


def _widespread(counts: Any) -> Any:
    """The same for the words that are in most documents: what they cost does not grow with the vocabulary."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    words = np.argsort(-frequency, kind="stable")[:MOST_WORDS]
    return counts[:, np.sort(words[frequency[words] > 1])]


def _with_pairs(counts: Any) -> Any:
    """The same without documents that make no pair: they are no evidence, and a half of nothing else has none."""
    return counts[np.asarray(counts.sum(axis=1)) >= 2]


def _limit(counts: Any) -> int:
    """The largest number of topics that can be looked at: each needs a few documents, and a word for an anchor."""
    n_documents, n_words = counts.shape
    frequency = np.bincount(counts.indices, minlength=n_words)
    n_anchors = np.count_nonzero(frequency >= LEAST_ANCHOR_SHARE * n_documents)
    return max(0, min(n_words - 1, n_documents // 4, n_anchors))


def _checked_candidates(candidates: Sequence[int]) -> list[int]:
    try:
        given = list(candidates)
        numbers, whole = sorted({int(K) for K in given}), all(int(K) == K for K in given)
    except (TypeError, ValueError, OverflowError):
        numbers, whole = [], False
    if not whole or not numbers or numbers[0] < 2:
        raise ParameterError(f"candidates={candidates!r} must be whole numbers of at least 2, such as [5, 10, 20]")
    return numbers


def _halves(counts: Any, most: int, n_splits: int, rng: np.random.Generator) -> list[tuple[_Part, _Part]]:
    halves = []
    for split in range(n_splits):
        order = rng.permutation(counts.shape[0])
        first, second = np.array_split(order, 2)
        halves.append((_Part.of(counts[np.sort(first)], most), _Part.of(counts[np.sort(second)], most)))
        progress.tell("spectrum", 1 + 2 * (split + 1), 1 + 2 * n_splits)
    return halves


def _replication(found: _Part, other: _Part) -> Array:
    """vᵀC'v/λ: how much of what each leading direction v of one half explains there, it explains in the other."""
    V, values = found.pairs.vectors, found.pairs.values
    return np.einsum("ij,ij->j", V, other.C @ V) / np.where(values > 0, values, np.inf)


def _top(counts: Any) -> dict[float, int]:
    """TOP's number of topics for a few c1; 004."""
    C = cooccurrence(counts, representation="implicit")
    assert isinstance(C, Implicit)
    assert C.documents is not None
    frequent = np.flatnonzero(C.documents.frequency >= FREQUENT * C.documents.n_used)
    if len(frequent) < C.shape[0]:
        C = group_rare_words(C, frequent)
    grid = [round(C1 * factor, 3) for factor in FACTORS]
    return {
        c1: len(groups)
        for c1, groups in zip(grid, anchor_groups(C, grid, candidates=np.arange(len(frequent))), strict=True)
    }


def _edge(replication: Array) -> int | None:
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


def _outlying_gap(spectrum: Array) -> int | None:
    """The last number of topics whose gap dwarfs those behind it, as where the rest is noise; None without one."""
    gaps = np.log(spectrum[:-1] / spectrum[1:])  # gaps[K − 1] is that of K
    outlying = [
        K for K in range(2, len(gaps) - NOISE_GAPS) if gaps[K - 1] > OUTLYING * gaps[K : K + NOISE_GAPS].max() > 0
    ]
    return outlying[-1] if outlying else None


def _promising(spectrum: Array, edge: int | None, by_c1: dict[float, int], most: int) -> list[int]:
    """The usual numbers, those with the widest gaps, the edge, what TOP found, and the next one after each of these."""
    gaps = spectrum[1:-1] / spectrum[2:]
    special = {int(K) + 2 for K in np.argsort(-gaps, kind="stable")[:3]} | set(by_c1.values())
    special |= set() if edge is None else {edge}
    numbers = set(USUAL) | special | {K + 1 for K in special}
    largest = most if edge is None else min(most, edge + max(5, edge // 2))  # far behind an edge there is only noise
    return sorted(K for K in numbers if 2 <= K <= largest)


def _compare(
    whole: _Part, halves: list[tuple[_Part, _Part]], counts: Any, numbers: list[int], *, all_of_them: bool
) -> list[dict[str, float]]:
    """What is found for each number, up to the first that half of the documents have too few words for."""
    found: list[dict[str, float]] = []
    for K in numbers:
        progress.tell("comparing numbers of topics", len(found), len(numbers))
        try:
            found.append(_measure(whole, halves, counts, K))
        except CooccurrenceError:
            if all_of_them or not found:
                raise CooccurrenceError(
                    f"half of the documents have too few words for {K} topics. Give more documents, or lower candidates"
                ) from None
            break
    return found


def _measure(whole: _Part, halves: list[tuple[_Part, _Part]], counts: Any, K: int) -> dict[str, float]:
    topics, anchors, rectified = whole.topics(K)
    B, C = topics.B, whole.C
    A = anchor_correlation(rectified, anchors, B)
    overlaps = [_overlap(a.topics(K)[0].B, b.topics(K)[0].B) for a, b in halves]
    return {
        "stability": float(np.mean([overlap.mean() for overlap in overlaps])),
        "weakest": float(np.mean([overlap.min() for overlap in overlaps])),
        "relative_recovery": recovery_error(B, C, anchors=anchors.groups, prevalence=topics.prevalence, relative=True),
        "relative_approximation": approximation_error(B, C, correlation=A, relative=True),
        "specificity": specificity(B, C),
        "dissimilarity": dissimilarity(B),
        "coherence": coherence(B, counts),
    }


def _overlap(B: Array, other: Array) -> Array:
    """Σ min(p, p') of each topic and its like, (n_topics,): 1 for the same, 0 for nothing in common."""
    return np.minimum(B[:, match_topics(B, other)], other).sum(axis=0)


def _recommend(
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
