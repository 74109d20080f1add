"""Sums of rows: in double precision, and without a copy of the matrix."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.linalg import columns
from cotopics.linalg.columns import row_sums


@pytest.mark.parametrize("numbers", [1, 7, 1 << 15])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float32", "float64"])
def test_sums_are_those_of_the_full_matrix(monkeypatch, numbers, dtype):
    monkeypatch.setattr(columns, "NUMBERS", numbers)
    D = (sp.random(50, 6, 0.3, random_state=np.random.default_rng(0)).toarray() * 255).astype(dtype)
    D[[0, 20, 21, 49]] = 0
    D[10] = 255
    assert row_sums(sp.csr_array(D)) == pytest.approx(D.sum(axis=1, dtype=np.float64))
    assert row_sums(sp.csr_array(D)).dtype == np.float64


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (3, 2)])
def test_nothing_sums_to_zero(shape):
    assert row_sums(sp.csr_array(shape)).tolist() == [0] * shape[0]


def test_single_precision_is_added_up_in_double():
    X = sp.csr_array(np.array([[2**24, 1, 1]], dtype=np.float32))
    assert row_sums(X).tolist() == [2**24 + 2]


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_nothing_as_large_as_the_matrix_is_made(dtype):
    X = sp.csr_array(np.ones((10_000, 100), dtype=dtype))
    tracemalloc.start()
    row_sums(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.2 * X.data.nbytes
