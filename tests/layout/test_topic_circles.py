"""The map of topics, which report and figures share, and the order of topics by lift."""

from itertools import pairwise

import numpy as np
import pytest

from cotopics.layout import lift_distance, lifts, nearest_neighbours, topic_circles
from cotopics.layout.topic_positions import MAP_HEIGHT


@pytest.fixture
def blocks():
    """A of six topics in two groups of three that never meet, in an order that hides them."""
    A = np.kron(np.eye(2), np.full((3, 3), 0.5) + 0.5 * np.eye(3))
    order = [0, 3, 1, 4, 2, 5]
    return A[np.ix_(order, order)]


def same_group(i, j):
    return i % 2 == j % 2


def test_lift_of_independent_topics_is_one(rng):
    p = rng.dirichlet(np.ones(5))
    assert np.allclose(lifts(np.outer(p, p)), 1)


def test_lift_where_a_topic_has_no_share_is_one():
    lift = lifts(np.diag([1.0, 0.0]))
    assert lift.tolist() == [[1, 1], [1, 1]]


def test_groups_stay_together_in_the_order(blocks):
    order = nearest_neighbours(lift_distance(lifts(blocks))).tolist()
    assert sorted(order) == list(range(6))
    assert sum(not same_group(i, j) for i, j in pairwise(order)) == 1


def test_topics_that_meet_are_close_on_the_map(blocks):
    centre, _ = topic_circles(lifts(blocks), np.full(6, 1 / 6))
    between = np.linalg.norm(centre[:, None] - centre[None], axis=2)
    pairs = [(i, j) for i in range(6) for j in range(i)]
    near = max(between[i, j] for i, j in pairs if same_group(i, j))
    far = min(between[i, j] for i, j in pairs if not same_group(i, j))
    assert near < far


@pytest.mark.parametrize("n_topics", [1, 2, 3, 12, 60])
def test_circles_are_within_the_map_and_apart(rng, n_topics):
    W = rng.dirichlet(np.full(n_topics, 0.1), size=300)
    prevalence = W.mean(axis=0)
    centre, radius = topic_circles(lifts(W.T @ W), prevalence)
    assert (centre - radius[:, None] >= 0).all()
    assert (centre + radius[:, None] <= [1, MAP_HEIGHT]).all()
    between = np.linalg.norm(centre[:, None] - centre[None], axis=2) + 9 * np.eye(n_topics)
    assert (between >= 0.98 * (radius[:, None] + radius[None])).all()
    large = prevalence > prevalence.max() / 4
    assert np.ptp(np.log(radius[large] ** 2 / prevalence[large])) < 1e-9  # areas are the prevalence
    again, _ = topic_circles(lifts(W.T @ W), prevalence)
    assert (again == centre).all()


def test_topics_that_are_all_alike_do_not_share_a_place():
    centre, _ = topic_circles(np.ones((5, 5)), np.full(5, 0.2))
    assert len(np.unique(centre.round(3), axis=0)) == 5
