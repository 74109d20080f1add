"""Kullback-Leibler fits over the simplex."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reference
from cotopics.linalg import simplex_kl


def points(rng, n, m, *, decades=1, density=1.0):
    """n distributions over m columns whose entries span this many decades."""
    P = 10.0 ** rng.uniform(-decades, 0, size=(n, m)) * (rng.random((n, m)) < density)
    P[P.sum(axis=1) == 0, 0] = 1
    return P / P.sum(axis=1, keepdims=True)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(1, 12),
    m=st.integers(1, 60),
    decades=st.sampled_from([1, 6, 14]),
    density=st.sampled_from([0.2, 0.6, 1.0]),
)
@example(seed=3, k=3, m=3, decades=14, density=1.0)  # beyond single precision
def test_every_answer_is_certified(seed, k, m, decades, density):
    rng = np.random.default_rng(seed)
    X, R = points(rng, k, m, decades=decades, density=density), points(rng, 6, m, decades=decades, density=density)
    solution = simplex_kl(X, R)
    assert solution.converged
    assert (solution.Y >= 0).all()
    assert np.allclose(solution.Y.sum(axis=1), 1)
    reached = X.max(axis=0) > 0
    for y, r in zip(solution.Y, R[:, reached], strict=True):
        q = y @ X[:, reached]
        assert (q[r > 0] > 0).all()
        ratio = np.divide(r, q, out=np.zeros_like(r), where=r > 0)
        assert (X[:, reached] @ ratio).max() <= r.sum() * (1 + 2e-9)  # the gap, from the definition


@pytest.mark.parametrize("density", [0.3, 1.0])
def test_agrees_with_a_general_optimiser(density):
    rng = np.random.default_rng(1)
    X, R = points(rng, 5, 30), points(rng, 10, 30, density=density)
    for y, r in zip(simplex_kl(X, R).Y, R, strict=True):
        assert reference.divergence(r, y @ X) <= reference.fit_on_simplex(reference.divergence, X, r) + 1e-9


def test_the_weights_of_a_mixture_are_found():
    rng = np.random.default_rng(2)
    X, Y = points(rng, 8, 100, decades=3), points(rng, 20, 8, density=0.5)
    assert np.abs(simplex_kl(X, Y @ X).Y - Y).max() < 1e-9


def test_nearly_equal_points_do_no_harm():
    rng = np.random.default_rng(3)
    X = points(rng, 6, 50)
    X[1] = X[0]
    X[2] = X[0] + 1e-10 * rng.random(50)
    X[2] /= X[2].sum()
    assert simplex_kl(X, points(rng, 20, 50)).converged


def test_too_few_steps_are_not_called_convergence():
    rng = np.random.default_rng(4)
    solution = simplex_kl(points(rng, 8, 60, decades=4), points(rng, 10, 60, decades=4), max_iter=1)
    assert not solution.converged
    assert solution.gap.max() > 1e-9
    assert np.isfinite(solution.Y).all()


def test_columns_that_no_point_reaches_are_left_out():
    rng = np.random.default_rng(5)
    X, R = points(rng, 4, 30), points(rng, 10, 30)
    padded = np.hstack([X, np.zeros((4, 5))])
    more = np.hstack([R, rng.random((10, 5))])
    assert np.abs(simplex_kl(padded, more).Y - simplex_kl(X, R).Y).max() < 1e-8


def test_a_row_that_no_point_reaches_is_uniform():
    X = np.array([[1.0, 0, 0], [0, 1, 0]])
    assert np.allclose(simplex_kl(X, np.array([[0, 0, 1.0]])).Y, 0.5)
