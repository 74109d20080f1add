"""Topic correlations from anchors or from all words."""

import numpy as np
import pytest

from cotopics.correlation import anchor_correlation, dirichlet_parameters, fitted_correlation, topic_correlation
from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.records import Anchors
from cotopics.recover import SimplexLeastSquares

ANCHORS = Anchors(tuple(np.array([k]) for k in range(4)), 4, 1)


@pytest.fixture(scope="module")
def planted():
    return make_cooccurrence(60, 4, n_anchored=4, random_state=0)


@pytest.mark.parametrize("scale", [1, 1e-8, 1e6])
def test_anchors_that_co_occur_decide(planted, scale):
    C, _, A = planted
    topics = SimplexLeastSquares()(scale * C, ANCHORS)
    found = topic_correlation(scale * C, ANCHORS, topics)
    assert found.isolated == ()
    assert np.array_equal(found.A, anchor_correlation(scale * C, ANCHORS, topics.B))
    assert np.allclose(found.A, scale * A)


def test_an_anchor_that_met_none_has_a_row_of_zeros(planted):
    C, _, _ = planted
    topics = SimplexLeastSquares()(C, ANCHORS)
    C = C.copy()
    C[2, :4] = C[:4, 2] = 1e-30
    found = topic_correlation(C, ANCHORS, topics)
    assert found.isolated == (2,)
    assert np.array_equal(found.A, anchor_correlation(C, ANCHORS, topics.B))


@pytest.mark.parametrize("case", ["met none", "rounding", "no probability"])
def test_all_words_decide_if_no_anchor_is_usable(planted, case):
    C, _, A = planted
    topics = SimplexLeastSquares()(C, ANCHORS)
    C = C.copy()
    C[:4, :4] = {"met none": 0, "rounding": 1e-30}.get(case, C[:4, :4])
    if case == "no probability":  # of an anchor in its topic
        topics.B[2, 2] = 0
    found = topic_correlation(C, ANCHORS, topics)
    assert 2 in found.isolated
    assert (found.A >= 0).all()
    assert (found.A == found.A.T).all()
    assert np.isclose(found.A.sum(), C.sum())
    assert np.abs(found.A - A).max() < 0.2 * A.max()


def test_the_fit_to_all_words_is_exact_if_it_can_be(planted):
    C, B, A = planted
    assert np.allclose(fitted_correlation(C, B, A.sum(axis=1)), A, atol=0.01 * A.max())


def test_no_small_change_of_the_fit_is_better():
    """For a C that is not BABᵀ for any A. The error ignores a common factor; entries of A may be zero."""
    rng = np.random.default_rng(1)
    B = rng.dirichlet(np.full(20, 0.2), size=3).T
    C = rng.random((20, 20)) ** 4
    C = (C + C.T) / (2 * C.sum())

    def error(A):
        fit = B @ A @ B.T
        return np.linalg.norm(C - fit * np.vdot(C, fit) / np.vdot(fit, fit))

    A = fitted_correlation(C, B, np.full(3, 1 / 3))
    for _ in range(200):
        change = rng.normal(size=(3, 3))
        assert error(np.maximum(A + 0.01 * (change + change.T), 0)) > error(A) - 1e-6


@pytest.mark.parametrize("alpha", [[0.1, 0.1, 0.1], [2.0, 0.5, 0.01, 7.0], [3.0, 3.0]])
@pytest.mark.parametrize("scale", [1, 1e4])
def test_dirichlet_parameters_come_back(alpha, scale):
    alpha = np.array(alpha)
    total = alpha.sum()
    A = scale * (np.outer(alpha, alpha) + np.diag(alpha)) / (total * (total + 1))
    assert np.allclose(dirichlet_parameters(A), alpha)


def test_dirichlet_parameters_of_drawn_mixtures(rng):
    alpha = np.array([0.3, 0.6, 0.1, 0.2])
    W = rng.dirichlet(alpha, size=50_000)
    assert np.allclose(dirichlet_parameters(W.T @ W / len(W)), alpha, rtol=0.05)


def test_no_dirichlet_has_topics_that_never_vary():
    with pytest.raises(ParameterError, match="no Dirichlet distribution"):
        dirichlet_parameters(np.full((3, 3), 1 / 9))


def test_documents_of_one_topic_have_a_tiny_concentration():
    assert 0 < dirichlet_parameters(np.diag([0.5, 0.3, 0.2])).sum() < 1e-5
