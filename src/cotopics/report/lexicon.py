"""Words of topics: which are shown, in which order, and which topics a word belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.records import Array, WordIds

WORDS = 30  # of a topic
LEXICON = 5000  # most frequent words that can be searched for
RELEVANCES = tuple(round(0.1 * i, 1) for i in range(11))  # steps of the slider
TOPICS = 5  # that a word is shown with
LEAST = 0.005  # share of a word in a topic that is worth showing
LETTERS = 60  # of a word that are shown
ANCHORS = 12  # of a group
# control characters but line ends and tabs, and halves of surrogate pairs
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Lexicon:
    """The words that are in the report: their ids, and where each of the model's words is among them (−1: nowhere)."""

    ids: WordIds
    position: WordIds

    def __getitem__(self, word: Any) -> int:
        return int(self.position[word])


def frequency(model: Any) -> Array:
    """p(word) in the documents (n_words,), or where the fit did not look at them in the model."""
    return np.asarray(model.topic_prevalence_ @ model.components_ if model.background_ is None else model.background_)


def frequent(model: Any, most: int) -> list[int]:
    """The most frequent words that are in a topic, most frequent first."""
    ranked = np.argsort(-frequency(model).astype(np.float32), kind="stable")
    return [int(word) for word in ranked[model.components_.any(axis=0)[ranked]][:most]]


def lexicon(model: Any, needed: list[int]) -> Lexicon:
    """The most frequent words, most frequent first, and those that are needed."""
    wanted = np.zeros(model.n_features_in_, dtype=bool)
    wanted[frequent(model, LEXICON)] = True
    wanted[needed] = True
    ranked = np.argsort(-frequency(model).astype(np.float32), kind="stable")
    ids = ranked[wanted[ranked]]
    position = np.full(model.n_features_in_, -1)
    position[ids] = np.arange(len(ids))
    return Lexicon(ids, position)


def prominent(model: Any) -> list[tuple[list[int], list[list[int]]]]:
    """For each topic, the words that lead it for some relevance, and for each of RELEVANCES the order of WORDS of them.

    Orders are those of `top_words`, as positions in the list.
    """
    numbers = range(model.n_features_in_)
    found = [_as_ids(model.top_words(WORDS, step, numbers)) for step in RELEVANCES]
    topics = []
    for k in range(model.n_topics_):
        orders = [[word for word in ranked[k] if model.components_[k, word] > 0] for ranked in found]
        words = list(dict.fromkeys(word for order in reversed(orders) for word in order))
        place = {word: i for i, word in enumerate(words)}
        topics.append((words, [[place[word] for word in order] for order in orders]))
    return topics


def characteristic(model: Any) -> list[list[int]] | None:
    """For each topic, the words that co-occur most with its anchor; None where there are no anchors."""
    if model.anchor_cooccurrence_ is None:
        return None
    ranked = _as_ids(model.characteristic_words(WORDS, range(model.n_features_in_)))
    return [[word for word in words if model.anchor_cooccurrence_[k, word] > 0] for k, words in enumerate(ranked)]


def memberships(model: Any, shown: Lexicon) -> list[list[Any]]:
    """For each shown word: uses per million words, then topic and p(topic | word) in thousandths, the largest first."""
    joint = model.components_[:, shown.ids].T * model.topic_prevalence_
    share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    uses = 1e6 * frequency(model)[shown.ids]
    leading = np.argsort(-share.astype(np.float32), axis=1, kind="stable")[:, :TOPICS]
    return [
        [short(uses[i]), *(n for k in leading[i] if p[k] >= LEAST for n in (int(k), round(1000 * p[k])))]
        for i, p in enumerate(share.tolist())
    ]


def names(model: Any, ids: Any) -> list[str]:
    """The words of these ids as they are shown."""
    words = model.vocabulary_
    return [readable(str(i) if words is None else str(words[i]), LETTERS) for i in ids]


def readable(text: str, most: int) -> str:
    """The text cut to `most` characters, with what cannot be seen or encoded replaced by U+FFFD."""
    return UNSEEN.sub("\ufffd", text if len(text) <= most else f"{text[: most - 1]}…")


def short(value: float, digits: int = 3) -> float:
    """The number with so many digits that matter."""
    return float(f"{value:.{digits}g}")


def _as_ids(topics: list[list[Any]]) -> list[list[int]]:
    return [[int(word) for word in words] for words in topics]
