"""Which topics come together, as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.hierarchy import Tree
from cotopics.plot.canvas import BLUE, GREY, SERIES, TEXT, one_axes, topic_names


def tree(model: Any, *, cut: int | None = None, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Topics joined by branches where they come together, the cheapest merges on the left; returns axes.

    model: fitted, or a `Tree`. cut: colour the groups of `Tree.cut(cut)`. labels: names of the topics. The scale is
    the square root of what a merge costs, so that the first merges can be told apart.

    >>> from cotopics.hierarchy import Tree
    >>> axes = tree(Tree(((0, 2), (3, 1)), (0.1, 0.4), ("rain", "sun", "hail")))
    >>> sorted(label.get_text() for label in axes.get_yticklabels())
    ['hail', 'rain', 'sun']
    """
    found: Tree = model if isinstance(model, Tree) else model.hierarchy()
    n = found.n_topics
    names = found.names if labels is None and isinstance(model, Tree) else labels
    names = topic_names(None if isinstance(model, Tree) else model, names, n)
    group = np.zeros(n, dtype=int)
    for number, topics in enumerate(found.cut(n if cut is None else cut)):
        group[topics] = number
    ax = one_axes(ax, (5 + 0.07 * max(map(len, names)), 0.8 + 0.24 * n))
    order = found.order()
    place: list[float] = [0.0] * n
    for row, topic in enumerate(order):
        place[topic] = float(row)
    length, member = [0.0] * n, list(range(n))
    for (one, other), height in zip(found.merges, np.sqrt(found.heights), strict=True):
        same = cut is not None and group[member[one]] == group[member[other]]
        colour = SERIES[group[member[one]] % len(SERIES)] if same else (BLUE if cut is None else GREY)
        for node in (one, other):
            ax.plot([length[node], height], [place[node]] * 2, color=colour, linewidth=1.3)
        ax.plot([height] * 2, [place[one], place[other]], color=colour, linewidth=1.3)
        place.append((place[one] + place[other]) / 2)
        length.append(float(height))
        member.append(member[one])
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_yticks(range(n), [names[k] for k in order], fontsize=8, **TEXT)
    ax.tick_params(axis="y", length=0)
    ax.set_xticks([])
    ax.spines[:].set_visible(False)
    ax.set_title("Which topics come together", fontsize=10, loc="left")
    return ax
