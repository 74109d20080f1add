"""Sums of columns, some numbers at a time, are those of the whole."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

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
    weights = np.arange(40) - 20.0
    assert np.allclose(columns.weighted_sum_of_rows(X, weights), D.T @ weights, rtol=1e-12, atol=1e-12)
    assert columns.weighted_sum_of_rows(X.astype(np.float32), weights).dtype == np.float64


def test_single_numbers_are_added_up_in_double():
    many = sp.csr_array((np.full(300_000, 0.1, dtype=np.float32), np.zeros(300_000, int), [0, 300_000]), shape=(1, 1))
    assert np.isclose(columns.column_sums(many)[0], 300_000 * np.float64(np.float32(0.1)), rtol=1e-12)


def test_nothing():
    assert columns.column_counts(sp.csr_array((3, 2))).tolist() == [0, 0]
    assert columns.column_sums(sp.csr_array((0, 2))).tolist() == [0, 0]
    assert columns.weighted_sum_of_rows(sp.csr_array((0, 2)), np.empty(0)).tolist() == [0, 0]


@given(lengths=st.lists(st.integers(0, 9), max_size=30), n_words=st.integers(9, 20))
def test_blocks_hold_every_row_once_and_as_many_numbers_as_there_are_words(lengths, n_words):
    table = np.array([[1] * length + [0] * (n_words - length) for length in lengths]).reshape(len(lengths), n_words)
    X = sp.csr_array(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cotopics.linalg.columns.NUMBERS", 1)
        blocks = list(columns.row_blocks(X))
    assert [row for rows, _, _ in blocks for row in range(rows.start, rows.stop)] == list(range(len(lengths)))
    assert [length for _, some, _ in blocks for length in some] == lengths
    assert all(sum(some) == numbers.stop - numbers.start for _, some, numbers in blocks)
    assert all(sum(some) >= n_words for _, some, _ in blocks[:-1])
