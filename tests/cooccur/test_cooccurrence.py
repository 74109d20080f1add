import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import reference
from cotopics import CooccurrenceAccumulator, cooccurrence
from cotopics.cooccur import Balanced, as_cooccurrence
from cotopics.errors import CooccurrenceError, CorpusError

counts = arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.integers(0, 4))


@settings(deadline=None, max_examples=100)
@given(counts)
def test_counts_every_pair_once(X):
    if (X.sum(axis=1) >= 2).any():
        C = cooccurrence(X)
        assert np.allclose(C.toarray(), reference.cooccurrence(X), atol=1e-14)
        assert np.isclose(C.toarray().sum(), 1)
        assert C.documents.n_left_out == (X.sum(axis=1) < 2).sum()
    else:
        with pytest.raises(CorpusError, match="two tokens or more"):
            cooccurrence(X)


def test_unbiased(corpus):
    """The mean over many documents of one mixture is B w wᵀ Bᵀ: the diagonal correction cancels the sampling noise."""
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(5))
    X = rng.multinomial(6, p, size=200_000)
    assert np.allclose(cooccurrence(X).toarray(), np.outer(p, p), atol=2e-3)
    biased = (X.T @ X) / X.sum(axis=1).mean() ** 2 / len(X)
    assert np.abs(np.diag(biased) - p**2).max() > 0.02


def test_row_sums_are_the_mean_word_frequencies(corpus):
    X = corpus[0]
    frequencies = (X / X.sum(axis=1)[:, None]).mean(axis=0)
    assert np.allclose(cooccurrence(X).row_sums(), frequencies)


@settings(deadline=None, max_examples=60)
@given(X=counts, extra=counts, data=st.data())
def test_any_split_in_any_order(X, extra, data):
    """Pieces in any order, and other documents added and removed on the way, give what all at once gives."""
    if X.shape[1] < extra.shape[1]:
        extra = extra[:, : X.shape[1]]
    extra = np.pad(extra, ((0, 0), (0, X.shape[1] - extra.shape[1])))
    if not (X.sum(axis=1) >= 2).any():
        return
    order = data.draw(st.permutations(range(len(X))))
    cut = data.draw(st.integers(0, len(X)))
    left, right = X[order[:cut]], X[order[cut:]]
    accumulator = CooccurrenceAccumulator(X.shape[1]).update(extra)
    other = CooccurrenceAccumulator()
    for piece, target in ((left, accumulator), (right, other)):
        if len(piece):
            target.update(piece)
    accumulator.merge(other)
    if data.draw(st.booleans()):
        accumulator._fold()
    C = accumulator.remove(extra).finish()
    expected = cooccurrence(X)
    assert np.allclose(C.toarray(), expected.toarray(), atol=1e-14)
    assert C.documents.n_used == expected.documents.n_used
    assert (C.documents.frequency == expected.documents.frequency).all()
    unseen = X[X.sum(axis=1) >= 2].sum(axis=0) == 0
    assert (C.row_sums()[unseen] == 0).all()


def test_new_words_may_come_later():
    X = np.array([[2, 1, 0, 0], [1, 1, 0, 0], [0, 1, 3, 1]])
    for fold in (False, True):
        accumulator = CooccurrenceAccumulator().update(X[:2, :2])
        if fold:
            accumulator._fold()
        assert np.allclose(accumulator.update(X[2:]).finish().toarray(), cooccurrence(X).toarray())


def test_what_was_never_added_cannot_be_removed():
    accumulator = CooccurrenceAccumulator().update([[2, 1, 0]])
    before = accumulator.finish().toarray()
    for never in ([[0, 1, 1]], [[1, 1, 0, 1]], [[2, 1, 0], [2, 1, 0]]):
        with pytest.raises(CorpusError, match="never added"):
            accumulator.remove(never)
    assert (accumulator.finish().toarray() == before).all()


def test_a_fixed_number_of_words_is_held():
    with pytest.raises(CorpusError, match="n_words=3"):
        CooccurrenceAccumulator(3).update([[1, 1]])
    with pytest.raises(CorpusError, match="n_words=3"):
        CooccurrenceAccumulator(3).merge(CooccurrenceAccumulator().update([[1, 1, 1, 1]]))


def test_many_documents_are_added_up(monkeypatch, corpus):
    X = corpus[0]
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_KEPT_COUNTS", 100)
    accumulator = CooccurrenceAccumulator()
    for start in range(0, X.shape[0], 50):
        accumulator.update(X[start : start + 50])
    assert not accumulator._documents
    assert np.allclose(accumulator.finish().toarray(), cooccurrence(X).toarray(), atol=1e-15)


@pytest.mark.parametrize("representation", ["dense", "sparse", "implicit"])
def test_fractional_counts_make_no_negative_pairs(representation):
    X = np.random.default_rng(0).random((30, 8))
    C = cooccurrence(X, representation=representation).toarray()
    assert C.min() >= -1e-15 * C.max()  # rounding alone
    assert np.isclose(C.sum(), 1)


def test_frequencies_are_refused():
    with pytest.raises(CorpusError, match="counts rather than frequencies"):
        cooccurrence(np.full((5, 4), 0.25))


@pytest.mark.parametrize("weighting", ["tfidf", "balanced"])
def test_weightings_are_gram_matrices(weighting, corpus):
    C = cooccurrence(corpus[0], weighting=weighting).toarray()
    assert np.isclose(C.sum(), 1)
    assert C.min() >= 0
    assert np.linalg.eigvalsh(C)[0] > -1e-12


def test_tfidf_by_hand():
    """(1 + log tf) · log((1 + M)/df), unit rows, DᵀD, entries summing to one."""
    X = np.array([[1, 3, 0], [5, 0, 1]])
    common, rare = np.log(3 / 2), np.log(3)
    D = np.array([[common, (1 + np.log(3)) * rare, 0], [(1 + np.log(5)) * common, 0, rare]])
    D /= np.linalg.norm(D, axis=1, keepdims=True)
    assert np.allclose(cooccurrence(X, weighting="tfidf").toarray(), D.T @ D / (D.T @ D).sum())


def test_balanced_shares_out_a_large_group():
    """Nine copies of one document and three of another: balanced, the two directions have the same weight."""
    X = np.array([[1, 1, 0, 0]] * 9 + [[0, 0, 1, 1]] * 3)
    C = cooccurrence(X, weighting="balanced").toarray()
    assert np.isclose(C[:2, :2].sum(), C[2:, 2:].sum())
    plain = cooccurrence(X, weighting="tfidf").toarray()
    assert np.isclose(plain[:2, :2].sum(), 3 * plain[2:, 2:].sum())


def test_a_stronger_balance_favours_the_small_group():
    X = np.array([[1, 1, 0, 0]] * 9 + [[0, 0, 1, 1]] * 3)
    C = cooccurrence(X, weighting=Balanced(power=0.75)).toarray()
    assert np.isclose(C[2:, 2:].sum(), np.sqrt(3) * C[:2, :2].sum())  # n · n^(-3/2) for groups of n
    named = cooccurrence(X, weighting="balanced").toarray()
    assert (named == cooccurrence(X, weighting=Balanced()).toarray()).all()
    with pytest.raises(ValueError, match="choose one of counts, tfidf, balanced"):
        cooccurrence(X, weighting="even")


def test_a_document_unlike_all_others_is_not_a_group():
    X = np.array([[1, 1, 0, 0]] * 9 + [[0, 0, 1, 1]])
    C = cooccurrence(X, weighting="balanced").toarray()
    assert C[2:, 2:].sum() < 0.7 * C[:2, :2].sum()


def test_inputs_are_not_changed():
    X = sp.csr_array(np.array([[2, 1, 0], [0, 1, 1]]))
    messy = sp.csr_array((np.array([1, 1, 0, 3]), np.array([2, 2, 0, 1]), np.array([0, 3, 4])), shape=(2, 3))
    for matrix in (X, messy):
        kept = matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()
        cooccurrence(matrix)
        assert all((a == b).all() for a, b in zip(kept, (matrix.data, matrix.indices, matrix.indptr), strict=True))


def test_non_canonical_sparse_counts_are_understood():
    messy = sp.csr_array((np.array([1.0, 1, 0, 3, 1]), np.array([2, 2, 0, 1, 0]), np.array([0, 3, 5])), shape=(2, 3))
    assert np.allclose(cooccurrence(messy).toarray(), cooccurrence(messy.toarray()).toarray())


@pytest.mark.parametrize(
    ("C", "message"),
    [
        (np.ones((2, 3)), "square"),
        (np.ones(3), "two dimensions"),
        (np.zeros((0, 0)), "no words"),
        (np.array([[1, np.nan], [np.nan, 1]]), "NaN"),
        (np.array([[1.0, 2], [0, 1]]), "symmetric"),
        (np.array([[1.0, -2], [-2, 1]]), "negative"),
        (sp.csr_array(np.array([[1.0, 2], [0, 1]])), "symmetric"),
    ],
)
def test_matrices_that_are_not_a_cooccurrence_are_refused(C, message):
    with pytest.raises(CooccurrenceError, match=message):
        as_cooccurrence(C)


def test_words_that_grow_past_a_full_array(monkeypatch, rng):
    """Sums that were full for few words become sparse for many, and documents beyond the limit stay documents."""
    early, late = rng.poisson(1.0, (400, 30)), sp.csr_array(rng.poisson(0.02, (50, 400)))
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_KEPT_COUNTS", 100)
    accumulator = CooccurrenceAccumulator().update(early)
    assert isinstance(accumulator._pairs, np.ndarray)
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_PAIRS", 1000)
    C = accumulator.update(late).finish()
    assert sp.issparse(accumulator._pairs)
    assert len(accumulator._documents) == 1
    whole = sp.vstack([sp.hstack([early, sp.csr_array((400, 370))]), late], format="csr")
    assert np.allclose(C.toarray(), cooccurrence(whole).toarray(), atol=1e-15)


@pytest.mark.parametrize("n_words", [20, 90])
def test_long_documents_are_added_up_like_short_ones(monkeypatch, rng, n_words):
    """Full and sparse arrays give the same pairs, also if documents are removed again, or come in parts."""
    X, gone = rng.poisson(0.3, (300, n_words)), rng.poisson(0.3, (40, n_words))
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_KEPT_COUNTS", 100)
    sums = []
    for limit in (0.0, 2.0):  # all documents are long, and none is
        monkeypatch.setattr("cotopics.cooccur.implicit.LONG_DOCUMENTS", limit)
        accumulator = CooccurrenceAccumulator()
        for documents in (X[:100], gone, X[100:]):
            accumulator.update(documents)
        accumulator.remove(gone)
        assert not accumulator._documents
        sums.append(np.asarray(accumulator._pairs.toarray() if sp.issparse(accumulator._pairs) else accumulator._pairs))
        assert np.allclose(accumulator.finish().toarray(), cooccurrence(X).toarray(), atol=1e-14)
    assert np.allclose(*sums, rtol=1e-12, atol=1e-12)


def test_documents_are_long_by_their_share_of_the_words():
    short = cooccurrence(sp.csr_array(np.kron(np.eye(100), [[2, 0]])), representation="implicit")  # 1 of 200 words
    long = cooccurrence(sp.csr_array(np.kron(np.eye(25), np.full((1, 2), 2))), representation="implicit")  # 2 of 50
    assert not short.documents_are_long()
    assert long.documents_are_long()
