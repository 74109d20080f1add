"""Pairs of words that belong together, such as "new york": finding them in one pass, and joining them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cotopics.errors import CorpusError, ParameterError

Whole = np.ndarray[Any, np.dtype[np.integer[Any]]]
BATCH = 2_000_000  # words between two merges of the pairs counted


@dataclass(frozen=True)
class Phrases:
    """Pairs of words that are joined where one follows the other, from the left: each word belongs to one pair at most.

    A joined pair may itself be the first word of another. `scores` has the normalised pointwise mutual information of
    every pair, where they were found in texts; `error` is how much too high the counts behind it may be, 0 where all
    pairs fitted in memory.

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
        """What `to_json` gave, checked."""
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
    information ln(N n_ab / (n_a n_b)) / ln(N / n_ab), where N is the number of words: 1 where neither word is ever
    without the other, 0 where they meet by chance, −1 at the least.

    At most `max_pairs` different pairs are kept in memory, and the rarest forgotten where there are more: by lossy
    counting no count is too low, and none is too high by more than `Phrases.error`.

    Of 16 words, "new" and "york" are 4 each and always together: ln 4 / ln 4. "big" 4 times, "apple" 2 times, both
    after "big": ln 4 / ln 8. "apple" is before a "big" once.

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
    """How often pairs (one number each) were seen, of which at most `most` are remembered; Manku and Motwani 2002.

    A pair that is new may have been seen and forgotten, so that it starts with `error`, the largest count forgotten.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.pairs: Whole = np.zeros(0, dtype=np.int64)  # ascending
        self.counts: Whole = np.zeros(0, dtype=np.int64)
        self.error = 0

    def add(self, seen: Whole) -> None:
        new, times = np.unique(seen, return_counts=True)
        times = times + np.where(np.isin(new, self.pairs, assume_unique=True), 0, self.error)
        both, place = np.unique(np.concatenate([self.pairs, new]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([self.counts, times]), len(both)).astype(np.int64)
        n_over = len(both) - self.most
        if n_over > 0:
            self.error = int(np.partition(counts, n_over - 1)[n_over - 1])
            both, counts = both[counts > self.error], counts[counts > self.error]
        self.pairs, self.counts = both, counts


def _batches(documents: Iterable[Sequence[str]], numbers: dict[str, int]) -> Iterable[tuple[Whole, Any]]:
    """Numbers of the words, a batch of whole documents at a time, and where among them a document begins."""
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


def _numbered(ids: array[int], starts: list[int]) -> tuple[Whole, Any]:
    breaks = np.zeros(len(ids) + 1, dtype=bool)
    breaks[starts] = True
    return np.array(ids, dtype=np.int32), breaks[:-1]


def _best(pairs: PairCounts, occurrences: Whole, words: list[str], min_count: int, threshold: float) -> Phrases:
    frequent = pairs.counts >= min_count
    first, second = pairs.pairs[frequent] >> 32, pairs.pairs[frequent] & 0xFFFFFFFF
    n_a, n_b, N = occurrences[first], occurrences[second], occurrences.sum()
    n_ab = np.minimum(pairs.counts[frequent], np.minimum(n_a, n_b))  # a count that is too high is still no more
    scores = np.log(N * n_ab / (n_a.astype(np.float64) * n_b)) / np.log(N / n_ab)
    found = sorted(
        (-round(float(scores[i]), 12), words[first[i]], words[second[i]])
        for i in np.flatnonzero(scores >= threshold - 1e-12)
    )
    return Phrases(tuple((a, b) for _, a, b in found), tuple(-score for score, _, _ in found), pairs.error)


def _pair(pair: Any) -> tuple[str, str]:
    words = pair.split() if isinstance(pair, str) else pair
    if not isinstance(words, list | tuple) or len(words) != 2 or not all(isinstance(w, str) and w for w in words):
        raise ParameterError(f"{pair!r:.80} is no phrase; give two words, such as ('new', 'york')")
    return words[0], words[1]


def _score(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= 1:
        raise ParameterError(f"{score!r:.80} is no score of a phrase; scores are between −1 and 1")
    return float(score)
