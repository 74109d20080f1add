"""Every shape that a co-occurrence is kept in gives the same answers."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.cooccur import Combined, CooccurrenceAccumulator, Dense, Implicit, LowRank, Sparse, cooccurrence

X = np.random.default_rng(0).poisson(0.4, size=(60, 25))
X[:, 7] = 0
X[3] = 0
X[4] = np.eye(25)[2]  # one token
C = cooccurrence(X, representation="dense").matrix


def folded():
    accumulator = CooccurrenceAccumulator().update(X[:31]).update(X[31:])
    accumulator._fold()  # as it does by itself once there are many documents
    return accumulator.finish()


def halves_merged():
    return CooccurrenceAccumulator().update(X[::2]).merge(CooccurrenceAccumulator().update(X[1::2])).finish()


def removed_again():
    extra = np.random.default_rng(1).poisson(0.5, size=(20, 25))
    return CooccurrenceAccumulator().update(extra).update(X).remove(extra).finish()


def low_rank():
    values, vectors = np.linalg.eigh(C + np.eye(25))
    return Combined([LowRank(vectors * np.sqrt(values)), Sparse(sp.eye_array(25))], [1.0, -1.0])


SHAPES = {
    "dense": lambda: cooccurrence(X, representation="dense"),
    "sparse": lambda: cooccurrence(X, representation="sparse"),
    "implicit": lambda: cooccurrence(X, representation="implicit"),
    "combined": lambda: Combined([Dense(0.25 * C), Sparse(0.5 * C)], [2.0, 1.0]),
    "low rank and a correction": low_rank,
    "accumulated": folded,
    "merged": halves_merged,
    "removed": removed_again,
}


@pytest.fixture(params=SHAPES, ids=list(SHAPES))
def shape(request):
    return SHAPES[request.param]()


def test_all_questions(shape, rng):
    V = rng.standard_normal((25, 4))
    words = np.array([3, 0, 21])
    assert shape.shape == (25, 25)
    assert np.allclose(shape @ V, C @ V, atol=1e-14)
    assert np.allclose(shape @ V[:, 0], C @ V[:, 0], atol=1e-14)
    assert np.allclose(shape.rows(words), C[words], atol=1e-14)
    assert np.allclose(shape.rows([5]), C[[5]], atol=1e-14)
    assert np.allclose(shape.diagonal(), np.diag(C), atol=1e-14)
    assert np.allclose(shape.row_sums(), C.sum(axis=1), atol=1e-14)
    assert np.allclose(shape.squared_row_norms(), (C**2).sum(axis=1), atol=1e-14)
    assert np.allclose(shape.toarray(), C, atol=1e-14)


def test_toarray_is_a_copy(shape):
    shape.toarray()[:] = 7
    assert np.allclose(shape.toarray(), C, atol=1e-14)


def test_restriction(shape):
    words = [9, 2, 14]
    part = shape.restrict(words)
    assert np.allclose(part.toarray(), C[np.ix_(words, words)], atol=1e-14)
    assert np.allclose(part.row_sums(), C[np.ix_(words, words)].sum(axis=1), atol=1e-14)
    if part.documents is not None:
        assert (
            part.documents.frequency.tolist() == (X[np.asarray(X).sum(axis=1) > 1][:, words] > 0).sum(axis=0).tolist()
        )


def test_blocks_of_rows_cover_all_words(shape, monkeypatch):
    monkeypatch.setattr("cotopics.cooccur.base.BLOCK_ENTRIES", 60)
    assert np.concatenate(list(shape.row_blocks())).tolist() == list(range(25))
    assert np.allclose(shape.squared_row_norms(), (C**2).sum(axis=1), atol=1e-14)


def test_implicit_with_long_documents_takes_the_dense_way(monkeypatch):
    implicit = SHAPES["implicit"]()
    assert isinstance(implicit, Implicit)
    monkeypatch.setattr("cotopics.cooccur.implicit.LONG_DOCUMENTS", 1.0)
    sparse_way, norms = implicit.toarray(), implicit.squared_row_norms()
    monkeypatch.setattr("cotopics.cooccur.implicit.LONG_DOCUMENTS", 0.0)
    assert np.allclose(implicit.toarray(), sparse_way, atol=1e-15)
    assert np.allclose(implicit.squared_row_norms(), norms, atol=1e-15)
    assert np.allclose(norms, (C**2).sum(axis=1), atol=1e-15)
