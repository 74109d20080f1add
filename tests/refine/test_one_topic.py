"""Topics of which every document has one."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import reference
from cotopics.documents import InMemory, LocalPieces
from cotopics.errors import ParameterError
from cotopics.linalg import threads
from cotopics.metrics import clustering_accuracy, match_topics, nmi
from cotopics.refine import OneTopicPerDocument, merge_topics
from cotopics.refine.kernels import merge_losses
from cotopics.refine.one_topic import Topics, document_step, nothing_known, prepare_counts
from cotopics.refine.tokens import Tokens


def short_texts(n_documents=600, n_words=120, n_topics=4, length=6, seed=0):
    """Documents of one planted topic each: (X, B, topics)."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(n_words, 0.05), size=n_topics).T
    topics = rng.integers(0, n_topics, n_documents)
    X = np.stack([rng.multinomial(length, B[:, k] / B[:, k].sum()) for k in topics]).astype(float)
    return sp.csr_array(X), B, topics


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), annealed=st.sampled_from([0, 3]), smoothing=st.sampled_from([0.05, 0.5, None]))
def test_agrees_with_the_slow_version(seed, annealed, smoothing):
    X, B, _ = short_texts(40, 15, 3, 4, seed)
    start, prevalence = 0.5 * B + 0.5 / len(B), np.array([0.2, 0.3, 0.5])
    step = OneTopicPerDocument(5, smoothing, annealed)
    found = step(X, start, prevalence)
    size = 0.03 * 40 / 3
    used = step.smoothing_of(X.sum(), 15, 3)
    B_slow, P_slow, likelihood = reference.one_topic_steps(
        X.toarray(), start, prevalence, found.n_iter, used, size, annealed
    )
    assert np.allclose(found.B, B_slow, atol=1e-4)
    assert np.allclose(found.W, P_slow, atol=1e-3)
    assert np.isclose(found.history["likelihood"][-1], likelihood / X.sum(), atol=1e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_a_step_are_those_of_its_shares(weighted, monkeypatch, rng):
    """Documents in several blocks and pieces, each of which counts as often as it is said to."""
    monkeypatch.setattr("cotopics.refine.blocks.BLOCK_NUMBERS", 1000)
    monkeypatch.setattr("cotopics.refine.blocks.SHARE_NUMBERS", 100)
    X, B, _ = short_texts()
    weights = rng.integers(0, 4, X.shape[0]).astype(float) if weighted else None
    tokens = Tokens(X, weights)
    P, topics = nothing_known(tokens, 4), Topics(B + 1e-9, np.ones(4), np.full(4, 150.0), np.log(B + 1e-9))
    found, sizes, _, _, totals = document_step(tokens, P, topics, 0.1, 5.0, 1.0)
    counted = P if weights is None else weights[:, None] * P
    assert np.allclose(found, X.T @ counted, rtol=1e-6)
    assert np.allclose(sizes, counted.sum(axis=0), rtol=1e-6)
    assert np.allclose(totals, found.sum(axis=0), rtol=1e-6)


def test_documents_prepared_once_serve_several_starts():
    X, B, _ = short_texts()
    prepared, prevalence = prepare_counts(X), np.full(4, 0.25)
    for start in (B + 0.01, B[::-1] + 0.01):
        one, other = (OneTopicPerDocument(5)(given, start, prevalence) for given in (prepared, X))
        assert (one.B == other.B).all()
        assert (one.W == other.W).all()


def test_planted_topics_come_back():
    X, B, topics = short_texts(3000, length=12)
    noisy = 0.5 * B + 0.5 * B.mean(axis=1, keepdims=True)
    found = OneTopicPerDocument()(X, noisy, np.full(4, 0.25))
    assert clustering_accuracy(topics, found.W.argmax(axis=1)) > 0.98
    assert np.abs(found.B[:, match_topics(found.B, B)] - B).sum(axis=0).max() < 0.15
    assert np.allclose(found.prevalence, np.bincount(topics) / 3000, atol=0.01)
    assert np.allclose(found.B.sum(axis=0), 1)
    assert np.allclose(found.W.sum(axis=1), 1)
    assert np.allclose(found.tokens.sum(), X.sum())


@pytest.mark.parametrize("cut", [[200], [1, 2, 599]])
def test_pieces_change_nothing(cut):
    X, B, _ = short_texts()

    class InPieces(InMemory):
        @property
        def pieces(self):
            return LocalPieces(tuple(self.counts[a:b] for a, b in zip([0, *cut], [*cut, None], strict=True)))

    whole, pieces = (OneTopicPerDocument()(of(X), 0.5 * B + 0.5 / 120, np.full(4, 0.25)) for of in (InMemory, InPieces))
    assert np.allclose(pieces.B, whole.B, rtol=1e-5)
    assert np.allclose(pieces.W, whole.W, atol=1e-5)
    assert np.allclose(pieces.history["likelihood"], whole.history["likelihood"])


def test_words_documents_and_topics_in_another_order(rng):
    X, B, _ = short_texts()
    start = 0.5 * B + 0.5 / 120
    rows, words, topics = rng.permutation(600), rng.permutation(120), rng.permutation(4)
    found = OneTopicPerDocument()(X, start, np.array([0.1, 0.2, 0.3, 0.4]))
    moved = OneTopicPerDocument()(
        sp.csr_array(X[rows][:, words]), start[words][:, topics], np.array([0.1, 0.2, 0.3, 0.4])[topics]
    )
    assert np.allclose(moved.B, found.B[words][:, topics], rtol=1e-4)
    assert np.allclose(moved.W, found.W[rows][:, topics], atol=1e-4)


def test_threads_change_nothing(monkeypatch):
    X, B, _ = short_texts(3000)
    monkeypatch.setattr("cotopics.refine.tokens.MIN_WORK", 1000)
    monkeypatch.setattr("cotopics.refine.blocks.SHARE_NUMBERS", 50)
    found = []
    for n in (1, 4):
        monkeypatch.setattr(threads, "n_threads", lambda n=n: n)
        found.append(OneTopicPerDocument(8)(X, 0.5 * B + 0.5 / 120, np.full(4, 0.25)))
    assert (found[0].B == found[1].B).all()
    assert (found[0].W == found[1].W).all()


def test_a_document_is_not_compared_with_itself():
    """A word of one document would otherwise keep it in whatever topic it came to first."""
    B = np.array([[0.5, 0.1], [0.1, 0.5], [0.4, 0.4]])
    X = np.zeros((41, 3))
    X[:20, 0], X[20:40, 1], X[40, 2] = 3, 3, 1
    X[40, 1] = 1
    found = OneTopicPerDocument(annealed=0)(sp.csr_array(X), B, np.array([0.9, 0.1]))
    assert found.W[40, 1] > 0.5


def test_small_topics_do_not_vanish():
    X, B, topics = short_texts(400, n_words=300, n_topics=40, length=8, seed=3)
    found = OneTopicPerDocument()(X, 0.5 * B + 0.5 / 300, np.full(40, 1 / 40))
    assert (found.prevalence * 400 > 1).sum() >= 38
    assert nmi(topics, found.W.argmax(axis=1)) > 0.9


def marginal(counts, smoothing):
    """log of the Dirichlet-multinomial marginal likelihood of counts (n_words,), up to a constant."""
    V = len(counts)
    words = (gammaln(counts + smoothing) - gammaln(smoothing)).sum()
    return words + gammaln(V * smoothing) - gammaln(counts.sum() + V * smoothing)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), n_topics=st.integers(1, 5))
def test_every_merge_costs_least(seed, n_topics):
    rng = np.random.default_rng(seed)
    tokens = rng.poisson(rng.gamma(0.3, 5, size=(12, 6))).astype(float)
    groups = [[i] for i in range(6)]
    while len(groups) > n_topics:  # the slow way
        costs = {}
        for a in range(len(groups)):
            for b in range(a + 1, len(groups)):
                one, other = (tokens[:, groups[i]].sum(axis=1) for i in (a, b))
                empty = one.sum() == 0 or other.sum() == 0
                both = marginal(one, 0.3) + marginal(other, 0.3) - marginal(one + other, 0.3)
                costs[a, b] = -np.inf if empty else both
        a, b = min(costs, key=costs.get)
        groups[a] += groups.pop(b)
    found = merge_topics(tokens, n_topics)
    assert sorted(np.flatnonzero(found == k).tolist() for k in range(n_topics)) == sorted(map(sorted, groups))


def test_large_counts_are_merged_without_a_large_table():
    rng = np.random.default_rng(0)
    tokens = np.repeat(rng.dirichlet(np.full(50, 0.1), size=4).T, 2, axis=1) * 10**6
    expected = merge_topics(tokens, 4)
    for factor in (10.0, 10.0**6):
        assert (merge_topics(factor * tokens, 4) == expected).all()


def test_a_topic_is_not_compared_with_itself():
    """Twice its tokens of a word that only it has are more than the table of logarithms holds."""
    counts, losses = np.array([[3, 0, 1], [0, 2, 2]]), np.zeros(3)
    lgammas = np.concatenate([gammaln(np.arange(5) + 0.3) - gammaln(0.3), np.full(5, np.nan)])  # of 4 tokens at most
    merge_losses(counts, lgammas, 0, losses)
    assert losses[0] == losses[1] == 0
    assert np.isclose(losses[2], lgammas[3] + lgammas[1] - lgammas[4])


def test_topics_that_were_split_are_merged_again():
    X, _, topics = short_texts(4000, length=20)
    parts = 3 * topics + np.random.default_rng(1).integers(0, 3, 4000)  # every topic in three
    tokens = X.T @ np.eye(12)[parts]
    assert (merge_topics(tokens, 4).reshape(4, 3) == merge_topics(tokens, 4).reshape(4, 3)[:, :1]).all()


@pytest.mark.parametrize("options", [{"steps": 0}, {"steps": 2.5}, {"annealed": -1}, {"smoothing": 0}])
def test_wrong_options(options):
    with pytest.raises(ParameterError):
        OneTopicPerDocument(**options)
