"""The negative part of YYᵀ, multiplied without being formed."""

import tracemalloc

import numpy as np
import pytest

import reference
from cotopics.linalg import thin_factors
from cotopics.linalg.thin_factors import times_negative_part


def test_by_hand():
    Y = np.array([[1.0, 0.0], [-2.0, 0.0], [0.0, 3.0], [0.0, -1.0]])
    # YYᵀ has −2 between words 0 and 1, −3 between words 2 and 3
    V = np.eye(4)
    assert times_negative_part(Y, np.array([0]), V).tolist() == [[0, 2, 0, 0], [2, 0, 0, 0], [0] * 4, [0] * 4]
    assert times_negative_part(Y, np.array([3, 1]), V).tolist() == [
        [0, 2, 0, 0],
        [2, 0, 0, 0],
        [0, 0, 0, 3],
        [0, 0, 3, 0],
    ]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("block", [1, 7, 512])
@pytest.mark.parametrize("n_held", [0, 1, 20, 59, 60])
def test_equals_the_matrix_written_out(rng, monkeypatch, dtype, block, n_held):
    monkeypatch.setattr(thin_factors, "BLOCK_ROWS", block)
    Y, V = rng.standard_normal((60, 5)).astype(dtype), rng.standard_normal((60, 4)).astype(dtype)
    I = rng.permutation(60)[:n_held]
    E = reference.negative_part(Y.astype(np.float64), I)
    assert (E == E.T).all()
    result = times_negative_part(Y, I, V)
    assert result.dtype == dtype
    expected = E @ V.astype(np.float64)
    assert np.abs(result - expected).max() <= 100 * np.finfo(dtype).eps * np.abs(E).max() * 60


def test_the_order_of_words_held_does_not_matter(rng):
    Y, V = rng.standard_normal((50, 3)), rng.standard_normal((50, 2))
    I = np.array([31, 4, 17, 49, 0])
    assert np.allclose(times_negative_part(Y, I, V), times_negative_part(Y, np.sort(I), V), rtol=0, atol=1e-13)


def test_signs_and_rotations_of_the_factor_do_not_matter(rng):
    Y, V, I = rng.standard_normal((50, 3)), rng.standard_normal((50, 2)), np.arange(0, 50, 3)
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    assert np.allclose(times_negative_part(Y @ Q, I, V), times_negative_part(Y, I, V), rtol=0, atol=1e-12)


def test_a_factor_without_negative_products_gives_zero(rng):
    assert (times_negative_part(rng.random((30, 4)), np.arange(10), rng.standard_normal((30, 2))) == 0).all()


def test_a_block_of_integers_is_not_cut_to_integers(rng):
    Y = rng.standard_normal((20, 3))
    ones = np.ones((20, 1), dtype=np.int64)
    assert np.allclose(times_negative_part(Y, np.arange(5), ones), times_negative_part(Y, np.arange(5), ones * 1.0))


def test_memory_is_that_of_blocks(rng):
    """6,000 × 3,000 entries of E would take 72 MB in single precision."""
    Y = rng.standard_normal((6000, 3)).astype(np.float32)
    V = np.ones((6000, 1), dtype=np.float32)
    I = np.arange(0, 6000, 2)
    times_negative_part(Y[:600], np.arange(300), V[:600])  # so that everything is imported
    tracemalloc.start()
    times_negative_part(Y, I, V)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 72e6 / 4
