"""The largest numbers of each row are the first ones of a stable sort."""

import numpy as np
import pytest

from cotopics.linalg import leading


@pytest.mark.parametrize("k", [1, 2, 7, 40, 300, 500])
@pytest.mark.parametrize("values", [5, 10**9])
def test_the_same_as_a_stable_sort(rng, k, values):
    scores = rng.integers(values, size=(20, 400)).astype(float)  # few values: many ties, also at the k-th place
    assert (leading(scores, k) == np.argsort(-scores, axis=1, kind="stable")[:, :k]).all()


def test_infinity_and_nan(rng):
    scores = rng.normal(size=(5, 300))
    scores[0, 7:] = -np.inf
    scores[1, 5:] = np.nan
    scores[2] = np.nan
    for k in (3, 10, 20):
        assert (leading(scores, k) == np.argsort(-scores, axis=1, kind="stable")[:, :k]).all()
