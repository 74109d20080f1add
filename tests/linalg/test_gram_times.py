"""H diag(w) HᵀV for sparse rows, by scipy or compiled."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.linalg import gram

WAYS = {"scipy": 10**12, "compiled": 0}


@pytest.fixture(params=WAYS, ids=list(WAYS))
def small(request, monkeypatch):
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", WAYS[request.param])


def rows(n_rows=70, n_columns=40, seed=0):
    H_t = sp.random(n_rows, n_columns, density=0.1, random_state=np.random.default_rng(seed), format="lil")
    H_t[[0, 13, n_rows - 1]] = 0  # empty documents, first and last among them
    return sp.csr_array(H_t)


@pytest.mark.parametrize("k", [1, 7])
@pytest.mark.parametrize("weights", [None, "signs", "any"])
def test_equals_the_product_written_out(small, rng, k, weights):
    H_t, V = rows(), rng.standard_normal((40, k))
    w = {"signs": np.where(np.arange(70) % 3, 1.0, -1.0), "any": rng.standard_normal(70)}.get(weights)
    dense = H_t.toarray()
    expected = dense.T @ np.diag(np.ones(70) if w is None else w) @ dense @ V
    assert np.allclose(gram.gram_times(H_t, V, w), expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_rows_that_cancel_leave_nothing(small, rng):
    """A document with a sign of −1 removes the same document with a sign of 1."""
    H_t, V = rows(), rng.standard_normal((40, 3))
    twice = sp.csr_array(sp.vstack([H_t, H_t]))
    out = gram.gram_times(twice, V, np.repeat([1.0, -1.0], 70))
    assert np.abs(out).max() <= 1e-14 * np.abs(gram.gram_times(H_t, V)).max()


def test_blocks_of_any_order_and_words_in_any_order(small, rng):
    H_t, V = rows(), rng.standard_normal((40, 6))
    expected = gram.gram_times(H_t, V)
    assert np.allclose(gram.gram_times(H_t, np.asfortranarray(V)), expected, atol=1e-14)
    assert np.allclose(gram.gram_times(H_t, np.hstack([V, V])[:, ::2]), expected[:, [0, 2, 4, 0, 2, 4]], atol=1e-14)
    shuffled = H_t.copy()
    for start, stop in zip(H_t.indptr[:-1], H_t.indptr[1:], strict=True):
        shuffled.indices[start:stop] = H_t.indices[start:stop][::-1]
        shuffled.data[start:stop] = H_t.data[start:stop][::-1]
    assert np.allclose(gram.gram_times(shuffled, V), expected, atol=1e-14)


def test_the_input_is_not_changed(small, rng):
    H_t, V = rows(), rng.standard_normal((40, 3))
    w, kept = rng.standard_normal(70), (H_t.copy(), V.copy())
    gram.gram_times(H_t, V, w)
    assert (abs(H_t - kept[0])).nnz == 0
    assert (kept[1] == V).all()


@pytest.mark.parametrize("threads", [1, 3, 100])
def test_columns_of_any_number_and_words_in_another_order(small, monkeypatch, rng, threads):
    monkeypatch.setattr(gram, "n_threads", lambda: threads)
    monkeypatch.setattr(gram, "COLUMNS_AT_ONCE", 2)
    monkeypatch.setattr(gram, "ROW_NUMBERS", 20)
    H_t, order = rows(), rng.permutation(40)
    dense = H_t.toarray()
    for k in range(1, 12):
        V, expected = rng.standard_normal((40, k)), np.empty((40, k))
        expected[order] = dense.T @ dense @ V[order]
        assert np.allclose(gram.gram_times(H_t, V, order=order), expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_single_precision_has_sums_of_as_many_numbers_as_may_be():
    """Of few rows each, where rows have few numbers; else all of about the same work."""
    lengths = np.repeat([1, 3], [200_000, 100_000])
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    H_t = sp.csr_array((np.ones(indptr[-1], np.float32), np.zeros(indptr[-1], np.int32), indptr), shape=(300_000, 1))
    edges = gram._edges_of_sums(H_t, single=True)
    assert (edges[0], edges[-1]) == (0, 300_000)
    assert (np.diff(edges) > 0).all()
    assert np.diff(edges).max() <= gram.MAX_ROWS_PER_SUM
    one = sp.csr_array(np.ones((300_000, 1), np.float32))
    assert len(gram._edges_of_sums(one, single=True)) - 1 == 48


def test_the_number_of_threads_changes_only_rounding(monkeypatch, rng):
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)
    H_t, V = rows(301, 40), rng.standard_normal((40, 5))
    results = []
    for threads in (1, 2, 7, 100):
        monkeypatch.setattr(gram, "n_threads", lambda threads=threads: threads)
        results.append(gram.gram_times(H_t, V))
        assert (gram.gram_times(H_t, V) == results[-1]).all()
    for result in results[1:]:
        assert np.allclose(result, results[0], rtol=0, atol=1e-13 * np.abs(results[0]).max())


@pytest.mark.parametrize("longest", [3, 8192])
@pytest.mark.parametrize("weights", [None, "signs"])
def test_single_precision_is_close_and_the_same_for_any_number_of_threads(monkeypatch, rng, longest, weights):
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)
    monkeypatch.setattr(gram, "MAX_ROWS_PER_SUM", longest)
    H_t, V = rows(301, 40), rng.standard_normal((40, 5))
    w = None if weights is None else np.where(np.arange(301) % 3, 1.0, -1.0)
    expected, results = gram.gram_times(H_t, V, w), []
    for threads in (1, 2, 7, 100):
        monkeypatch.setattr(gram, "n_threads", lambda threads=threads: threads)
        results.append(gram.gram_times(H_t.astype(np.float32), V, w))
    assert results[0].dtype == np.float64
    assert np.allclose(results[0], expected, rtol=0, atol=1e-6 * np.abs(expected).max())
    assert all((result == results[0]).all() for result in results[1:])


def test_sums_of_many_documents_lose_nothing_in_single_precision(monkeypatch):
    """0.1 added up a million times in single precision alone is off by one per cent."""
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)
    n = 1_000_000
    data, indptr = np.full(n, np.sqrt(0.1), dtype=np.float32), np.arange(n + 1, dtype=np.int32)
    H_t = sp.csr_array((data, np.zeros(n, dtype=np.int32), indptr), shape=(n, 1))
    assert gram.gram_times(H_t, np.ones((1, 1)))[0, 0] == pytest.approx(0.1 * n, rel=1e-4)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("in_order", [False, True])
def test_squared_norms_of_the_rows_of_the_gram_matrix(small, signed, in_order):
    H_t = rows()
    if not in_order:  # each row from its end
        order = np.concatenate([np.arange(b - 1, a - 1, -1) for a, b in pairwise(H_t.indptr)])
        H_t = sp.csr_array((H_t.data[order], H_t.indices[order], H_t.indptr), shape=H_t.shape)
    weights = np.where(np.arange(70) % 2, 1.0, -1.0) if signed else np.ones(70)
    dense = H_t.toarray()
    expected = ((dense.T @ np.diag(weights) @ dense) ** 2).sum(axis=1)
    found = gram.squared_gram_rows(sp.csr_array((sp.diags_array(weights) @ H_t).T), H_t)
    assert np.allclose(found, expected, rtol=1e-13, atol=0)


def test_squared_norms_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)
    one = gram.squared_gram_rows(sp.csr_array(rows().T), rows())
    monkeypatch.setattr("cotopics.linalg.threads.n_threads", lambda: 3)
    assert (gram.squared_gram_rows(sp.csr_array(rows().T), rows()) == one).all()
