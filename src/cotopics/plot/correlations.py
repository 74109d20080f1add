"""How topics go together in documents: a heat map, a map and a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.layout import clustered_order, lifts, network_positions, separate, topic_circles
from cotopics.metrics import association
from cotopics.plot.canvas import BLACK, BLUE, GREY, RED, TEXT, diverging, one_axes, place_labels, topic_names
from cotopics.records import Array, WordIds

NETWORK_COVERAGE = 0.12  # share of the square that is covered by circles
TIES_PER_TOPIC = 1.5  # without a threshold
CIRCLE_ROOM = 1.3  # radii around a centre that stay free of other circles
MIN_NUMBER_RADIUS = 5  # points, of a circle with its number inside
FEW_TOPICS, MANY_TOPICS = 14, 40  # figures grow between these
MIN_BROKEN_LENGTH = 16  # letters of a name that is broken into two lines


def correlation_heatmap(model: Any, *, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """The correlation of each pair of topics' shares over documents, as a coloured square; Lee et al. 2015, Fig. 3.

    model: fitted, or A (n_topics, n_topics). Topics are in the order of a clustering, so that groups are blocks along
    the diagonal. Blue is below zero, vermilion above; the diagonal, which is always 1, and pairs without a coefficient
    (`metrics.association`) are grey. Shares sum to one, so most pairs are a little below zero. labels: names of the
    topics (None: numbers and leading words). Returns axes.

    >>> axes = correlation_heatmap(np.array([[0.4, 0.1], [0.1, 0.4]]), labels=["rain", "sun"])
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['rain', 'sun']
    """
    R = association(model).correlation
    n = len(R)
    order = clustered_order(R)
    names = topic_names(model, labels, n)
    pairs = np.where(np.eye(n, dtype=bool), np.nan, R)[np.ix_(order, order)]
    most = float(np.nanmax(np.abs(pairs))) if np.isfinite(pairs).any() else 1.0
    side = min(max(0.26 * n, 2.4), 14)
    ax = one_axes(ax, (side + 1.3 + 0.07 * max(map(len, names)), side + 0.9))
    image = ax.imshow(np.ma.masked_invalid(pairs), cmap=diverging(), vmin=-most or -1, vmax=most or 1)
    size = float(np.clip(44 * side / n, 3.5, 8))
    ax.set_yticks(range(n), [names[k] for k in order], fontsize=size, **TEXT)
    ax.set_xticks(range(n), [str(k) for k in order], fontsize=size, rotation=90 if n > 9 else 0)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=min(1, 3 / side), pad=0.02)
    bar.set_label("correlation of shares", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)
    ax.set_title("Which topics go together in documents", fontsize=10, loc="left")
    return ax


def topic_map(model: Any, *, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Topics as circles, near each other if they go together in documents; the area is the prevalence. Returns axes.

    model: fitted, or A (n_topics, n_topics). This is the map of the report (`layout.topic_circles`). labels: names of
    the topics (None: numbers and leading words). A name without room is left out; the number in the circle stays.

    >>> axes = topic_map(np.array([[0.4, 0.1], [0.1, 0.4]]), labels=["rain", "sun"])
    >>> len(axes.patches)
    2
    """
    lift = lifts(model)
    names = topic_names(model, labels, len(lift))
    points, radii = topic_circles(lift, _shares(model))
    points = points * [1, -1]  # the report draws downwards
    ax = one_axes(ax, _figure_size(points))
    ax.set_title("Near topics go together in documents", fontsize=10, loc="left")
    _draw_circles(ax, points, radii, names)
    return ax


def correlation_network(
    model: Any, threshold: float | None = None, *, labels: Sequence[str] | None = None, ax: Any = None
) -> Any:
    """Topics as circles, joined if their shares correlate strongly; the area is the prevalence. Returns axes.

    model: fitted, or A (n_topics, n_topics). threshold: the smallest coefficient (`metrics.association`) that joins a
    pair, from −1 to 1; None joins three pairs for every two topics. Wide lines are strong correlations. A line is
    dashed and grey if the coefficient is not above zero; most are not, because shares sum to one. labels: names of the
    topics (None: numbers and leading words). A name without room is left out; the number in the circle stays. The same
    model gives the same drawing.

    >>> axes = correlation_network(np.array([[0.4, 0.1], [0.1, 0.4]]), labels=["rain", "sun"])
    >>> {"rain", "sun"} <= {text.get_text() for text in axes.texts}
    True
    """
    R, share = association(model).correlation, _shares(model)
    names = topic_names(model, labels, len(R))
    if threshold is not None and not -1 <= threshold <= 1:
        raise ParameterError(f"threshold={threshold} must be a correlation, from -1 to 1")
    first, second, tie, threshold = _ties(R, threshold)
    strength = 0.2 + 0.8 * (tie - threshold) / max(float(tie.max(initial=0)) - threshold, 1e-12)
    weights = np.zeros_like(R)
    weights[first, second] = weights[second, first] = strength
    points = network_positions(weights)
    points = (points - (points.max(axis=0) + points.min(axis=0)) / 2) / (float(np.ptp(points, axis=0).max()) or 1.0)
    radii = np.sqrt(NETWORK_COVERAGE * share / share.sum() / np.pi)
    points = separate(points, CIRCLE_ROOM * radii)
    ax = one_axes(ax, _figure_size(points))
    least = f"{threshold:.2g}".replace("-", "−")
    ax.set_title(f"Topics whose shares correlate by {least} or more", fontsize=10, loc="left")
    for i, j, width, r in zip(first, second, strength, tie, strict=True):
        colour, style = (RED, "-") if r > 0 else (GREY, "--")
        ax.plot(*points[[i, j]].T, color=colour, linestyle=style, linewidth=0.5 + 3.5 * width, alpha=0.6, zorder=1)
    _draw_circles(ax, points, radii, names)
    return ax


def _shares(model: Any) -> Array:
    """p(topic) (n_topics,), not negative, of a fitted model or of A."""
    prevalence = getattr(model, "topic_prevalence_", None)
    return np.maximum(association(model).joint.sum(axis=1) if prevalence is None else np.asarray(prevalence), 0)


def _ties(R: Array, threshold: float | None) -> tuple[WordIds, WordIds, Array, float]:
    """Pairs (m,), (m,) with coefficients (m,) of the threshold or more; and the threshold."""
    first, second = np.triu_indices(len(R), k=1)
    tie = R[first, second]
    if threshold is None:
        known = np.sort(tie[np.isfinite(tie)])[::-1]
        threshold = float(known[min(int(TIES_PER_TOPIC * len(R)), len(known)) - 1]) if len(known) else 1.0
    joined = tie >= threshold  # false for NaN
    return first[joined], second[joined], tie[joined], threshold


def _figure_size(points: Array) -> tuple[float, float]:
    """Width and height in inches of a figure for points (n, 2)."""
    width, height = np.ptp(points, axis=0) + np.array([0.5, 0.35])
    side = 8.0 * float(np.sqrt(np.clip(len(points), FEW_TOPICS, MANY_TOPICS) / FEW_TOPICS))
    return side, float(side * np.clip(height / width, 0.5, 1))


def _draw_circles(ax: Any, points: Array, radii: Array, names: list[str]) -> None:
    """Circles with their numbers inside and their names outside. There are no axes: positions have no units."""
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
        size, colour = (min(0.9 * radius, 9), "white") if radius > MIN_NUMBER_RADIUS else (5, BLACK)
        ax.text(*points[i], f"{i}", fontsize=size, color=colour, ha="center", va="center", clip_on=True)


def _two_lines(name: str) -> str:
    """A long name, broken at the blank nearest to its middle."""
    blanks = [i for i, letter in enumerate(name) if letter == " "]
    if len(name) < MIN_BROKEN_LENGTH or not blanks:
        return name
    at = min(blanks, key=lambda i: abs(i - len(name) / 2))
    return f"{name[:at]}\n{name[at + 1 :]}"
