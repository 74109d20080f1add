"""Maximum likelihood with a prior and a background."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.errors import ParameterError
from cotopics.infer import EM


def test_words_of_one_topic_each_by_hand():
    """Where every word is in one topic alone, w_k = (N_k + s_k)/(n + Σs): s = 2 · (½ + ½ · 2 · prevalence)."""
    X, prevalence = sp.csr_array([[3.0, 1.0]]), np.array([0.9, 0.1])
    W = EM(smoothing=2.0, by_prevalence=0.5, tolerance=1e-10)(X, np.eye(2), prevalence, np.eye(2))
    s = 2 * (0.5 + 0.5 * 2 * prevalence)
    assert np.allclose(W, (X.toarray() + s) / (4 + s.sum()))


def test_the_prior_is_as_strong_however_it_is_shared_out():
    X, prevalence = sp.csr_array([[6.0, 0.0, 0.0]]), np.array([0.7, 0.2, 0.1])
    for share in (0.0, 0.4, 1.0):
        W = EM(smoothing=1.0, by_prevalence=share, tolerance=1e-10)(X, np.eye(3), prevalence, np.eye(3))
        assert np.isclose(W[0, 0], (6 + 1 - share + share * 3 * 0.7) / 9)


def test_what_the_background_explains_speaks_for_no_topic():
    """Word 0 is as frequent in topic 0 as in the corpus, word 1 is topic 1's: with a background, it counts for more."""
    B, words = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([0.9, 0.1])
    X = sp.csr_array([[5.0, 1.0]])
    plain, aware = (EM(smoothing=0.1, background=b)(X, B, np.full(2, 0.5), np.eye(2), words) for b in (0.0, 0.6))
    assert aware[0, 1] > plain[0, 1]
    unknown = EM(smoothing=0.1, background=0.6)(X, B, np.array([1.0, 0.0]) + 1e-9, np.eye(2))  # B @ prevalence then
    assert np.allclose(unknown, aware, atol=1e-3)


@pytest.mark.parametrize(
    "options",
    [
        {"smoothing": -1},
        {"smoothing": np.inf},
        {"by_prevalence": 2},
        {"background": 1.0},
        {"tolerance": 0},
        {"max_iter": 0},
    ],
)
def test_wrong_options(options):
    with pytest.raises(ParameterError):
        EM(**options)
