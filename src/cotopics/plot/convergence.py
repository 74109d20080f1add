"""How the steps of a fit went on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.plot.canvas import BLUE, bare, panels


@dataclass(frozen=True)
class _Series:
    """One number a step: what a history holds under this name of this step of a fit."""

    step: str
    name: str
    title: str
    along: str = "step"
    logarithmic: bool = False


SERIES = (
    _Series("rectification", "change", "change of the co-occurrence", logarithmic=True),
    _Series("rectification", "negative_mass", "mass below zero", logarithmic=True),
    _Series("anchors", "residual", "distance of each anchor from those before", "anchor", logarithmic=True),
    _Series("topics", "log_det", "log |det|, larger is better", "round"),
    _Series("refinement", "likelihood", "log-likelihood of a token"),
    _Series("refinement", "held_out", "the same, of tokens set aside"),
)


def convergence(model: Any, *, axes: Any = None) -> Any:
    """What each step of a fit reported of itself, a panel each; returns axes (n_panels,).

    model: fitted, or its diagnostics_. Steps are those that went on for two steps or more: rectification, the choice of
    anchors, linear programs, refinement. axes: as many as that, or more (None: a new figure).
    """
    diagnostics = model if isinstance(model, dict) else getattr(model, "diagnostics_", None)
    if diagnostics is None:
        raise ParameterError(f"{type(model).__name__} has no diagnostics_; give a fitted model")
    told = [(series, *_values(diagnostics, series)) for series in SERIES]
    told = [(series, x, y) for series, x, y in told if len(y) > 1]
    if not told:
        raise ParameterError("no step of this fit went on for two steps or more: there is no course to draw")
    axes = panels(axes, len(told), 2 if len(told) == 4 else 3, (3.4, 2.6))
    for panel, (series, x, y) in zip(axes, told, strict=True):
        panel.plot(x, y, color=BLUE, marker="o", markersize=3.5 if len(y) < 40 else 0, linewidth=1.2)
        if series.logarithmic and (np.asarray(y) > 0).any():
            panel.set_yscale("log", nonpositive="mask")
        step = diagnostics[series.step]
        ended = "" if step.get("converged", True) else ", not converged"
        panel.set_title(f"{series.step}{ended}\n{series.title}", fontsize=9, loc="left")
        panel.set_xlabel(series.along, fontsize=8)
        panel.tick_params(which="both", labelsize=7)
        panel.xaxis.get_major_locator().set_params(integer=True)
        bare(panel)
    return axes


def _values(diagnostics: dict[str, Any], series: _Series) -> tuple[list[float], list[float]]:
    step = diagnostics.get(series.step)
    history = step.get("history", {}) if isinstance(step, dict) else {}
    y = list(history.get(series.name, []))
    x = history.get("step", []) if series.name == "likelihood" else []  # not after every step
    return (list(x) if len(x) == len(y) else list(range(1, len(y) + 1))), y
