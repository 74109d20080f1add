"""CUDA C against the same kernels in numpy: on a GPU where there is one, and on the processor where there is g++."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TopicModel, datasets
from cotopics.gpu import matrices
from cotopics.gpu.device import _cuda
from cotopics.gpu.kernels import COUNTS, LOG_ONE_PLUS, ONE_PLUS_LOG, padded
from cotopics.gpu.matrices import on_device
from cotopics.gpu.shares import first_shares, prior_on
from cotopics.infer.prior import prior_of
from cotopics.linalg.mixture import linear_bayes_mixtures, scaled_rows
from cuda_on_cpu import COMPILER, simulated
from device_in_numpy import IN_NUMPY

GPU, REASON = _cuda()
N_TOPICS = [1, 3, 10, 50, 130, 300]
MORE_TOPICS = [20, 100, 600, 1100]  # on a GPU


@pytest.fixture(params=["gpu", "simulated"])
def device(request, monkeypatch):
    if request.param == "gpu":
        if GPU is None:
            pytest.skip(f"no GPU here: {REASON}")
        return GPU
    if COMPILER is None:
        pytest.skip("no g++ here, which CUDA C is compiled with for the processor")
    if getattr(request.node, "callspec", None) and request.node.callspec.params.get("K") in MORE_TOPICS:
        pytest.skip("on a GPU only: it takes long")
    monkeypatch.setattr(matrices, "PART", 16)  # few documents are enough for several parts
    return simulated()


def size(device, n_documents):
    return n_documents if device is GPU else n_documents // 40


def both(device, X):
    return on_device(device, X), on_device(IN_NUMPY, X)


def close(device, found, wanted, tolerance=3e-6):
    found = device.get(found)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * max(np.abs(wanted).max(), 1e-30))


class Problem:
    """Counts with long columns, topics, documents' topics, and p(word) of a background."""

    def __init__(self, K, n_documents, n_words=90):
        rng = np.random.default_rng(K)
        self.X = sp.csr_array(rng.poisson(rng.gamma(0.3, 1, size=n_words) * np.ones((n_documents, 1))).astype(float))
        self.B = rng.dirichlet(np.full(n_words, 0.1), size=K).T
        self.W = rng.dirichlet(np.full(K, 0.3), size=n_documents)
        self.common = (0.01 * rng.random(n_words)).astype(np.float32)


@pytest.mark.parametrize("how", [COUNTS, ONE_PLUS_LOG, LOG_ONE_PLUS])
@pytest.mark.parametrize("square", [False, True])
def test_sums_and_weights(device, how, square):
    there, here = both(device, Problem(3, size(device, 2100)).X)
    rng = np.random.default_rng(0)
    factors = {n: rng.random(n) for n in there.shape}
    for i, side in enumerate(("by_document", "by_word")):
        n, m = there.shape[i], there.shape[1 - i]
        options = {"own": factors[n], "other": factors[m], "how": how}
        given = {name: device.put(x) if isinstance(x, np.ndarray) else x for name, x in options.items()}
        found = device.kernels.sums(getattr(there, side), n, **given, square=square)
        close(device, found, IN_NUMPY.kernels.sums(getattr(here, side), n, **options, square=square))
        found = device.kernels.formed(getattr(there, side), **given)
        close(device, found, IN_NUMPY.kernels.formed(getattr(here, side), **options))


@pytest.mark.parametrize("K", N_TOPICS + MORE_TOPICS)
def test_passes_and_products(device, K):
    problem = Problem(K, size(device, 2100))
    there, here = both(device, problem.X)
    B, W, common = padded(np, problem.B), padded(np, problem.W), problem.common
    put, kernels = device.put, device.kernels
    found = kernels.word_pass(there.by_word, put(W), put(B), put(common), 0.5, K)
    close(device, found, IN_NUMPY.kernels.word_pass(here.by_word, W, B, common, 0.5, K))
    close(device, kernels.product(there.by_word, put(W), K), IN_NUMPY.kernels.product(here.by_word, W, K))
    close(device, kernels.product(there.by_document, put(B), K), IN_NUMPY.kernels.product(here.by_document, B, K))
    for relax in (False, True):
        new, wanted = put(W.copy()), W.copy()
        options = {"relax": relax, "likely": True}
        likelihood = kernels.document_pass(there.by_document, put(B), new, put(common), 0.5, 0.1, K, **options)
        exact = IN_NUMPY.kernels.document_pass(here.by_document, B, wanted, common, 0.5, 0.1, K, **options)
        close(device, new, wanted)
        assert likelihood == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("K", N_TOPICS + MORE_TOPICS)
def test_documents_shares(device, K):
    n = size(device, 1200)
    problem = Problem(K, n)
    there, here = both(device, problem.X)
    mean, spread = prior_of(problem.W.mean(axis=0), problem.W.T @ problem.W / n)
    P, answers = padded(np, problem.B / problem.B.max(axis=1, keepdims=True)), []
    for where, counts in ((device, there), (IN_NUMPY, here)):
        state = first_shares(counts, mean)
        given = (where.put(P), where.put(problem.common), prior_on(where, mean, spread))
        where.kernels.linear_bayes(counts.by_document, *given, *state, 0.0, 6)
        answers.append(state)
    close(device, answers[0].shares, answers[1].shares)
    close(device, answers[0].explained, answers[1].explained)


def test_shares_of_many_topics_in_five_words(device):
    """Weights of topics are then as small as 1e-44 before they are divided by the largest."""
    rng, K = np.random.default_rng(0), 1000
    X = sp.csr_array(np.array([rng.multinomial(5, np.full(200, 0.005)) for _ in range(20)]).astype(float))
    B = rng.dirichlet(np.full(200, 0.05), size=K).T
    W = rng.dirichlet(np.full(K, 0.01), size=500)
    mean, spread = prior_of(W.mean(axis=0), W.T @ W / 500)
    topics, nothing = scaled_rows(B), np.zeros(200)
    exact = linear_bayes_mixtures(X, topics, mean, spread, common=nothing, tolerance=0, max_iter=5)
    counts = on_device(device, X)
    state, P = first_shares(counts, mean), device.put(padded(np, topics.rows))
    given = (P, device.put(nothing, np.float32), prior_on(device, mean, spread))
    device.kernels.linear_bayes(counts.by_document, *given, *state, 0.0, 5)
    assert np.abs(exact.Y - mean).sum(axis=1).min() > 0.5
    np.testing.assert_allclose(device.get(state.shares), exact.Y, atol=1e-4)


@pytest.mark.parametrize("K", N_TOPICS + MORE_TOPICS)
def test_one_topic_a_document(device, K):
    problem = Problem(K, size(device, 1200))
    there, here = both(device, problem.X)
    tokens = problem.X.T @ problem.W
    topics = (tokens, tokens.sum(axis=0), problem.W.sum(axis=0))
    table = np.log((tokens + 0.1) / (topics[1] + 9))
    P, wanted = device.put(problem.W.astype(np.float32)), problem.W.astype(np.float32)
    given = tuple(device.put(x) for x in topics)
    told = device.kernels.one_topic_pass(there.by_document, device.put(table), given, 0.1, 1.0, 0.7, P)
    exact = IN_NUMPY.kernels.one_topic_pass(here.by_document, table, topics, 0.1, 1.0, 0.7, wanted)
    close(device, P, wanted)
    np.testing.assert_allclose(told, exact, rtol=1e-9)


@pytest.mark.skipif(GPU is None, reason=f"no GPU here: {REASON}")
@pytest.mark.parametrize("kind", ["one", "many"])
@pytest.mark.parametrize("K", [5, 40])
def test_a_fit_there_is_a_fit_here(kind, K):
    X, *_ = datasets.make_corpus(3000, 800, K, length=60, anchors_per_topic=2, random_state=0)
    here = TopicModel(K, topics_per_document=kind).fit(X)
    there = TopicModel(K, topics_per_document=kind, device="cuda").fit(X)
    np.testing.assert_array_equal(there.anchors_, here.anchors_)
    assert np.abs(there.components_ - here.components_).sum(axis=1).max() < 1e-3
    assert np.abs(there.transform(X) - here.transform(X)).mean() < 1e-4
    again = TopicModel(K, topics_per_document=kind, device="cuda").fit(X)
    np.testing.assert_array_equal(again.components_, there.components_)  # to the last bit
    np.testing.assert_array_equal(again.transform(X), there.transform(X))
