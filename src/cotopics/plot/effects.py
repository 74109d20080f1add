"""Effects of metadata on topics, as dots with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.effects import Effects
from cotopics.plot.canvas import BLUE, GREY, TEXT, bare, chosen_topics, panels, shown

MAX_PANELS = 6


def effects(
    effects: Effects,
    *,
    contrasts: Sequence[tuple[str, Any, Any]] | None = None,
    only: Sequence[int] | None = None,
    axes: Any = None,
) -> Any:
    """Each term's effect on every topic with its interval, the largest on top, a panel a term; returns axes (n,).

    contrasts: (field, first, second) to draw instead of the terms, as of `Effects.contrast`. only: topics to draw.
    Intervals that hold zero are grey.
    """
    chosen = chosen_topics(only, len(effects.names))
    if contrasts:
        tables = [effects.contrast(*contrast) for contrast in contrasts]
    else:
        table = effects.table()
        tables = [table.where(term=term) for term in effects.terms if term != "Intercept"][:MAX_PANELS]
    axes = panels(axes, len(tables), 2, (6.4, 0.9 + 0.27 * len(chosen)))
    for panel, table in zip(axes, tables, strict=True):
        columns = {name: np.asarray(table.columns[name])[chosen] for name in ("estimate", "low", "high")}
        order = np.argsort(columns["estimate"], kind="stable")
        for place, i in enumerate(order):
            estimate, low, high = (columns[name][i] for name in ("estimate", "low", "high"))
            colour = GREY if low <= 0 <= high else BLUE
            panel.plot([low, high], [place, place], color=colour, linewidth=1.6)
            panel.plot([estimate], [place], color=colour, marker="o", markersize=4)
        names = [shown(f"{chosen[i]}: {effects.names[chosen[i]]}", 44) for i in order]
        panel.set_yticks(np.arange(len(chosen)), names, fontsize=8, **TEXT)
        panel.axvline(0, color=GREY, linewidth=0.8)
        panel.set_title(shown(table.columns["term"][0], 60), fontsize=9, loc="left", **TEXT)
        panel.set_xlabel("difference of the expected share, in percentage points", fontsize=8)
        panel.xaxis.set_major_formatter(lambda value, _: f"{round(100 * value, 3):+g}" if value else "0")
        panel.tick_params(axis="x", labelsize=8)
        bare(panel, grid="x")
    return axes
