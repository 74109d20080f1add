"""Thin products are products, on one thread if they are small."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cotopics.linalg import threads
from cotopics.linalg.threads import one_blas_thread, thin_product


class Factor:
    """An array of this shape whose product is the number of one_blas_thread contexts around it."""

    def __init__(self, rows, columns):
        self.shape = (rows, columns)

    def __matmul__(self, other):
        return threads._limits.depth


@pytest.mark.parametrize("small", [0, 10**9])
def test_a_thin_product_is_the_product(rng, monkeypatch, small):
    monkeypatch.setattr(threads, "MAX_SMALL_PRODUCT", small)
    A, B = rng.standard_normal((50, 7)), rng.standard_normal((7, 3))
    assert np.allclose(thin_product(A, B), np.einsum("ij,jk->ik", A, B))
    assert np.allclose(thin_product(A.T, A), np.einsum("ij,ik->jk", A, A))
    assert thin_product(A[:0], B).shape == (0, 3)


def test_small_products_are_on_one_thread_and_large_ones_are_not(monkeypatch):
    """As many multiplications as MAX_SMALL_PRODUCT are small, one column more is not."""
    monkeypatch.setattr(threads, "MAX_SMALL_PRODUCT", 60)
    before = threads._limits.depth
    assert thin_product(Factor(5, 4), Factor(4, 3)) == before + 1
    assert thin_product(Factor(5, 4), Factor(4, 4)) == before
    with one_blas_thread():
        assert thin_product(Factor(5, 4), Factor(4, 3)) == before + 2
    assert threads._limits.depth == before


def test_a_product_that_fails_removes_the_limit():
    before = threads._limits.depth
    with pytest.raises(ValueError, match="matmul"):
        thin_product(np.ones((2, 3)), np.ones((2, 3)))
    assert threads._limits.depth == before


def test_blas_is_limited_in_every_thread():
    """Also in threads that are not the first to ask, and in any order of leaving."""
    import scipy.linalg  # noqa: F401  its own BLAS in addition to numpy's
    from threadpoolctl import threadpool_info

    def limits():
        return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}

    def limited():
        with threads.one_blas_thread():
            return limits()

    before = limits()
    assert limited() == {1}
    for _ in range(3):
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(limited).result() == {1}
    outer = threads.one_blas_thread()
    outer.__enter__()
    with ThreadPoolExecutor(1) as pool:
        inner = pool.submit(threads.one_blas_thread).result()
        pool.submit(inner.__enter__).result()
        outer.__exit__(None, None, None)
        assert limits() == {1}
        pool.submit(inner.__exit__, None, None, None).result()
    assert limits() == before
