"""Trees of topics: facts about merging, whatever the topics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import is_valid_linkage
from scipy.special import entr

from cotopics import AnchorWords, TopicModel
from cotopics.datasets import make_corpus
from cotopics.errors import ParameterError
from cotopics.hierarchy import MIN_LIFT, Tree, topic_flow, topic_tree


def random_topics(seed, k=6, v=30):
    rng = np.random.default_rng(seed)
    W = rng.dirichlet(np.full(k, 0.3), size=200)
    return rng.dirichlet(np.full(v, 0.1), size=k), W.mean(axis=0), W.T @ W / 200


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6))
def test_cuts_are_nested_partitions(seed, n):
    tree = topic_tree(*random_topics(seed))
    groups = tree.cut(n)
    assert len(groups) == n
    assert sorted(k for group in groups for k in group) == list(range(6))
    if n > 1:
        coarser = tree.cut(n - 1)
        assert all(any(set(group) <= set(outer) for outer in coarser) for group in groups)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.permutations(range(6)))
def test_the_order_of_topics_changes_nothing(seed, order):
    B, p, A = random_topics(seed)
    order = np.array(order)
    one = topic_tree(B, p, A)
    other = topic_tree(B[order], p[order], A[np.ix_(order, order)])
    np.testing.assert_allclose(one.heights, other.heights, rtol=1e-9)
    for n in range(1, 7):
        renamed = sorted(sorted(int(order[k]) for k in group) for group in other.cut(n))
        assert renamed == one.cut(n)


def test_the_first_merge_costs_least():
    """Against all pairs, from the definition."""
    B, p, A = random_topics(3)
    P = A / A.sum()
    lift = P / np.outer(P.sum(axis=1), P.sum(axis=1))
    costs = {}
    for i in range(6):
        for j in range(i):
            a = p[i] / (p[i] + p[j])
            divergence = entr(a * B[i] + (1 - a) * B[j]).sum() - a * entr(B[i]).sum() - (1 - a) * entr(B[j]).sum()
            costs[j, i] = (p[i] + p[j]) * divergence / (MIN_LIFT + lift[i, j])
    tree = topic_tree(B, p, A)
    assert tree.merges[0] == min(costs, key=costs.get)
    assert tree.heights[0] == pytest.approx(min(costs.values()))


def test_heights_never_fall_and_scipy_takes_the_tree():
    tree = topic_tree(*random_topics(5, k=12))
    assert (np.diff(tree.heights) >= 0).all()
    assert is_valid_linkage(tree.linkage())
    assert sorted(tree.order()) == list(range(12))
    assert len(tree.text().splitlines()) == 12


def test_equal_topics_come_together_first():
    B, p, A = random_topics(7)
    B[4] = B[1]
    tree = topic_tree(B, p, A)
    assert tree.merges[0] == (1, 4)
    assert tree.heights[0] == pytest.approx(0, abs=1e-12)


def test_two_planted_groups_are_the_last_two():
    """Topics 0 to 2 share words and documents, 3 to 5 share others."""
    rng = np.random.default_rng(0)
    common = rng.dirichlet(np.ones(20), size=2)
    own = rng.dirichlet(np.full(40, 0.1), size=6)
    B = np.array([np.concatenate([(k < 3) * common[0], (k >= 3) * common[1], own[k]]) / 2 for k in range(6)])
    A = np.kron(np.eye(2), np.ones((3, 3))) + 3 * np.eye(6)
    tree = topic_tree(B, np.full(6, 1 / 6), A / A.sum())
    assert tree.cut(2) == [[0, 1, 2], [3, 4, 5]]


def test_correlations_that_say_nothing():
    B, p, _ = random_topics(2)
    tree = topic_tree(B, p, np.zeros((6, 6)))
    assert len(tree.merges) == 5
    one = topic_tree(B[:1], np.ones(1), np.ones((1, 1)))
    assert one.cut(1) == [[0]]
    assert one.text() == "0"


@pytest.mark.parametrize("n", [0, 4, 2.0, True, "2"])
def test_wrong_cuts(n):
    with pytest.raises(ParameterError, match="from 1 to 3"):
        Tree(((0, 2), (1, 3)), (0.1, 0.4)).cut(n)


def test_a_model_reduces_by_its_tree():
    X, _, _ = make_corpus(200, 60, 5, length=80, anchors_per_topic=3, random_state=0)
    model = TopicModel(5).fit(X)
    assert model.reduce(5).n_topics_ == 5
    three = model.reduce(3)
    expected = model.merge(model.hierarchy().cut(3))
    assert (three.components_ == expected.components_).all()
    assert model.reduce(4).reduce(3).fit_.topic_of.tolist() == three.fit_.topic_of.tolist()


def test_what_topics_become_in_a_finer_model():
    X, _, _ = make_corpus(300, 60, 6, length=80, anchors_per_topic=3, random_state=0)
    fine = AnchorWords(6).fit(X)
    coarse = fine.merge([[0, 1], [2, 3, 4]])
    by_documents, by_words = topic_flow(coarse, fine, X), topic_flow(coarse, fine)
    for flow in (by_documents, by_words):
        assert flow.shape == (3, 6)
        assert flow.sum() == pytest.approx(1)
        assert flow.argmax(axis=0).tolist() == [0, 0, 1, 1, 1, 2]
    np.testing.assert_allclose(by_words.sum(axis=0), fine.topic_prevalence_, rtol=1e-9)
    np.testing.assert_allclose(by_documents.sum(axis=0), fine.transform(X).mean(axis=0), rtol=1e-9)
    with pytest.raises(ParameterError, match="different words"):
        topic_flow(coarse, AnchorWords(2).fit(X[:, :50]))
