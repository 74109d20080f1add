"""Compiled functions against those of numpy and scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma

from cotopics.linalg.kernels.compiled import kernel
from cotopics.linalg.kernels.functions import exp_digamma, exponential, logarithm


@pytest.mark.parametrize("x", [0.01, 0.3, 1.0, 2.5, 40.0, 1e6])
def test_exp_digamma(x):
    assert np.isclose(exp_digamma(x), np.exp(digamma(x)), rtol=1e-8)


@pytest.mark.parametrize("x", [-1e9, -700.0, -101.7, -1.0, -0.34657, -1e-12, 0.0])
def test_exponential(x):
    assert np.isclose(exponential(x), np.exp(max(x, -700)), rtol=1e-12, atol=0)


@kernel
def logarithms(X, Y):
    for i in range(len(X)):
        Y[i] = logarithm(X[i])


@given(st.floats(np.finfo(float).tiny, np.finfo(float).max))
def test_logarithm(x):
    """Whole numbers and all that is stored in the usual form; near 1 the error is small beside log(x), not beside 1."""
    near_one = 1 + 1e-6 * np.sin(x)
    X = np.array([x, 1.0, np.ceil(min(x, 1e15)), near_one, np.sqrt(0.5), np.nextafter(np.sqrt(0.5), 0)])
    Y = np.empty(len(X))
    logarithms(X, Y)
    assert np.allclose(Y, np.log(X), rtol=1.6e-15, atol=0)
