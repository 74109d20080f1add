"""Proportions of mixtures from counts."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reference
from cotopics.linalg import (
    likeliest_mixtures,
    linear_bayes_mixtures,
    mixture_likelihood,
    relative_spread,
    simplex_kl,
)
from cotopics.linalg.kernels import mixture as kernels
from cotopics.linalg.mixture import Spread, scaled_rows


def problem(seed, *, k=5, m=40, n=20, length=30, density=1.0):
    """Distributions P (m, k) and counts X (n, m) of mixtures of them; every outcome is in some distribution."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.full(m, 0.3), size=k).T * (rng.random((m, k)) < density)
    P[np.arange(m), rng.integers(k, size=m)] += 0.1 / m
    P /= P.sum(axis=0)
    Y = rng.dirichlet(np.full(k, 0.4), size=n)
    return P, np.array([rng.multinomial(length, P @ y) for y in Y]).astype(float)


def likelihood(X, P, Y, smoothing=0.0):
    q = Y @ P.T
    logs = np.log(np.where(X > 0, q, 1))
    return (X * logs).sum(axis=1) + (smoothing * np.log(Y).sum(axis=1) if smoothing else 0)


@settings(max_examples=10, deadline=None)
@example(seed=0, length=1000, smoothing=0.0)
@given(
    seed=st.integers(0, 10**6), length=st.sampled_from([1, 3, 30, 1000]), smoothing=st.sampled_from([0.0, 0.05, 1.0])
)
def test_no_slow_step_does_better(seed, length, smoothing):
    P, X = problem(seed, n=4, length=length, density=0.6)
    found = likeliest_mixtures(sp.csr_array(X), P, smoothing=smoothing, tolerance=1e-7)
    value = likelihood(X, P, found.Y, smoothing)
    for x, most in zip(X, value, strict=True):
        slow = reference.mixture_steps(x, P, 200, smoothing)[-1]
        # entries below the tolerance become zero: at the maximum each token loses at most the mass that is dropped
        dropped = P.shape[1] * 1e-7 * x.sum()
        assert likelihood(x[None], P, slow[None], smoothing)[0] <= most + dropped + 1e-9


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_first_steps_are_those_of_em(smoothing):
    P, X = problem(0)
    counts = sp.csr_array(X)
    for n_iter in (1, 2):
        found = likeliest_mixtures(counts, P, smoothing=smoothing, tolerance=1e-15, max_iter=n_iter)
        slow = [reference.mixture_steps(x, P, n_iter, smoothing)[-1] for x in X]
        assert np.allclose(found.Y, slow, atol=1e-12)
        assert (found.steps == -1).all()  # the steps were not enough


def test_a_common_part_and_a_prior_per_distribution(rng):
    P, X = problem(0)
    common, smoothing = 0.4 * rng.dirichlet(np.ones(len(P))), rng.uniform(0, 2, size=P.shape[1])
    found = likeliest_mixtures(sp.csr_array(X), 0.6 * P, common=common, smoothing=smoothing, tolerance=1e-10)
    for x, y in zip(X, found.Y, strict=True):
        assert np.allclose(y, reference.mixture_steps(x, 0.6 * P, 2000, smoothing, common)[-1], atol=1e-6)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_objective_never_falls(smoothing):
    P, X = problem(1, length=200)
    values = [
        likelihood(
            X, P, likeliest_mixtures(sp.csr_array(X), P, smoothing=smoothing, tolerance=1e-12, max_iter=t).Y, smoothing
        )
        for t in (1, 2, 4, 6, 9, 13, 20, 40, 80)
    ]
    assert (np.diff(values, axis=0) >= -1e-9).all()


@pytest.mark.parametrize("length", [5, 50, 500])
def test_the_result_is_the_maximum(length):
    """Karush, Kuhn and Tucker: the gradient is n where y is positive and at most n elsewhere."""
    P, X = problem(2, length=length)
    found = likeliest_mixtures(sp.csr_array(X), P, tolerance=1e-8, max_iter=20_000)
    assert (found.steps > 0).all()
    q = found.Y @ P.T
    gradient = np.divide(X, q, out=np.zeros_like(X), where=X > 0) @ P / length
    assert gradient.max() <= 1 + 1e-3
    assert np.abs(found.Y * (gradient - 1)).max() <= 1e-7
    certified = simplex_kl(np.ascontiguousarray(P.T), X)  # another solver, with a certificate
    assert np.abs(likelihood(X, P, found.Y) - likelihood(X, P, certified.Y)).max() <= 1e-5


def test_proportions_that_go_to_zero_are_zero():
    P, _ = problem(3, k=12, m=200)
    X = np.array([np.random.default_rng(j).multinomial(300, P[:, j]) for j in range(12)], dtype=float)
    found = likeliest_mixtures(sp.csr_array(X), P).Y
    assert np.allclose(found.sum(axis=1), 1)
    assert (np.diag(found) > 0.9).all()
    assert (found == 0).mean() > 0.5
    words = (X > 0) @ (P > 0).astype(float)  # words that a distribution can explain
    assert (found[words == 0] == 0).all()


def test_probabilities_at_the_end_of_the_range():
    P = np.array([[1.0, 0.0], [1e-310, 1e-312], [0.0, 1.0]])
    X = sp.csr_array([[0.0, 3.0, 0.0], [1.0, 1e8, 1.0]])
    for found in (likeliest_mixtures(X, P), bayes(X, P, np.array([0.5, 0.5]), np.zeros((2, 2)))):
        assert np.isfinite(found.Y).all()
        assert (found.Y[:, 0] > found.Y[:, 1]).all()


def bayes(X, P, mean, covariance, least=0.25, **options):
    return linear_bayes_mixtures(X, P, mean, relative_spread(mean, covariance, least=least), **options)


def test_directions_that_are_alike_are_one_number():
    """Of a Dirichlet all are, so none needs to be kept; of topics in groups a few are not."""
    P, X = problem(6, length=40)
    mean, covariance = moments(6)
    spread = relative_spread(mean, covariance, least=0)
    whole = linear_bayes_mixtures(sp.csr_array(X), P, mean, spread, tolerance=1e-10).Y
    one, v = spread.U[:, -1:], spread.v
    alike = spread._replace(v=np.append(np.full(len(v) - 1, 0.2), v[-1]))
    full = linear_bayes_mixtures(sp.csr_array(X), P, mean, alike, tolerance=1e-10).Y
    few = linear_bayes_mixtures(sp.csr_array(X), P, mean, Spread(one.copy(), v[-1:], 0.2), tolerance=1e-10).Y
    assert np.allclose(few, full, atol=1e-8)
    assert np.abs(whole - full).max() > 1e-3
    kept = relative_spread(mean, covariance, least=0, most_directions=2)
    assert kept.U.shape == (5, 2)
    assert np.isin(kept.v, v).all()


def test_rows_scaled_once_serve_any_share_of_what_is_common():
    P, X = problem(3, length=40)
    common = np.full(len(P), 1 / len(P))
    rows, (mean, covariance) = scaled_rows(P), moments(3)
    for share in (0.3, 1.0):
        options = {"common": (1 - share) * common, "tolerance": 1e-12}
        once, again = (likeliest_mixtures(sp.csr_array(X), Q, **options).Y for Q in (share * P, rows.times(share)))
        assert np.allclose(once, again, atol=1e-9)
        once, again = (bayes(sp.csr_array(X), Q, mean, covariance, **options).Y for Q in (share * P, rows.times(share)))
        assert np.allclose(once, again, atol=1e-9)


def test_likelihood_is_the_sum_over_all_counts():
    P, X = problem(4, length=40)
    Y, common = np.random.default_rng(4).dirichlet(np.ones(P.shape[1]), len(X)), np.full(len(P), 0.2 / len(P))
    expected = (X * np.log(0.8 * Y @ P.T + common)).sum()
    assert np.isclose(mixture_likelihood(sp.csr_array(X), Y, P, 0.8, common), expected)
    impossible = sp.csr_array(np.array([[1.0, 0.0]]))
    assert mixture_likelihood(impossible, np.ones((1, 1)), np.array([[0.0], [1.0]]), 1.0, np.zeros(2)) == -np.inf


def moments(seed, k=5):
    W = np.random.default_rng(seed).dirichlet([0.2, 0.5, 1, 0.3, 0.3][:k], size=3000)
    W[:, 0] += W[:, 1]  # two that occur together
    W /= W.sum(axis=1, keepdims=True)
    return W.mean(axis=0), np.cov(W.T, bias=True)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.sampled_from([1, 4, 50, 2000]), background=st.sampled_from([0, 0.3]))
def test_agrees_with_full_matrices(seed, length, background):
    P, X = problem(seed, n=4, length=length, density=0.7)
    mean, covariance = moments(seed)
    common = background * P @ mean
    P = (1 - background) * P
    found = bayes(sp.csr_array(X), P, mean, covariance, least=0, common=common, tolerance=0, max_iter=30).Y
    for x, y in zip(X, found, strict=True):
        assert np.allclose(y, reference.linear_bayes(x, P, mean, covariance, 30, common), atol=1e-7)


@pytest.mark.parametrize("length", [1, 10, 300])
def test_with_moments_of_a_dirichlet_it_is_variational_bayes(length):
    P, X = problem(4, length=length)
    alpha = np.array([0.1, 0.2, 0.7, 1.5, 0.4])
    mean = alpha / alpha.sum()
    covariance = (np.diag(mean) - np.outer(mean, mean)) / (alpha.sum() + 1)
    found = bayes(sp.csr_array(X), P, mean, covariance, tolerance=1e-12).Y
    expected = [reference.variational_dirichlet(x, P, alpha, 2000) for x in X]
    assert np.allclose(found, expected, atol=1e-6)


def test_many_counts_outweigh_a_covariance_of_zero():
    P, _ = problem(5)
    Y = np.random.default_rng(0).dirichlet(np.ones(5), size=10)
    X = sp.csr_array(1e7 * Y @ P.T)
    found = bayes(X, P, np.full(5, 0.2), np.zeros((5, 5)), tolerance=1e-9, max_iter=100_000).Y
    assert np.abs(found - Y).max() < 1e-3


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), smoothing=st.sampled_from([0.0, 0.5]), common=st.sampled_from([0.0, 0.3]))
def test_where_the_objective_still_rises_it_is_greater_than_at_the_start(seed, smoothing, common):
    """And `rises` agrees with the derivative in that direction."""
    rng = np.random.default_rng(seed)
    m, k = 7, 4
    rows, counts = rng.random((m, k)), rng.integers(1, 5, m).astype(float)
    offsets, s = common * rng.random(m), np.full(k, smoothing)
    start, end = rng.dirichlet(np.ones(k), 2)

    def objective(y):
        return counts @ np.log(rows @ y + offsets) + s @ np.log(y)

    new, q = np.empty(k), np.empty(m)
    kernels.step(counts, rows, offsets, m, s, end, q, new, np.empty(k))
    slope = (counts / (rows @ end + offsets)) @ rows @ (end - start) + (s / end) @ (end - start)
    assert kernels.rises(start, end, new, np.empty(k)) == (slope >= 0) or abs(slope) < 1e-9
    if slope >= 0:
        assert objective(end) >= objective(start) - 1e-12
