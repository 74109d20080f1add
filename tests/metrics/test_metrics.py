import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from cotopics.metrics import clustering_accuracy, coherence, dissimilarity, match_topics, similarity_count, topic_error


def test_accuracy_does_not_depend_on_names(rng):
    labels = rng.integers(4, size=200)
    renamed = np.array(["d", "a", "c", "b"])[labels]
    assert clustering_accuracy(labels, renamed) == 1
    noisy = np.where(rng.random(200) < 0.2, 0, labels)
    assert clustering_accuracy(labels, noisy) == accuracy_score(labels, noisy)
    assert clustering_accuracy(labels, np.zeros(200)) == np.bincount(labels).max() / 200


@pytest.mark.parametrize(("labels", "clusters"), [([1, 2], [1]), ([], []), ([[1]], [[1]])])
def test_accuracy_needs_documents(labels, clusters):
    with pytest.raises(ValueError):
        clustering_accuracy(labels, clusters)


def test_coherence_is_the_papers_sum(rng):
    X = rng.poisson(0.7, size=(50, 12))
    B = rng.dirichlet(np.ones(12), size=3).T
    expected = 0.0
    for topic in B.T:
        order = np.argsort(-topic)[:5]
        for i in range(1, 5):
            for j in range(i):
                both = ((X[:, order[i]] > 0) & (X[:, order[j]] > 0)).sum()
                expected += np.log((both + 0.01) / (X[:, order[j]] > 0).sum())
    assert np.isclose(coherence(B, X, n_words=5), expected / 3)


def test_coherence_of_a_word_that_is_not_there():
    assert np.isfinite(coherence(np.array([[0.6], [0.4]]), [[0, 2], [0, 1]]))
    with pytest.raises(ValueError, match="3 words and X has 2"):
        coherence(np.ones((3, 1)) / 3, [[1, 1]])


def test_shared_words_are_counted_by_pairs():
    B = np.zeros((5, 3))
    B[[0, 1], 0] = B[[0, 2], 1] = B[[0, 1], 2] = 0.5
    assert similarity_count(B, n_words=2) == 1 + 2 + 1  # topics 0 and 1, 0 and 2, 1 and 2
    assert dissimilarity(B, n_words=2) == 1 / 3


def test_matching_is_the_best_permutation(rng):
    B = rng.dirichlet(np.ones(20), size=6).T
    order = rng.permutation(6)
    assert (match_topics(B[:, order], B) == np.argsort(order)).all()
    assert topic_error(B[:, order], B) == 0
    moved = B.copy()
    moved[0, 2] += 0.5
    assert np.isclose(topic_error(moved[:, order], B, norm="l1inf"), 0.5)
    assert np.isclose(topic_error(moved[:, order], B), 0.5 / 6)
    assert np.isclose(topic_error(moved, B, norm="frobenius"), 0.25)
    with pytest.raises(ValueError, match="norm='l7'"):
        topic_error(B, B, norm="l7")
    with pytest.raises(ValueError, match="cannot be"):
        match_topics(B[:, :3], B)
    with pytest.raises(ValueError, match="cannot be"):
        match_topics(B[1:], B)
