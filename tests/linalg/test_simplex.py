import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

import reference
from cotopics.linalg import exponentiated_gradient, simplex_least_squares


def problems(seed, k, n=40, dimension=None):
    rng = np.random.default_rng(seed)
    X = rng.random((k, dimension or 3 * k)) ** 3
    V = rng.dirichlet(np.full(k, 0.3), size=n) @ X + 0.3 * rng.standard_normal((n, X.shape[1]))
    return X @ X.T, V @ X.T


def objective(G, F, Y):
    return np.einsum("ij,jk,ik->i", Y, G, Y) / 2 - np.einsum("ij,ij->i", F, Y)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 6))
def test_agrees_with_trying_every_support(seed, k):
    G, F = problems(seed, k, n=3)
    solution = simplex_least_squares(G, F)
    exact = np.array([reference.simplex_least_squares(G, f) for f in F])
    assert np.allclose(solution.Y, exact, atol=1e-7)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 30), dimension=st.integers(1, 40))
def test_optimality_conditions_hold(seed, k, dimension):
    """Any k and any rank: y on the simplex, and no point of it has a lower linearised value."""
    G, F = problems(seed, k, dimension=dimension)
    solution = simplex_least_squares(G, F)
    Y, g = solution.Y, solution.Y @ G - F
    assert (Y >= 0).all()
    assert np.allclose(Y.sum(axis=1), 1, atol=1e-12)
    gap = np.einsum("ij,ij->i", Y, g) - g.min(axis=1)
    assert gap.max() <= 1e-9 * np.abs(G).max()
    assert np.allclose(solution.gap, gap, atol=1e-9 * np.abs(G).max())
    assert solution.converged


def test_agrees_with_nnls_at_fifty_coordinates():
    G, F = problems(1, 50, n=200)
    R = np.linalg.cholesky(G).T
    weight = 1e4 * np.sqrt(np.abs(G).max())  # makes nnls hold the sum at one
    A = np.vstack([R, np.full(50, weight)])
    peer = np.array([nnls(A, np.append(np.linalg.solve(R.T, f), weight))[0] for f in F])
    peer /= peer.sum(axis=1, keepdims=True)
    ours = objective(G, F, simplex_least_squares(G, F).Y)
    assert np.abs(ours - objective(G, F, peer)).max() <= 1e-8 * np.abs(G).max()


def test_repeated_and_dependent_points():
    X = np.array([[1.0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0, 0, 1]])
    V = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0.4, 0.6, 0.0]])
    solution = simplex_least_squares(X @ X.T, V @ X.T)
    assert solution.converged
    assert np.allclose(solution.Y @ X, V, atol=1e-10)


def test_one_topic_and_zero_gram():
    assert (simplex_least_squares(np.array([[2.0]]), np.ones((3, 1))).Y == 1).all()
    solution = simplex_least_squares(np.zeros((3, 3)), np.zeros((2, 3)))
    assert np.allclose(solution.Y.sum(axis=1), 1)


@pytest.mark.parametrize("scale", [1e-12, 1e8])
def test_scale_does_not_matter(scale):
    G, F = problems(3, 10)
    assert np.allclose(simplex_least_squares(scale * G, scale * F).Y, simplex_least_squares(G, F).Y, atol=1e-9)


def test_exponentiated_gradient_agrees():
    G, F = problems(4, 6)
    solution = exponentiated_gradient(G, F, max_iter=100_000, tolerance=1e-9)
    assert solution.converged
    assert np.allclose(objective(G, F, solution.Y), objective(G, F, simplex_least_squares(G, F).Y), atol=1e-8)


def test_exponentiated_gradient_says_when_it_stops_early():
    G, F = problems(4, 20)
    solution = exponentiated_gradient(G, F, max_iter=3, tolerance=1e-9)
    assert not solution.converged
    assert solution.n_iter == 3
    assert np.allclose(solution.Y.sum(axis=1), 1)


def test_same_bits_on_one_thread_and_two():
    script = (
        "import numpy as np; from cotopics.linalg import simplex_least_squares as s; r = np.random.default_rng(0);"
        "X = r.random((20, 60)); F = r.random((2000, 60)) @ X.T; print(s(X @ X.T, F).Y.tobytes().hex())"
    )
    outputs = [
        subprocess.run([sys.executable, "-c", script], env={**os.environ, "OMP_NUM_THREADS": n}, capture_output=True)
        for n in ("1", "2")
    ]
    assert outputs[0].stdout == outputs[1].stdout != b""
