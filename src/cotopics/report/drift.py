"""What became of the topics of one model in another: grown, shrunk, split, merged, new or gone."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.metrics.matching import TopicPair, same_words
from cotopics.records import Array

SAME = 0.5  # of their words that two topics have in common, from which they are one topic at two times
CHANGED = 1.2  # times the share, or 1/1.2 of it
LEAST = 0.005  # of all documents: a smaller change of share is not spoken of
NEARER = 0.05  # of its words that a topic has in common with two topics together, beyond those with one of them


def changes(model: Any, other: Any, pairs: list[TopicPair]) -> list[dict[str, Any] | None]:
    """What became of each pair's topic, from `other` (earlier) to `model` (later), or None where nothing to speak of.

    {"kind": "grew" or "shrank"}, {"kind": "split" or "merged", "with": a topic of the later model} (a topic that split
    off from the earlier topic of that one, or became part of it), {"kind": "new"} or {"kind": "gone"}."""
    later, earlier = same_words(model, other)
    shares = model.topic_prevalence_, other.topic_prevalence_
    partner = {pair.second: pair.first for pair in pairs}
    back = {pair.first: pair.second for pair in pairs}
    found: list[dict[str, Any] | None] = []
    for pair in pairs:
        if pair.first is None:
            assert pair.second is not None
            found.append(_joined(later, earlier, shares[1], pair.second, partner))
        elif pair.second is None:
            found.append(_left(later, earlier, shares[0], pair.first, back))
        else:
            found.append(_grown(pair, shares[0][pair.first], shares[1][pair.second]))
    return found


def _grown(pair: TopicPair, now: float, then: float) -> dict[str, Any] | None:
    if pair.overlap < SAME or abs(now - then) < LEAST:
        return None
    if now >= CHANGED * then:
        return {"kind": "grew"}
    return {"kind": "shrank"} if now * CHANGED <= then else None


def _left(later: Array, earlier: Array, shares: Array, alone: int, back: dict[Any, Any]) -> dict[str, Any]:
    """A topic without an earlier one: split off from that of another topic, or new."""
    for topic in np.argsort(-np.minimum(later, later[:, [alone]]).sum(axis=0), kind="stable").tolist():
        before = back.get(topic)
        if before is not None and _is_both(earlier[:, before], later[:, [topic, alone]], shares[[topic, alone]]):
            return {"kind": "split", "with": topic}
    return {"kind": "new"}


def _joined(later: Array, earlier: Array, shares: Array, gone: int, partner: dict[Any, Any]) -> dict[str, Any]:
    """An earlier topic without a later one: part of another topic now, or gone."""
    for before in np.argsort(-np.minimum(earlier, earlier[:, [gone]]).sum(axis=0), kind="stable").tolist():
        topic = partner.get(before)
        if topic is not None and _is_both(later[:, topic], earlier[:, [before, gone]], shares[[before, gone]]):
            return {"kind": "merged", "with": topic}
    return {"kind": "gone"}


def _is_both(one: Array, two: Array, shares: Array) -> bool:
    """Whether a topic (n_words,) has more words in common with two together (n_words, 2) than with either."""
    together = two @ (shares / (shares.sum() or 1.0))
    alone = np.minimum(two, one[:, None]).sum(axis=0).max()
    return bool(np.minimum(together, one).sum() > alone + NEARER)
