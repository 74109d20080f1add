"""Words within the hull of the topics: in the model, in the documents, and before and after rectification.

The co-occurrence before and after rectification is computed again for each report, by the model's own steps on the
given documents. Keeping it would make every model file larger, for words that most users never look at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cotopics.cooccur import cooccurrence
from cotopics.errors import CotopicsError
from cotopics.layout import convex_hull
from cotopics.linalg import fix_signs
from cotopics.records import Anchors, Array
from cotopics.report.lexicon import Lexicon

MARGIN = 0.15  # around the hull, in sizes of the hull; words that are further out are drawn at its edge
MAX_RECTIFIED_WORDS = 3000  # of a full matrix: more words take minutes


def geometry(model: Any, counts: Any, shown: Lexicon, dots: list[int]) -> dict[str, Any]:
    """Corners and words in the model and, if there are documents, in the documents; in units of the hull's size.

    "rectified" is the co-occurrence of the documents before and after the model's rectification, with the anchors as
    corners; None without documents or without rectification.
    """
    found = word_space(model.components_.T, np.asarray(model.topic_correlation_))
    drawn = [word for word in dots if np.isfinite(found.words[word]).all()]
    observed = None
    if counts is not None:
        C = cooccurrence(counts, weighting=model._start_weighting(), representation="implicit")
        observed = _near(found.place(C @ found.directions, C.row_sums()), found.corners)
        observed = np.where(np.isnan(observed), found.words, observed)[drawn] / _size(found.corners)
    return {
        "corners": _rounded(found.corners / _size(found.corners)),
        "hull": convex_hull(found.corners).tolist(),
        "dots": [shown[word] for word in drawn],
        "modelled": _rounded(found.words[drawn] / _size(found.corners)),
        "observed": None if observed is None else _rounded(observed),
        "rectified": None if counts is None else _rectification(model, counts, drawn),
    }


def _rectification(model: Any, counts: Any, drawn: list[int]) -> dict[str, Any] | None:
    """Words and anchors, before and after, in the plane where the anchors after lie furthest apart.

    Lee et al. 2015, Fig. 1.
    """
    try:
        found = model._before_and_after(counts, most_full=MAX_RECTIFIED_WORDS)
    except CotopicsError:  # too many words, or too few documents
        return None
    if found is None:  # the model does not rectify
        return None
    used, C, rectified = found
    position = np.full(model.n_features_in_, -1)
    position[used] = np.arange(len(used))
    anchors = Anchors(tuple(position[group] for group in model.anchor_groups_), rank=model.n_topics_, n_iter=0)
    if (anchors.all_words < 0).any():  # an anchor is not in these documents
        return None
    after = anchor_space(rectified, anchors)
    corners = [_rows(C, anchors) @ after.directions - after.origin, after.corners]
    around = np.concatenate(corners)
    places = [after.place(C @ after.directions, C.row_sums()), after.words]
    words = position[drawn]
    sides = {}
    for name, at, tips in zip(("before", "after"), places, corners, strict=True):
        of_words = np.where((words >= 0)[:, None], _near(at, around)[words], np.nan)
        hull = convex_hull(tips)
        sides[name] = {
            "corners": _rounded(tips / _size(around)),
            "hull": hull.tolist(),
            "places": _rounded(of_words / _size(around)),
            "outside": int(_outside(of_words, tips[hull]).sum()),
        }
    return sides


def _outside(points: Array, polygon: Array) -> Any:
    """Which points (n, 2) are outside a convex, anticlockwise polygon (m, 2), as booleans (n,); NaN is not."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    to = points[:, None] - polygon
    turns = edges[:, 0] * to[..., 1] - edges[:, 1] * to[..., 0]
    return (turns < -1e-9 * _size(polygon) ** 2).any(axis=1)


def _size(corners: Array) -> float:
    return max(float(np.ptp(corners, axis=0).max(initial=0)), 1e-300)


def _near(points: Array, corners: Array) -> Array:
    """Points (n, 2), with points far from the corners moved to the edge of the margin."""
    room = MARGIN * _size(corners)
    return np.clip(points, corners.min(axis=0) - room, corners.max(axis=0) + room)


def _rounded(points: Array) -> list[list[float] | None]:
    """Points as lists, None for NaN."""
    return [None if np.isnan(point).any() else [round(float(x), 4) for x in point] for point in points]


@dataclass(frozen=True)
class WordSpace:
    """The two dimensions in which topics lie furthest apart.

    corners (n_topics, 2): the row of C̄ of a word that only one topic uses. words (n_words, 2): the rows of words; NaN
    for words of no topic. directions (n_words, 2) and origin (2,): a row c of C̄ lies at c @ directions − origin.
    """

    corners: Array
    words: Array
    directions: Array
    origin: Array

    def place(self, rows_by_directions: Array, row_sums: Array) -> Array:
        """Positions (n_words, 2) of words, from C @ directions (n_words, 2) and the row sums of C; NaN if that is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            placed = rows_by_directions / row_sums[:, None] - self.origin
        return np.where(row_sums[:, None] > 0, placed, np.nan)


def word_space(B: Array, A: Array) -> WordSpace:
    """The space of words and topics of BABᵀ, with B (n_words, n_topics) and A (n_topics, n_topics).

    Lee et al. 2015, Fig. 1. Row i of BABᵀ divided by its sum is Σ_k p(k | i) r_k with r_k = (ABᵀ)_k / p_k, so words are
    within the hull of the topics. Correlations below zero count as zero.
    """
    A = np.maximum(A, 0)
    p = np.maximum(A.sum(axis=1), 1e-300)
    corners, directions, origin = _widest_plane(A @ B.T / p[:, None])
    joint = B * p
    with np.errstate(divide="ignore", invalid="ignore"):
        membership = joint / joint.sum(axis=1, keepdims=True)
    return WordSpace(corners, membership @ corners, directions, origin)


def anchor_space(C: Any, anchors: Anchors) -> WordSpace:
    """The space of words of a rectified co-occurrence C (n_words, n_words); its corners are the anchors' rows."""
    corners, directions, origin = _widest_plane(_rows(C.nonnegative_rows(anchors.all_words), anchors))
    space = WordSpace(corners, np.zeros((0, 2)), directions, origin)
    return replace(space, words=space.place(C @ directions, C.row_sums()))


def _rows(C: Any, anchors: Anchors) -> Array:
    """The anchors' rows of C̄ (n_topics, n_words), with the rows of a group merged."""
    rows = anchors.merged_rows(C)
    return rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)


def _widest_plane(rows: Array) -> tuple[Array, Array, Array]:
    """Rows (n_topics, n_words) in the two dimensions where they lie furthest apart; these dimensions; their origin."""
    centred = rows - rows.mean(axis=0)
    values, vectors = np.linalg.eigh(centred @ centred.T)
    leading = np.argsort(-values, kind="stable")[:2]
    corners, directions = np.zeros((len(rows), 2)), np.zeros((rows.shape[1], 2))
    for j, k in enumerate(leading):
        if values[k] > 1e-12 * max(values.max(), 1e-300):
            u = fix_signs(vectors[:, [k]])[:, 0]
            corners[:, j] = u * np.sqrt(values[k])
            directions[:, j] = centred.T @ u / np.sqrt(values[k])
    return corners, directions, rows.mean(axis=0) @ directions
