"""What is true for every rectifier of RECTIFIERS."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import cooccurrence
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.rectify import RECTIFIERS, ProximalMinimisation


@pytest.fixture(params=RECTIFIERS, ids=list(RECTIFIERS))
def rectifier(request):
    return RECTIFIERS[request.param]()


@pytest.fixture(scope="module")
def noisy(corpus):
    return cooccurrence(corpus[0]).toarray()


@pytest.mark.parametrize("n_topics", [1, 3, 12])
def test_a_matrix_with_the_right_structure_is_not_changed(rectifier, n_topics):
    if isinstance(rectifier, ProximalMinimisation) and n_topics > 1:
        pytest.skip("PALM looks for a non-negative factor and stops at a local minimum; see tests/rectify")
    C, _, _ = make_cooccurrence(250, n_topics, random_state=n_topics)
    rectified = rectifier(C, n_topics)
    assert np.allclose(rectified.C.toarray(), C, rtol=0, atol=1e-10 * C.max())
    assert rectified.converged


def test_symmetric_non_negative_and_in_scale(rectifier, noisy):
    rectified = rectifier(noisy, 4)
    C = rectified.C.toarray()
    assert np.allclose(C, C.T, atol=1e-15)
    assert C.min() >= 0
    assert np.isclose(C.sum(), noisy.sum())
    assert len(next(iter(rectified.history.values()))) >= 1
    assert rectified.n_iter >= 1


def test_scale_of_the_input_is_kept(rectifier, noisy):
    assert np.allclose(
        rectifier(1000 * noisy, 4).C.toarray(), 1000 * rectifier(noisy, 4).C.toarray(), rtol=1e-9, atol=1e-9
    )


def test_all_representations_agree(rectifier, corpus):
    X = corpus[0]
    dense, *others = (
        rectifier(cooccurrence(X, representation=shape), 4).C.toarray() for shape in ("dense", "sparse", "implicit")
    )
    for other in others:
        assert np.allclose(other, dense, atol=1e-12)


def test_closer_to_the_truth(rectifier, corpus):
    """Rectifying an estimate brings it closer to the co-occurrence that the documents were drawn from."""
    X, B, W = corpus
    truth = B @ (W.T @ W / len(W)) @ B.T
    C = cooccurrence(X).toarray()
    assert np.linalg.norm(rectifier(C, 4).C.toarray() - truth) < np.linalg.norm(C - truth)


def test_input_is_not_changed(rectifier, noisy):
    kept = noisy.copy()
    rectifier(noisy, 3)
    assert (noisy == kept).all()


def test_same_bits_twice(rectifier, noisy):
    assert (rectifier(noisy, 4).C.toarray() == rectifier(noisy, 4).C.toarray()).all()


@pytest.mark.parametrize(("C", "n_topics"), [(np.eye(3), 4), (np.eye(3), 0), (np.zeros((4, 4)), 2)])
def test_impossible_problems(rectifier, C, n_topics):
    for matrix in (C, sp.csr_array(C)):
        with pytest.raises(CooccurrenceError):
            rectifier(matrix, n_topics)
