"""The evidence for each number of topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.anchors import PivotedQR
from cotopics.choose.choice import COLUMNS, Choice
from cotopics.choose.evidence import MIN_ANCHOR_SHARE, evidence, max_topics
from cotopics.choose.recommend import NOISE_GAPS, find_edge, outlying_gap, promising, recommend
from cotopics.cooccur import Cooccurrence, Implicit, check_counts, cooccurrence
from cotopics.correlation import topic_correlation
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.linalg import Eigenpairs, top_eigenpairs
from cotopics.metrics import MEASURES, match_topics
from cotopics.records import Anchors, Array, Topics
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import EpsilonNonNegative
from cotopics.top import anchor_groups, group_rare_words

MAX_STEPS, TOLERANCE = 30, 1e-3  # of rectification: a fifth of the steps of a fit are enough to compare
MAX_TOPICS = 60  # without candidates
EXTRA_DIRECTIONS = NOISE_GAPS + 2  # after the last candidate; they show whether it is an edge
ROUNDING = 1e-12  # relative to the largest eigenvalue; smaller ones are rounding errors
C1_FACTORS = (0.5, 1.0, 2.0)  # of TOP's c1
TOP_C1, MIN_TOP_FREQUENCY = 1.1, 0.01  # of TOP: its tolerance, and the share of documents that its words are in


@dataclass(frozen=True)
class _Part:
    """The co-occurrence of some documents, and its leading eigenpairs for all numbers of topics."""

    C: Cooccurrence
    pairs: Eigenpairs

    @classmethod
    def of(cls, X: Any, most: int) -> _Part:
        C = cooccurrence(X, representation="dense")  # at most MAX_WORDS words
        return cls(C, top_eigenpairs(C, min(most, C.shape[0]), tolerance=1e-8))

    def rectified(self, n_topics: int) -> Any:
        return EpsilonNonNegative(max_iter=MAX_STEPS, tolerance=TOLERANCE)(self.C, n_topics, start=self.pairs).C

    def topics(self, n_topics: int) -> tuple[Topics, Anchors, Any]:
        """Topics, their anchors and the rectified co-occurrence, by LR-JSMF (Lee et al. 2021)."""
        C = self.rectified(n_topics)
        assert self.C.documents is not None
        frequency = self.C.documents.frequency
        least = min(MIN_ANCHOR_SHARE * self.C.documents.n_used, np.sort(frequency)[-n_topics])
        anchors = PivotedQR()(C, n_topics, candidates=np.flatnonzero(frequency >= least))
        return SimplexLeastSquares()(C, anchors), anchors, C


def choose_n_topics(
    X: Any, candidates: Sequence[int] | None = None, *, n_splits: int = 2, random_state: int | None = None
) -> Choice:
    """A recommended number of topics for counts X (documents × words), with the evidence.

    candidates: numbers of topics to compare (None: up to 60, the usual ones and those that the spectrum and TOP
    suggest). The documents are split into random halves n_splits times, to see what comes back in other documents. Only
    the 3,000 words in most documents are used, so that the time does not grow with the vocabulary. Copies of a document
    are left out.

    If a number of directions come back in other documents and hardly any after them, this number is recommended: it is
    the rank of the co-occurrence. Real text has no such edge; then it is the largest number of topics that all come
    back.

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
    counts = evidence(check_counts(X))
    limit = max_topics(counts)
    if limit < (2 if wanted is None else max(wanted)):
        scarce = "documents" if limit == counts.shape[0] // 4 else "words that many documents have"
        raise CooccurrenceError(
            f"{counts.shape[0]} different documents of two tokens or more and {counts.shape[1]} words are enough for "
            f"up to {limit} topics, not {2 if wanted is None else max(wanted)}: each needs four documents and a word "
            f"in {MIN_ANCHOR_SHARE:.1%} of them, and there must be more words than topics. Give more {scarce}"
            + (", or smaller candidates" if wanted is not None and limit >= 2 else "")
        )
    most = min(limit, MAX_TOPICS if wanted is None else max(wanted) + EXTRA_DIRECTIONS)
    progress.tell("spectrum", 0, 1 + 2 * n_splits)
    whole = _Part.of(counts, most + 1)
    halves = _halves(counts, most + 1, n_splits, rng)
    replication = np.mean([_replication(a, b) for split in halves for a, b in (split, split[::-1])], axis=0)
    by_c1 = _top(counts)
    Y = whole.rectified(most + 1).Y
    spectrum = np.maximum(np.sort(np.linalg.eigvalsh(Y.T @ Y))[::-1], 0)
    at_least = np.maximum(spectrum, ROUNDING * spectrum[0])
    edge, gap = find_edge(replication), outlying_gap(at_least)
    numbers = wanted or promising(at_least, edge or gap, by_c1, most)
    found = _compare(whole, halves, counts, numbers, all_of_them=wanted is not None)
    numbers = numbers[: len(found)]
    K = np.array(numbers)
    table = {"gap": spectrum[K - 1] / at_least[K], "replication": replication[K - 1]}
    table |= {name: np.array([row[name] for row in found]) for name in found[0]}
    n_topics, reason = recommend(numbers, table, edge, gap, by_c1)
    return Choice(n_topics, reason, K, table, spectrum[:most], replication[:most], by_c1)


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
    """vᵀC'v/λ for each leading direction v of one half: the share of its eigenvalue that it has in the other half."""
    V, values = found.pairs.vectors, found.pairs.values
    return np.einsum("ij,ij->j", V, other.C @ V) / np.where(values > 0, values, np.inf)


def _top(counts: Any) -> dict[float, int]:
    """TOP's number of topics for a few c1; Bing et al. 2020."""
    C = cooccurrence(counts, representation="implicit")
    assert isinstance(C, Implicit)
    assert C.documents is not None
    frequent = np.flatnonzero(C.documents.frequency >= MIN_TOP_FREQUENCY * C.documents.n_used)
    if len(frequent) < C.shape[0]:
        C = group_rare_words(C, frequent)
    grid = [round(TOP_C1 * factor, 3) for factor in C1_FACTORS]
    return {
        c1: len(groups)
        for c1, groups in zip(grid, anchor_groups(C, grid, candidates=np.arange(len(frequent))), strict=True)
    }


def _compare(
    whole: _Part, halves: list[tuple[_Part, _Part]], counts: Any, numbers: list[int], *, all_of_them: bool
) -> list[dict[str, float]]:
    """The evidence for each number, up to the first for which half of the documents have too few words."""
    found: list[dict[str, float]] = []
    for K in numbers:
        progress.tell("comparing numbers of topics", len(found), len(numbers))
        try:
            found.append(_measure(whole, halves, counts, K))
        except CooccurrenceError:
            if all_of_them or not found:
                raise CooccurrenceError(
                    f"half of the documents have too few words for {K} topics. Give more documents, or smaller "
                    "candidates"
                ) from None
            break
    return found


def _measure(whole: _Part, halves: list[tuple[_Part, _Part]], counts: Any, K: int) -> dict[str, float]:
    topics, anchors, rectified = whole.topics(K)
    model = SimpleNamespace(
        components_=topics.B.T,
        anchor_groups_=anchors.groups,
        topic_prevalence_=topics.prevalence,
        topic_correlation_=topic_correlation(rectified, anchors, topics).A,
    )
    given = SimpleNamespace(model=model, X=counts, C=whole.C)
    overlaps = [_overlap(a.topics(K)[0].B, b.topics(K)[0].B) for a, b in halves]
    return {
        "stability": float(np.mean([overlap.mean() for overlap in overlaps])),
        "weakest": float(np.mean([overlap.min() for overlap in overlaps])),
        **{name: MEASURES[name].of(given) for name in COLUMNS if name in MEASURES},
    }


def _overlap(B: Array, other: Array) -> Array:
    """Σ min(p, p') of matched topics, (n_topics,): 1 for equal topics, 0 if they share no word."""
    return np.minimum(B[:, match_topics(B, other)], other).sum(axis=0)
