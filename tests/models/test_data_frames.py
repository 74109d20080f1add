"""Data frames given to a model whose words came as feature_names: columns are matched by name, as on Dask."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorWords, TopicModel, metrics
from cotopics.errors import ParameterError
from cotopics.export import mixture_blocks

WORDS = [f"word{i:02}" for i in range(60)]


@pytest.fixture(scope="module")
def fitted():
    X = planted_corpus(n_documents=300, n_words=60, length=40)[0].toarray()
    return TopicModel(4).fit(X, feature_names=WORDS), X[:20]


def test_columns_in_another_order(fitted):
    model, X = fitted
    order = np.random.default_rng(0).permutation(60)
    shuffled = pd.DataFrame(X[:, order], columns=[WORDS[i] for i in order])
    assert np.array_equal(model.transform(shuffled), model.transform(X))


def test_words_that_are_missing_or_new(fitted):
    model, X = fitted
    some = pd.DataFrame(X[:, :50], columns=WORDS[:50]).assign(unheard=7.0)
    known = X.copy()
    known[:, 50:] = 0
    assert np.array_equal(model.transform(some), model.transform(known))


def test_names_of_another_kind_say_nothing(fitted):
    model, X = fitted
    with pytest.warns(UserWarning, match="fitted without feature names"):  # scikit-learn's
        W = model.transform(pd.DataFrame(X).add_prefix("column"))
    assert np.array_equal(W, model.transform(X))


def test_a_name_that_is_there_twice(fitted):
    model, X = fitted
    with pytest.raises(ParameterError, match="'word00' is more than once"):
        model.transform(pd.DataFrame(X, columns=["word00", "word00", *WORDS[2:]]))


def test_whoever_asks_gets_the_same_answer(fitted):
    model, X = fitted
    shuffled = pd.DataFrame(X, columns=WORDS)[WORDS[::-1]]
    assert metrics.evaluate(model, shuffled) == metrics.evaluate(model, X)
    assert metrics.held_out_likelihood(model, shuffled) == metrics.held_out_likelihood(model, X)
    ours, theirs = (np.array(next(mixture_blocks(model, some)).columns[1:]) for some in (shuffled, X))
    assert np.array_equal(ours, theirs)


def test_documents_that_come_later(fitted):
    _, X = fitted
    first, later = AnchorWords(3).fit(X, feature_names=WORDS), AnchorWords(3).fit(X, feature_names=WORDS)
    first.partial_fit(X)
    later.partial_fit(pd.DataFrame(X, columns=WORDS)[WORDS[::-1]])
    assert np.array_equal(first.components_, later.components_)


def test_sparse_frames_stay_sparse(fitted, monkeypatch):
    model, X = fitted
    frame = pd.DataFrame.sparse.from_spmatrix(sp.csr_array(X), columns=WORDS)
    monkeypatch.setattr("cotopics.cooccur.counts._as_table", None)  # what makes a full table
    assert np.array_equal(model.transform(frame[WORDS[::-1]]), model.transform(sp.csr_array(X)))


def test_a_word_that_pandas_knows_too(fitted):
    _, X = fitted
    words = ["sparse", "dtypes", "columns", *WORDS[3:]]
    model = AnchorWords(3).fit(X, feature_names=words)
    assert np.array_equal(model.transform(pd.DataFrame(X, columns=words)[words[::-1]]), model.transform(X))
