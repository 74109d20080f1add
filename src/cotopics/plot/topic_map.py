"""Topics on a map: near where they go together in documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cotopics.layout import classical_scaling, correlation_distance, separate
from cotopics.plot.canvas import one_axes
from cotopics.plot.circles import correlations, draw_circles, fitting_size, in_a_square
from cotopics.plot.words import topic_names


def topic_map(model: Any, *, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Topics as circles, their area by prevalence, near where they go together in documents; returns axes.

    model: fitted, or A (n_topics, n_topics). Places are classical scaling of the distances √(2 − 2r), r the coefficient
    of two topics' shares (`metrics.association`). Two dimensions hold only a part of them; the title says how much.
    Circles that would overlap are moved apart. labels: names of the topics (None: numbers and leading words); one that
    finds no room is left out, and the number in the circle stays.
    """
    R, share = correlations(model)
    names = topic_names(model, labels, len(R))
    D = correlation_distance(R)
    points = classical_scaling(D)
    whole = (D**2).sum() / (2 * len(D))  # squared distances from the middle, in all dimensions
    kept = (points**2).sum() / whole if whole > 0 else 1.0
    points, radii = in_a_square(points, share)
    points = separate(points, radii)
    ax = one_axes(ax, fitting_size(points))
    ax.set_title(f"Near topics go together; the plane holds {kept:.0%} of squared distances", fontsize=10, loc="left")
    draw_circles(ax, points, radii, names)
    return ax
