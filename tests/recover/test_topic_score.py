"""Topic-SCORE: Ke and Wang 2022."""

import numpy as np

from conftest import planted_corpus
from cotopics import AnchorWords, cooccurrence
from cotopics.anchors import PivotedQR
from cotopics.metrics import topic_error
from cotopics.recover import SimplexLeastSquares, TopicScore


def test_the_first_direction_is_the_frequency():
    """D^-1 C D^-1 has eigenvalue one for the roots of the row sums, so ratios to it are points of one plane."""
    C = cooccurrence(planted_corpus(n_documents=100)[0]).toarray()
    C = C[C.sum(axis=1) > 0][:, C.sum(axis=0) > 0]
    root = np.sqrt(C.sum(axis=1))
    assert np.allclose((C / np.outer(root, root)) @ root, root)


def test_in_all_directions_it_is_weighted_least_squares():
    """With as many anchors as words nothing is cut away, and every word is its own anchor."""
    X = np.random.default_rng(0).poisson(2.0, size=(60, 6))
    C = cooccurrence(X).toarray() + 5 * np.eye(6)
    topics = TopicScore()(C, PivotedQR()(C, 6))
    assert np.allclose(topics.membership.max(axis=1), 1)


def test_noise_outside_the_leading_directions_is_not_seen():
    """Short documents: topics are at least as good as those of least squares over all words."""
    X, B, _ = planted_corpus(n_documents=400, n_words=120, length=15)
    C = cooccurrence(X)
    anchors = PivotedQR()(B @ B.T, 4)  # the true ones
    score, squares = (topic_error(step(C, anchors).B, B) for step in (TopicScore(), SimplexLeastSquares()))
    assert score <= squares


def test_by_name():
    X = planted_corpus(n_documents=200)[0]
    model = AnchorWords(4, recovery="score").fit(X)
    assert np.allclose(model.components_.sum(axis=1), 1)
