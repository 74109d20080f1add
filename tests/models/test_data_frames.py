"""Data frames given to a model whose words came as feature_names: columns are matched by name, as on Dask."""

import numpy as np
import pandas as pd
import pytest

from conftest import planted_corpus
from cotopics import TopicModel
from cotopics.errors import ParameterError

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
