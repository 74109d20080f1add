"""The course of topics over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.layout import shares_by_period
from cotopics.plot.canvas import MARKERS, SERIES, bare, one_axes
from cotopics.plot.words import TEXT, topic_names
from cotopics.records import Array

MOST_TICKS = 9
LINE = 0.055  # of the height of the axes, for a line of text


def topics_over_time(
    W: Any,
    dates: Sequence[Any],
    *,
    model: Any = None,
    labels: Sequence[str] | None = None,
    period: str | None = None,
    only: Sequence[int] | None = None,
    ax: Any = None,
) -> Any:
    """The mean share of topics in the documents of each period; returns axes.

    W (n_documents, n_topics): what `transform` gives. dates: one a document, ISO 8601 texts or dates; documents without
    one are left out. period: "year", "month", "day", or None to choose. only: the topics to draw, by number (None:
    seven whose share changes most between periods). model: fitted, whose words name the topics; or give `labels`. A
    period without documents is a gap.
    """
    course = shares_by_period(W, dates, period)
    n_periods, n_topics = course.shares.shape
    names = topic_names(model, labels, n_topics)
    chosen = _changing(course.shares) if only is None else [int(k) for k in only]
    if not chosen or min(chosen) < 0 or max(chosen) >= n_topics:
        raise ParameterError(f"only={only!r} must name topics from 0 to {n_topics - 1}")
    ax = one_axes(ax, (8, 4.2))
    place, ends = np.arange(n_periods), []
    for line, k in enumerate(chosen):
        share = course.shares[:, k]
        colour, marker = SERIES[line % len(SERIES)], MARKERS[line % len(MARKERS)]
        ax.plot(place, share, color=colour, marker=marker, markersize=4, linewidth=1.4)
        ends.append(share[np.isfinite(share)][-1])
    top = float(np.nanmax(course.shares[:, chosen])) or 1.0
    ax.set_ylim(0, 1.06 * top)
    ax.set_xlim(-0.02 * n_periods - 0.1, n_periods - 1 + 0.02 * n_periods + 0.1)
    heights = _spread(np.array(ends) / (1.06 * top))
    for line, (k, height) in enumerate(zip(chosen, heights, strict=True)):
        marker, colour = MARKERS[line % len(MARKERS)], SERIES[line % len(SERIES)]
        ax.plot(1.02, height, marker=marker, color=colour, markersize=5, transform=ax.transAxes, clip_on=False)
        ax.text(1.04, height, names[k], transform=ax.transAxes, va="center", fontsize=8, **TEXT)
    ticks = place[:: -(-n_periods // MOST_TICKS)]
    ax.set_xticks(ticks, [course.names[i] for i in ticks], fontsize=8)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}" if top > 0.05 else f"{value:.1%}")
    ax.set_ylabel("mean share")
    bare(ax)
    return ax


def _changing(shares: Array) -> list[int]:
    """Topics whose share changes most, the largest at the end first."""
    known = shares[np.isfinite(shares).all(axis=1)]
    change = np.argsort(-np.ptp(known, axis=0), kind="stable")[: len(SERIES)]
    return [int(k) for k in change[np.argsort(-known[-1, change], kind="stable")]]


def _spread(heights: Array) -> Array:
    """Heights (n,) from 0 to 1 moved as little as makes room for a line of text at each.

    >>> _spread(np.array([0.5, 0.5])).round(4).tolist()
    [0.5275, 0.4725]
    """
    order = np.argsort(-heights, kind="stable")
    steps = LINE * np.arange(len(order))
    flat = heights[order] + steps  # to be made non-increasing: pools of equal values, by means
    pools: list[list[float]] = []
    for value in flat:
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (a, m), (b, k) = pools[-2:]
            pools[-2:] = [[(m * a + k * b) / (m + k), m + k]]
    placed = np.concatenate([np.full(int(k), value) for value, k in pools]) - steps
    result = np.empty_like(placed)
    result[order] = placed
    return result
