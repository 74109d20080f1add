"""Topics' prevalence over time and in groups, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.effects import Estimates
from cotopics.effects import prevalence_over as estimates_over
from cotopics.errors import ParameterError
from cotopics.plot.canvas import MARKERS, SERIES, TEXT, bare, chosen_topics, panels, shown

MAX_PANELS = 6
MAX_TICKS = 6


def prevalence_over(
    model: Any,
    X: Any = None,
    dates: Sequence[Any] | None = None,
    by: str | None = None,
    *,
    groups: Sequence[Any] | None = None,
    only: Sequence[int] | None = None,
    level: float = 0.95,
    axes: Any = None,
) -> Any:
    """The mean share of topics in each period or group, with bands of their intervals, a panel a topic; returns axes.

    model: a fitted model, whose documents X have these dates, these groups or both, one for each document; or the
    table that `effects.prevalence_over` has made of them. by: "year", "month", "day", or None to choose. only: topics
    to draw (None: the six whose mean differs most from period to period, or group to group). A line is a group.
    """
    is_table = isinstance(model, Estimates)
    table = model if is_table else estimates_over(model, X, dates, by, groups=groups, level=level)
    columns = {name: np.asarray(values) for name, values in table.columns.items()}
    there = np.unique(columns["topic"]).tolist()
    if not there:
        raise ParameterError("the table has no rows, so there is nothing to draw; choose others of its topics")
    chosen = chosen_topics(_varying(columns, there) if only is None else only, max(there) + 1)
    if not set(chosen) <= set(there):
        raise ParameterError(f"only={only!r} names topics that the table has not; it has {', '.join(map(str, there))}")
    axes = panels(axes, len(chosen), 2, (4.2, 2.3))
    over_time = "period" in columns
    names = list(dict.fromkeys(columns["period" if over_time else "group"].tolist()))
    for panel, k in zip(axes, chosen, strict=True):
        own = {name: values[columns["topic"] == k] for name, values in columns.items()}
        if over_time:
            _lines(panel, own, names)
        else:
            _dots(panel, own)
        _finish(panel, names, shown(f"{k}: {own['name'][0]}", 44), over_time)
    if over_time and "group" in columns:
        legend = axes[0].legend(fontsize=7, frameon=False)
        for text in legend.get_texts():
            text.set(**TEXT)
    return axes


def _lines(panel: Any, own: dict[str, Any], names: list[str]) -> None:
    """A line with its band for each group; a period without documents is a gap."""
    place = {name: i for i, name in enumerate(names)}
    groups = list(dict.fromkeys(own["group"].tolist())) if "group" in own else [None]
    for i, group in enumerate(groups):
        rows = np.ones(len(own["topic"]), dtype=bool) if group is None else own["group"] == group
        at = [place[name] for name in own["period"][rows].tolist()]
        values = {name: np.full(len(names), np.nan) for name in ("estimate", "low", "high")}
        for name, line in values.items():
            line[at] = own[name][rows]
        style = {"color": SERIES[i % len(SERIES)]}
        x = np.arange(len(names))
        panel.fill_between(x, values["low"], values["high"], alpha=0.2, linewidth=0, **style)
        marker = MARKERS[i % len(MARKERS)]
        label = None if group is None else shown(group)
        panel.plot(x, values["estimate"], linewidth=1.4, marker=marker, markersize=3, label=label, **style)


def _dots(panel: Any, own: dict[str, Any]) -> None:
    """A dot with its interval for each group."""
    for i in range(len(own["topic"])):
        panel.plot([i, i], [own["low"][i], own["high"][i]], color=SERIES[0], linewidth=1.6)
        panel.plot([i], [own["estimate"][i]], color=SERIES[0], marker="o", markersize=4)


def _finish(panel: Any, names: list[str], title: str, over_time: bool) -> None:
    step = -(-len(names) // MAX_TICKS) if over_time else 1
    ticks = np.arange(len(names))[::step]
    panel.set_xticks(ticks, [shown(names[i], 16) for i in ticks], fontsize=7, **TEXT)
    low, high = panel.get_ylim()
    panel.set_ylim(max(low, 0.0), high)
    panel.set_xlim(-0.4, len(names) - 0.6)
    panel.yaxis.set_major_formatter(lambda value, _: f"{round(100 * value, 3):g}%")
    panel.tick_params(axis="y", labelsize=7)
    panel.set_title(title, fontsize=8, loc="left", **TEXT)
    bare(panel)


def _varying(columns: dict[str, Any], topics: list[int]) -> list[int]:
    """Those of the topics whose mean share varies most between cells, each by its documents."""
    spread = []
    for k in topics:
        estimate, n = (columns[name][columns["topic"] == k] for name in ("estimate", "documents"))
        spread.append(float(np.square(estimate - np.average(estimate, weights=n)) @ n))
    return sorted(topics[i] for i in np.argsort(-np.array(spread), kind="stable")[:MAX_PANELS])
