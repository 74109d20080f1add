"""Sums over columns and rows, block by block: in double precision, and without a copy of the matrix."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from cotopics.linalg import sparse_matrices, threads
from cotopics.linalg.changes import LOG1P, ONE_PLUS_LOG, ONES, SQUARED, UNCHANGED
from cotopics.linalg.sparse_matrices import (
    changed_numbers,
    column_counts,
    column_sums,
    row_blocks,
    row_keys,
    row_sums,
    scattered,
    selected,
)


@pytest.fixture(params=[7, 1 << 16], ids=["small blocks", "one block"])
def X(request, monkeypatch):
    monkeypatch.setattr(sparse_matrices, "PIECE_NUMBERS", request.param)
    D = sp.random(40, 6, 0.3, random_state=np.random.default_rng(0)).toarray()
    D[:, 4] = 0
    return sp.csr_array(D)


def test_sums_of_columns_are_those_of_the_full_matrix(X):
    D = X.toarray()
    assert column_counts(X).tolist() == (D > 0).sum(axis=0).tolist()
    assert np.allclose(column_sums(X), D.sum(axis=0), rtol=1e-14, atol=0)
    assert np.allclose(column_sums(X, SQUARED), (D**2).sum(axis=0), rtol=1e-14, atol=0)
    weights = np.arange(40) - 20.0
    assert np.allclose(column_sums(X, weights=weights), D.T @ weights, rtol=1e-12, atol=1e-12)
    assert column_sums(X.astype(np.float32), weights=weights).dtype == np.float64


def test_columns_in_single_precision_are_added_in_double():
    many = sp.csr_array((np.full(300_000, 0.1, dtype=np.float32), np.zeros(300_000, int), [0, 300_000]), shape=(1, 1))
    assert np.isclose(column_sums(many)[0], 300_000 * np.float64(np.float32(0.1)), rtol=1e-12)


def test_columns_of_an_empty_matrix_sum_to_zero():
    assert column_counts(sp.csr_array((3, 2))).tolist() == [0, 0]
    assert column_sums(sp.csr_array((0, 2))).tolist() == [0, 0]
    assert column_sums(sp.csr_array((0, 2)), weights=np.empty(0)).tolist() == [0, 0]


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
    monkeypatch.setattr(sparse_matrices, "PIECE_NUMBERS", numbers)
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


# --- numbers that are changed first ----------------------------------------------------------------------------------

FORMULAS = {
    "unchanged": (UNCHANGED, lambda x: x),
    "squared": (SQUARED, lambda x: x**2),
    "ones": (ONES, np.ones_like),
    "log1p": (LOG1P, np.log1p),
    "one plus log": (ONE_PLUS_LOG, lambda x: np.where(x >= 1, 1 + np.log(np.maximum(x, 1)), x)),
    "its square": (ONE_PLUS_LOG.square(), lambda x: np.where(x >= 1, 1 + np.log(np.maximum(x, 1)), x) ** 2),
}


def of_all_kinds(dtype, shape=(90, 23)):
    """Numbers from tables and beyond, fractions where the type has them, and empty rows and columns."""
    rng = np.random.default_rng(3)
    values = np.array([0, 0, 0, 1, 2, 7, 255, 256, 5000])
    values = np.append(values, [0.25, 1.5]) if np.dtype(dtype).kind == "f" else values
    D = rng.choice(values, size=shape).astype(dtype)
    D[[0, 40, 89]], D[:, 5] = 0, 0
    return D


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("numbers", [1, 50, 1 << 15])
def test_changed_numbers_as_numpy_has_them(monkeypatch, name, dtype, numbers):
    monkeypatch.setattr(sparse_matrices, "PIECE_NUMBERS", numbers)
    (change, formula), D, rng = FORMULAS[name], of_all_kinds(dtype), np.random.default_rng(0)
    X, by_row, by_column = sp.csr_array(D), rng.random(len(D)), rng.random(D.shape[1])
    expected = np.where(D != 0, formula(D.astype(np.float64)), 0)
    assert np.allclose(column_sums(X, change), expected.sum(axis=0), rtol=1e-13)
    assert np.allclose(column_sums(X, change, by_row), expected.T @ by_row, rtol=1e-13)
    assert np.allclose(row_sums(X, change), expected.sum(axis=1), rtol=1e-13)
    assert np.allclose(row_sums(X, change, by_column), expected @ by_column, rtol=1e-13)
    assert np.allclose(changed_numbers(X, change, by_column, np.float64), (expected * by_column)[D != 0], rtol=1e-13)


@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_selected_columns_in_another_order(monkeypatch, dtype):
    monkeypatch.setattr(sparse_matrices, "PIECE_NUMBERS", 50)
    D, rng = of_all_kinds(dtype), np.random.default_rng(0)
    scale, weights, chosen = rng.random(len(D)), rng.random(D.shape[1]), np.array([7, 3, 20, 5])
    place = np.full(D.shape[1], -1, dtype=np.int32)
    place[chosen] = np.arange(4)
    found = selected(sp.csr_array(D), LOG1P, scale, weights, place, 4, np.float64)
    expected = scale[:, None] * np.log1p(D.astype(np.float64)) * weights
    assert np.allclose(found.toarray(), expected[:, chosen], rtol=1e-13)
    assert (found.indices.dtype, found.data.dtype, found.nnz) == (np.int32, np.float64, (D[:, chosen] > 0).sum())


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("with_numbers", [False, True])
def test_keys_of_rows_are_sums_modulo_2_to_the_64(dtype, with_numbers):
    D, keys = of_all_kinds(dtype), scattered(np.arange(1, 24, dtype=np.uint64))
    factors = scattered(D.astype(np.float64).view(np.uint64)) if with_numbers else np.ones(D.shape, np.uint64)
    expected = np.where(D != 0, keys * factors, np.uint64(0)).sum(axis=1, dtype=np.uint64)
    assert (row_keys(sp.csr_array(D), keys, with_numbers=with_numbers) == expected).all()


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(sparse_matrices, "PIECE_NUMBERS", 50)
    monkeypatch.setattr(sparse_matrices, "THREAD_NUMBERS", 1)
    X, found = sp.csr_array(of_all_kinds("float64", (900, 23))), []
    weights, place = np.linspace(0, 1, 23), np.arange(23, dtype=np.int32)
    for n in (1, 2, 3, 8):
        monkeypatch.setattr(threads, "n_threads", lambda n=n: n)
        arrays = [
            column_sums(X, LOG1P, np.linspace(0, 1, 900)),
            row_sums(X, LOG1P, weights),
            changed_numbers(X, LOG1P, weights, np.float32),
            selected(X, LOG1P, np.linspace(0, 1, 900), weights, place, 23, np.float32).data,
            row_keys(X, place.astype(np.uint64), with_numbers=True),
        ]
        found.append([array.tobytes() for array in arrays])
    assert all(other == found[0] for other in found)
