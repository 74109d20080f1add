"""Places in a picture: distances kept, hulls that hold what they should, the same every time."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cotopics import AnchorWords, datasets
from cotopics.layout import (
    classical_scaling,
    clustered_order,
    convex_hull,
    correlation_distance,
    network_positions,
    separate,
    word_plane,
)


def inside(points, hull):
    """How far each point is inside of the polygon, (n,): the least distance from an edge, below zero outside."""
    edges = np.roll(hull, -1, axis=0) - hull
    to = points[:, None] - hull[None]
    return ((edges[:, 0] * to[..., 1] - edges[:, 1] * to[..., 0]) / np.linalg.norm(edges, axis=1)).min(axis=1)


def test_distances_of_points_in_a_plane_come_back(rng):
    D = squareform(pdist(rng.normal(size=(12, 2))))
    X = classical_scaling(D)
    assert squareform(pdist(X)) == pytest.approx(D)
    assert X.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert (classical_scaling(D) == X).all()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_points_without_distance_are_one(n):
    assert classical_scaling(np.zeros((n, n))).tolist() == [[0, 0]] * n


def test_distances_that_are_no_distances_give_points():
    X = classical_scaling(np.array([[0.0, 1, 5], [1, 0, 1], [5, 1, 0]]))  # 5 > 1 + 1
    assert np.isfinite(X).all()


def test_correlation_distance_is_that_of_unit_vectors(rng):
    V = rng.normal(size=(6, 4))
    V /= np.linalg.norm(V, axis=1, keepdims=True)
    assert correlation_distance(V @ V.T) == pytest.approx(squareform(pdist(V)), abs=1e-7)
    unknown = correlation_distance(np.array([[np.nan, np.nan], [np.nan, 1.0]]))
    assert unknown == pytest.approx(np.array([[0, 2**0.5], [2**0.5, 0]]))


def test_groups_are_side_by_side(rng):
    group = rng.permutation(np.repeat(np.arange(4), 5))
    R = np.where(group[:, None] == group, 0.8, -0.1)
    np.fill_diagonal(R, 1)
    order = clustered_order(R)
    assert sorted(order) == list(range(20))
    assert np.count_nonzero(np.diff(group[order])) == 3


def test_the_order_of_a_chain_is_the_chain(rng):
    place = rng.permutation(9)
    R = 1 - np.abs(place[:, None] - place) / 9
    found = place[clustered_order(R)].tolist()
    assert found in (list(range(9)), list(range(8, -1, -1)))


@pytest.mark.parametrize("n", [1, 2])
def test_few_keep_their_order(n):
    assert clustered_order(np.full((n, n), np.nan)).tolist() == list(range(n))


def test_a_path_is_drawn_as_a_path():
    weights = np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1)
    X = network_positions(weights)
    assert (network_positions(weights) == X).all()
    D = squareform(pdist(X))
    assert np.diag(D, 1) == pytest.approx(1, abs=0.02)
    assert D[0] == pytest.approx(np.arange(6), abs=0.1)


def test_what_is_joined_is_nearer_than_what_is_not():
    weights = np.kron(np.eye(3), np.ones((4, 4)))
    D = squareform(pdist(network_positions(weights)))
    joined = (weights > 0) & ~np.eye(12, dtype=bool)
    assert D[joined].max() < D[weights == 0].min()
    assert D[joined].min() > 0.2


def test_a_strong_tie_is_shorter():
    weights = np.zeros((3, 3))
    weights[0, 1] = weights[1, 0] = 1.0
    weights[1, 2] = weights[2, 1] = 0.1
    X = network_positions(weights)
    assert np.linalg.norm(X[0] - X[1]) == pytest.approx(1, abs=1e-2)
    assert np.linalg.norm(X[1] - X[2]) == pytest.approx(1.9, abs=1e-2)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_network_without_ties(n):
    X = network_positions(np.zeros((n, n)))
    assert X.shape == (n, 2)
    assert np.isfinite(X).all()
    assert n == 1 or pdist(X).min() > 0.5


def test_circles_part_and_no_more(rng):
    radii = rng.uniform(0.05, 0.2, size=15)
    X = separate(rng.normal(size=(15, 2)) * 0.1, radii)
    gap = squareform(pdist(X)) - radii[:, None] - radii + 10 * np.eye(15)
    assert gap.min() > -1e-2
    far = 10 * np.arange(6.0).reshape(3, 2)
    assert (separate(far, np.ones(3)) == far).all()
    same = separate(np.zeros((4, 2)), np.ones(4))
    assert pdist(same).min() > 1.9


def test_words_of_an_exact_cooccurrence_lie_in_the_hull_of_the_anchors():
    C, _, _ = datasets.make_cooccurrence(80, 5, n_anchored=5, random_state=0)
    plane, sums = word_plane(C)
    assert sums == pytest.approx(C.sum(axis=1))
    corners = plane[:5]
    assert inside(plane, corners[convex_hull(corners)]).min() > -1e-9
    rows = C / C.sum(axis=1, keepdims=True)
    rows -= rows.mean(axis=0)
    U, s, _ = np.linalg.svd(rows, full_matrices=False)
    assert np.abs(plane) == pytest.approx(np.abs(U[:, :2] * s[:2]), abs=1e-8)


def test_words_without_pairs_have_no_place():
    C = np.zeros((4, 4))
    C[np.ix_([0, 2, 3], [0, 2, 3])] = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
    plane, _ = word_plane(C)
    assert np.isnan(plane).all(axis=1).tolist() == [False, True, False, False]
    assert word_plane(np.array([[1.0]]))[0].tolist() == [[0, 0]]


def test_a_model_of_documents_and_their_cooccurrence_agree(corpus):
    from cotopics import cooccurrence

    plane, _ = word_plane(cooccurrence(corpus[0], representation="implicit"))
    other, _ = word_plane(cooccurrence(corpus[0], representation="dense"))
    assert plane == pytest.approx(other, abs=1e-6)
    assert AnchorWords(4).fit(corpus[0]).anchors_.max() < len(plane)


def test_hull_holds_all_and_turns_left(rng):
    points = rng.normal(size=(60, 2))
    corners = convex_hull(points)
    assert inside(points, points[corners]).min() > -1e-12
    assert corners[0] == points[:, 0].argmin()
    assert len(set(corners.tolist())) == len(corners)


def test_flat_hulls():
    line = np.column_stack([np.arange(5.0), 2 * np.arange(5.0)])
    assert sorted(convex_hull(line).tolist()) == [0, 4]
    assert convex_hull(np.ones((3, 2))).tolist() == [0]
    assert convex_hull(np.array([[1.0, 2.0]])).tolist() == [0]
