"""What 001 shows on NIPS, on a small slice; benchmarks/rectification.py does the whole."""

import numpy as np
import pytest

from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import keep_words, read_corpus
from cotopics.metrics import dissimilarity, topic_error
from cotopics.rectify import AlternatingProjection


@pytest.fixture(scope="module")
def whole(data):
    return read_corpus(data / "nips" / "counts.npz", min_documents=1)


@pytest.fixture(scope="module")
def nips(whole):
    return keep_words(whole, vocabulary_size=1000)


@pytest.mark.filterwarnings("ignore:the anchors of topics")  # not rectified, they do not meet
def test_rectification_makes_topics_distinct(nips):
    X = nips.counts[:1000]
    plain = AnchorWords(5, rectifier=None).fit(X, feature_names=nips.vocabulary)
    rectified = AnchorWords(5).fit(X, feature_names=nips.vocabulary)
    assert dissimilarity(rectified) >= dissimilarity(plain) + 8
    A = rectified.topic_correlation_
    assert A.min() >= 0
    assert np.linalg.eigvalsh(A)[0] >= -1e-12
    assert abs(A.sum() - 1) <= 0.3


@pytest.mark.filterwarnings("ignore:rectification")  # 150 plain steps are not all that it would take
@pytest.mark.parametrize(("n_topics", "rectifiers"), [(5, ("ap", "enn")), (10, ("ap",)), (25, ("ap", "enn"))])
def test_defaults_go_as_far_as_the_authors(whole, n_topics, rectifiers):
    """150 plain steps of alternating projection. At 10 topics ENN parts from them at near ties, however far it goes."""
    C = cooccurrence(keep_words(whole, vocabulary_size=1500).counts)
    authors = AnchorWords(n_topics, rectifier=AlternatingProjection(tolerance=0)).fit_cooccurrence(C)
    for rectifier in rectifiers:
        model = AnchorWords(n_topics, rectifier=rectifier).fit_cooccurrence(C)
        assert set(model.anchors_) == set(authors.anchors_)
        assert topic_error(model, authors) < 0.02
