"""The estimate with the topics' correlations as the prior, and EM's options."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from cotopics.infer import EM, PriorAware


def planted(length, n=400, seed=0):
    """Documents of twelve topics that come in three groups: (X, B, W, prevalence, A)."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(300, 0.1), size=12).T + 1e-6
    B /= B.sum(axis=0)
    logits = 3 * np.repeat(rng.normal(size=(n, 3)), 4, axis=1) + rng.normal(size=(n, 12))
    W = np.exp(logits)
    W /= W.sum(axis=1, keepdims=True)
    X = sp.csr_array([rng.multinomial(length, p) for p in W @ B.T]).astype(np.float64)
    return X, B, W, W.mean(axis=0), W.T @ W / n


def error(found, W):
    return np.abs(found - W).sum(axis=1) / 2


@pytest.mark.parametrize(("length", "gain"), [(5, 0.1), (20, 0.03)])
def test_correlations_help_short_documents(length, gain):
    X, B, W, prevalence, A = planted(length)
    likelihood = error(EM()(X, B, prevalence, A), W)
    smoothed = error(EM(smoothing=0.1)(X, B, prevalence, A), W)
    independent = (1 - np.trace(A)) / (np.trace(A) - prevalence @ prevalence)  # Σα of the Dirichlet of A's trace
    A0 = (independent * np.outer(prevalence, prevalence) + np.diag(prevalence)) / (independent + 1)
    without = error(PriorAware()(X, B, prevalence, A0), W)
    prior = error(PriorAware()(X, B, prevalence, A), W)
    assert prior.mean() < likelihood.mean() - gain
    for other in (likelihood, smoothed, without):  # by five standard errors of the difference
        difference = other - prior
        assert difference.mean() > 5 * difference.std() / np.sqrt(len(difference))


def test_long_documents_outweigh_it():
    X, B, _, prevalence, A = planted(5)
    X = sp.csr_array(1e5 * X)
    prior = PriorAware(tolerance=1e-7, max_iter=100_000)(X, B, prevalence, A)
    likelihood = EM(tolerance=1e-7, max_iter=100_000)(X, B, prevalence, A)
    difference = B @ (prior - likelihood).T  # what the data speak of: proportions themselves may be ambiguous
    assert np.abs(difference[X.toarray().T > 0]).max() < 1e-3


def test_one_word_of_one_topic_gives_its_row_of_the_correlations():
    """E[w | a word of topic k] = A_k/Σ A_k, whatever the distribution of w."""
    B = np.vstack([0.1 * np.eye(4), np.full((3, 4), 0.3)])
    W = np.random.default_rng(0).dirichlet([0.3, 0.5, 1, 0.6], size=500)
    W[:, 0] += W[:, 1] / 2  # two that come together
    W /= W.sum(axis=1, keepdims=True)
    A = W.T @ W / len(W)
    X = sp.csr_array(np.eye(4, 7))
    found = PriorAware(least_spread=0)(X, B, A.sum(axis=1), A)
    assert np.allclose(found, A / A.sum(axis=1, keepdims=True), atol=1e-9)


@pytest.mark.parametrize(("step", "name"), [(EM(max_iter=1), "EM"), (PriorAware(max_iter=1), "the prior-aware")])
def test_documents_that_did_not_converge_are_counted(step, name):
    X, B, _, prevalence, A = planted(20, n=30)
    with pytest.warns(ConvergenceWarning, match=f"{name}.* did not converge for 30 of 30 documents.*max_iter"):
        step(X, B, prevalence, A)


def test_smoothing_adds_a_count_to_every_topic():
    """Words of one topic each: (N + smoothing)/(n + K · smoothing)."""
    found = EM(smoothing=0.5)(sp.csr_array([[3.0, 1, 0]]), np.eye(3), np.ones(3) / 3, np.eye(3) / 3)
    assert np.allclose(found, np.array([[3.5, 1.5, 0.5]]) / 5.5)
