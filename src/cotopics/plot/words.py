"""Words in figures: text as it is, never markup, and short enough to be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.plot.canvas import any_script
from cotopics.records import Array

TEXT = {"parse_math": False, "usetex": False}  # "$x^2$" is a word like any other
MOST_LETTERS = 18
MOST_IN_ALL = 44  # of the words that name a topic
LABEL_WORDS = 3
SIZE = 8  # of letters, in points
CROWDED = 0.15  # of a text
# control characters, half pairs, line ends and turns of the writing direction: nothing to be seen, and files that break
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def shown(word: Any, most: int = MOST_LETTERS) -> str:
    """A word as it stands in a figure: at most so many letters, and U+FFFD for characters that cannot be seen.

    >>> shown("$x$"), shown("a\\nb"), shown("antidisestablishmentarianism")
    ('$x$', 'a\ufffdb', 'antidisestablishm…')
    """
    text = str(word)
    short = text if len(text) <= most else text[: most - 1] + "…"
    return UNSEEN.sub("\ufffd", short)


def topic_names(topics: Any, labels: Sequence[Any] | None, n_topics: int, n: int = LABEL_WORDS) -> list[str]:
    """What each topic is called: `labels`, or its number and n leading words, or its number alone."""
    if labels is not None:
        if len(labels) != n_topics:
            raise ParameterError(f"there are {n_topics} topics and {len(labels)} labels")
        return [shown(label, MOST_IN_ALL) for label in labels]
    if not hasattr(topics, "top_words"):
        return [f"topic {k}" for k in range(n_topics)]
    lists = [" ".join(map(shown, words)) for words in topics.top_words(n)]
    return [shown(f"{k}: {words}", MOST_IN_ALL) for k, words in enumerate(lists)]


def place_labels(ax: Any, points: Array, radii: Array, texts: Sequence[str], *, margin: float = 1.5) -> list[Any]:
    """Write texts beside circles of these centres (n, 2) and radii (n,), where they cover least of one another.

    Returns those written: a text that would cover others by more than CROWDED of itself is left out. Large circles come
    first. Each text takes the best of eight places around its circle; those of earlier texts, the
    other circles and the edge of the axes count against a place. margin: between circle and text, in points. Places
    are right for the size that the figure has now.
    """
    with any_script():
        ax.figure.figure.draw_without_rendering()  # of the whole figure, which settles where the axes are
        pixels = ax.transData.transform(points)
        reach = ax.transData.transform(points + np.column_stack([radii, np.zeros(len(radii))]))[:, 0] - pixels[:, 0]
        room = ax.get_window_extent()
        to_points = 72 / ax.figure.dpi
        edge = (reach + margin / to_points / 2)[:, None]
        taken = np.column_stack([pixels - edge, pixels + edge])  # left, bottom, right, top
        written = []
        boxes = np.zeros((0, 4))
        for i in np.argsort(-radii, kind="stable").tolist():
            label = ax.annotate(
                texts[i], points[i], (0, 0), textcoords="offset points", fontsize=SIZE, ha="center", va="center", **TEXT
            )
            label.set_bbox({"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5})
            label.set_in_layout(False)
            extent = label.get_window_extent()
            places = _around(reach[i] + margin / to_points, extent.width, extent.height)
            candidates = np.array([[*(pixels[i] + p - half), *(pixels[i] + p + half)] for p, half in places])
            covered = _overlap(candidates, np.concatenate([boxes, np.delete(taken, i, axis=0)])).sum(axis=1)
            cost = covered + 3 * _outside(candidates, room)
            best = int(np.argmin(np.round(cost, 3) + 0.01 * np.arange(len(places))))  # the first where they are equal
            if covered[best] > CROWDED * extent.width * extent.height:
                label.remove()
                continue
            label.set_position(tuple(to_points * places[best][0]))
            boxes = np.vstack([boxes, candidates[best]])
            written.append(label)
    return written


def _around(reach: float, width: float, height: float) -> list[tuple[Array, Array]]:
    """Eight places around a circle, below first: the middle of the text and half its size, in pixels."""
    half = np.array([width, height]) / 2
    x, y = reach + half[0], reach + half[1]
    slanted = 0.7 * reach + half
    signs = [(0, -1), (0, 1), (1, 0), (-1, 0)]
    straight = [np.array([dx * x, dy * y]) for dx, dy in signs]
    return [(p, half) for p in straight + [slanted * s for s in ((1, -1), (-1, -1), (1, 1), (-1, 1))]]


def _overlap(A: Array, B: Array) -> Array:
    """Areas that boxes A (n, 4) and B (m, 4) share, (n, m)."""
    low = np.maximum(A[:, None, :2], B[None, :, :2])
    high = np.minimum(A[:, None, 2:], B[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2))


def _outside(A: Array, room: Any) -> Array:
    """Areas of boxes A (n, 4) outside of `room`, (n,)."""
    inside = _overlap(A, np.array([[room.x0, room.y0, room.x1, room.y1]]))[:, 0]
    return np.asarray((A[:, 2:] - A[:, :2]).prod(axis=1) - inside)
