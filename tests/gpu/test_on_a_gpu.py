"""CUDA C against the same kernels in numpy, and fits there against fits here. Skipped where there is no GPU."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TopicModel, datasets
from cotopics.gpu.device import _cuda
from cotopics.gpu.kernels import COUNTS, LOG_ONE_PLUS, ONE_PLUS_LOG, padded
from cotopics.gpu.matrices import on_device
from cotopics.gpu.shares import first_shares, prior_on
from cotopics.infer.prior import prior_of
from device_in_numpy import IN_NUMPY

GPU, REASON = _cuda()
pytestmark = pytest.mark.skipif(GPU is None, reason=f"no GPU here: {REASON}")
N_TOPICS = [1, 3, 10, 20, 50, 100, 130, 300, 600, 1100]


def both(X):
    return on_device(GPU, X), on_device(IN_NUMPY, X)


def close(found, wanted, tolerance=3e-6):
    found = GPU.get(found)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * max(np.abs(wanted).max(), 1e-30))


class Problem:
    """Counts with long columns, topics, documents' topics, and p(word) of a background."""

    def __init__(self, K, n_documents=2100, n_words=90):
        rng = np.random.default_rng(K)
        self.X = sp.csr_array(rng.poisson(rng.gamma(0.3, 1, size=n_words) * np.ones((n_documents, 1))).astype(float))
        self.B = rng.dirichlet(np.full(n_words, 0.1), size=K).T
        self.W = rng.dirichlet(np.full(K, 0.3), size=n_documents)
        self.common = (0.01 * rng.random(n_words)).astype(np.float32)


@pytest.mark.parametrize("how", [COUNTS, ONE_PLUS_LOG, LOG_ONE_PLUS])
@pytest.mark.parametrize("square", [False, True])
def test_sums_and_weights(how, square):
    there, here = both(Problem(3).X)
    rng = np.random.default_rng(0)
    factors = {n: rng.random(n) for n in there.shape}
    for i, side in enumerate(("by_document", "by_word")):
        n, m = there.shape[i], there.shape[1 - i]
        options = {"own": factors[n], "other": factors[m], "how": how}
        given = {name: GPU.put(x) if isinstance(x, np.ndarray) else x for name, x in options.items()}
        found = GPU.kernels.sums(getattr(there, side), n, **given, square=square)
        close(found, IN_NUMPY.kernels.sums(getattr(here, side), n, **options, square=square))
        close(
            GPU.kernels.formed(getattr(there, side), **given), IN_NUMPY.kernels.formed(getattr(here, side), **options)
        )


@pytest.mark.parametrize("K", N_TOPICS)
def test_passes_and_products(K):
    problem = Problem(K)
    there, here = both(problem.X)
    B, W, common = padded(np, problem.B), padded(np, problem.W), problem.common
    put = GPU.put
    found = GPU.kernels.word_pass(there.by_word, put(W), put(B), put(common), 0.5, K)
    close(found, IN_NUMPY.kernels.word_pass(here.by_word, W, B, common, 0.5, K))
    close(GPU.kernels.product(there.by_word, put(W), K), IN_NUMPY.kernels.product(here.by_word, W, K))
    close(GPU.kernels.product(there.by_document, put(B), K), IN_NUMPY.kernels.product(here.by_document, B, K))
    for relax in (False, True):
        new, wanted = put(W.copy()), W.copy()
        options = {"relax": relax, "likely": True}
        likelihood = GPU.kernels.document_pass(there.by_document, put(B), new, put(common), 0.5, 0.1, K, **options)
        exact = IN_NUMPY.kernels.document_pass(here.by_document, B, wanted, common, 0.5, 0.1, K, **options)
        close(new, wanted)
        assert likelihood == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("K", N_TOPICS)
def test_documents_shares(K):
    problem = Problem(K, 300)
    there, here = both(problem.X)
    mean, spread = prior_of(problem.W.mean(axis=0), problem.W.T @ problem.W / 300)
    P, answers = padded(np, problem.B / problem.B.max(axis=1, keepdims=True)), []
    for device, counts in ((GPU, there), (IN_NUMPY, here)):
        state = first_shares(counts, mean)
        given = (device.put(P), device.put(problem.common), prior_on(device, mean, spread))
        device.kernels.linear_bayes(counts.by_document, *given, *state, 0.0, 6)
        answers.append(state)
    close(answers[0].shares, answers[1].shares)
    close(answers[0].explained, answers[1].explained)


@pytest.mark.parametrize("K", N_TOPICS)
def test_one_topic_a_document(K):
    problem = Problem(K, 300)
    there, here = both(problem.X)
    tokens = problem.X.T @ problem.W
    topics = (tokens, tokens.sum(axis=0), problem.W.sum(axis=0))
    table = np.log((tokens + 0.1) / (topics[1] + 9))
    P, wanted = GPU.put(problem.W.astype(np.float32)), problem.W.astype(np.float32)
    given = tuple(GPU.put(np.ascontiguousarray(x)) for x in topics)
    told = GPU.kernels.one_topic_pass(there.by_document, GPU.put(table), given, 0.1, 1.0, 0.7, P)
    exact = IN_NUMPY.kernels.one_topic_pass(here.by_document, table, topics, 0.1, 1.0, 0.7, wanted)
    close(P, wanted)
    np.testing.assert_allclose(told, exact, rtol=1e-9)


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
