"""Every shape that a co-occurrence is kept in gives the same answers."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.cooccur import (
    Clipped,
    Combined,
    CooccurrenceAccumulator,
    CooccurrenceSketch,
    Dense,
    Implicit,
    LowRank,
    Remembered,
    Sparse,
    cooccurrence,
)

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


def clipped():
    """YYᵀ is C + I but for entries of −0.1 where C has zeros, in rows and columns of words that are held."""
    below = np.zeros((25, 25))
    below[7, [1, 2, 9]] = below[21, C[21] == 0] = -0.1
    below[21, 21] = 0
    held = np.array([21, 7])
    values, vectors = np.linalg.eigh(C + np.eye(25) + below + below.T)
    Y = vectors * np.sqrt(values)
    assert values[0] > 0
    assert (Y @ Y.T).min() < -0.09
    return Combined([Clipped(Y, held), Sparse(sp.eye_array(25))], [1.0, -1.0])


SHAPES = {
    "dense": lambda: cooccurrence(X, representation="dense"),
    "sparse": lambda: cooccurrence(X, representation="sparse"),
    "implicit": lambda: cooccurrence(X, representation="implicit"),
    "combined": lambda: Combined([Dense(0.25 * C), Sparse(0.5 * C)], [2.0, 1.0]),
    "low rank and a correction": low_rank,
    "clipped and a correction": clipped,
    "accumulated": folded,
    "merged": halves_merged,
    "removed": removed_again,
    "sketch of every column": lambda: CooccurrenceSketch(25, landmarks=np.arange(25)).update(X).finish(),
    "remembered": lambda: Remembered(cooccurrence(X, representation="implicit")),
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


@pytest.mark.parametrize(("n", "k"), [(25, 4), (4, 25), (25, 25)])
def test_rows_of_a_thin_factor_keep_lengths_and_angles(rng, n, k):
    Y = rng.standard_normal((n, k))
    Z, C = LowRank(Y).isometric_rows(), Y @ Y.T
    assert Z.shape == (n, min(n, k))
    assert np.allclose(Z @ Z.T, C @ C, rtol=1e-12, atol=1e-12 * (C @ C).max())
    assert Clipped(Y, [1]).isometric_rows() is None  # its rows are not in the span of k vectors


def test_implicit_with_long_documents_takes_the_dense_way(monkeypatch):
    implicit = SHAPES["implicit"]()
    assert isinstance(implicit, Implicit)
    monkeypatch.setattr("cotopics.cooccur.implicit.LONG_DOCUMENTS", 1.0)
    sparse_way, norms = implicit.toarray(), implicit.squared_row_norms()
    monkeypatch.setattr("cotopics.cooccur.implicit.LONG_DOCUMENTS", 0.0)
    assert np.allclose(implicit.toarray(), sparse_way, atol=1e-15)
    assert np.allclose(implicit.squared_row_norms(), norms, atol=1e-15)
    assert np.allclose(norms, (C**2).sum(axis=1), atol=1e-15)


def test_clipped_holds_some_words_and_leaves_the_others(rng):
    Y = rng.standard_normal((12, 3))
    words = [4, 9, 4]
    held = np.isin(np.arange(12), words)
    expected = Y @ Y.T
    expected[(expected < 0) & (held | held[:, None])] = 0
    thin = Clipped(Y, words)
    assert np.allclose(thin.toarray(), expected, atol=1e-14)
    assert expected[held].min() == 0 > expected.min()
    assert np.allclose(thin @ np.ones(12, dtype=int), expected.sum(axis=1), atol=1e-14)
    more = thin.nonnegative_rows([0])
    assert more.rows([0, 4, 9]).min() >= 0
    assert thin.rows([0]).min() < 0  # a new matrix: the old one is as it was
    assert np.allclose(thin.restrict([9, 0, 3]).toarray(), expected[np.ix_([9, 0, 3], [9, 0, 3])], atol=1e-14)
    assert np.allclose(LowRank(Y).nonnegative_rows(words).toarray(), expected, atol=1e-14)
    assert np.allclose(Clipped(Y, np.array([], dtype=int)).toarray(), Y @ Y.T, atol=1e-14)
    assert np.allclose(Clipped(Y, range(12)) @ np.eye(12), np.maximum(Y @ Y.T, 0), atol=1e-14)


def test_share_of_a_row_below_zero(rng, monkeypatch):
    Y = rng.standard_normal((40, 3)) * 10.0 ** rng.uniform(-6, 0, (40, 1))
    C_thin = Y @ Y.T
    expected = np.maximum(-C_thin, 0).sum(axis=1) / np.abs(C_thin).sum(axis=1)
    assert np.allclose(LowRank(Y).negative_share(), expected, atol=1e-5)
    assert np.allclose(LowRank(1e-30 * Y).negative_share(), expected, atol=1e-5)
    assert (LowRank(np.abs(Y)).negative_share() == 0).all()
    assert (LowRank(np.zeros((5, 2))).negative_share() == 0).all()
    monkeypatch.setattr("cotopics.cooccur.low_rank.MAX_COLUMNS", 20)  # the longest half of the rows tell nearly all
    assert np.allclose(LowRank(Y).negative_share(), expected, atol=0.02)
    for shape in ("dense", "sparse", "implicit"):
        assert (SHAPES[shape]().negative_share() == 0).all()
        assert SHAPES[shape]().nonnegative_rows([3]).toarray().min() >= 0


@pytest.mark.parametrize("representation", ["dense", "sparse", "implicit", "added up"])
def test_a_word_never_twice_in_a_document_makes_no_pair_with_itself(representation):
    """To the last digit, in any order of documents: rounding of either sign would be all there is."""
    rng = np.random.default_rng(0)
    X = np.minimum(rng.poisson(0.4, size=(200, 30)), np.where(np.arange(30) < 20, 1, 9))
    for order in range(5):
        documents = X[np.random.default_rng(order).permutation(200)]
        if representation == "added up":
            accumulator = CooccurrenceAccumulator().update(documents[:90]).update(documents[90:])
            accumulator._fold()
            found = accumulator.finish()
        else:
            found = cooccurrence(documents, representation=representation)
        assert (found.diagonal()[:20] == 0).all()
        assert (np.diag(found.rows(np.arange(30)))[:20] == 0).all()
        assert (found.diagonal()[20:] > 0).all()
