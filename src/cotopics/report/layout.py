"""Where topics and words are drawn: the map of topics, their order in the heat map, words within the topics' hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cotopics.layout import classical_scaling, nearest_neighbours
from cotopics.linalg import fix_signs
from cotopics.metrics import association
from cotopics.records import Array

STEPS = 200  # of the map's layout, and of moving circles apart
FILLED = 0.14  # of the map that circles cover
GAP = 0.008  # between circles, in widths of the map
HEIGHT = 0.75  # of the map, in widths
MARGIN = 0.03


def lifts(A: Array) -> Array:
    """p(z₁, z₂) / (p(z₁) p(z₂)) of A (n_topics, n_topics): 1 where topics meet as often as by chance.

    Estimates below zero are 0; a topic without any share knows nothing of the others, 1.

    >>> lifts(np.diag([0.5, 0.5])).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    return np.maximum(np.nan_to_num(association(A).lift, nan=1.0), 0)


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
    return _apart(centre, radius, box), radius


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


def _apart(centre: Array, radius: Array, box: Array) -> Array:
    """The centres, moved until no two circles overlap, or for STEPS steps; within the box."""
    wanted = radius[:, None] + radius[None] + GAP
    np.fill_diagonal(wanted, 0)
    low, high = radius[:, None] + MARGIN / 2, box - radius[:, None] - MARGIN / 2
    for _ in range(STEPS):
        centre = np.clip(centre, low, np.maximum(high, low))
        apart = centre[:, None] - centre[None]
        between = np.linalg.norm(apart, axis=2)
        missing = np.maximum(wanted - between, 0)
        if not missing.any():
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            direction = np.where(between[..., None] > 0, apart / between[..., None], 0)
        centre = centre + (direction * missing[..., None]).sum(axis=1) / 2
    return np.clip(centre, low, np.maximum(high, low))


@dataclass(frozen=True)
class WordSpace:
    """Two dimensions in which topics lie furthest apart.

    corners (n_topics, 2): the row of C̄ that a word of that topic alone would have. words (n_words, 2): those that
    BABᵀ gives to words, mixtures of the corners; NaN for words of no topic. directions (n_words, 2) and origin (2,):
    any other row c of C̄ lies at c @ directions − origin.
    """

    corners: Array
    words: Array
    directions: Array
    origin: Array

    def place(self, rows_by_directions: Array, row_sums: Array) -> Array:
        """Where words lie of which C @ directions (n_words, 2) and the row sums of C are known; NaN without a sum."""
        with np.errstate(divide="ignore", invalid="ignore"):
            placed = rows_by_directions / row_sums[:, None] - self.origin
        return np.where(row_sums[:, None] > 0, placed, np.nan)


def word_space(B: Array, A: Array) -> WordSpace:
    """The space of words and topics of BABᵀ, with B (n_words, n_topics) and A (n_topics, n_topics); 001, Fig. 1.

    Row i of BABᵀ, divided by its sum, is Σ_k p(k | i) r_k with r_k = (ABᵀ)_k / p_k: words are within the topics' hull.
    """
    p = np.maximum(A.sum(axis=1), 1e-300)
    rows = np.maximum(A, 0) @ B.T / p[:, None]
    origin = rows.mean(axis=0)
    centred = rows - origin
    values, vectors = np.linalg.eigh(centred @ centred.T)
    leading = np.argsort(-values, kind="stable")[:2]
    corners, directions = np.zeros((len(p), 2)), np.zeros((len(B), 2))
    for j, k in enumerate(leading):
        if values[k] > 1e-12 * max(values.max(), 1e-300):
            u = fix_signs(vectors[:, [k]])[:, 0]
            corners[:, j] = u * np.sqrt(values[k])
            directions[:, j] = centred.T @ u / np.sqrt(values[k])
    joint = B * p
    with np.errstate(divide="ignore", invalid="ignore"):
        membership = joint / joint.sum(axis=1, keepdims=True)
    return WordSpace(corners, membership @ corners, directions, origin @ directions)


def _spiral(n: int) -> Array:
    """Points (n, 2) that are evenly spread over a disc."""
    i = np.arange(n)
    return np.sqrt((i + 0.5) / n)[:, None] * np.column_stack([np.cos(2.399963 * i), np.sin(2.399963 * i)])
