"""Whether words are scattered enough: Fu et al. 2019, Assumption 2."""

import numpy as np
import pytest

from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.metrics import scatteredness


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
