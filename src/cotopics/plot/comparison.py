"""Two models side by side, each topic with its like."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.metrics.inputs import topic_matrix
from cotopics.metrics.matching import pair_topics
from cotopics.plot.canvas import BLACK, BLUE, LIGHT, one_axes
from cotopics.plot.words import TEXT, shown, topic_names

NOBODY = "(no counterpart)"


def topic_comparison(
    first: Any, second: Any, *, names: tuple[str, str] = ("first", "second"), n: int = 4, ax: Any = None
) -> Any:
    """Topics of two models, matched one to one (`metrics.match_topics`), the most alike on top; returns axes.

    first, second: fitted models; words are matched by name where both know theirs. Or B (n_words, n_topics) of the same
    words. The bar between two topics is Σ_w min(p(w | one), p(w | other)): 1 where they are the same, 0 where they
    share no word. Topics that are left over in the larger model come last. n: words shown of each.
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
        axes.set_yticks(rows, [NOBODY if k is None else texts[side][int(k)] for k in ids], fontsize=8, **TEXT)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_title(shown(names[0], 40), fontsize=9, loc="left", **TEXT)
    ax.set_title("overlap", fontsize=9)
    ax.set_title(shown(names[1], 40), fontsize=9, loc="right", **TEXT)
    return ax
