"""Topics by their words: leading words, topics over time, and two models side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.corpus.dates import is_iso, iso_dates
from cotopics.errors import ParameterError, warn_caller
from cotopics.layout import join_thin_periods, shares_by_period
from cotopics.metrics.inputs import leading_words, topic_matrix
from cotopics.metrics.matching import pair_topics
from cotopics.plot.canvas import (
    BLACK,
    BLUE,
    LIGHT,
    MARKERS,
    ORANGE,
    SERIES,
    TEXT,
    bare,
    chosen_topics,
    one_axes,
    panels,
    shown,
    topic_names,
)
from cotopics.records import Array
from cotopics.words import leading_words_of

MAX_TICKS = 9
MAX_TITLE = 24  # characters of a name above its bars
LINE_HEIGHT = 0.055  # of a line of text, as a share of the height of the axes
NO_PARTNER = "(no counterpart)"


def top_words(
    topics: Any,
    n: int = 8,
    *,
    relevance: float | None = None,
    feature_names: Sequence[str] | None = None,
    only: Sequence[int] | None = None,
    axes: Any = None,
) -> Any:
    """Bars of p(word | topic) for the n leading words of each topic, one panel per topic; returns axes (n_topics,).

    topics: a fitted model, whose words are ranked by `relevance` as in its `top_words`; or B (n_words, n_topics),
    ranked by probability. All panels have one scale, so long bars mean a topic of few words. Anchor words are orange
    where a method's topics are made of them, as AnchorWords' are.
    only: the numbers of the topics to draw; axes: where to draw (None: a new figure).

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> [panel.get_title(loc="left") for panel in top_words(model)]
    ['topic 0, 66.7%', 'topic 1, 33.3%']
    """
    B = topic_matrix(topics)
    chosen = chosen_topics(only, B.shape[1])
    if hasattr(topics, "top_words"):
        ids = leading_words_of(topics, n, relevance)
    elif relevance not in (None, 1):
        raise ParameterError(f"relevance={relevance} needs a fitted model, which knows the prevalence of topics")
    else:
        ids = leading_words(B, n).T
    names = getattr(topics, "vocabulary_", None) if feature_names is None else feature_names
    names = range(B.shape[0]) if names is None else names
    if len(names) != B.shape[0]:
        raise ParameterError(f"feature_names has {len(names)} words and the topics {B.shape[0]}")
    groups = getattr(topics, "anchor_groups_", None) if getattr(topics, "_made_of_anchors", True) else None
    prevalence = getattr(topics, "topic_prevalence_", None)
    given = getattr(getattr(topics, "fit_", None), "names", None) or [None] * B.shape[1]
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
        panel.set_title(f"{shown(given[k] or f'topic {k}', MAX_TITLE)}{share}", fontsize=9, loc="left", **TEXT)
        bare(panel, grid="x")
    return axes


def topics_over_time(
    W: Any,
    dates: Sequence[Any],
    *,
    model: Any = None,
    labels: Sequence[str] | None = None,
    period: str | None = None,
    only: Sequence[int] | None = None,
    min_documents: int | None = None,
    ax: Any = None,
) -> Any:
    """The mean share of topics in the documents of each period; returns axes.

    W (n_documents, n_topics): the result of `transform`. dates: one per document, dates or texts in ISO 8601 or another
    common form; documents without one that is understood are left out, with a warning. period: "year", "month", "day",
    or None to choose. only: the numbers of the topics to draw (None: the seven whose share changes most between
    periods, which count by their documents). model: a fitted model whose words name the topics; or give `labels`.
    A period without documents is a gap. Neighbouring periods are joined until each has `min_documents` (None: ten, or
    an eighth of all where that is less; 1: never), and the figure says so.

    >>> W = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> axes = topics_over_time(W, ["2023-01-05", "2023-02-01", "2023-03-09"], labels=["rain", "sun"], min_documents=1)
    >>> [label.get_text() for label in axes.get_xticklabels()]
    ['2023-01', '2023-02', '2023-03']
    """
    by_period = shares_by_period(W, _iso_dates(dates), period, strict=False)
    course = join_thin_periods(by_period, min_documents)
    n_periods, n_topics = course.shares.shape
    names = topic_names(model, labels, n_topics)
    chosen = chosen_topics(_changing(course.shares, course.documents) if only is None else only, n_topics)
    ax = one_axes(ax, (8, 4.2))
    place = np.arange(n_periods)
    top = float(np.nanmax(course.shares[:, chosen])) or 1.0
    ends = [share[np.isfinite(share)][-1] for share in course.shares[:, chosen].T]
    styles = [{"color": SERIES[i % len(SERIES)], "marker": MARKERS[i % len(MARKERS)]} for i in range(len(chosen))]
    for k, style in zip(chosen, styles, strict=True):
        ax.plot(place, course.shares[:, k], markersize=4, linewidth=1.4, **style)
    for k, height, style in zip(chosen, _spread(np.array(ends) / (1.06 * top)), styles, strict=True):
        ax.plot(1.02, height, markersize=5, transform=ax.transAxes, clip_on=False, **style)
        ax.text(1.04, height, names[k], transform=ax.transAxes, va="center", fontsize=8, **TEXT)
    ax.set_ylim(0, 1.06 * top)
    ax.set_xlim(-0.02 * n_periods - 0.1, n_periods - 1 + 0.02 * n_periods + 0.1)
    ticks = place[:: -(-n_periods // MAX_TICKS)]
    ax.set_xticks(ticks, [course.names[i] for i in ticks], fontsize=8)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}" if top > 0.05 else f"{value:.1%}")
    ax.set_ylabel("mean share")
    if len(course.names) < len(by_period.names):
        ax.set_xlabel("neighbouring periods of few documents are joined", fontsize=8)
    bare(ax)
    return ax


def _iso_dates(dates: Sequence[Any]) -> list[Any]:
    """The dates, with texts in ISO 8601; "" and a warning for texts that are not understood."""
    texts, _ = iso_dates([date if isinstance(date, str) else "" for date in dates])
    known = [bool(text) and is_iso(text) for text in texts]
    unread = [text for text, fine in zip(texts, known, strict=True) if text and not fine]
    if unread:
        warn_caller(
            f"{len(unread)} of {len(texts)} dates are not understood, such as {unread[0][:40]!r}; these documents are "
            "left out. Write dates as 2024-05-31"
        )
    ours = zip(dates, texts, known, strict=True)
    return [(text if fine else "") if isinstance(date, str) else date for date, text, fine in ours]


def _changing(shares: Array, documents: Any) -> list[int]:
    """The topics whose share changes most, in the order of their last share, the largest first.

    By the variance between periods, each of which weighs as much as its documents."""
    filled = documents > 0
    known, weight = shares[filled], documents[filled] / documents.sum()
    variance = weight @ (known - weight @ known) ** 2
    change = np.argsort(-variance, kind="stable")[: len(SERIES)]
    return [int(k) for k in change[np.argsort(-known[-1, change], kind="stable")]]


def _spread(heights: Array) -> Array:
    """Heights (n,) from 0 to 1, moved as little as possible so that each has room for a line of text.

    >>> _spread(np.array([0.5, 0.5])).round(4).tolist()
    [0.5275, 0.4725]
    """
    order = np.argsort(-heights, kind="stable")
    steps = LINE_HEIGHT * np.arange(len(order))
    pools: list[list[float]] = []  # isotonic regression: means of values that are out of order, and their number
    for value in heights[order] + steps:
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (a, m), (b, k) = pools[-2:]
            pools[-2:] = [[(m * a + k * b) / (m + k), m + k]]
    placed = np.concatenate([np.full(int(k), value) for value, k in pools]) - steps
    result = np.empty_like(placed)
    result[order] = placed
    return result


def topic_comparison(
    first: Any, second: Any, *, names: tuple[str, str] = ("first", "second"), n: int = 4, ax: Any = None
) -> Any:
    """Topics of two models, matched one to one (`metrics.match_topics`), the most similar on top; returns axes.

    first, second: fitted models, whose words are matched by name if both know theirs; or B (n_words, n_topics) of the
    same words. The bar between two topics is Σ_w min(p(w | one), p(w | other)): 1 if they are equal, 0 if they share no
    word. Topics without a partner come last. n: words shown for each topic.

    >>> B = np.array([[0.6, 0.0], [0.4, 0.1], [0.0, 0.9]])
    >>> axes = topic_comparison(B, B[:, ::-1])  # the same topics in another order
    >>> len(axes.patches) > 0
    True
    """
    pairs = pair_topics(first, second)
    texts = [topic_names(topics, None, topic_matrix(topics).shape[1], n) for topics in (first, second)]
    letters = sum(max(map(len, side)) for side in texts)
    ax = one_axes(ax, (3.5 + 0.07 * letters, 0.9 + 0.27 * len(pairs)))
    rows = np.arange(len(pairs))
    matched = [pair.first is not None and pair.second is not None for pair in pairs]
    ax.barh(rows, np.asarray(matched, dtype=np.float64), color=LIGHT, height=0.7)
    ax.barh(rows, [pair.overlap for pair in pairs], color=BLUE, height=0.7)
    for place, pair in enumerate(pairs):
        if matched[place]:
            inside = pair.overlap > 0.25
            style = {"ha": "right", "color": "white"} if inside else {"ha": "left", "color": BLACK}
            at = pair.overlap + (-0.02 if inside else 0.02)
            ax.text(at, place, f"{pair.overlap:.0%}", va="center", fontsize=7, **style)
    ax.set_xlim(0, 1)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    right = ax.twinx()
    right.set_ylim(ax.get_ylim())
    for side, axes in enumerate((ax, right)):
        ids = [pair[side] for pair in pairs]
        axes.set_yticks(rows, [NO_PARTNER if k is None else texts[side][int(k)] for k in ids], fontsize=8, **TEXT)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_title(shown(names[0], 40), fontsize=9, loc="left", **TEXT)
    ax.set_title("overlap", fontsize=9)
    ax.set_title(shown(names[1], 40), fontsize=9, loc="right", **TEXT)
    return ax
