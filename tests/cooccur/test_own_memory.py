"""What was computed from counts does not change when the counts do."""

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorWords, CooccurrenceAccumulator, cooccurrence
from cotopics.cooccur import check_counts


@pytest.fixture
def counts():
    return check_counts(planted_corpus(n_documents=200, length=50)[0])


def spoil(X):
    """As eliminate_zeros and sort_indices of a user would: the arrays that X is made of change in place."""
    X.data[:] = 7
    X.indices[:] = 0
    X.indptr[1:] = 1


@pytest.mark.parametrize("weighting", ["counts", "tfidf", "balanced"])
def test_a_cooccurrence(counts, weighting):
    C = cooccurrence(counts, weighting=weighting, representation="implicit")
    before = C.toarray()
    spoil(counts)
    assert (C.toarray() == before).all()


@pytest.mark.parametrize("keep_documents", [False, True])
def test_statistics(counts, keep_documents):
    statistics = CooccurrenceAccumulator(keep_documents=keep_documents).update(counts)
    before = statistics.finish().toarray()
    spoil(counts)
    assert (statistics.finish().toarray() == before).all()


def test_a_model_that_goes_on(counts):
    more = sp.csr_array(counts[:50])
    whole = AnchorWords(4).fit(counts).partial_fit(more)
    other = counts.copy()
    model = AnchorWords(4).fit(other)
    spoil(other)
    assert np.array_equal(model.partial_fit(more).components_, whole.components_)
