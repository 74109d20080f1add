"""What is true for every solver of ANCHOR_FREE."""

import numpy as np
import pytest

from cotopics import cooccurrence
from cotopics.anchor_free import ANCHOR_FREE
from cotopics.datasets import make_cooccurrence
from cotopics.metrics import match_topics


@pytest.fixture(params=ANCHOR_FREE, ids=list(ANCHOR_FREE))
def solver(request):
    return ANCHOR_FREE[request.param]()


def test_all_representations_agree(solver, corpus):
    dense, *others = (
        solver(cooccurrence(corpus[0], weighting="balanced", representation=shape), 4)
        for shape in ("dense", "sparse", "implicit")
    )
    for other in others:
        assert np.allclose(other.B, dense.B, atol=1e-6)
        assert np.allclose(other.A, dense.A, atol=1e-6 * np.abs(dense.A).max())


def test_topics_are_distributions_and_most_prevalent_first(solver, corpus):
    found = solver(cooccurrence(corpus[0], weighting="balanced"), 6)
    assert found.B.min() >= 0
    assert np.allclose(found.B.sum(axis=0), 1)
    assert np.allclose(found.membership.sum(axis=1), 1)
    assert np.isclose(found.prevalence.sum(), 1)
    assert (np.diff(found.prevalence) <= 0).all()
    assert np.linalg.eigvalsh(found.A)[0] > 0
    assert found.converged


def test_scale_of_the_input_is_kept_by_the_correlations(solver):
    C, B, A = make_cooccurrence(200, 4, random_state=3)
    found = solver(1e6 * C, 4)
    match = match_topics(found.B, B)
    assert np.allclose(found.B[:, match], B, atol=1e-6)
    assert np.allclose(found.A[np.ix_(match, match)], 1e6 * A, rtol=1e-4)


def test_same_bits_twice(solver, corpus):
    C = cooccurrence(corpus[0], weighting="balanced")
    assert (solver(C, 4).B == solver(C, 4).B).all()
