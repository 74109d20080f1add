"""A sparse matrix with wrong indices is refused before anything reads where they point."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TOP, AnchorFree, AnchorWords, CooccurrenceAccumulator, TopicModel, cooccurrence, metrics
from cotopics.corpus import as_corpus
from cotopics.linalg.sparse_matrices import fault_of

GOOD = np.random.default_rng(0).poisson(1.0, size=(20, 6)).astype(float)
FORMATS = ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"]


def damaged(change, format="csr", GOOD=GOOD):
    X = sp.csr_array(GOOD).asformat(format)
    change(X)
    return X


def set_index(value):
    def change(X):
        indices = X.indices if hasattr(X, "indices") else X.coords[1]
        indices[3] = value

    return change


def set_bound(place, value):
    def change(X):
        X.indptr[place] = value

    return change


def cut(X):
    X.data = X.data[:5]


DAMAGED = {
    "an index beyond the last": set_index(10**6),
    "an index below zero": set_index(-3),
    "bounds that fall": set_bound(4, 10**6),
    "bounds that begin late": set_bound(0, 2),
    "bounds beyond the entries": set_bound(-1, 10**7),
    "fewer numbers than indices": cut,
}


@pytest.mark.parametrize("format", FORMATS)
def test_good_matrices_have_no_fault(format):
    assert fault_of(sp.csr_array(GOOD).asformat(format)) is None
    assert fault_of(sp.csr_array((0, 5)).asformat(format)) is None


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_every_way_in(change, format):
    """fit, transform, statistics, measures and corpora; compressed by rows or by columns."""
    X = damaged(change, format)
    model = AnchorWords(2).fit(GOOD)
    for use in (
        model.transform,
        lambda X: metrics.held_out_likelihood(model, X),
        lambda X: metrics.npmi(model, X),
        cooccurrence,
        CooccurrenceAccumulator().update,
        lambda X: as_corpus(X, vocabulary=list("abcdef")),
        *(estimator.fit for estimator in (AnchorWords(2), AnchorFree(2), TOP(), TopicModel(2))),
    ):
        with pytest.raises(ValueError, match="damaged sparse matrix"):
            use(X)


@pytest.mark.parametrize("change", [set_index(10**6), set_index(-1)])
@pytest.mark.parametrize("format", ["coo", "bsr"])
def test_other_formats(change, format):
    with pytest.raises(ValueError, match="damaged sparse matrix"):
        TopicModel(2).fit(damaged(change, format))


def test_a_list_of_lists():
    X = sp.lil_array(GOOD)
    X.rows[2][0] = 99
    with pytest.raises(ValueError, match="the index 99, and indices go from 0 to 5"):
        TopicModel(2).fit(X)


def test_a_co_occurrence():
    C = damaged(set_index(10**6), GOOD=GOOD.T @ GOOD)
    with pytest.raises(ValueError, match="damaged sparse matrix"):
        AnchorWords(2).fit_cooccurrence(C)
