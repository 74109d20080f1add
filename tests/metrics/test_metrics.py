import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from cotopics.errors import ParameterError
from cotopics.metrics import (
    clustering_accuracy,
    coherence,
    dissimilarity,
    exclusivity,
    match_topics,
    nmi,
    similarity_count,
    topic_error,
)


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


@pytest.mark.parametrize("measure", [clustering_accuracy, nmi])
@pytest.mark.parametrize(
    "labels", [[1, 2, 3], [], [[1], [2]], [[1], [2, 3]], [{"a": 1}, {"b": 2}], [None, "a"]], ids=str
)
def test_labels_that_are_none(measure, labels):
    with pytest.raises(ParameterError):
        measure(labels, [0, 1])


def test_nmi_at_its_ends(rng):
    labels = rng.integers(4, size=200)
    assert np.isclose(nmi(labels, np.array(["d", "a", "c", "b"])[labels]), 1)
    assert nmi(["a", "a"], [3, 3]) == 1  # one class, one cluster
    assert nmi(["a", "a"], [0, 1]) == 0
    assert nmi(["a", "b"], [0, 0]) == 0
    assert nmi([0, 0, 1, 1], [0, 1, 0, 1]) == 0  # independent
    assert nmi([0.5, 0.25], [1, 2]) == 1  # numbers are names


def test_nmi_is_the_formula(rng):
    labels, clusters = rng.integers(3, size=50), rng.integers(5, size=50)

    def entropy(values):
        p = np.unique(values, return_counts=True, axis=0)[1] / 50
        return -(p * np.log(p)).sum()

    H, H_clusters = entropy(labels), entropy(clusters)
    information = H + H_clusters - entropy(np.column_stack([labels, clusters]))
    assert np.isclose(nmi(labels, clusters), 2 * information / (H + H_clusters))
    assert np.isclose(nmi(clusters, labels), nmi(labels, clusters))


def test_exclusivity_runs_from_all_alike_to_none_shared(rng):
    topic = rng.dirichlet(np.ones(50))
    assert np.isclose(exclusivity(np.column_stack([topic] * 4)), 1 / 4)
    assert exclusivity(np.kron(np.eye(5), np.ones((10, 1)) / 10)) == 1
    assert exclusivity(np.eye(3)) == 1  # words that a topic lacks are none of its leading ones
    assert exclusivity(np.array([[1.0, 0.0], [0.0, 0.0]])) == 1 / 2  # a topic without words
    B = rng.dirichlet(np.full(30, 0.1), size=4).T
    leading = [np.argsort(-topic)[:5] for topic in B.T]
    expected = [B[words, k] / B[words].sum(axis=1) for k, words in enumerate(leading)]
    assert np.isclose(exclusivity(B, n_words=5), np.mean(expected))
    with pytest.raises(ParameterError, match="n_words=0"):
        exclusivity(B, n_words=0)


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
