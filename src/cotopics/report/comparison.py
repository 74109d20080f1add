"""Two models side by side: matched topics, and the measures of both.

Topics are compared over the words of both models, by name. A word that one model lacks has no probability there, so the
overlap Σ min(p, p′) is that of the words that both know, and matching by L1 distance is matching by overlap.
"""

from __future__ import annotations

from typing import Any

from cotopics.metrics.matching import pair_topics
from cotopics.report import overview
from cotopics.report.drift import changes
from cotopics.report.lexicon import MAX_LETTERS, readable, short
from cotopics.words import leading_words_of

N_COMPARED_WORDS = 12  # of a topic


def comparison(model: Any, other: Any, measures: list[dict[str, Any]], corpus: Any) -> dict[str, Any]:
    """What the report shows of `model`, with these measures, and of `other`.

    corpus: documents over the words of `other`, or None. Measures of C use the documents as `model` weights them.
    """
    vocabulary = other.vocabulary_ if model.vocabulary_ is None else model.vocabulary_
    words = [_leading(one, vocabulary if one.vocabulary_ is None else one.vocabulary_) for one in (model, other)]
    shown, pairs = [], pair_topics(model, other)
    for pair, change in zip(pairs, changes(model, other, pairs), strict=True):
        ids = (pair.first, pair.second)
        both = set.intersection(*(set() if k is None else set(found[k]) for k, found in zip(ids, words, strict=True)))
        sides = [
            None if k is None else _side(one, k, found[k], both)
            for k, one, found in zip(ids, (model, other), words, strict=True)
        ]
        shown.append({"sides": sides, "overlap": round(pair.overlap, 4), "change": change})
    counts, labels = (None, None) if corpus is None else (corpus.counts, corpus.labels)
    others = overview.measures(other, counts, labels, weighting=getattr(model, "weighting", "counts"))
    return {
        "models": [_about(one) for one in (model, other)],
        "n_shared": _n_shared_words(model, other),
        "note": _note(model, other),
        "pairs": shown,
        "measures": [_compared(*pair) for pair in zip(measures, others, strict=True)],
    }


def _leading(model: Any, names: Any) -> list[list[str]]:
    """The leading words of each topic; their ids, if words have no names."""
    return [
        [str(word if names is None else names[word]) for word in words if model.components_[k, word] > 0]
        for k, words in enumerate(leading_words_of(model, N_COMPARED_WORDS).tolist())
    ]


def _side(model: Any, k: int, leading: list[str], both: set[str]) -> dict[str, Any]:
    """One topic of a pair: its number, share and words, each with 1 if it leads the other topic too."""
    return {
        "topic": k,
        "prevalence": short(model.topic_prevalence_[k], 4),
        "words": [[readable(word, MAX_LETTERS), int(word in both)] for word in leading],
    }


def _about(model: Any) -> dict[str, Any]:
    name = (model.provenance_ or {}).get("input")
    fitted_on = f", fitted on {readable(name, 60)}" if isinstance(name, str) and name else ""
    title = f"{type(model).__name__}, {model.n_topics_} topics{fitted_on}"
    return {"name": title, "n_topics": int(model.n_topics_), "n_words": int(model.n_features_in_)}


def _n_shared_words(model: Any, other: Any) -> int:
    """Number of words that both models know; all words, if one model has no names for them."""
    if model.vocabulary_ is None or other.vocabulary_ is None:
        return int(model.n_features_in_)
    return len(set(model.vocabulary_) & set(other.vocabulary_))


def _note(model: Any, other: Any) -> str:
    """A warning for the reader, or ""."""
    first, second = ((one.provenance_ or {}).get("preparation") for one in (model, other))
    if first is not None and second is not None and first != second:
        return (
            "The texts of the second model became words in another way. The documents here are prepared as for the "
            "first model, so measures of the second only use the words that both ways have in common."
        )
    return ""


def _compared(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """A measure of both models, and which is better: 0, 1, or None."""
    values = [one["value"], two["value"]]
    better = None
    if one["better"] and None not in values and values[0] != values[1]:
        better = int((values[1] > values[0]) == (one["better"] == "higher"))
    shared = {name: one[name] for name in ("name", "meaning", "good")}
    return {**shared, "values": values, "shown": [one["shown"], two["shown"]], "better": better}
