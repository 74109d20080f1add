"""Where topics are drawn: the map of topics, and their order in the heat map."""

from __future__ import annotations

import numpy as np

from cotopics.layout import classical_scaling, nearest_neighbours, separate
from cotopics.metrics import association
from cotopics.records import Array

STEPS = 200  # of the map's layout, and of moving circles apart
FILLED = 0.14  # of the map that circles cover
GAP = 0.008  # between circles, in widths of the map
HEIGHT = 0.75  # of the map, in widths
MARGIN = 0.03

LARGEST_LIFT = 1e12  # of topics with next to no share; single precision holds it


def lifts(A: Array) -> Array:
    """p(z₁, z₂) / (p(z₁) p(z₂)) of A (n_topics, n_topics): 1 where topics meet as often as by chance.

    Estimates below zero are 0; a topic without any share knows nothing of the others, 1.

    >>> lifts(np.diag([0.5, 0.5])).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    return np.clip(np.nan_to_num(association(A).lift, nan=1.0), 0, LARGEST_LIFT)


def distances(lift: Array) -> Array:
    """1 / (1 + lift): from 0 for topics that are always together to 1 for those that never are; 0 with itself."""
    d = 1 / (1 + (lift + lift.T) / 2)
    np.fill_diagonal(d, 0)
    return d


def cluster_order(lift: Array) -> list[int]:
    """Topics in an order that keeps alike ones together: average linkage, neighbouring leaves as close as can be."""
    return [int(k) for k in nearest_neighbours(distances(lift))]


def topic_map(lift: Array, prevalence: Array) -> tuple[Array, Array]:
    """Centres (n_topics, 2) and radii (n_topics,) of circles in a box of width 1 and height HEIGHT.

    Areas are the prevalence. Distances follow `distances`: classical scaling, then steps of SMACOF, which lower the
    squared error; then circles that overlap are moved apart.
    """
    share = np.maximum(prevalence, 0) / max(np.maximum(prevalence, 0).sum(), 1e-300)
    radius = np.maximum(np.sqrt(share * FILLED * HEIGHT / np.pi), 0.006)
    centre = _scaled(distances(lift))
    reach = np.ptp(centre, axis=0).max(initial=0)
    box = np.array([1, HEIGHT])
    if reach > 0:
        room = box - 2 * (radius.max() + MARGIN)
        centre = (centre - centre.min(axis=0)) * (room / np.maximum(np.ptp(centre, axis=0), 1e-12)).min()
    centre = centre + (box - np.ptp(centre, axis=0)) / 2 - centre.min(axis=0)
    edge = radius[:, None] + MARGIN / 2
    return separate(centre, radius + GAP / 2, within=(edge, np.maximum(box - edge, edge)), steps=STEPS), radius


def _scaled(d: Array) -> Array:
    """Points (n, 2) whose distances come close to d."""
    n = len(d)
    points = classical_scaling(d) + 1e-3 * _spiral(n)  # topics that are alike in all do not share a point
    for _ in range(STEPS):
        between = np.linalg.norm(points[:, None] - points[None], axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            pull = np.where(between > 0, d / between, 0)
        points = (pull.sum(axis=1)[:, None] * points - pull @ points) / n
    return points


def _spiral(n: int) -> Array:
    """Points (n, 2) that are evenly spread over a disc."""
    i = np.arange(n)
    return np.sqrt((i + 0.5) / n)[:, None] * np.column_stack([np.cos(2.399963 * i), np.sin(2.399963 * i)])
