"""Topics as a network of those that go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.layout import network_positions, separate
from cotopics.plot.canvas import GREY, RED, one_axes
from cotopics.plot.circles import correlations, draw_circles, fitting_size, in_a_square
from cotopics.plot.words import topic_names
from cotopics.records import Array, WordIds

TIES = 1.5  # for each topic, where no threshold is given
ROOM = 1.3  # of a circle's radius, that nothing else lies in


def correlation_network(
    model: Any, threshold: float | None = None, *, labels: Sequence[str] | None = None, ax: Any = None
) -> Any:
    """Topics as circles, their area by prevalence, joined where their shares correlate strongly; returns axes.

    model: fitted, or A (n_topics, n_topics). threshold: pairs are joined whose coefficient (`metrics.association`) is
    this or more, from −1 to 1; None leaves three pairs for every two topics. Lines are wide where topics correlate
    strongly, and dashed and grey where the coefficient is not above zero: shares sum to one, so most are not. labels:
    names of the topics (None: numbers and leading words); one that finds no room is left out, and the number in the
    circle stays. The same model gives the same drawing.
    """
    R, share = correlations(model)
    names = topic_names(model, labels, len(R))
    if threshold is not None and not -1 <= threshold <= 1:
        raise ParameterError(f"threshold={threshold} is a correlation, from -1 to 1")
    first, second, tie, threshold = _ties(R, threshold)
    strength = 0.2 + 0.8 * (tie - threshold) / max(float(tie.max(initial=0)) - threshold, 1e-12)
    weights = np.zeros_like(R)
    weights[first, second] = weights[second, first] = strength
    points, radii = in_a_square(network_positions(weights), share)
    points = separate(points, ROOM * radii)
    ax = one_axes(ax, fitting_size(points))
    least = f"{threshold:.2g}".replace("-", "−")
    ax.set_title(f"Topics whose shares correlate by {least} or more", fontsize=10, loc="left")
    for i, j, wide, r in zip(first, second, strength, tie, strict=True):
        colour, style = (RED, "-") if r > 0 else (GREY, "--")
        ax.plot(*points[[i, j]].T, color=colour, linestyle=style, linewidth=0.5 + 3.5 * wide, alpha=0.6, zorder=1)
    draw_circles(ax, points, radii, names)
    return ax


def _ties(R: Array, threshold: float | None) -> tuple[WordIds, WordIds, Array, float]:
    """Pairs (m,), (m,) of coefficients (m,) of the threshold or more; and the threshold."""
    first, second = np.triu_indices(len(R), k=1)
    tie = R[first, second]
    if threshold is None:
        known = np.sort(tie[np.isfinite(tie)])[::-1]
        threshold = float(known[min(int(TIES * len(R)), len(known)) - 1]) if len(known) else 1.0
    joined = tie >= threshold  # NaN is not
    return first[joined], second[joined], tie[joined], threshold
