"""What 001 shows on NIPS, on a small slice; benchmarks/rectification.py does the whole."""

import numpy as np
import pytest

from cotopics import AnchorWords
from cotopics.corpus import keep_words, read_corpus
from cotopics.metrics import dissimilarity


@pytest.fixture(scope="module")
def nips(data):
    return keep_words(read_corpus(data / "nips" / "counts.npz", min_documents=1), vocabulary_size=1000)


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
