"""The same counts in any type and format give the same topics and mixtures, to the last bit, and stay as they are."""

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords, TopicModel
from cotopics.cooccur import check_counts
from cotopics.cooccur.counts import MAX_WHOLE

MODELS = {
    "topic-model": TopicModel(4),
    "anchor-words": AnchorWords(4, refine=3),
    "balanced": AnchorWords(4, weighting="balanced"),
    "anchor-free": AnchorFree(4),
}
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32"]
FORMATS = [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_array, sp.csr_array.toarray]


@pytest.fixture(scope="module")
def counts():
    return check_counts(planted_corpus(n_documents=150, length=40)[0])


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("dtype", TYPES)
def test_types(name, dtype, counts):
    model, X = MODELS[name], counts.astype(dtype)
    before = X.copy()
    topics, mixtures = model.fit(counts).components_, model.transform(counts)
    assert np.array_equal(model.fit(X).components_, topics)
    assert np.array_equal(model.transform(X), mixtures)
    assert X.dtype == dtype
    assert all(np.array_equal(getattr(X, part), getattr(before, part)) for part in ("data", "indices", "indptr"))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_formats(form, dtype, counts):
    X = form(counts.astype(dtype))
    assert np.array_equal(TopicModel(4).fit(X).components_, TopicModel(4).fit(counts).components_)


@pytest.mark.parametrize("method", ["prior", "em", "simplex", "nnls", "project"])
def test_every_inference(method, counts):
    model = AnchorWords(4).fit(counts)
    assert np.array_equal(model.transform(counts.astype(np.int64), method), model.transform(counts, method))


def test_whole_numbers_are_not_copied_where_they_may_stay(counts):
    X = sp.csr_matrix(counts.astype(np.int64))
    kept = check_counts(X, may_be_whole=True)
    assert all(np.shares_memory(getattr(kept, part), getattr(X, part)) for part in ("data", "indices", "indptr"))
    assert check_counts(X).dtype == np.float64
    assert np.shares_memory(check_counts(X).indices, X.indices)


@pytest.mark.parametrize("change", ["huge", "zero", "twice"])
def test_whole_numbers_that_may_not_stay_become_floats(change, counts):
    X = sp.csr_array(counts.astype(np.int64))
    if change == "huge":
        X.data[0] = MAX_WHOLE
    elif change == "zero":
        X.data[0] = 0
    else:
        X.indices[0] = X.indices[1]
        X.has_canonical_format = False
    checked = check_counts(X, may_be_whole=True)
    assert checked.dtype == np.float64
    assert np.array_equal(checked.toarray(), X.toarray())
    assert checked.has_canonical_format
