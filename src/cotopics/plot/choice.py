"""How many topics: the evidence that `choose_n_topics` gathered, in four panels."""

from __future__ import annotations

import textwrap
from itertools import cycle
from typing import Any

import numpy as np

from cotopics.choose import COLUMNS, COMES_BACK, ROUNDING, Choice
from cotopics.metrics import MEASURES
from cotopics.plot.canvas import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, bare, new_axes


def choice_of_topics(choice: Choice, *, axes: Any = None) -> Any:
    """Spectrum, stability, closeness to the data and quality of topics against their number; returns axes (2, 2).

    A dashed line marks the number recommended. axes: a 2 × 2 array to draw on (None: a new figure).
    """
    axes = new_axes(2, 2, (9.5, 6.4)) if axes is None else np.asarray(axes, dtype=object).reshape(2, 2)
    _spectrum(axes[0, 0], choice)
    _stability(axes[0, 1], choice)
    _lines(axes[1, 0], choice, "lower", "Closer to the data is lower", (BLUE, ORANGE))
    _lines(axes[1, 1], choice, "higher", "Better topics are higher", (GREEN, PURPLE, SKY))
    for panel in axes.flat:
        bare(panel)
        panel.axvline(choice.n_topics, color=GREY, linestyle="--", linewidth=1)
        panel.set_xlabel("number of topics")
    title = f"Recommended: {choice.n_topics} topics. {choice.sentence}"
    axes[0, 0].figure.suptitle("\n".join(textwrap.wrap(title, 95)), fontsize=10, x=0.02, ha="left")
    return axes


def _spectrum(panel: Any, choice: Choice) -> None:
    """Eigenvalues, each as dark as it comes back in other documents."""
    K = np.arange(1, len(choice.spectrum) + 1)
    share = np.maximum(choice.spectrum / choice.spectrum[0], ROUNDING)  # zeros have no place on a log scale
    panel.vlines(K, share.min() / 2, share, color="#D9D9D9", linewidth=1)
    back = np.clip(choice.replication, 0, 1)
    points = panel.scatter(K, share, c=back, cmap="viridis_r", vmin=0, vmax=1, s=22, zorder=3)
    panel.set_yscale("log")
    panel.set_ylim(share.min() / 1.5, 1.6)
    panel.set_title("Eigenvalues, and how much of each comes back", fontsize=10, loc="left")
    bar = panel.figure.colorbar(points, ax=panel, shrink=0.85, pad=0.01)
    bar.set_label("share found in other documents", fontsize=8)
    bar.ax.tick_params(labelsize=8)


def _stability(panel: Any, choice: Choice) -> None:
    K = choice.candidates
    panel.plot(K, choice.measures["stability"], color=BLUE, marker="o", markersize=4, label="mean over topics")
    panel.plot(K, choice.measures["weakest"], color=RED, marker="o", markersize=4, label="weakest topic")
    panel.axhline(COMES_BACK, color=GREY, linewidth=1)
    panel.set_ylim(0, 1)
    panel.set_title("Overlap of topics from two halves of the documents", fontsize=10, loc="left")
    panel.legend(frameon=False, fontsize=8)


def _lines(panel: Any, choice: Choice, better: str, title: str, colours: tuple[str, ...]) -> None:
    """Measures of different units in one panel: each from its least, 0, to its largest, 1; the legend has both."""
    names = [name for name in COLUMNS if name in MEASURES and MEASURES[name].better == better]
    for name, colour in zip(names, cycle(colours)):
        values = choice.measures[name]
        low, high = float(values.min()), float(values.max())
        scaled = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
        text = f"{name.title().replace('_', '')}, {low:.3g} to {high:.3g}"
        panel.plot(choice.candidates, scaled, color=colour, marker="o", markersize=4, label=text)
    panel.set_yticks([0, 1], ["least", "most"])
    panel.set_title(title, fontsize=10, loc="left")
    panel.set_ylim(-0.05, 1.1 + 0.13 * len(names))  # room for the legend
    panel.legend(frameon=False, fontsize=8, loc="upper left")
