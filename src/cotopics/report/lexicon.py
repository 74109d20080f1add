"""The words of a report: which are shown, in which order, and to which topics they belong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.records import Array, WordIds
from cotopics.words import largest, leading_words_of

N_TOPIC_WORDS = 30
MAX_SEARCHED_WORDS = 5000
RELEVANCES = tuple(round(0.1 * i, 1) for i in range(11))  # steps of the slider
MAX_TOPICS = 5  # shown for a word
MIN_MEMBERSHIP = 0.005  # p(topic | word) of a topic that is shown for a word
MAX_LETTERS = 60  # of a word
MAX_ANCHORS = 12  # of a group
# control characters except line ends and tabs, and lone surrogates
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Lexicon:
    """The words in the report: their ids, and the position of each of the model's words among them (−1: none)."""

    ids: WordIds
    position: WordIds

    def __getitem__(self, word: Any) -> int:
        return int(self.position[word])


def frequency(model: Any) -> Array:
    """p(word) (n_words,) in the documents of the fit, or in the model if the fit did not see documents."""
    return np.asarray(model.topic_prevalence_ @ model.components_ if model.background_ is None else model.background_)


def frequent(model: Any, n: int) -> list[int]:
    """The n most frequent words that are in a topic, most frequent first."""
    ranked = np.argsort(-frequency(model).astype(np.float32), kind="stable")
    return [int(word) for word in ranked[model.components_.any(axis=0)[ranked]][:n]]


def lexicon(model: Any, needed: list[int]) -> Lexicon:
    """The most frequent words and the needed ones, most frequent first."""
    wanted = np.unique([*frequent(model, MAX_SEARCHED_WORDS), *needed]).astype(np.int64)
    ids = wanted[np.argsort(-frequency(model)[wanted].astype(np.float32), kind="stable")]
    position = np.full(model.n_features_in_, -1)
    position[ids] = np.arange(len(ids))
    return Lexicon(ids, position)


def prominent(model: Any) -> list[tuple[list[int], list[list[int]]]]:
    """For each topic, the words that lead it for some relevance, and their order for each of RELEVANCES.

    Orders are those of `top_words`, as positions in the list of words.
    """
    found = [leading_words_of(model, N_TOPIC_WORDS, step) for step in RELEVANCES]
    topics = []
    for k in range(model.n_topics_):
        orders = [[int(word) for word in ranked[k] if model.components_[k, word] > 0] for ranked in found]
        words = list(dict.fromkeys(word for order in reversed(orders) for word in order))
        place = {word: i for i, word in enumerate(words)}
        topics.append((words, [[place[word] for word in order] for order in orders]))
    return topics


def characteristic(model: Any) -> list[list[int]] | None:
    """For each topic, the words that co-occur most with its anchor; None if the model has no anchors."""
    scores = model.anchor_cooccurrence_
    if scores is None:
        return None
    ranked = largest(scores, N_TOPIC_WORDS)
    return [[int(word) for word in words if scores[k, word] > 0] for k, words in enumerate(ranked)]


def memberships(model: Any, shown: Lexicon) -> list[list[Any]]:
    """For each shown word: uses per million words, then topic and p(topic | word) in thousandths, largest first."""
    joint = model.components_[:, shown.ids].T * model.topic_prevalence_
    share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    uses = 1e6 * frequency(model)[shown.ids]
    leading = np.argsort(-share.astype(np.float32), axis=1, kind="stable")[:, :MAX_TOPICS]
    return [
        [short(uses[i]), *(n for k in leading[i] if p[k] >= MIN_MEMBERSHIP for n in (int(k), round(1000 * p[k])))]
        for i, p in enumerate(share.tolist())
    ]


def names(model: Any, ids: Any) -> list[str]:
    """The words with these ids, as they are shown."""
    words = model.vocabulary_
    return [readable(str(i) if words is None else str(words[i]), MAX_LETTERS) for i in ids]


def readable(text: str, max_length: int) -> str:
    """The text cut to `max_length` characters, with U+FFFD in place of invisible characters."""
    return INVISIBLE.sub("\ufffd", text if len(text) <= max_length else f"{text[: max_length - 1]}…")


def short(value: float, digits: int = 3) -> float:
    """The number rounded to this many significant digits."""
    return float(f"{value:.{digits}g}")
