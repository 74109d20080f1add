"""The leading words of each topic, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.metrics.inputs import leading_words, topic_matrix
from cotopics.plot.canvas import BLUE, ORANGE, bare, panels
from cotopics.plot.words import TEXT, shown


def top_words(
    topics: Any,
    n: int = 8,
    *,
    relevance: float | None = None,
    feature_names: Sequence[str] | None = None,
    only: Sequence[int] | None = None,
    axes: Any = None,
) -> Any:
    """Bars of p(word | topic) for the n leading words of each topic, a panel a topic; returns axes (n_topics,).

    topics: a fitted model, whose `top_words` ranks the words by `relevance`; or B (n_words, n_topics), ranked by
    probability. All panels have one scale: long bars are a topic of few words. The anchor word, where there is one and
    it leads, is orange. only: the topics to draw, by number; axes: where (None: a new figure).
    """
    B = topic_matrix(topics)
    chosen = list(range(B.shape[1])) if only is None else [int(k) for k in only]
    if not chosen or min(chosen) < 0 or max(chosen) >= B.shape[1]:
        raise ParameterError(f"only={only!r} must name topics from 0 to {B.shape[1] - 1}")
    ids = _ranked(topics, B, n, relevance)
    names = _names(topics, feature_names, B.shape[0])
    groups = getattr(topics, "anchor_groups_", None)
    prevalence = getattr(topics, "topic_prevalence_", None)
    axes = panels(axes, len(chosen), 4, (2.7, 0.45 + 0.19 * min(n, B.shape[0])))
    longest = max(float(B[ids[k], k].max()) for k in chosen)
    for panel, k in zip(axes, chosen, strict=True):
        words, place = ids[k], np.arange(len(ids[k]))
        is_anchor = np.isin(words, [] if groups is None else groups[k])
        panel.barh(place, B[words, k], color=np.where(is_anchor, ORANGE, BLUE), height=0.75)
        panel.set_yticks(place, [shown(names[word]) for word in words], fontsize=8, **TEXT)
        panel.set_ylim(len(words) - 0.4, -0.6)
        panel.set_xlim(0, 1.04 * longest or 1)
        panel.tick_params(axis="x", labelsize=7)
        panel.tick_params(axis="y", length=0)
        panel.locator_params(axis="x", nbins=3)
        panel.xaxis.set_major_formatter(lambda value, _: f"{value:.2g}" if value < 0.001 else f"{100 * value:.3g}%")
        share = "" if prevalence is None else f", {prevalence[k]:.1%}"
        panel.set_title(f"topic {k}{share}", fontsize=9, loc="left")
        bare(panel, grid="x")
    return axes


def _ranked(topics: Any, B: Any, n: int, relevance: float | None) -> list[Any]:
    """Ids of the n leading words of each topic."""
    if n < 1:
        raise ParameterError(f"n={n} must be at least 1")
    if hasattr(topics, "top_words"):
        return [np.array([int(word) for word in words]) for words in topics.top_words(n, relevance, range(B.shape[0]))]
    if relevance not in (None, 1):
        raise ParameterError(f"relevance={relevance} needs a fitted model, which knows how prevalent topics are")
    return list(leading_words(B, n).T)


def _names(topics: Any, feature_names: Sequence[str] | None, n_words: int) -> Sequence[Any]:
    names = getattr(topics, "vocabulary_", None) if feature_names is None else feature_names
    names = range(n_words) if names is None else names
    if len(names) != n_words:
        raise ParameterError(f"feature_names has {len(names)} words and the topics {n_words}")
    return names
