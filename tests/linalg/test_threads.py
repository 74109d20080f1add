"""Thin products are products, the same bits on any number of threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cotopics.linalg import threads
from cotopics.linalg.threads import thin_product


@pytest.mark.parametrize("block", [1, 100, 10**9])
def test_a_thin_product_is_the_product(rng, monkeypatch, block):
    monkeypatch.setattr(threads, "BLOCK_PRODUCTS", block)
    A, B = rng.standard_normal((50, 7)), rng.standard_normal((7, 3))
    assert np.allclose(thin_product(A, B), np.einsum("ij,jk->ik", A, B))
    assert np.allclose(thin_product(A.T, A), np.einsum("ij,ik->jk", A, A))
    assert np.allclose(thin_product(B.T, A.T), np.einsum("ij,jk->ik", A, B).T)
    assert thin_product(A[:0], B).shape == (0, 3)


def test_a_thin_product_does_not_depend_on_threads(rng, monkeypatch):
    A, B = rng.standard_normal((20_000, 40)), rng.standard_normal((40, 30))
    found = []
    for n in ("1", "2", "7"):
        monkeypatch.setenv("OMP_NUM_THREADS", n)
        monkeypatch.setattr("os.sched_getaffinity", lambda _: range(8), raising=False)
        found.append((thin_product(A, B).tobytes(), thin_product(A.T, A).tobytes()))
    assert len(set(found)) == 1


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
