import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from cotopics.linalg import nonnegative_least_squares


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 12), size=st.floats(-6, 6))
def test_agrees_with_scipy(seed, k, size):
    rng = np.random.default_rng(seed)
    X = rng.random((k, 2 * k + 1)) ** 2
    V = 10**size * (rng.standard_normal((10, X.shape[1])) + 0.5)
    W = nonnegative_least_squares(X @ X.T, V @ X.T)
    peer = np.array([nnls(X.T, v)[0] for v in V])
    assert (W >= 0).all()
    fit, best = (np.linalg.norm(V - answer @ X, axis=1) for answer in (W, peer))
    assert (fit <= best * (1 + 1e-9)).all()


def test_nothing_to_fit():
    W = nonnegative_least_squares(np.eye(2), np.array([[-1.0, 0.0], [0.0, 2.0]]))
    assert np.allclose(W, [[0, 0], [0, 2]])


@pytest.mark.parametrize(
    ("G", "f"),
    [
        (np.zeros((2, 2)), [1.0, 0.0]),  # topics without words
        (np.diag([1.0, 0.0]), [1.0, 1.0]),
        (-np.eye(2), [1.0, 1.0]),  # no minimum
        (np.array([[1.0, -1.0], [-1.0, 1.0]]), [1.0, 1.0]),
        (np.full((2, 2), np.nan), [1.0, 1.0]),
        (np.eye(2), [np.inf, 1.0]),
    ],
)
def test_it_ends_if_there_is_no_minimum(G, f):
    with np.errstate(all="ignore"), contextlib.suppress(ValueError, np.linalg.LinAlgError):
        assert nonnegative_least_squares(G, np.array([f])).shape == (1, 2)
