"""tf-idf weights that are computed when needed give the same answers as a matrix of weights."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics.cooccur import Balanced, check_counts, cooccurrence
from cotopics.cooccur.weighting import tfidf_cooccurrence
from cotopics.errors import CorpusError
from cotopics.linalg.sparse_matrices import row_blocks

WEIGHTINGS = [
    "tfidf",
    "balanced",
    Balanced(2 / 3),
    Balanced(floor=1.5),
    Balanced(word_power=0.7),
]  # the last floor is above most degrees


@st.composite
def tables(draw):
    """Counts of all kinds: documents without words, fractions, counts whose logarithms are not looked up."""
    n_documents, n_words = draw(st.integers(1, 12)), draw(st.integers(2, 7))
    entries = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 255, 256, 1000, *draw(st.sampled_from([[], [0.25, 1.5]]))])
    rows = st.lists(entries, min_size=n_words, max_size=n_words)
    table = np.array(draw(st.lists(rows, min_size=n_documents, max_size=n_documents)))
    return table + np.eye(n_documents, n_words) * (not table.any())


@settings(max_examples=60, deadline=None)
@given(table=tables(), weighting=st.sampled_from(WEIGHTINGS), data=st.data())
def test_as_the_slow_version_says(table, weighting, data):
    C = tfidf_cooccurrence(check_counts(table), weighting)
    slow = reference.weighted_cooccurrence(table, weighting)
    assert np.allclose(C.row_sums(), slow.sum(axis=1))
    words = data.draw(st.permutations(range(table.shape[1])))[: data.draw(st.integers(1, table.shape[1]))]
    some = C.restrict(words)
    assert np.allclose(some.toarray(), slow[np.ix_(words, words)])
    assert (some.documents.frequency == (table > 0).sum(axis=0)[words]).all()
    assert np.allclose(C.toarray(), slow)
    assert C.shape == slow.shape
    assert C.nbytes == C.H_t.nnz * 28


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_several_blocks_of_documents(weighting, rng, monkeypatch):
    table = rng.poisson(0.3, (60, 20))
    monkeypatch.setattr("cotopics.linalg.sparse_matrices.BLOCK_NUMBERS", 30)
    C, slow = tfidf_cooccurrence(check_counts(table), weighting), reference.weighted_cooccurrence(table, weighting)
    assert len(list(row_blocks(C.weights.X))) > 5
    assert np.allclose(C.row_sums(), slow.sum(axis=1))
    assert np.allclose(C.restrict(np.arange(19, 4, -1)).toarray(), slow[19:4:-1, 19:4:-1])
    assert np.allclose(cooccurrence(table, weighting=weighting, representation="implicit").toarray(), slow)


def test_single_precision_is_close(rng):
    X = check_counts(rng.poisson(0.3, (300, 40)))
    single, double = (
        tfidf_cooccurrence(X, "tfidf", np.float32).restrict(range(30)),
        tfidf_cooccurrence(X, "tfidf").restrict(range(30)),
    )
    assert single.H_t.dtype == np.float32
    assert np.allclose(single.toarray(), double.toarray(), rtol=1e-5)
    assert np.allclose(single.row_sums(), double.row_sums(), rtol=1e-6)
    assert single.nbytes < double.nbytes


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_whole_numbers_have_the_same_weights_as_floats(dtype, weighting, rng, monkeypatch):
    table = rng.poisson(0.5, (100, 30))
    table[0, 0] = 300
    monkeypatch.setattr("cotopics.linalg.sparse_matrices.BLOCK_NUMBERS", 100)  # most blocks look counts up
    whole = check_counts(sp.csr_array(table.astype(dtype)), may_be_whole=True)
    assert whole.dtype == dtype
    C, floats = tfidf_cooccurrence(whole, weighting), tfidf_cooccurrence(check_counts(table), weighting)
    assert (C.toarray() == floats.toarray()).all()
    assert (C.row_sums() == floats.row_sums()).all()


def test_frequent_words_first_are_left_as_they_are(rng):
    C = tfidf_cooccurrence(check_counts(rng.poisson(np.linspace(0.1, 2, 30), (200, 30))), "tfidf")
    order = np.argsort(-C.documents.frequency, kind="stable")
    V = rng.standard_normal((30, 3))
    sorted_already = C.restrict(order)
    assert sorted_already._by_frequency[1] is sorted_already.H_t
    assert np.allclose(sorted_already @ V[order], (C @ V)[order])


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_no_words_at_all(weighting):
    with pytest.raises(CorpusError, match="none of the 3 documents"):
        tfidf_cooccurrence(check_counts(np.zeros((3, 4))), weighting)
