"""Pairs of words that belong together, such as "new york": they are found in one pass, and joined."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cotopics.arrays import Integers
from cotopics.errors import CorpusError, ParameterError

BATCH = 2_000_000  # words between two merges of the counted pairs


@dataclass(frozen=True)
class Phrases:
    """Pairs of words that are joined where one follows the other, from the left: a word belongs to one pair at most.

    A joined pair can be the first word of another pair. `scores` has the normalised pointwise mutual information of
    every pair, if they were found in texts. `error` is how much too high their counts may be, 0 if all pairs fitted
    into memory.

    >>> Phrases((("new", "york"), ("york", "times")))(["new", "york", "times"])
    ['new_york', 'times']
    """

    pairs: tuple[tuple[str, str], ...]
    scores: tuple[float, ...] | None = None
    error: int = 0

    def __post_init__(self) -> None:
        pairs = tuple(map(_pair, self.pairs))
        if len(set(pairs)) < len(pairs):
            raise ParameterError("phrases hold a pair twice; give each once")
        object.__setattr__(self, "pairs", pairs)
        if self.scores is not None:
            object.__setattr__(self, "scores", tuple(map(_score, self.scores)))
            if len(self.scores) != len(pairs):
                raise ParameterError(f"there are {len(pairs)} phrases and {len(self.scores)} scores")
        if not isinstance(self.error, int) or isinstance(self.error, bool) or self.error < 0:
            raise ParameterError(f"error={self.error!r:.80} must be a whole number, 0 or more")

    def __call__(self, words: Iterable[str]) -> list[str]:
        pairs = self._pairs
        joined: list[str] = []
        for word in words:
            if joined and (joined[-1], word) in pairs:
                joined[-1] += "_" + word
            else:
                joined.append(word)
        return joined

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset(self.pairs)

    def to_json(self) -> dict[str, Any]:
        """The record as values that JSON has."""
        scores = None if self.scores is None else list(self.scores)
        return {"pairs": [list(pair) for pair in self.pairs], "scores": scores, "error": self.error}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Phrases:
        """The phrases of a record that `to_json` made, checked."""
        if not isinstance(record, Mapping) or not {"pairs"} <= set(record) <= {"pairs", "scores", "error"}:
            raise ParameterError("phrases must have the fields pairs, scores and error")
        if not isinstance(record["pairs"], list) or not isinstance(record.get("scores"), list | None):
            raise ParameterError("the pairs and scores of phrases must be lists")
        return cls(**record)


def find_phrases(
    documents: Iterable[Sequence[str]], *, min_count: int = 10, threshold: float = 0.5, max_pairs: int = 5_000_000
) -> Phrases:
    """The pairs of neighbouring words seen `min_count` times or more with a score of `threshold` or more, best first.

    documents: lists of words, such as `map(Preparation(), texts)`. The score is the normalised pointwise mutual
    information ln(N n_ab / (n_a n_b)) / ln(N / n_ab), where N is the number of words: 1 if neither word is ever without
    the other, 0 if they meet by chance, at least −1.

    At most `max_pairs` different pairs are kept in memory; the rarest are dropped if there are more. With this lossy
    counting no count is too low, and none is too high by more than `Phrases.error`.

    In the example are 16 words. "new" and "york" are there 4 times each, always together: ln 4 / ln 4. "big" is there
    4 times, "apple" 2 times, each after "big": ln 4 / ln 8. "apple" is before "big" once.

    >>> documents = [["new", "york"]] * 4 + [["big", "apple", "big", "apple"], ["big"], ["big"], ["cat"], ["dog"]]
    >>> phrases = find_phrases(documents, min_count=2)
    >>> phrases.pairs, [round(score, 3) for score in phrases.scores]
    ((('new', 'york'), ('big', 'apple')), [1.0, 0.667])
    """
    if min_count < 1 or max_pairs < 1:
        raise ParameterError(f"min_count={min_count} and max_pairs={max_pairs} must be at least 1")
    if not -1 <= threshold <= 1:
        raise ParameterError(f"threshold={threshold} must be between −1 and 1")
    if isinstance(documents, str):
        raise CorpusError("documents is one string; give one list of words per document")
    numbers: dict[str, int] = {}
    pairs = PairCounts(max_pairs)
    occurrences = np.zeros(0, dtype=np.int64)
    for ids, breaks in _batches(documents, numbers):
        occurrences = np.pad(occurrences, (0, len(numbers) - len(occurrences))) + np.bincount(
            ids, minlength=len(numbers)
        )
        pairs.add((ids[:-1].astype(np.int64) << 32 | ids[1:])[~breaks[1:]])
    return _best(pairs, occurrences, list(numbers), min_count, threshold)


class PairCounts:
    """How often pairs (one number each) were seen; at most `max_pairs` are kept. Manku and Motwani 2002.

    A new pair may have been seen and dropped before, so it starts with `error`, the largest dropped count.
    """

    def __init__(self, max_pairs: int) -> None:
        self.max_pairs = max_pairs
        self.pairs: Integers = np.zeros(0, dtype=np.int64)  # ascending
        self.counts: Integers = np.zeros(0, dtype=np.int64)
        self.error = 0

    def add(self, seen: Integers) -> None:
        new, times = np.unique(seen, return_counts=True)
        times = times + np.where(np.isin(new, self.pairs, assume_unique=True), 0, self.error)
        both, place = np.unique(np.concatenate([self.pairs, new]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([self.counts, times]), len(both)).astype(np.int64)
        n_over = len(both) - self.max_pairs
        if n_over > 0:
            self.error = int(np.partition(counts, n_over - 1)[n_over - 1])
            both, counts = both[counts > self.error], counts[counts > self.error]
        self.pairs, self.counts = both, counts


def _batches(documents: Iterable[Sequence[str]], numbers: dict[str, int]) -> Iterable[tuple[Integers, Any]]:
    """Numbers of the words, a batch of whole documents at a time, and which of them begin a document."""
    ids, starts = array("i"), list[int]()
    for number, words in enumerate(documents):
        if isinstance(words, str | bytes) or not isinstance(words, Iterable):
            raise CorpusError(
                f"document {number} is {words!r:.80}; give a list of words, as `Preparation()(text)` does"
            )
        if len(ids) >= BATCH:
            yield _numbered(ids, starts)
            ids, starts = array("i"), []
        starts.append(len(ids))
        ids.extend(numbers.setdefault(word, len(numbers)) for word in words)
    yield _numbered(ids, starts)


def _numbered(ids: array[int], starts: list[int]) -> tuple[Integers, Any]:
    breaks = np.zeros(len(ids) + 1, dtype=bool)
    breaks[starts] = True
    return np.array(ids, dtype=np.int32), breaks[:-1]


def _best(pairs: PairCounts, occurrences: Integers, words: list[str], min_count: int, threshold: float) -> Phrases:
    frequent = pairs.counts >= min_count
    first, second = pairs.pairs[frequent] >> 32, pairs.pairs[frequent] & 0xFFFFFFFF
    n_a, n_b, N = occurrences[first], occurrences[second], occurrences.sum()
    n_ab = np.minimum(pairs.counts[frequent], np.minimum(n_a, n_b))  # a count may be too high, but not above these
    scores = np.log(N * n_ab / (n_a.astype(np.float64) * n_b)) / np.log(N / n_ab)
    found = sorted(
        (-round(float(scores[i]), 12), words[first[i]], words[second[i]])
        for i in np.flatnonzero(scores >= threshold - 1e-12)
    )
    return Phrases(tuple((a, b) for _, a, b in found), tuple(-score for score, _, _ in found), pairs.error)


def _pair(pair: Any) -> tuple[str, str]:
    words = pair.split() if isinstance(pair, str) else pair
    if not isinstance(words, list | tuple) or len(words) != 2 or not all(isinstance(w, str) and w for w in words):
        raise ParameterError(f"{pair!r:.80} is not a phrase; give two words, such as ('new', 'york')")
    return words[0], words[1]


def _score(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= 1:
        raise ParameterError(f"{score!r:.80} is not a score of a phrase; scores are between −1 and 1")
    return float(score)
