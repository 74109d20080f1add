"""The error bounds of Bing et al. 2020, (50) and (51), and the counts that a co-occurrence returns."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics import CooccurrenceAccumulator, cooccurrence
from cotopics.cooccur import implicit
from cotopics.cooccur.accumulate import removed
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.top import error_bounds as module
from cotopics.top.error_bounds import ErrorBounds, error_bounds

UNIT = 1000  # the reference works with frequencies per thousand, the bounds with shares


def random_counts(n_documents, n_words, *, equal, seed=0):
    """Counts in which every word occurs and every document has two tokens or more."""
    rng = np.random.default_rng(seed)
    lengths = np.full(n_documents, 30) if equal else rng.integers(2, 60, size=n_documents)
    X = np.array([rng.multinomial(N, rng.dirichlet(np.full(n_words, 0.5))) for N in lengths]).astype(float)
    used = X.sum(axis=0) > 0
    X[0, ~used] += 1
    if equal and not used.all():  # take as many tokens away elsewhere
        X[0, np.argmax(X[0])] -= (~used).sum()
    assert (X.sum(axis=0) > 0).all()
    assert (X >= 0).all()
    return X


def bounds_of(X):
    return error_bounds(cooccurrence(X, representation="implicit"))


@settings(max_examples=25, deadline=None)
@given(
    n_documents=st.integers(1, 40),
    n_words=st.integers(2, 9),
    equal=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_agrees_with_the_slow_version(n_documents, n_words, equal, seed):
    X = random_counts(n_documents, n_words, equal=equal, seed=seed)
    bounds, every = bounds_of(X), np.arange(n_words)
    delta, eta = reference.tolerances(X)
    assert np.allclose(bounds.rows(every)[0], reference.unbiased_theta(X), rtol=1e-10, atol=1e-14)
    assert np.allclose(bounds.eta(every, every) * UNIT**2, eta, rtol=1e-10)
    assert np.allclose(bounds.delta(every, every), delta, rtol=1e-10)
    assert np.allclose(bounds.frequency, (X / X.sum(axis=1, keepdims=True)).mean(axis=0))


@pytest.mark.parametrize("largest", ["documents", "words", "length"])
def test_M_is_the_largest_of_documents_words_and_length(largest):
    shapes = {"documents": (90, 8, 20), "words": (10, 70, 40), "length": (10, 8, 300)}
    n_documents, n_words, length = shapes[largest]
    rng = np.random.default_rng(3)
    X = rng.multinomial(length, np.full(n_words, 1 / n_words), size=n_documents).astype(float)
    assert (X.sum(axis=0) > 0).all()
    some = np.arange(4)
    assert np.allclose(bounds_of(X).delta(some, some), reference.tolerances(X)[0][:4, :4], rtol=1e-10)


def test_if_all_documents_have_one_length_only_C_is_computed():
    X = random_counts(30, 7, equal=True)
    bounds = bounds_of(X)
    assert isinstance(bounds.E, float)
    N, x = 30, X / 30
    assert np.allclose(bounds.rows(np.arange(7))[1], x.T @ x / N / len(X))
    X[3, 0] += 1
    assert not isinstance(bounds_of(X).E, float)


@pytest.mark.parametrize("equal", [True, False])
def test_some_pairs_are_those_of_the_full_matrix(equal):
    X = random_counts(30, 9, equal=equal)
    bounds = bounds_of(X)
    delta, eta = reference.tolerances(X)
    rows, columns = [5, 0, 3], [8, 2]
    assert np.allclose(bounds.delta(rows, columns), delta[np.ix_(rows, columns)], rtol=1e-10)
    assert np.allclose(bounds.eta(rows, columns) * UNIT**2, eta[np.ix_(rows, columns)], rtol=1e-10)
    assert np.allclose(bounds.diagonal(), np.diag(reference.unbiased_theta(X)))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("equal", [True, False])
def test_restricted_bounds_are_those_of_all_words(equal, whole, monkeypatch):
    """The words left out still count in a document's length, and in M."""
    monkeypatch.setattr(module, "MAX_KEPT_ENTRIES", 10**6 if whole else 0)
    X = random_counts(30, 9, equal=equal)
    bounds = bounds_of(X)
    words = np.array([7, 1, 4])
    few, every = bounds.restrict(words), np.arange(3)
    assert np.allclose(few.delta(every, every), bounds.delta(words, words), rtol=1e-10)
    assert np.allclose(few.eta(every, every), bounds.eta(words, words), rtol=1e-10)
    assert np.allclose(few.frequency, bounds.frequency[words])
    assert np.allclose(few.diagonal(), bounds.diagonal()[words])
    for ours, theirs in zip(few.rows([2, 0]), bounds.rows(words[[2, 0]]), strict=True):
        assert np.allclose(ours, theirs[:, words])


@pytest.mark.parametrize("many", [1, 1000])
@pytest.mark.parametrize("equal", [True, False])
def test_rows_computed_when_needed_are_those_kept(equal, many, monkeypatch):
    """Also if rows come from full arrays, and documents in several blocks."""
    monkeypatch.setattr(implicit, "MANY_ROWS", many)
    monkeypatch.setattr(implicit, "BLOCK_DOCUMENTS", 7)
    X = random_counts(30, 9, equal=equal)
    kept = bounds_of(X)
    monkeypatch.setattr(module, "MAX_KEPT_ENTRIES", 0)
    computed = bounds_of(X)
    words = np.array([8, 0, 5, 5])
    for ours, theirs in zip(computed.rows(words), kept.rows(words), strict=True):
        assert ours.shape == (4, 9)
        assert np.allclose(ours, theirs)
    C, E, where = computed.rows_within(words)
    assert np.allclose(C[where], kept.rows(words)[0])
    assert np.allclose(E[where], kept.rows(words)[1])
    assert np.allclose(computed.diagonal(), kept.diagonal())
    every = np.arange(9)
    assert np.allclose(computed.delta(every, every), kept.delta(every, every))


def test_vectors_are_what_the_bounds_are_made_of():
    X = random_counts(30, 6, equal=False)
    bounds = bounds_of(X)
    g, root, flat, cubic, relative = bounds.vectors
    C, E = bounds.rows(np.arange(6))
    for j, l in [(0, 0), (2, 5)]:
        eta = (root[j] + root[l]) * np.sqrt(E[j, l]) + flat[j] + flat[l] + np.sqrt(cubic[j] + cubic[l])
        delta = (eta + C[j, l] * (relative[j] + relative[l])) * g[j] * g[l]
        assert np.isclose(delta, reference.tolerances(X)[0][j, l])


def test_the_unit_changes_the_bounds_of_R_but_not_R():
    X = random_counts(40, 6, equal=False)
    bounds, every = bounds_of(X), np.arange(6)
    f = bounds.frequency
    assert np.isclose(f.sum(), 1)
    assert np.allclose(bounds.rows(every)[0] / np.outer(f, f), reference.scaled_theta(X))
    assert np.allclose(bounds.delta(every, every), reference.tolerances(X, 1000)[0])
    assert (bounds.delta(every, every) < reference.tolerances(X, 1)[0]).all()


def test_as_printed_the_bounds_hold():
    """|Θ̂ − Θ| ≤ η̂ and |R̂ − R| ≤ δ̂ where frequencies are shares of a document; Proposition 8 and Corollary 9."""
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.ones(8), size=400)
    X = np.array([rng.multinomial(50, p) for p in P]).astype(float)
    bounds, every = bounds_of(X), np.arange(8)
    delta, eta = reference.tolerances(X, unit=1)
    theta, f, f_hat = P.T @ P / 400, P.mean(axis=0), bounds.frequency
    C = bounds.rows(every)[0]
    assert (np.abs(C - theta) <= eta).all()
    assert (np.abs(C / np.outer(f_hat, f_hat) - theta / np.outer(f, f)) <= delta).all()


def test_more_documents_tighten_the_bounds():
    few, many = (random_counts(n, 5, equal=True, seed=1) for n in (50, 5000))
    every = np.arange(5)
    assert (bounds_of(many).delta(every, every) < bounds_of(few).delta(every, every)).all()


def test_the_bounds_of_an_exact_matrix_are_rounding_errors():
    C, _, _ = make_cooccurrence(12, 3, random_state=0)
    bounds, every = error_bounds(C), np.arange(12)
    f = C.sum(axis=1)
    assert np.allclose(bounds.frequency, f)
    assert (bounds.eta(every, every) == 0).all()
    R = C / np.outer(f, f)
    delta = bounds.delta(every, every)
    assert (delta <= 1e-9 * R).all()
    assert (delta >= 1e-14 * R).all()  # above the rounding of R
    assert np.allclose(bounds.rows(every)[0], C)
    assert np.allclose(bounds.diagonal(), np.diag(C))
    few = bounds.restrict([4, 2])
    assert np.allclose(few.rows([0, 1])[0], C[np.ix_([4, 2], [4, 2])])
    assert np.allclose(few.delta([0, 1], [0, 1]), delta[np.ix_([4, 2], [4, 2])])


def test_bounds_are_returned_as_they_are():
    bounds = bounds_of(random_counts(20, 5, equal=False))
    assert error_bounds(bounds) is bounds
    assert isinstance(bounds, ErrorBounds)


@pytest.mark.parametrize("representation", ["dense", "sparse"])
def test_a_sum_over_documents_is_refused(representation):
    X = random_counts(20, 5, equal=False)
    with pytest.raises(CooccurrenceError, match=r"no longer has them.*representation='implicit'"):
        error_bounds(cooccurrence(X, representation=representation))


def test_other_weightings_have_no_bounds():
    C = cooccurrence(random_counts(20, 5, equal=False), weighting="tfidf", representation="implicit")
    with pytest.raises(CooccurrenceError):
        error_bounds(C)


def test_an_accumulator_keeps_documents_only_if_asked(monkeypatch):
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_KEPT_COUNTS", 10)
    X = random_counts(40, 6, equal=False)
    with pytest.raises(CooccurrenceError, match=r"no longer has them"):
        error_bounds(CooccurrenceAccumulator().update(X))
    kept = CooccurrenceAccumulator(keep_documents=True).update(X[:25]).update(X[25:])
    every = np.arange(6)
    assert np.allclose(error_bounds(kept.copy()).delta(every, every), reference.tolerances(X)[0])
    merged = CooccurrenceAccumulator(keep_documents=True).merge(kept)
    assert np.allclose(error_bounds(merged).delta(every, every), reference.tolerances(X)[0])


def test_documents_removed_are_gone():
    X = random_counts(40, 6, equal=False)
    accumulator = CooccurrenceAccumulator(keep_documents=True).update(X[:30]).update(X[5:]).remove(X[5:30])
    C = accumulator.finish()
    assert C.signs is None
    assert C.H_t.shape[0] == 40
    every = np.arange(6)
    assert np.allclose(error_bounds(C).delta(every, every), reference.tolerances(X)[0])


def test_documents_removed_that_were_never_added():
    X = np.array([[2, 1, 0], [1, 1, 1], [0, 3, 1], [2, 0, 2]])
    accumulator = CooccurrenceAccumulator(keep_documents=True).update(X)
    C = accumulator.remove([[1, 1, 2]]).finish()  # no word in more documents than before, so the sums cannot tell
    with pytest.raises(CorpusError, match="had not been added"):
        error_bounds(C)


def test_only_whole_documents_undo_one_another():
    H_t = sp.csr_array(np.array([[1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 0, 2], [2, 4, 0], [0, 1, 2.0], [0, 1, 2]]))
    #                             added     added      out        out        out        out        added
    signs = np.array([1.0, 1, -1, -1, -1, -1, 1])
    gone = removed(H_t, signs)
    assert gone[:2].sum() == 1
    assert gone[2:].tolist() == [True, False, False, True, True]
    assert not removed(H_t, np.ones(7)).any()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), whole=st.booleans())
def test_counts_come_back(seed, whole):
    rng = np.random.default_rng(seed)
    X = rng.poisson(1.5, size=(12, 7)).astype(float)
    X[0] = 10.0 ** rng.integers(0, 7, size=7)  # small and large numbers in one document
    if not whole:
        X *= rng.random(X.shape)
    X[1] = 0
    X[2] = [0, 0, 1, 0, 0, 0, 0]
    used = X[X.sum(axis=1) >= 2]
    C = cooccurrence(X, representation="implicit")
    found = C.counts().toarray()
    if whole:
        assert (found == used).all()
    assert np.allclose(found, used, rtol=1.1e-9, atol=0)
    words = rng.permutation(7)[:4]
    few = C.restrict(words)
    assert np.allclose(few.counts().toarray(), used[:, words], rtol=1.1e-9, atol=0)
    assert np.allclose(few.tokens.lengths, used.sum(axis=1))  # words left out still count


def test_row_sums_are_those_of_the_rows():
    X = random_counts(30, 9, equal=False)
    C = CooccurrenceAccumulator().update(X).remove(X[:4]).finish()
    assert np.allclose(C.row_sums(), C.toarray().sum(axis=1), atol=1e-15)
    assert np.isclose(C.row_sums().sum(), 1)
    signed = CooccurrenceAccumulator().update(X).remove(X[[4]] + X[[5]] - X[[5]] * (X[[5]] > 0)).finish()
    assert np.allclose(signed.row_sums(), signed.toarray().sum(axis=1), atol=1e-15)


@pytest.mark.parametrize("signed", [False, True])
def test_rows_of_full_arrays_are_those_of_sparse_ones(signed, monkeypatch):
    X = np.array([[2, 1, 0, 1], [1, 1, 1, 1], [0, 3, 1, 2], [2, 0, 2, 2], [1, 1, 1, 0]])
    accumulator = CooccurrenceAccumulator(keep_documents=True).update(X)
    if signed:
        accumulator.remove([[1, 1, 2, 1]])
    C = accumulator.finish()
    assert (C.signs is not None) == signed
    monkeypatch.setattr(implicit, "BLOCK_DOCUMENTS", 2)
    for words in (np.arange(4), np.array([3, 1, 1]), np.array([2])):
        monkeypatch.setattr(implicit, "MANY_ROWS", 1)
        dense = C.rows(words)
        monkeypatch.setattr(implicit, "MANY_ROWS", 100)
        assert np.allclose(dense, C.rows(words), atol=1e-15)


@pytest.mark.parametrize("unit", [1.0, 50, "words"])
def test_another_unit(unit):
    """The bounds are those of frequencies multiplied by it; "words" is the number of words, as in the paper."""
    X, every = random_counts(30, 6, equal=False), np.arange(6)
    bounds = error_bounds(cooccurrence(X, representation="implicit"), unit=unit)
    assert np.allclose(bounds.delta(every, every), reference.tolerances(X, 6 if unit == "words" else unit)[0])


@pytest.mark.parametrize("unit", [0, -1.0, "word", None])
def test_a_unit_that_is_none(unit):
    with pytest.raises(ParameterError, match="unit="):
        error_bounds(cooccurrence(random_counts(10, 4, equal=True), representation="implicit"), unit=unit)
