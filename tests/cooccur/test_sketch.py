"""A sketch is linear in documents, exact where its landmarks suffice, and says how far off it is where they do not."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import CooccurrenceAccumulator, CooccurrenceSketch, cooccurrence
from cotopics.cooccur import Sketch, load_statistics
from cotopics.cooccur.sketch import BLOCK_WORDS, _signs
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.linalg.thin_factors import nystrom_factor


@pytest.fixture(scope="module")
def X():
    return sp.csr_array(planted_corpus(n_documents=600, n_words=150, n_topics=5, length=60)[0])


def test_as_many_columns_as_words_give_the_co_occurrence(X):
    sketch = CooccurrenceSketch(X.shape[1]).update(X)
    assert np.allclose(sketch.finish().toarray(), cooccurrence(X).toarray(), atol=1e-12)
    assert sketch.residual() < 1e-10


def test_what_a_sketch_finishes_as(X, rng):
    """A thin factor and a diagonal, three times as large as they are while it goes on; some words of it are one too."""
    C = CooccurrenceSketch(40).update(X).finish()
    assert type(C) is Sketch
    factor, diagonal = C.terms
    assert factor.Y.shape[1] <= 40
    assert (diagonal.toarray() == np.diag(diagonal.diagonal())).all()
    assert C.nbytes == 3 * (factor.nbytes + diagonal.nbytes)
    full, V = C.toarray(), rng.standard_normal((150, 3))
    assert np.allclose(full, full.T)
    assert np.isclose(full.sum(), 1)
    assert np.allclose(C @ V, full @ V)
    words = np.array([9, 140, 3])
    some = C.restrict(words)
    assert type(some) is Sketch
    assert np.allclose(some.toarray(), full[np.ix_(words, words)])
    assert (some.documents.frequency == C.documents.frequency[words]).all()


def test_diagonal_is_exact_up_to_the_common_scale(X):
    C, exact = CooccurrenceSketch(40).update(X).finish(), cooccurrence(X)
    ratio = C.diagonal()[exact.diagonal() > 0] / exact.diagonal()[exact.diagonal() > 0]
    assert np.allclose(ratio, ratio[0])
    assert np.isclose(C.row_sums().sum(), 1)
    assert C.documents.n_used == exact.documents.n_used
    assert (C.documents.frequency == exact.documents.frequency).all()


def test_residual_falls_with_columns_and_eigenvalues_come_closer(X):
    exact = top_eigenpairs(cooccurrence(X), 5).values
    residuals, errors = [], []
    for n_columns in (10, 40, 120):
        sketch = CooccurrenceSketch(n_columns).update(X)
        residuals.append(sketch.residual())
        errors.append(np.abs(top_eigenpairs(sketch.finish(), 5).values / exact - 1).max())
    assert residuals == sorted(residuals, reverse=True)
    assert errors[0] > errors[2]
    assert errors[2] < 0.05


def test_any_split_any_order_merged_and_removed(X, rng):
    first = CooccurrenceSketch(30).update(X)
    whole = first.finish().toarray()
    order = rng.permutation(X.shape[0])
    pieces = [CooccurrenceSketch(30, landmarks=first.landmarks) for _ in range(3)]
    for i, rows in enumerate(np.array_split(order, 9)):
        pieces[i % 3].update(X[rows])
    merged = pieces[0].merge(pieces[1]).merge(pieces[2])
    assert np.allclose(merged.finish().toarray(), whole, atol=1e-12)
    extra = X[:50]
    assert np.allclose(first.copy().update(extra).remove(extra).finish().toarray(), whole, atol=1e-12)
    assert np.allclose(first.finish().toarray(), whole, atol=1e-15)  # its copy was changed, not it


def test_words_may_come_later(X):
    narrow = X[:, :100]
    sketch = CooccurrenceSketch(40).update(narrow[:300])
    sketch.update(X[300:])
    padded = sp.csr_array((narrow[:300].data, narrow[:300].indices, narrow[:300].indptr), shape=(300, X.shape[1]))
    whole = CooccurrenceSketch(40, landmarks=sketch.landmarks).update(sp.vstack([padded, X[300:]]))
    assert np.allclose(sketch.finish().toarray(), whole.finish().toarray(), atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_a_word_that_never_occurs_costs_no_accuracy(seed):
    """With more columns than words, one column should be zero, and what rounding leaves in it is not a direction."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.08, size=(300, 50))
    X[:, 41], X[:150, 7] = 0, 0  # another word comes later, so it is not a landmark
    sketch = CooccurrenceSketch(148).update(X[:150]).update(X[150:])
    assert np.abs(sketch.finish().toarray() - cooccurrence(X).toarray()).max() < 1e-12


def test_different_landmarks_cannot_be_merged(X):
    one, other = CooccurrenceSketch(4, landmarks=[1, 2]).update(X), CooccurrenceSketch(4, landmarks=[1, 3]).update(X)
    before = one.finish().toarray()
    with pytest.raises(CorpusError, match="columns or landmarks"):
        one.merge(other)
    assert (one.finish().toarray() == before).all()


def test_words_that_the_first_documents_lack_are_not_lost(X):
    """Landmarks come from the first documents; random signs see the others."""
    early, late = X.copy().tolil(), X.copy().tolil()
    early[:, 75:], late[:, :75] = 0, 0
    drifting = CooccurrenceSketch(100).update(early.tocsr()).update(late.tocsr())
    assert drifting.landmarks.max() < 75
    late_landmarks = CooccurrenceSketch(50, landmarks=drifting.landmarks).update(early.tocsr()).update(late.tocsr())
    assert late_landmarks.n_columns == len(drifting.landmarks)  # landmarks alone: nothing of the late words
    assert drifting.residual() < 0.5 * late_landmarks.residual()


@pytest.mark.parametrize("options", [{"n_columns": 0}, {"n_columns": 1, "landmarks": [1, 2]}])
def test_wrong_options(options):
    with pytest.raises(ParameterError):
        CooccurrenceSketch(**options)


def test_nothing_seen_is_an_error():
    with pytest.raises(CorpusError):
        CooccurrenceSketch(3, n_words=5).finish()


def test_nystrom_is_exact_on_low_rank_and_never_too_large(rng):
    Y = rng.normal(size=(80, 6)) * np.geomspace(1, 1e-5, 80)[:, None]
    G = Y @ Y.T
    L = np.array([0, 3, 10, 11, 30, 70])
    F = nystrom_factor(G[:, L], G[np.ix_(L, L)])
    assert np.allclose(F @ F.T, G, atol=1e-9 * G.max())
    full = G + np.diag(rng.random(80))
    F = nystrom_factor(full[:, L], full[np.ix_(L, L)])
    assert np.linalg.eigvalsh(full - F @ F.T)[0] > -1e-10


def test_pieces_without_pairs_choose_no_landmarks(X):
    sketch = CooccurrenceSketch(30).update(np.eye(150)[:5]).update(X)
    assert (sketch.landmarks == CooccurrenceSketch(30).update(X).landmarks).all()
    wider = CooccurrenceSketch(30).update(X[:, :100]).merge(CooccurrenceSketch(30, n_words=150))
    assert wider.finish().shape == (150, 150)


def test_columns_that_show_nothing():
    with pytest.raises(CorpusError, match="say nothing"):
        CooccurrenceSketch(1, landmarks=[2]).update([[1, 1, 0], [1, 1, 0]]).finish()
    with pytest.raises(ParameterError, match="word ids"):
        CooccurrenceSketch(2, landmarks=[-1])


def test_signs_of_a_word_never_change_and_leave_landmarks_out(X, monkeypatch):
    monkeypatch.setattr("cotopics.cooccur.sketch.BLOCK_WORDS", 32)
    grown = CooccurrenceSketch(20).update(X[:, :70])
    before = grown._signs.copy()
    grown.update(X)
    assert (grown._signs[:70] == before).all()
    assert not grown._signs[grown.landmarks].any()
    others = np.setdiff1d(np.arange(150), grown.landmarks)
    assert (np.abs(grown._signs[others]) == 1).all()
    assert (grown._signs == CooccurrenceSketch(20, landmarks=grown.landmarks).update(X)._signs).all()


def test_signs_of_a_word_do_not_depend_on_how_many_follow():
    few, many = _signs(0, 3, 7), _signs(0, BLOCK_WORDS, 7)
    drawn = np.random.default_rng([BLOCK_WORDS, 0]).integers(0, 2, (BLOCK_WORDS, 7), dtype=np.int8)
    assert (few == many[:3]).all()
    assert (many == 2 * drawn - 1).all()  # as files of earlier versions have them


@pytest.mark.parametrize(("n_words", "n_columns"), [(1, 10**6), (2, 20_000)])
def test_many_columns_of_few_words_cost_what_they_hold(tmp_path, n_words, n_columns):
    X = np.array([[2, 1], [1, 3]])[:, :n_words]
    CooccurrenceSketch(n_columns).update(X).save(tmp_path / "s")
    tracemalloc.start()
    C = load_statistics(tmp_path / "s").sums.finish()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20 * (tmp_path / "s").stat().st_size
    assert np.allclose(C.toarray(), CooccurrenceAccumulator().update(X).finish().toarray())
