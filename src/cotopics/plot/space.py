"""Words in the co-occurrence space, with the hull of the anchors; 001, Fig. 1, and 002, Fig. 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.layout import convex_hull, word_plane
from cotopics.metrics.inputs import anchors_of, fitted_part
from cotopics.plot.canvas import BLUE, RED, one_axes
from cotopics.plot.words import place_labels, shown

AS_IMAGE = 2000  # dots from which a vector file holds them as one image


def cooccurrence_space(C: Any, anchors: Any, *, feature_names: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Words as dots, the principal plane of the rows of C divided by their sums; returns axes.

    C: a co-occurrence (matrix, Cooccurrence, accumulator), before or after rectification (`rectify`). anchors: a fitted
    model, or a word id or a group of them for each topic. The hull of the anchors is drawn: words outside it are not
    mixtures of topics, and good anchors leave few. A group of anchors is one point, the mean of its words by frequency.
    feature_names: the words (None: those of the model); those of anchors are written where there is room.
    """
    given = fitted_part(anchors, "anchors_", None, "anchors") if hasattr(anchors, "components_") else anchors
    groups = getattr(anchors, "anchor_groups_", None)
    plane, sums = word_plane(C)
    found = anchors_of(None, len(given), len(plane), given if groups is None else groups)
    names = getattr(anchors, "vocabulary_", None) if feature_names is None else feature_names
    if names is not None and len(names) != len(plane):
        raise ParameterError(f"there are {len(names)} feature_names and C has {len(plane)} words")
    lost = [int(word) for word in found.all_words if np.isnan(plane[word, 0])]
    if lost:
        raise ParameterError(f"anchors {lost} are in no pair of this co-occurrence; give the one they were found in")
    corners = np.array([np.average(plane[group], axis=0, weights=sums[group]) for group in found.groups])
    hull = corners[convex_hull(corners)]
    ax = one_axes(ax, (6.4, 5.6))
    many = len(plane) > AS_IMAGE
    ax.scatter(*plane.T, s=5 if many else 9, color=BLUE, alpha=0.45, linewidths=0, rasterized=many, label="words")
    ax.fill(*hull.T, facecolor=RED, alpha=0.08, edgecolor="none")
    ax.plot(*np.vstack([hull, hull[:1]]).T, color=RED, linewidth=1.2, label="hull of the anchors")
    ax.scatter(*corners.T, s=30, color=RED, edgecolors="white", linewidths=0.6, zorder=3, label="anchor words")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.margins(0.12)
    ax.set_xlabel("first principal component of rows", fontsize=8)
    ax.set_ylabel("second", fontsize=8)
    texts = [_name(group, names) for group in found.groups]
    place_labels(ax, corners, np.zeros(len(corners)), texts, margin=4)
    return ax


def _name(group: Any, names: Any) -> str:
    """The first word of a group, and how many more there are."""
    more = f" +{len(group) - 1}" if len(group) > 1 else ""
    return shown(group[0] if names is None else names[group[0]]) + more
