"""Topics as circles, for the map and for the network."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.metrics import association
from cotopics.plot.canvas import BLACK, BLUE
from cotopics.plot.words import place_labels
from cotopics.records import Array

COVERED = 0.12  # of the square that the circles lie in
LEAST_RADIUS = 5  # points, of a circle that a number is written in
FEW, MANY = 14, 40  # topics: figures grow from the one to the other
LONG = 16  # letters of a name that is broken into two lines


def correlations(model: Any) -> tuple[Array, Array]:
    """Coefficients (n_topics, n_topics) and shares (n_topics,) that sum to one, of a fitted model or of A."""
    found = association(model)
    prevalence = getattr(model, "topic_prevalence_", None)
    share = np.maximum(found.joint.sum(axis=1) if prevalence is None else np.asarray(prevalence), 0)
    return found.correlation, share / share.sum()


def in_a_square(points: Array, share: Array) -> tuple[Array, Array]:
    """Points (n, 2) in a square of side 1, and radii (n,) of circles that cover COVERED of it: radius² by share."""
    points = points - (points.max(axis=0) + points.min(axis=0)) / 2
    side = float(np.ptp(points, axis=0).max())
    return points / (side or 1.0), np.sqrt(COVERED * share / np.pi)


def fitting_size(points: Array) -> tuple[float, float]:
    """Width and height of a figure for points (n, 2), in inches."""
    width, height = np.ptp(points, axis=0) + np.array([0.5, 0.35])
    side = 8.0 * float(np.sqrt(np.clip(len(points), FEW, MANY) / FEW))
    return side, float(side * np.clip(height / width, 0.5, 1))


def draw_circles(ax: Any, points: Array, radii: Array, names: list[str]) -> None:
    """Circles with their numbers in and their names beside them, and nothing else: places have no units.

    A name that finds no room is left out.
    """
    from matplotlib.patches import Circle

    for i in np.argsort(-radii, kind="stable").tolist():  # small ones in front
        circle = Circle(tuple(points[i]), radii[i], facecolor=BLUE, edgecolor="white", zorder=2)
        circle.set_gid(f"topic-{i}")
        ax.add_patch(circle)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(x=0.13, y=0.1)
    ax.autoscale_view()
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    place_labels(ax, points, radii, [_two_lines(name) for name in names])
    inches = np.diff(ax.transData.transform([[0, 0], [1, 0]]), axis=0)[0, 0] / ax.figure.dpi
    for i, radius in enumerate(72 * inches * radii):  # in points
        size, colour = (min(0.9 * radius, 9), "white") if radius > LEAST_RADIUS else (5, BLACK)
        ax.text(*points[i], f"{i}", fontsize=size, color=colour, ha="center", va="center", clip_on=True)


def _two_lines(name: str) -> str:
    """A long name broken at the blank nearest to its middle."""
    blanks = [i for i, letter in enumerate(name) if letter == " "]
    if len(name) < LONG or not blanks:
        return name
    at = min(blanks, key=lambda i: abs(i - len(name) / 2))
    return f"{name[:at]}\n{name[at + 1 :]}"
