"""Topic-SCORE: words as points in the space of leading eigenvectors; Ke and Wang 2022, section 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, as_cooccurrence
from cotopics.linalg import simplex_least_squares, top_eigenpairs
from cotopics.records import Anchors, Array, Topics
from cotopics.recover.convex_combinations import as_topics, with_nonnegative_anchors

MAX_NEGATIVE_SHARE = 0.1  # of a row of a low-rank C, in absolute mass: beyond this it is noise
RANK_TOLERANCE = 1e-10  # smaller eigenvalues, relative to the largest, are rounding errors


@dataclass(frozen=True)
class TopicScore:
    """Express every word by the anchors in the K leading directions only.

    C is divided by the square roots of its row sums on both sides, so that frequent words do not decide. Its first
    eigenvector is then this square root, and dividing the others by it takes out how frequent a word is: the points
    lie in a simplex whose corners are the anchors. A word's topics are those of the nearest point of the simplex (the
    paper takes the nearest of the plane, and clips). The paper looks for corners among k-means' centres; here they are
    the anchors that were chosen. Noise outside the K directions is not seen.

    >>> from cotopics.records import Anchors
    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18
    >>> anchors = Anchors((np.array([0]), np.array([1])), rank=2, n_iter=2)
    >>> TopicScore()(C, anchors).membership.round(2).tolist()  # p(topic | word)
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """

    def __call__(self, C: Any, anchors: Anchors) -> Topics:
        C = as_cooccurrence(C)
        is_noise = C.negative_share() > MAX_NEGATIVE_SHARE  # rows of noise, divided by next to nothing, would lead
        C = with_nonnegative_anchors(C, anchors)
        row_sums = C.row_sums()
        used = row_sums > 0
        known = used & ~is_noise
        inverse = np.where(known, 1 / np.sqrt(np.where(known, row_sums, 1)), 0)
        progress.tell("recovering topics", 0, None)
        pairs = top_eigenpairs(_Scaled(C, inverse), len(anchors.groups))
        kept = pairs.values > RANK_TOLERANCE * pairs.values[0]
        rows = (C @ (inverse[:, None] * pairs.vectors[:, kept])) / pairs.values[kept]  # row sum × point
        corners = anchors.merge_rows(rows[anchors.all_words])
        corners /= anchors.merge_rows(row_sums[anchors.all_words, None])
        points = rows[used] / row_sums[used, None]
        return as_topics(simplex_least_squares(corners @ corners.T, points @ corners.T), used, row_sums, anchors)


@dataclass(frozen=True)
class _Scaled:
    """diag(scale) C diag(scale) as an operator."""

    C: Cooccurrence
    scale: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.C.shape

    def __matmul__(self, V: Array) -> Array:
        scale = self.scale.reshape(-1, *[1] * (V.ndim - 1))
        return np.asarray(scale * (self.C @ (scale * V)))
