"""The volume that the anchors span, and a tree that joins a topic's words; Lee et al. 2021, section 5."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import logsumexp

from cotopics.errors import ParameterError
from cotopics.metrics.inputs import (
    anchors_of,
    cooccurrence_of,
    fitted_part,
    leading_words,
    normalised_anchor_rows,
    positive_rows,
    topic_matrix,
)
from cotopics.metrics.measure import Measure
from cotopics.records import Array

HEIGHT_TOLERANCE = 1e-12  # of the longest edge: a vertex that is nearer to the plane of the others lies in it
NO_VOLUME = "the anchors span no volume, because some lie in the plane of the others"
BLOCK_ENTRIES = 1 << 21  # random numbers in memory at a time


def log_relative_volume(
    topics: Any,
    C: Any,
    *,
    anchors: Any = None,
    n_draws: int = 10,
    n_rows: int = 500,
    random_state: int | np.random.Generator | None = 0,
) -> float:
    """log of the volume of the anchors' simplex over that of random anchors, in nats. Higher is better.

    Lee et al. 2021, section 5. topics: a fitted model, or B (n_words, n_topics) with its `anchors` (a word id or a
    group of them for each topic). The vertices are the anchors' rows of C divided by their sums, with the rows of a
    group merged. Volumes come from the Gram determinant of the edges from the first vertex; (K − 1)! cancels. One topic
    gives 0, and anchors in a plane of fewer than K − 1 dimensions give −inf.

    The reference is the mean volume over `n_draws` random C̄. Each row of these is uniform on the simplex of the N words
    with a positive row, and anchors are chosen among the rows by column-pivoted QR. The paper draws N rows; here it is
    min(N, `n_rows`). With fewer rows the reference is smaller and the result larger: 500 rows change it by about 0.01
    a topic (measured at 1,000 to 6,000 words and 10 to 100 topics). Only compare results with the same n_rows.

    Three words that never meet span the whole triangle. A triangle of random points covers 1/12 of it on average, so
    the result is near log 12 ≈ 2.48:

    >>> C = np.diag([0.5, 0.3, 0.2])
    >>> round(log_relative_volume(np.eye(3), C, anchors=[0, 1, 2], n_draws=2000), 1)
    2.5
    """
    B = topic_matrix(topics)
    n_words, n_topics = B.shape
    C = cooccurrence_of(C, n_words)
    groups = anchors_of(topics, n_topics, n_words, anchors)
    if n_draws < 1:
        raise ParameterError(f"n_draws={n_draws} must be at least 1")
    _, used = positive_rows(C)
    volume = _log_volume(normalised_anchor_rows(C, groups))
    if min(n_rows, len(used)) < n_topics:
        cause = f"n_rows={n_rows}; give more" if n_rows < n_topics else f"C has pairs of only {len(used)} words"
        raise ParameterError(f"{n_topics} random anchors cannot be chosen: {cause}")
    n_rows = min(n_rows, len(used))
    rng = np.random.default_rng(random_state)
    random = [_log_volume(_pivoted(_random_gram(n_rows, len(used), rng), n_topics)) for _ in range(n_draws)]
    return float(volume - (logsumexp(random) - np.log(n_draws)))


LOG_RELATIVE_VOLUME = Measure(
    "higher", "log of the anchors' simplex over that of random ones",
    lambda g: log_relative_volume(g.model, g.C), needs=("documents", "anchors"),
    good="above 0 the anchors span more than random words do", slow=True,
    odd=lambda value: "" if np.isfinite(value) else f"{value}: {NO_VOLUME}",
)  # fmt: skip


def mst_incoherence(topics: Any, C: Any, *, anchors: Any = None, n_words: int = 7) -> float:
    """Mean over topics of the cost of a minimum spanning tree of their words; Lee et al. 2021, section 5.

    Lower is better. topics: a fitted model, or B (n_words, n_topics) with its `anchors` (a word id or a group of them
    for each topic). The nodes are the topic's `n_words` most probable words and the `n_words` that co-occur most with
    its anchor (by the model's anchor_cooccurrence_, or the anchors' rows of C). The edge of words i and j has the
    weight ½(1 − NPMI), NPMI = log(C_ij / p_i p_j) / −log C_ij, with C scaled to sum to one and p its row sums: from 0,
    only ever together, to 1, also if C_ij ≤ 0. The cost of a tree is the sum of its edges.

    Words 0 and 1, and 1 and 2, have an NPMI of log 2 / log 4, so each edge has weight 1/4; 0 and 2 never meet:

    >>> C = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]) / 4
    >>> mst_incoherence(np.array([[0.5], [0.25], [0.25]]), C, anchors=[0])
    0.5
    """
    B = topic_matrix(topics)
    C = cooccurrence_of(C, B.shape[0])
    row_sums, _ = positive_rows(C)
    if anchors is None and hasattr(topics, "components_"):
        near_anchors = fitted_part(topics, "anchor_cooccurrence_", None, "anchors")
    else:
        near_anchors = normalised_anchor_rows(C, anchors_of(topics, B.shape[1], B.shape[0], anchors))
    prominent, characteristic = leading_words(B, n_words), leading_words(near_anchors.T, n_words)
    total = row_sums.sum()
    nodes = [np.union1d(*lists) for lists in zip(prominent.T, characteristic.T, strict=True)]
    used = np.unique(np.concatenate(nodes))
    C, p = C.restrict(used), row_sums[used] / total
    cost = 0.0
    for words in (np.searchsorted(used, topic) for topic in nodes):
        cost += _tree_cost(_distances(C.rows(words)[:, words] / total, p[words]))
    return float(cost / B.shape[1])


MST_INCOHERENCE = Measure(
    "lower", "cost of a tree that joins a topic's words", lambda g: mst_incoherence(g.model, g.C),
    needs=("documents", "anchors"), good="lower is better; compare models of the same corpus",
)  # fmt: skip


def _log_volume(points: Array) -> float:
    """log of (K − 1)! times the volume of the simplex of points (K, n)."""
    edges = points[1:] - points[0]
    heights = np.abs(np.diag(np.linalg.qr(edges.T, mode="r")))  # their product is the root of the Gram determinant
    longest = np.sqrt(np.einsum("ij,ij->i", edges, edges).max(initial=0))
    if (heights <= HEIGHT_TOLERANCE * longest).any():
        return -np.inf
    return float(np.log(heights).sum())


def _random_gram(n_rows: int, n_words: int, rng: np.random.Generator) -> Array:
    """Scalar products (n_rows, n_rows) of rows that are uniform on the simplex: exponentials divided by their sum."""
    gram, sums = np.zeros((n_rows, n_rows)), np.zeros(n_rows)
    width = max(1, BLOCK_ENTRIES // n_rows)
    room = np.empty(n_rows * min(width, n_words))  # reused: new memory costs as much time as the random numbers
    for start in range(0, n_words, width):
        E = room[: n_rows * min(width, n_words - start)].reshape(n_rows, -1)
        rng.standard_exponential(out=E)
        gram += E @ E.T
        sums += E.sum(axis=1)
    return gram / np.outer(sums, sums)


def _pivoted(gram: Array, n_topics: int) -> Array:
    """Coordinates (n_topics, n_topics) of the rows that column-pivoted QR chooses, from scalar products (n, n).

    This is a pivoted Cholesky factorisation: the rows of L have the same scalar products as the rows themselves.
    """
    L = np.zeros((len(gram), n_topics))
    squared = np.diag(gram).copy()  # squared distances from the span of the chosen rows
    chosen: list[int] = []
    for k in range(n_topics):
        chosen.append(int(np.argmax(squared)))
        row = chosen[-1]
        L[:, k] = (gram[:, row] - L[:, :k] @ L[row, :k]) / np.sqrt(max(squared[row], np.finfo(np.float64).tiny))
        squared -= L[:, k] ** 2
        squared[row] = -np.inf
    return L[chosen]


def _distances(C: Array, p: Array) -> Array:
    """½(1 − NPMI) of each pair of n words from their joint (n, n) and single (n,) probabilities; 1 if undefined."""
    defined = (C > 0) & (C < 1) & (np.minimum.outer(p, p) > 0)
    npmi = np.full(C.shape, -1.0)
    npmi[defined] = np.log(C[defined] / np.outer(p, p)[defined]) / -np.log(C[defined])
    return np.asarray((1 - np.clip(npmi, -1, 1)) / 2)


def _tree_cost(weights: Array) -> float:
    """Cost of a minimum spanning tree of the complete graph with these weights (n, n), which may be zero.

    For scipy a zero is a missing edge. So every edge gets 1 more, which keeps the order of trees of n − 1 edges.
    """
    tree = minimum_spanning_tree(np.triu(weights + 1, k=1))
    return float(np.sum(tree.data - 1))
