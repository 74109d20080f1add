"""Ordered sums add in the order that their module describes, to the last bit."""

import numpy as np
import pytest

from cotopics.linalg.kernels import ordered_sums as sums
from cotopics.linalg.kernels.compiled import kernel


@kernel
def dot(a, i, b, j, n):
    return sums.dot(sums.address(a), i, sums.address(b), j, n)


@kernel
def dot_four(a, b, j0, j1, j2, j3, n):
    return sums.dot_four(sums.address(a), sums.address(b), j0, j1, j2, j3, n)


@kernel
def total(a, n):
    return sums.total(sums.address(a), n)


def expected_sum(x):
    """Eight lanes in order, folded to four, to which four more are added, then to two and one; the rest in order."""
    n, zero = len(x), x.dtype.type(0)
    if n < 8:
        result, l = zero, 0
    else:
        l = n - n % 8
        s = np.zeros(8, x.dtype)
        for block in x[:l].reshape(-1, 8):
            s = s + block
        s = s[:4] + s[4:]
        if n - l >= 4:
            s, l = s + x[l : l + 4], l + 4
        result = (s[0] + s[2]) + (s[1] + s[3])
    for value in x[l:]:
        result = result + value
    return result


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [*range(1, 26), 100])
def test_order(n, dtype):
    rng = np.random.default_rng(n)
    a, M = rng.normal(size=n).astype(dtype), rng.normal(size=(5, n)).astype(dtype)
    assert total(a, n) == expected_sum(a)
    expected = [expected_sum(a * row) for row in M]
    assert [dot(a, 0, M, i * n, n) for i in range(5)] == expected
    assert list(dot_four(a, M, 0, n, 3 * n, 4 * n, n)) == [expected[i] for i in (0, 1, 3, 4)]


def test_no_number_beyond_the_length_is_read():
    a = np.array([1.0, 2.0, np.nan])
    assert total(a, 0) == 0
    assert dot(a, 0, a, 0, 2) == 5
    assert total(np.r_[np.ones(16), np.nan][:16], 16) == 16


def test_an_array_with_gaps_is_refused():
    with pytest.raises(Exception, match="contiguous"):
        total(np.ones(20)[::2], 10)
