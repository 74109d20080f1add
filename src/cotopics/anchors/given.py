"""Anchors given by the user, one word or several per topic."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.records import WordIds
from cotopics.word_matching import AMBIGUOUS


def resolve_groups(anchors: Iterable[Any], n_words: int, word_ids: Mapping[str, int] | None) -> list[WordIds]:
    """The user's anchors (words, word ids, or groups of them) as arrays of word ids.

    `word_ids` maps words to ids; None if the vocabulary is not known, and then only ids are accepted.
    """
    if isinstance(anchors, str | bytes):
        raise ParameterError(f"anchors={anchors!r} is one word; give a list with a word or a group of words per topic")
    if not isinstance(anchors, Iterable):
        raise ParameterError(f"anchors={anchors!r} is not a list; give a word or a group of words per topic")
    groups = [
        np.array([_resolve(word, n_words, word_ids) for word in _members(entry)], dtype=np.int64) for entry in anchors
    ]
    seen: dict[int, int] = {}
    for topic, group in enumerate(groups):
        if len(group) == 0:
            raise ParameterError(f"anchors[{topic}] is empty; give at least one word per topic")
        for word in group.tolist():
            if seen.get(word) == topic:
                raise ParameterError(f"word {_name(word, word_ids)} is given twice as an anchor of topic {topic}")
            if word in seen:
                raise ParameterError(
                    f"word {_name(word, word_ids)} is an anchor of topics {seen[word]} and {topic}; "
                    "an anchor word belongs to one topic only"
                )
            seen[word] = topic
    return groups


def _members(entry: Any) -> Sequence[Any]:
    return list(entry) if isinstance(entry, Iterable) and not isinstance(entry, str) else [entry]


def _resolve(word: Any, n_words: int, word_ids: Mapping[str, int] | None) -> int:
    if isinstance(word, str):
        if word_ids is None:
            raise ParameterError(
                f"anchor {word!r} is a word, but the vocabulary is not known. "
                "Give word ids, or fit(X, feature_names=...) or a DataFrame with the words as columns"
            )
        if word not in word_ids:
            raise ParameterError(f"anchor {word!r} is not in the vocabulary of {n_words} words")
        if word_ids[word] == AMBIGUOUS:
            raise ParameterError(f"anchor {word!r} is in the vocabulary more than once; give its word id instead")
        return word_ids[word]
    if isinstance(word, int | np.integer) and not isinstance(word, bool):
        if not 0 <= word < n_words:
            raise ParameterError(f"anchor id {word} is outside the vocabulary of {n_words} words")
        return int(word)
    raise ParameterError(f"anchor {word!r} is neither a word nor a word id")


def _name(word: int, word_ids: Mapping[str, int] | None) -> str:
    if word_ids is not None:
        for name, i in word_ids.items():
            if i == word:
                return repr(name)
    return str(word)
