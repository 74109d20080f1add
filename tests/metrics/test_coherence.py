import numpy as np
import pytest
import scipy.sparse as sp

import reference
from cotopics import AnchorWords
from cotopics.errors import ParameterError
from cotopics.metrics import npmi, topic_diversity


@pytest.mark.parametrize("n_words", [2, 5, 12, 50])
def test_npmi_is_the_mean_over_pairs(n_words, rng):
    X = rng.poisson(0.5, size=(40, 12))
    X[:, 3], X[:, 4], X[:, 5] = 0, 1, 2  # a word that is never there, two that always are
    B = rng.dirichlet(np.ones(12), size=3).T
    assert np.isclose(npmi(B, X, n_words=n_words), reference.npmi(B, X, n_words))
    assert np.isclose(npmi(B, sp.csc_array(X), n_words=n_words), reference.npmi(B, X, n_words))


def test_npmi_at_its_ends():
    B = np.array([[0.6], [0.4]])
    assert npmi(B, [[1, 0], [0, 1]]) == -1  # never together
    assert npmi(B, [[1, 0], [1, 0]]) == -1  # one of them not there
    assert npmi(B, [[1, 1], [2, 5]]) == 1  # in every document
    assert npmi(B, [[1, 1], [0, 0], [0, 0]]) == 1  # only ever together
    assert npmi(B, [[1, 1], [1, 0], [0, 1], [0, 0]]) == 0  # as often as by chance


def test_npmi_sees_the_planted_topics(corpus, rng):
    X, B, _ = corpus
    shuffled = B[rng.permutation(60)]
    assert npmi(B, X) > npmi(shuffled, X)
    assert npmi(AnchorWords(4).fit(X), X) > npmi(shuffled, X)


def test_npmi_needs_pairs():
    with pytest.raises(ParameterError, match="2 or more"):
        npmi(np.eye(2), [[1, 1]], n_words=1)
    with pytest.raises(ParameterError, match="2 or more"):
        npmi(np.ones((1, 1)), [[1], [2]])
    with pytest.raises(ParameterError, match="3 words and X has 2"):
        npmi(np.ones((3, 1)), [[1, 1]])


def test_diversity_runs_from_all_alike_to_all_different(rng):
    topic = rng.dirichlet(np.ones(50))
    assert topic_diversity(np.column_stack([topic] * 4), n_words=10) == 1 / 4
    assert topic_diversity(np.kron(np.eye(5), np.ones((10, 1))), n_words=10) == 1
    assert topic_diversity(np.eye(3)) == 1 / 3  # fewer words than asked for: all of them, in every topic
    with pytest.raises(ParameterError, match="n_words=0"):
        topic_diversity(np.eye(3), n_words=0)
