from collections import Counter

import numpy as np
import pytest

from cotopics.datasets import load_demo, make_cooccurrence


def test_planted_cooccurrence_is_what_it_says():
    C, B, A = make_cooccurrence(300, 6, density=0.3, n_anchored=4, random_state=1)
    assert np.allclose(C, B @ A @ B.T)
    assert np.allclose(B.sum(axis=0), 1)
    assert (B >= 0).all()
    assert 0.25 < (B[6:] > 0).mean() < 0.35
    assert (np.count_nonzero(B[:4], axis=1) == 1).all()
    assert (B[:4].argmax(axis=1) == np.arange(4)).all()
    assert (A >= 0).all()
    assert np.linalg.eigvalsh(A)[0] >= 1 - 1e-12
    again = make_cooccurrence(300, 6, density=0.3, n_anchored=4, random_state=1)
    assert all((a == b).all() for a, b in zip((C, B, A), again, strict=True))


@pytest.mark.parametrize("options", [{"n_anchored": 5}, {"density": 0}, {"n_words": 3}])
def test_impossible_plans(options):
    with pytest.raises(ValueError):
        make_cooccurrence(**{"n_words": 10, "n_topics": 4, **options})


def test_the_demo_corpus():
    texts, labels = load_demo()
    assert len(texts) == len(labels) == len(set(texts)) > 2000
    assert min(map(len, texts)) >= 200
    counts = Counter(labels)
    assert {"numpy", "scipy.stats", "scipy.linalg", "sklearn.cluster", "sklearn.metrics"} <= set(counts)
    assert not any("lapack" in label or "blas" in label for label in counts)
    assert load_demo() == (texts, labels)
