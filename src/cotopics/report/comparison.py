"""Two models side by side: each topic with its like, and the measures of both."""

from __future__ import annotations

from typing import Any

from cotopics.metrics.matching import pair_topics
from cotopics.report import overview, words
from cotopics.report.words import readable, short

LEADING = 12  # words of a topic


def comparison(model: Any, other: Any, measures: list[dict[str, Any]], corpus: Any) -> dict[str, Any]:
    """What the report shows of `other` beside `model`, whose measures are known.

    corpus: documents over the words of `other`, or None. Measures of C are of the documents as `model` weighs them.
    """
    pairs = pair_topics(model, other)
    named = other.vocabulary_ if model.vocabulary_ is None else model.vocabulary_
    lists = [_leading(one, named if one.vocabulary_ is None else one.vocabulary_) for one in (model, other)]
    shown = []
    for pair in pairs:
        ids = (pair.first, pair.second)
        both = set.intersection(*(set() if k is None else set(found[k]) for k, found in zip(ids, lists, strict=True)))
        sides = [
            None if k is None else _side(one, k, found[k], both)
            for k, one, found in zip(ids, (model, other), lists, strict=True)
        ]
        shown.append({"sides": sides, "overlap": round(pair.overlap, 4)})
    return {
        "models": [_about(one) for one in (model, other)],
        "n_shared": _shared_words(model, other),
        "note": _note(model, other),
        "pairs": shown,
        "measures": _beside(measures, _measures(model, other, corpus)),
    }


def _leading(model: Any, names: Any) -> list[list[str]]:
    """The leading words of each topic, those that the topic has; without names, their ids."""
    return [
        [word if names is None else str(names[int(word)]) for word in found if model.components_[k, int(word)] > 0]
        for k, found in enumerate(model.top_words(LEADING, None, range(model.n_features_in_)))
    ]


def _side(model: Any, k: int, leading: list[str], both: set[str]) -> dict[str, Any]:
    """One topic of a pair: its number, share and words, each with 1 where the other leads with it too."""
    return {
        "topic": k,
        "prevalence": short(model.topic_prevalence_[k], 4),
        "words": [[readable(word, words.LETTERS), int(word in both)] for word in leading],
    }


def _about(model: Any) -> dict[str, Any]:
    name = (model.provenance_ or {}).get("input")
    fitted_on = f", fitted on {readable(name, 60)}" if isinstance(name, str) and name else ""
    title = f"{type(model).__name__}, {model.n_topics_} topics{fitted_on}"
    return {"name": title, "n_topics": int(model.n_topics_), "n_words": int(model.n_features_in_)}


def _shared_words(model: Any, other: Any) -> int:
    """Words that both models know; where one has no names, all of them."""
    if model.vocabulary_ is None or other.vocabulary_ is None:
        return int(model.n_features_in_)
    return len(set(model.vocabulary_) & set(other.vocabulary_))


def _note(model: Any, other: Any) -> str:
    """What a reader should beware of."""
    first, second = ((one.provenance_ or {}).get("preparation") for one in (model, other))
    if first is not None and second is not None and first != second:
        return (
            "Texts became words in another way for the second model, and the documents here are prepared as for the "
            "first: measures of the second are of the words that both ways have in common."
        )
    return ""


def _measures(model: Any, other: Any, corpus: Any) -> list[dict[str, Any]]:
    if corpus is None:
        return overview.measures(other, None, None)
    return overview.measures(other, corpus.counts, corpus.labels, weighting=getattr(model, "weighting", "counts"))


def _beside(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Measures of both, and which is better: 0, 1, or None where neither is."""
    found = []
    for one, two in zip(first, second, strict=True):
        values = [one["value"], two["value"]]
        better = None
        if one["better"] and None not in values and values[0] != values[1]:
            better = int((values[1] > values[0]) == (one["better"] == "higher"))
        found.append(
            {
                "name": one["name"],
                "values": values,
                "shown": [one["shown"], two["shown"]],
                "better": better,
                "meaning": one["meaning"],
                "good": one["good"],
            }
        )
    return found
