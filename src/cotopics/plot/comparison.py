"""Two models side by side, each topic with its like."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.metrics import match_topics
from cotopics.metrics.inputs import topic_matrix
from cotopics.plot.canvas import BLACK, BLUE, LIGHT, one_axes
from cotopics.plot.words import TEXT, shown, topic_names
from cotopics.records import Array

NOBODY = "(no counterpart)"


def topic_comparison(
    first: Any, second: Any, *, names: tuple[str, str] = ("first", "second"), n: int = 4, ax: Any = None
) -> Any:
    """Topics of two models, matched one to one (`metrics.match_topics`), the most alike on top; returns axes.

    first, second: fitted models; words are matched by name where both know theirs. Or B (n_words, n_topics) of the same
    words. The bar between two topics is Σ_w min(p(w | one), p(w | other)): 1 where they are the same, 0 where they
    share no word. Topics that are left over in the larger model come last. n: words shown of each.
    """
    B, other = _same_words(first, second)
    pairs = _matched(B, other)
    overlap = [0.0 if None in pair else float(np.minimum(B[:, pair[0]], other[:, pair[1]]).sum()) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda row: (None in pairs[row], -round(overlap[row], 12), row))
    texts = [topic_names(topics, None, B.shape[1], n) for topics, B in ((first, B), (second, other))]
    letters = sum(max(map(len, side)) for side in texts)
    ax = one_axes(ax, (3.5 + 0.07 * letters, 0.9 + 0.27 * len(pairs)))
    rows = np.arange(len(order))
    ax.barh(rows, [float(None not in pairs[row]) for row in order], color=LIGHT, height=0.7)
    ax.barh(rows, [overlap[row] for row in order], color=BLUE, height=0.7)
    for place, row in enumerate(order):
        if None not in pairs[row]:
            inside = overlap[row] > 0.25
            style = {"ha": "right", "color": "white"} if inside else {"ha": "left", "color": BLACK}
            at = overlap[row] + (-0.02 if inside else 0.02)
            ax.text(at, place, f"{overlap[row]:.0%}", va="center", fontsize=7, **style)
    ax.set_xlim(0, 1)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    right = ax.twinx()
    right.set_ylim(ax.get_ylim())
    for side, axes in enumerate((ax, right)):
        ids = [pairs[row][side] for row in order]
        axes.set_yticks(rows, [NOBODY if k is None else texts[side][k] for k in ids], fontsize=8, **TEXT)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_title(shown(names[0], 40), fontsize=9, loc="left", **TEXT)
    ax.set_title("overlap", fontsize=9)
    ax.set_title(shown(names[1], 40), fontsize=9, loc="right", **TEXT)
    return ax


def _same_words(first: Any, second: Any) -> tuple[Array, Array]:
    """Topics of both over the same words: (n_words, n_topics) each."""
    B, other = topic_matrix(first), topic_matrix(second)
    words, more = getattr(first, "vocabulary_", None), getattr(second, "vocabulary_", None)
    if words is None or more is None or (len(words) == len(more) and (words == more).all()):
        if len(B) != len(other):
            raise ParameterError(f"topics over {len(B)} and {len(other)} words without names cannot be compared")
        return B, other
    place = {word: i for i, word in enumerate(dict.fromkeys([*words, *more]))}
    spread = []
    for topics, names in ((B, words), (other, more)):
        full = np.zeros((len(place), topics.shape[1]))
        np.add.at(full, [place[word] for word in names], topics)
        spread.append(full)
    return spread[0], spread[1]


def _matched(B: Array, other: Array) -> list[tuple[int | None, int | None]]:
    """Pairs of topics, and those left over with None."""
    if B.shape[1] < other.shape[1]:
        return [(b, a) for a, b in _matched(other, B)]
    matched = match_topics(B, other).tolist()
    alone = [k for k in range(B.shape[1]) if k not in matched]
    return [(a, b) for b, a in enumerate(matched)] + [(k, None) for k in alone]
