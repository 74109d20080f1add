"""Words held out of documents: how they are chosen, and how they are scored."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords
from cotopics.errors import CorpusError, ParameterError
from cotopics.infer import EM
from cotopics.metrics import held_out_likelihood
from cotopics.metrics.likelihood import split_tokens
from cotopics.models.fit import Fit


def model_of(B, W):
    """Topics B (words × topics) that find proportions W in whatever documents."""
    return SimpleNamespace(components_=np.asarray(B).T, transform=lambda X: np.asarray(W))


@settings(max_examples=60, deadline=None)
@given(X=arrays(np.int64, (6, 5), elements=st.integers(0, 9)), seed=st.integers(0, 5))
def testsplit_tokens_aresplit_tokens(X, seed):
    long = X[X.sum(axis=1) >= 2]
    first, second = split_tokens(sp.csr_array(X.astype(float)), np.random.default_rng(seed))
    assert (first.toarray() + second.toarray() == long).all()
    assert (first.toarray() >= 0).all()
    assert (second.toarray() >= 0).all()
    assert (first.sum(axis=1) == (long.sum(axis=1) + 1) // 2).all()
    assert (first.data > 0).all()
    assert (second.data > 0).all()


def testsplit_tokens_are_drawn_without_replacement():
    document = np.array([6, 1, 3, 0, 2])
    X = sp.csr_array(np.tile(document, (20_000, 1)).astype(float))
    first = split_tokens(X, np.random.default_rng(0))[0].toarray()
    # multivariate hypergeometric of 6 out of 12: mean n/2, covariance 6/11 · ½ · ½ · 12 (diag(p) − ppᵀ)
    p = document / 12
    covariance = 12 / 11 * 6 * 0.5 * (np.diag(p) - np.outer(p, p))
    assert np.allclose(first.mean(axis=0), document / 2, atol=0.03)
    assert np.allclose(np.cov(first.T), covariance, atol=0.03)


def test_the_score_is_the_formula(rng):
    X = rng.poisson(0.8, size=(30, 12))
    X[:, :2] += 1  # two tokens everywhere
    B, W = rng.dirichlet(np.ones(12), size=3).T, rng.dirichlet(np.ones(3), size=30)
    first, second = (half.toarray() for half in split_tokens(sp.csr_array(X.astype(float)), np.random.default_rng(4)))
    f = (first.sum(axis=0) + 1) / (first.sum() + 12)
    p = 0.9 * W @ B.T + 0.1 * f
    expected = (second * np.log(p)).sum() / second.sum()
    model = model_of(B, W)
    assert np.isclose(held_out_likelihood(model, X, random_state=4, smoothing=0.1), expected)
    frequencies_alone = (second @ np.log(f)).sum() / second.sum()
    assert np.isclose(held_out_likelihood(model, X, random_state=4, smoothing=1), frequencies_alone)


def test_blocks_change_nothing(monkeypatch, corpus):
    X, model = corpus[0], AnchorWords(4).fit(corpus[0])
    whole = held_out_likelihood(model, X)
    monkeypatch.setattr("cotopics.linalg.mixture.MAX_BLOCK", 37)
    assert np.isclose(held_out_likelihood(model, X), whole, rtol=1e-12)


def test_a_seed_gives_the_samesplit_tokens(corpus):
    X, model = corpus[0], AnchorWords(4).fit(corpus[0])
    assert held_out_likelihood(model, X) == held_out_likelihood(model, X.toarray(), random_state=0)
    assert held_out_likelihood(model, X) != held_out_likelihood(model, X, random_state=1)
    assert np.isclose(held_out_likelihood(model, X), held_out_likelihood(model, X, random_state=1), atol=0.05)


@pytest.mark.filterwarnings("ignore:.*no two anchor words")  # short documents, of which TOP says so
def test_planted_topics_predict_better_than_others(rng):
    train, other = planted_corpus(), planted_corpus(seed=1)
    X = train[0]
    unigram = model_of(X.sum(axis=0)[:, None] / X.sum(), np.ones((400, 1)))
    shuffled = AnchorWords(4).fit(X)
    shuffled._fitted = replace(shuffled.fit_, components=shuffled.components_[:, rng.permutation(60)])
    scores = [held_out_likelihood(AnchorWords(4).fit(Y), X) for Y in (X, other[0])]
    assert scores[0] > held_out_likelihood(unigram, X) > held_out_likelihood(shuffled, X)
    assert scores[0] > scores[1]
    for model in (AnchorFree(4), TOP()):
        assert held_out_likelihood(model.fit(X), X) > scores[1]


def test_words_that_topics_lack_stay_finite():
    B = np.array([[1.0], [0.0]])
    model = model_of(B, np.ones((1, 1)))
    assert np.isfinite(held_out_likelihood(model, [[0, 4]]))
    assert held_out_likelihood(model, [[0, 4]], smoothing=0) == -np.inf
    assert held_out_likelihood(model, [[4, 0]], smoothing=0) == 0


def test_documents_that_cannot_be_halved_are_left_out(corpus):
    X, model = corpus[0][:50].toarray(), AnchorWords(4).fit(corpus[0])
    short = np.vstack([X, np.zeros((2, 60)), np.eye(60)[:3]])
    assert held_out_likelihood(model, short) == held_out_likelihood(model, X)


def test_models_of_data_frames_are_quiet(corpus):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(corpus[0].toarray(), columns=[f"w{i}" for i in range(60)])
    model = AnchorWords(4).fit(frame)
    assert held_out_likelihood(model, frame) == held_out_likelihood(AnchorWords(4).fit(corpus[0]), corpus[0])
    model.set_output(transform="pandas")
    assert np.isfinite(held_out_likelihood(model, frame))


@pytest.mark.parametrize(
    ("X", "options", "error", "message"),
    [
        ([[0.5, 2.0]], {}, CorpusError, "fractional"),
        ([[1, 0], [0, 1]], {}, CorpusError, "two tokens"),
        ([[2, 2, 2]], {}, ParameterError, "2 words and X has 3"),
        ([[1e12, 2]], {}, CorpusError, "1e.12 tokens"),
        ([[2, 2]], {"smoothing": -0.1}, ParameterError, "smoothing=-0.1"),
        ([[2, 2]], {"smoothing": np.nan}, ParameterError, "smoothing=nan"),
    ],
)
def test_errors_name_the_cause(X, options, error, message):
    with pytest.raises(error, match=message):
        held_out_likelihood(model_of(np.eye(2), np.full((1, 2), 0.5)), X, **options)


def test_only_probabilities_are_scored():
    with pytest.raises(ParameterError, match="not probabilities"):
        held_out_likelihood(model_of(2 * np.eye(2), [[0.5, 0.5]]), [[2, 2]])
    with pytest.raises(ParameterError, match="must give proportions"):
        held_out_likelihood(model_of(np.eye(2), [[0.5, 0.9]]), [[2, 2]])
    with pytest.raises(ParameterError, match="no transform"):
        held_out_likelihood(np.eye(2), [[2, 2]])


def test_words_that_no_topic_explains_count_too(rng):
    X = rng.poisson(0.8, size=(30, 12))
    X[:, :2] += 1
    B, W, words = rng.dirichlet(np.ones(12), size=3).T, rng.dirichlet(np.ones(3), size=30), rng.dirichlet(np.ones(12))
    model = model_of(B, W)
    model.fit_ = Fit(B.T, np.full(3, 1 / 3), np.eye(3) / 3, {}, background=words, inference=EM(background=0.4))
    mixed = model_of(0.6 * B + 0.4 * words[:, None], W)
    assert np.isclose(held_out_likelihood(model, X), held_out_likelihood(mixed, X))
