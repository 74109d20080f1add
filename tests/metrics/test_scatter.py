"""Whether words and topics are scattered enough: Fu et al. 2019, Assumption 2; Bing et al. 2020, Assumption 3."""

import numpy as np
import pytest

from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.metrics import scatteredness, topic_separation
from cotopics.top import FindAnchorWords


def test_anchor_words_are_enough(rng):
    B = np.vstack([np.eye(4), rng.dirichlet(np.ones(4), size=30)])
    assert scatteredness(B) == pytest.approx(1)


def test_zeros_without_anchors_are_enough():
    """Half of the entries are zero, no word is exclusive, and AnchorFree finds such topics (000, Table 2)."""
    B = make_cooccurrence(300, 5, random_state=0)[1]
    assert (np.count_nonzero(B, axis=1) != 1).sum() > 100
    B = B[np.count_nonzero(B, axis=1) != 1]
    assert scatteredness(B) == pytest.approx(1, abs=1e-6)


def test_words_near_the_middle_are_not(rng):
    """All rows are within a small circle: other topics around it explain them as well."""
    B = 1 + 0.1 * rng.standard_normal((100, 3))
    assert scatteredness(B) < 0.5


def test_rows_may_be_scaled_and_topics_permuted(rng):
    B = rng.dirichlet(np.full(4, 0.5), size=40)
    weighted = (B * rng.uniform(0.01, 1, size=(40, 1)))[:, [2, 0, 3, 1]]
    assert scatteredness(weighted, n_starts=40) == pytest.approx(scatteredness(B, n_starts=40), rel=1e-6)


def test_dependent_topics_are_refused():
    with pytest.raises(ParameterError, match="linearly dependent"):
        scatteredness(np.ones((10, 2)))


def test_topics_are_separated_where_assumption_3_of_top_holds(rng):
    """ν > 0 if and only if cos(W_i, W_j) < min(ζ_i/ζ_j, ζ_j/ζ_i), ζ = ‖W_i‖₂/‖W_i‖₁; Bing et al. 2020, Remark 3."""
    verdicts = []
    for _ in range(200):
        W = rng.dirichlet(rng.uniform(0.1, 20, size=3), size=5).T
        lengths = np.linalg.norm(W, axis=1)
        zeta = lengths / W.sum(axis=1)
        cosines, ratios = (W @ W.T) / np.outer(lengths, lengths), np.divide.outer(zeta, zeta)
        pairs = np.triu_indices(3, 1)
        verdicts.append(bool((cosines < np.minimum(ratios, ratios.T))[pairs].all()))
        assert (topic_separation(W @ W.T / W.shape[1]) > 0) is verdicts[-1]
    assert 20 < sum(verdicts) < 180


def test_top_finds_all_topics_of_an_exact_cooccurrence_if_they_are_separated(rng):
    """Proposition 2 of Bing et al. 2020; where topics are not separated, TOP loses some of them."""
    B = np.vstack([np.repeat(np.eye(3), 2, axis=0), rng.dirichlet(np.ones(3), size=6)])
    B /= B.sum(axis=0)
    lost = 0
    for _ in range(60):
        W = rng.dirichlet(rng.uniform(0.1, 20, size=3), size=5).T
        A = W @ W.T / W.shape[1]
        found = len(FindAnchorWords()(B @ A @ B.T).groups)
        if topic_separation(A) > 0:
            assert found == 3
        else:
            lost += found < 3
    assert lost > 5


def test_one_topic_is_separated_from_all_others():
    assert topic_separation(np.ones((1, 1))) == np.inf


def test_topics_without_a_share_are_refused():
    with pytest.raises(ParameterError, match=r"topics \[1\]"):
        topic_separation(np.array([[1.0, 0.0], [0.0, 0.0]]))
