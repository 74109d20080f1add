"""Sums of columns, in blocks."""

import numpy as np
import pytest

from cotopics.linalg import columns
from cotopics.linalg.columns import columns_to_one, dense_column_sums


@pytest.mark.parametrize("numbers", [1, 20, 10**6])
def test_columns_sum_to_one_and_empty_ones_stay(rng, monkeypatch, numbers):
    monkeypatch.setattr(columns, "BLOCK_NUMBERS", numbers)
    monkeypatch.setattr(columns, "MIN_BLOCKS", 2)
    B = rng.random((37, 5))
    B[:, 3] = 0
    assert np.allclose(dense_column_sums(B), B.sum(axis=0))
    expected = B / np.where(B.sum(axis=0) > 0, B.sum(axis=0), 1)
    assert np.allclose(columns_to_one(B), expected)
    assert np.allclose(B, expected)  # in place
    assert dense_column_sums(np.empty((0, 3))).tolist() == [0, 0, 0]
    assert dense_column_sums(np.ones((4, 2), np.float32)).dtype == np.float64
