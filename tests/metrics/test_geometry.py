import numpy as np
import pytest
from scipy.linalg import qr

import reference
from cotopics import AnchorFree, AnchorWords, cooccurrence
from cotopics.cooccur import LowRank
from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.metrics import log_relative_volume, mst_incoherence
from cotopics.metrics.geometry import _log_volume, _pivoted, _random_gram, _tree_cost


@pytest.mark.parametrize(("n_rows", "n_words", "n_topics"), [(30, 200, 8), (10, 10, 10), (5, 40, 1), (12, 3, 3)])
def test_random_anchors_are_those_of_pivoted_qr(n_rows, n_words, n_topics, rng):
    rows = rng.dirichlet(np.ones(n_words), size=n_rows)
    chosen = qr(rows.T, mode="r", pivoting=True)[1][:n_topics]
    coordinates = _pivoted(rows @ rows.T, n_topics)
    assert np.allclose(coordinates @ coordinates.T, rows[chosen] @ rows[chosen].T)
    assert np.isclose(_log_volume(coordinates), reference.log_volume(rows[chosen]))


def test_random_rows_are_uniform_on_the_simplex(monkeypatch, rng):
    monkeypatch.setattr("cotopics.metrics.geometry.BLOCK_ENTRIES", 400 * 7)  # several blocks, the last one narrower
    gram = _random_gram(400, 50, rng)
    # E x_i² = 2 / N(N+1) on the flat simplex, and E x_i y_i = 1/N²
    assert np.isclose(np.diag(gram).mean(), 2 / 51, rtol=0.01)
    assert np.isclose(gram[np.triu_indices(400, k=1)].mean(), 1 / 50, rtol=0.01)


def test_volume_of_a_regular_simplex():
    for k in range(1, 7):  # edges of length √2: the volume is √k / (k − 1)!
        assert np.isclose(_log_volume(np.eye(k)), np.log(k) / 2)


def test_anchors_that_are_the_whole_simplex_are_larger_than_random_ones():
    apart = np.eye(20) / 20
    near = apart / 2 + 1 / 800
    known = {"anchors": range(10), "n_draws": 3}
    B = np.eye(20)[:, :10]
    largest = log_relative_volume(B, apart, **known)
    assert largest > 10
    # halving every edge takes nine times log 2 away
    assert np.isclose(log_relative_volume(B, near, **known), largest - 9 * np.log(2))


def test_volume_depends_on_nothing_else(corpus, rng):
    C = cooccurrence(corpus[0]).toarray()
    model = AnchorWords(4).fit_cooccurrence(C)
    volume = log_relative_volume(model, C)
    assert log_relative_volume(model, C) == volume
    assert log_relative_volume(model, C, random_state=1) != volume
    assert np.isclose(log_relative_volume(model, C, random_state=1), volume, atol=0.3)
    assert np.isclose(log_relative_volume(model, 5 * C), volume)
    assert np.isclose(log_relative_volume(model, cooccurrence(corpus[0], representation="implicit")), volume)
    order = rng.permutation(60)
    B, S = model.components_.T[order], np.argsort(order)[model.anchors_]
    assert np.isclose(log_relative_volume(B, C[np.ix_(order, order)], anchors=S), volume)
    assert np.isclose(log_relative_volume(B, C[np.ix_(order, order)], anchors=S[::-1]), volume)
    taller, wider = np.pad(model.components_.T, ((0, 3), (0, 0))), np.pad(C, (0, 3))
    assert np.isclose(log_relative_volume(taller, wider, anchors=model.anchors_), volume)


def test_fewer_random_rows_make_a_smaller_reference(corpus):
    C = cooccurrence(corpus[0])
    model = AnchorWords(4).fit_cooccurrence(C)
    few, more, all_rows = (log_relative_volume(model, C, n_rows=n, n_draws=40) for n in (4, 20, 60))
    assert few > more > all_rows
    assert log_relative_volume(model, C, n_rows=10**6, n_draws=40) == all_rows


def test_flat_anchors_have_no_volume():
    C, B, A = make_cooccurrence(30, 3, n_anchored=3, random_state=0)
    groups = [[0], [1], [0, 1]]  # the third is between the first two
    assert log_relative_volume(B, C, anchors=groups) == -np.inf
    assert log_relative_volume(B, LowRank(B @ np.linalg.cholesky(A)), anchors=[0, 1, 1]) == -np.inf
    assert log_relative_volume(B[:, :1], C, anchors=[0]) == 0  # a point


def test_volume_needs_anchors_and_rows_to_choose_from(corpus):
    C = cooccurrence(corpus[0])
    free = AnchorFree(3).fit(corpus[0])
    with pytest.raises(ParameterError, match="AnchorFree has no anchors_"):
        log_relative_volume(free, C)
    with pytest.raises(ParameterError, match="AnchorFree has no anchor_cooccurrence_"):
        mst_incoherence(free, C)
    assert mst_incoherence(free, C, anchors=[0, 1, 2]) > 0
    model = AnchorWords(4).fit_cooccurrence(C)
    with pytest.raises(ParameterError, match="n_rows=3; give more"):
        log_relative_volume(model, C, n_rows=3)
    with pytest.raises(ParameterError, match="pairs of only 2 words"):
        log_relative_volume(np.eye(3), np.diag([1, 1, 0]), anchors=[0, 1, [0, 1]])
    with pytest.raises(ParameterError, match="n_draws=0"):
        log_relative_volume(model, C, n_draws=0)
    with pytest.raises(ParameterError, match="n_words=0"):
        mst_incoherence(model, C, n_words=0)
    with pytest.raises(ParameterError, match="matrix of topics has no anchors"):
        mst_incoherence(model.components_.T, C)


@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_trees_with_free_edges_are_cheapest(n, rng):
    for _ in range(5):
        weights = rng.choice([0.0, 0.25, 0.5, 1.0], size=(n, n))
        weights = np.triu(weights, 1) + np.triu(weights, 1).T
        expected = reference.spanning_tree_cost(weights) if n > 1 else 0
        assert np.isclose(_tree_cost(weights), expected)
    assert _tree_cost(np.zeros((n, n))) == 0


@pytest.mark.filterwarnings("ignore:the anchors of topics")  # not rectified, they do not meet
def test_incoherence_is_the_cheapest_tree(corpus):
    X = corpus[0][:40]
    C = cooccurrence(X)
    model = AnchorWords(4, rectifier=None).fit_cooccurrence(C)
    full, B = C.toarray(), model.components_.T
    expected = reference.mst_incoherence(full, B, model.anchor_groups_, 3)
    assert np.isclose(mst_incoherence(model, C, n_words=3), expected)
    assert np.isclose(mst_incoherence(B, C, anchors=model.anchors_, n_words=3), expected)
    assert np.isclose(mst_incoherence(model, 9 * full, n_words=3), expected)
    assert np.isclose(mst_incoherence(model, cooccurrence(X, representation="implicit"), n_words=3), expected)


def test_words_only_together_cost_nothing_and_words_never_together_cost_one():
    pairs = np.kron(np.eye(2), np.array([[0, 1], [1, 0]])) / 4  # words 0 and 1, and 2 and 3
    together, apart = np.array([[0.6], [0.4], [0], [0]]), np.array([[0.6], [0], [0.4], [0]])
    assert mst_incoherence(together, pairs, anchors=[0], n_words=2) == 0
    assert mst_incoherence(apart, pairs, anchors=[0], n_words=2) == 1  # words 0, 2 and, near the anchor, 1
    assert mst_incoherence(together, pairs, anchors=[1], n_words=1) == 0  # one node, no edge
