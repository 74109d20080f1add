"""The evidence for a number of topics, at a glance."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from cotopics.choice import AS_GOOD, Choice
from cotopics.plot.canvas import BLUE, GREEN, GREY, ORANGE, bare, new_axes

TICKS = (2, 3, 5, 10, 20, 30, 50, 100, 200, 500)  # of the number of topics, as far as they apply


def choice_of_topics(choice: Choice, *, axes: Any = None) -> Any:
    """The evidence of `choose_n_topics` in two panels, one above the other; returns axes (2,).

    >>> from cotopics import choose_n_topics, datasets
    >>> X, B, W = datasets.make_corpus(300, 100, 3, length=100, anchors_per_topic=2, random_state=0)
    >>> len(choice_of_topics(choose_n_topics(X, [2, 3, 5])))
    2

    Above: how well unseen words of unseen documents are predicted, with a band of one standard error of the difference
    from the best number. Below: how far topics come back when they are found in other documents, and what that leaves
    of the gain; numbers in the band at the top are nearly the best. A line marks the recommended number,
    dots on the axis coarser ones that come back. axes: two axes to draw on (None: a new figure). Of files of early
    versions, which have no such evidence, stability.
    """
    axes = new_axes(2, 1, (7.6, 6.2)) if axes is None else np.asarray(axes, dtype=object)
    axes = axes.reshape(2)
    _prediction(axes[0], choice)
    _coming_back(axes[1], choice)
    for panel in axes:
        bare(panel)
        panel.axvline(choice.n_topics, color=GREY, linestyle="--", linewidth=1)
        _numbers_below(panel, choice)
    axes[0].annotate(
        f"{choice.n_topics}", (choice.n_topics, 1), xycoords=("data", "axes fraction"), xytext=(4, -12),
        textcoords="offset points", color=GREY, fontsize=9,
    )  # fmt: skip
    axes[1].set_xlabel("number of topics")
    axes[0].figure.suptitle("\n".join(textwrap.wrap(choice.sentence, 88)), fontsize=10, x=0.02, ha="left")
    return axes


def _prediction(panel: Any, choice: Choice) -> None:
    """The held-out curve with its band."""
    title, K = "How well unseen words are predicted: log p of a word", choice.candidates
    values = choice.measures.get("held_out")
    if values is None:
        title, values = "Coherence of the topics", choice.measures.get("coherence", np.full(len(K), np.nan))
    error = np.nan_to_num(choice.measures.get("held_out_error", np.zeros(len(K))))
    panel.fill_between(K, values - error, values + error, color=BLUE, alpha=0.2, linewidth=0)
    panel.plot(K, values, color=BLUE, marker="o", markersize=4, gid="held-out")
    panel.set_title(title, fontsize=10, loc="left")


def _coming_back(panel: Any, choice: Choice) -> None:
    K, measures = choice.candidates, choice.measures
    back = measures.get("most_back", measures.get("stability"))
    if back is not None:
        panel.plot(
            K, back, color=GREEN, marker="o", markersize=4, label="correlation between halves that most topics reach"
        )
    gain = measures.get("reliable_gain")
    if gain is not None and np.nanmax(gain) > 0:
        scaled = np.maximum(gain, 0) / np.nanmax(gain)
        panel.axhspan(AS_GOOD, 1, color=ORANGE, alpha=0.15, linewidth=0)
        panel.plot(
            K, scaled, color=ORANGE, marker="s", markersize=4,
            label="gain over two topics × that, relative to the largest",
        )  # fmt: skip
    if choice.coarser:
        zeros = np.zeros(len(choice.coarser))
        panel.plot(
            choice.coarser, zeros, color=GREEN, marker="^", markersize=8, linestyle="none", clip_on=False,
            label="coarser numbers, all topics of which come back",
        )  # fmt: skip
    panel.set_ylim(0, 1.05)
    panel.set_title("What comes back in other documents", fontsize=10, loc="left")
    if panel.get_legend_handles_labels()[1]:
        panel.legend(frameon=False, fontsize=8, loc="lower right")


def _numbers_below(panel: Any, choice: Choice) -> None:
    """Numbers of topics on a logarithmic scale: from 5 to 10 is as far as from 50 to 100."""
    least, most = int(choice.candidates.min()), int(choice.candidates.max())
    panel.set_xscale("log")
    shown = sorted({K for K in TICKS if least <= K <= most} | {least, most})
    panel.set_xticks(shown, [str(K) for K in shown])
    panel.minorticks_off()
    panel.set_xlim(least / 1.15, most * 1.15)
