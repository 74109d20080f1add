"""Sums over columns and rows, block by block: in double precision, and without a copy of the matrix."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from cotopics.linalg import sparse_matrices
from cotopics.linalg.sparse_matrices import column_counts, column_sums, row_blocks, row_sums, weighted_sum_of_rows


@pytest.fixture(params=[7, 1 << 16], ids=["small blocks", "one block"])
def X(request, monkeypatch):
    monkeypatch.setattr(sparse_matrices, "BLOCK_NUMBERS", request.param)
    D = sp.random(40, 6, 0.3, random_state=np.random.default_rng(0)).toarray()
    D[:, 4] = 0
    return sp.csr_array(D)


def test_sums_of_columns_are_those_of_the_full_matrix(X):
    D = X.toarray()
    assert column_counts(X).tolist() == (D > 0).sum(axis=0).tolist()
    assert np.allclose(column_sums(X), D.sum(axis=0), rtol=1e-14, atol=0)
    assert np.allclose(column_sums(X, np.square), (D**2).sum(axis=0), rtol=1e-14, atol=0)
    weights = np.arange(40) - 20.0
    assert np.allclose(weighted_sum_of_rows(X, weights), D.T @ weights, rtol=1e-12, atol=1e-12)
    assert weighted_sum_of_rows(X.astype(np.float32), weights).dtype == np.float64


def test_columns_in_single_precision_are_added_in_double():
    many = sp.csr_array((np.full(300_000, 0.1, dtype=np.float32), np.zeros(300_000, int), [0, 300_000]), shape=(1, 1))
    assert np.isclose(column_sums(many)[0], 300_000 * np.float64(np.float32(0.1)), rtol=1e-12)


def test_columns_of_an_empty_matrix_sum_to_zero():
    assert column_counts(sp.csr_array((3, 2))).tolist() == [0, 0]
    assert column_sums(sp.csr_array((0, 2))).tolist() == [0, 0]
    assert weighted_sum_of_rows(sp.csr_array((0, 2)), np.empty(0)).tolist() == [0, 0]


@given(lengths=st.lists(st.integers(0, 9), max_size=30), n_words=st.integers(9, 20))
def test_blocks_have_every_row_once_and_as_many_numbers_as_there_are_columns(lengths, n_words):
    table = np.array([[1] * length + [0] * (n_words - length) for length in lengths]).reshape(len(lengths), n_words)
    X = sp.csr_array(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_matrices, "BLOCK_NUMBERS", 1)
        blocks = list(row_blocks(X))
    assert [row for rows, _, _ in blocks for row in range(rows.start, rows.stop)] == list(range(len(lengths)))
    assert [length for _, some, _ in blocks for length in some] == lengths
    assert all(sum(some) == numbers.stop - numbers.start for _, some, numbers in blocks)
    assert all(sum(some) >= n_words for _, some, _ in blocks[:-1])


@pytest.mark.parametrize("numbers", [1, 7, 1 << 15])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float32", "float64"])
def test_sums_of_rows_are_those_of_the_full_matrix(monkeypatch, numbers, dtype):
    monkeypatch.setattr(sparse_matrices, "BLOCK_NUMBERS", numbers)
    D = (sp.random(50, 6, 0.3, random_state=np.random.default_rng(0)).toarray() * 255).astype(dtype)
    D[[0, 20, 21, 49]] = 0
    D[10] = 255
    assert row_sums(sp.csr_array(D)) == pytest.approx(D.sum(axis=1, dtype=np.float64))
    assert row_sums(sp.csr_array(D)).dtype == np.float64


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (3, 2)])
def test_empty_rows_sum_to_zero(shape):
    assert row_sums(sp.csr_array(shape)).tolist() == [0] * shape[0]


def test_rows_in_single_precision_are_added_in_double():
    X = sp.csr_array(np.array([[2**24, 1, 1]], dtype=np.float32))
    assert row_sums(X).tolist() == [2**24 + 2]


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_row_sums_need_much_less_memory_than_the_matrix(dtype):
    X = sp.csr_array(np.ones((10_000, 100), dtype=dtype))
    tracemalloc.start()
    row_sums(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.2 * X.data.nbytes
