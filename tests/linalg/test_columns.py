"""Sums of columns, some numbers at a time, are those of the whole."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.linalg import columns


@pytest.fixture(params=[7, 1 << 16], ids=["a few at a time", "all at once"])
def X(request, monkeypatch):
    monkeypatch.setattr(columns, "NUMBERS", request.param)
    D = sp.random(40, 6, 0.3, random_state=np.random.default_rng(0)).toarray()
    D[:, 4] = 0
    return sp.csr_array(D)


def test_counts_and_sums(X):
    D = X.toarray()
    assert columns.column_counts(X).tolist() == (D > 0).sum(axis=0).tolist()
    assert np.allclose(columns.column_sums(X), D.sum(axis=0), rtol=1e-14, atol=0)
    assert np.allclose(columns.column_sums(X, np.square), (D**2).sum(axis=0), rtol=1e-14, atol=0)


def test_single_numbers_are_added_up_in_double():
    many = sp.csr_array((np.full(300_000, 0.1, dtype=np.float32), np.zeros(300_000, int), [0, 300_000]), shape=(1, 1))
    assert np.isclose(columns.column_sums(many)[0], 300_000 * np.float64(np.float32(0.1)), rtol=1e-12)


def test_nothing():
    assert columns.column_counts(sp.csr_array((3, 2))).tolist() == [0, 0]
    assert columns.column_sums(sp.csr_array((0, 2))).tolist() == [0, 0]
