import numpy as np
import pytest

import reference
from conftest import planted_corpus
from cotopics import cooccurrence
from cotopics.datasets import make_cooccurrence
from cotopics.rectify import AlternatingProjection, DiagonalCompletion


@pytest.mark.parametrize("n_words", [60, 300])
def test_alternating_projection_is_that_of_the_paper(n_words):
    """The blocked, warm-started, inexact version follows the plain one with full eigendecompositions."""
    rng = np.random.default_rng(n_words)
    X = rng.multinomial(30, rng.dirichlet(np.full(n_words, 0.1)), size=40) + rng.poisson(0.05, size=(40, n_words))
    X = X[:, X.sum(axis=0) > 0]
    C = cooccurrence(X).toarray()
    fast = AlternatingProjection(max_iter=24, tolerance=0)(C, 3)
    slow = reference.alternating_projection(C, 3, 25)  # the last step ends with a factor, which is projected once more
    assert np.abs(fast.C.toarray() - slow).max() <= 1e-6 * slow.max()
    assert fast.n_iter == 24
    assert not fast.converged


def test_alternating_projection_approaches_low_rank_and_psd():
    C = cooccurrence(planted_corpus(n_documents=80, length=10)[0])
    rectified = AlternatingProjection(tolerance=1e-7, max_iter=3000)(C, 4)
    values = np.linalg.eigvalsh(rectified.C.toarray())
    assert rectified.converged
    assert np.abs(values[:-4]).max() <= 1e-4 * values[-1]
    assert values[0] >= -1e-4 * values[-1]
    change = rectified.history["change"]
    assert change[-1] <= 1e-7 < change[-2]
    assert rectified.history["negative_mass"][-1] < rectified.history["negative_mass"][0]


@pytest.mark.parametrize("n_topics", [2, 8])
def test_diagonal_completion_restores_a_lost_diagonal(n_topics):
    C, _, _ = make_cooccurrence(101, n_topics, random_state=1)
    lost = C - np.diag(np.diag(C))
    completed = DiagonalCompletion()(lost, n_topics).C.toarray()
    assert np.allclose(completed / completed.sum(), C / C.sum(), rtol=1e-7, atol=0)


def test_diagonal_completion_changes_only_the_diagonal(corpus):
    C = cooccurrence(corpus[0]).toarray()
    completed = DiagonalCompletion()(C, 4).C.toarray()
    off = ~np.eye(len(C), dtype=bool)
    assert np.allclose(completed[off] / completed[off].sum(), C[off] / C[off].sum())
    assert not np.allclose(np.diag(completed), np.diag(C))


def test_diagonal_completion_depends_only_on_its_seed(corpus):
    C = cooccurrence(corpus[0])
    first, again, other = (DiagonalCompletion(n_splits=3, random_state=seed)(C, 4).C.diagonal() for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
