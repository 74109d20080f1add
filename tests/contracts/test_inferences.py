"""What is true for every inference of INFERENCES."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.infer import DEFAULT, INFERENCES
from cotopics.linalg import threads

CONSISTENT = ("nnls", "simplex", "em", "prior")  # find the truth in long documents; "project" does not
ONE_TOPIC = "one-topic"  # documents are of one topic each: it says which, and never that they are mixtures

pytestmark = pytest.mark.parametrize("name", INFERENCES)


def topics(seed=0, n_words=60, n_topics=5):
    """B, prevalence and A of topics with an anchor word each, the words 0 to n_topics − 1."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(n_words, 0.3), size=n_topics).T + 1e-4
    B[:n_topics] = 0.05 * np.eye(n_topics)
    B /= B.sum(axis=0)
    W = rng.dirichlet(rng.uniform(0.1, 0.5, size=n_topics), size=4000)
    return B, W.mean(axis=0), W.T @ W / len(W)


def documents(B, length, n=50, seed=1):
    rng = np.random.default_rng(seed)
    W = rng.dirichlet(np.full(B.shape[1], 0.3), size=n)
    return sp.csr_array([rng.multinomial(length, p) for p in W @ B.T]).astype(np.float64), W


def precise(name):
    """The inference, run until it converges if it iterates."""
    step = INFERENCES[name]
    return step(tolerance=1e-9, max_iter=100_000) if "tolerance" in step.__dataclass_fields__ else step()


def assert_on_simplex(W):
    assert (W >= 0).all()
    assert np.allclose(W.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("length", [1, 2, 10, 1000])
def test_rows_are_on_the_simplex(name, length):
    B, prevalence, A = topics()
    W = INFERENCES[name]()(documents(B, length)[0], B, prevalence, A)
    assert W.shape == (50, 5)
    assert_on_simplex(W)


def test_the_input_is_not_changed(name):
    given = [documents(topics()[0], 20)[0], *topics()]
    copies = [array.copy() for array in given]
    INFERENCES[name]()(*given)
    assert (given[0] != copies[0]).nnz == 0
    assert all((one == other).all() for one, other in zip(given[1:], copies[1:], strict=True))


@pytest.mark.parametrize("length", [3, 40])
def test_permuting_permutes(name, length):
    B, prevalence, A = topics()
    X, _ = documents(B, length)
    rng = np.random.default_rng(2)
    rows, words, order = rng.permutation(50), rng.permutation(60), rng.permutation(5)
    W = precise(name)(X, B, prevalence, A)
    moved = precise(name)(sp.csr_array(X[rows][:, words]), B[words][:, order], prevalence[order], A[order][:, order])
    assert np.allclose(moved, W[rows][:, order], atol=1e-6)


def test_a_document_depends_on_no_other(name):
    B, prevalence, A = topics()
    X, _ = documents(B, 15)
    infer = INFERENCES[name]()
    W = infer(X, B, prevalence, A)
    assert np.allclose(infer(X[7:8], B, prevalence, A), W[7:8], atol=1e-10)
    twice = infer(sp.csr_array(sp.vstack([X, X])), B, prevalence, A)
    assert np.allclose(twice, np.vstack([W, W]), atol=1e-10)


def test_long_documents_of_one_topic(name):
    B, prevalence, A = topics()
    X = sp.csr_array([np.random.default_rng(k).multinomial(20_000, B[:, k]) for k in range(5)], dtype=np.float64)
    W = INFERENCES[name]()(X, B, prevalence, A)
    assert (W.argmax(axis=1) == np.arange(5)).all()
    if name in CONSISTENT:
        assert np.diag(W).min() > 0.95


@pytest.mark.parametrize("length", [1e6, 1e6 + 0.5])
def test_exact_mixtures_are_recovered(name, length):
    B, prevalence, A = topics()
    W = np.random.default_rng(3).dirichlet(np.ones(5), size=20)
    found = precise(name)(sp.csr_array(length * W @ B.T), B, prevalence, A)
    if name == ONE_TOPIC:  # the topic under which all words are likeliest
        likeliest = (W @ B.T @ np.log(np.maximum(B, 1e-300))).argmax(axis=1)
        assert (found == np.eye(5)[likeliest]).all()
    elif name in CONSISTENT:
        assert np.abs(found - W).max() < {"nnls": 1e-8, "simplex": 1e-8, "em": 1e-5, "prior": 1e-3}[name]
    else:  # every word by itself: between the truth and the prevalence
        assert np.abs(found - W).max() > 0.05
        assert (np.linalg.norm(found - prevalence, axis=1) < np.linalg.norm(W - prevalence, axis=1)).all()


def test_the_average_document_gives_the_prevalence(name):
    B, prevalence, A = topics()
    length = 1e4 if name != ONE_TOPIC else 1e-6  # of which only a document without words is like the average
    found = precise(name)(sp.csr_array(length * (B @ prevalence)[None]), B, prevalence, A)
    assert np.abs(found - prevalence).max() < 1e-3


def test_words_of_one_topic_each(name):
    """If no word is in two topics, the likelihood is largest at the shares of words; only the prior changes that."""
    B = np.kron(np.eye(3), np.full((4, 1), 0.25))
    X = sp.csr_array(np.kron(np.array([[3.0, 2.0, 1.0]]), np.ones(4)))
    prevalence = np.full(3, 1 / 3)
    W = precise(name)(X, B, prevalence, 0.5 * np.diag(prevalence) + 0.5 / 9)
    # A of a Dirichlet whose α sum to one: (N + 1/3)/(n + 1)
    expected = np.array([12, 8, 4]) / 24 if name != "prior" else (np.array([12, 8, 4]) + 1 / 3) / 25
    expected = np.array([1, 0, 0]) if name == ONE_TOPIC else expected  # that with the fewest words it lacks
    assert np.allclose(W, expected, atol=1e-6)


def test_one_word(name):
    B, prevalence, A = topics()
    W = INFERENCES[name]()(sp.csr_array(np.eye(60)), B, prevalence, A)
    assert_on_simplex(W)
    assert (W[:5].argmax(axis=1) == np.arange(5)).all()  # an anchor's topic


def test_one_topic(name):
    B = np.array([[0.2], [0.3], [0.5]])
    W = INFERENCES[name]()(sp.csr_array([[1.0, 0, 0], [2, 3, 4]]), B, np.ones(1), np.ones((1, 1)))
    assert (W == 1).all()


def test_a_topic_without_prevalence(name):
    B, _, _ = topics(n_topics=4)
    prevalence, A = np.array([0.5, 0.3, 0.2, 0]), np.diag([0.5, 0.3, 0.2, 0])
    X = documents(B, 10)[0]
    assert_on_simplex(INFERENCES[name]()(X, B, prevalence, A))
    only = np.zeros((1, 60))
    only[0, 3] = 10_000  # its anchor
    W = INFERENCES[name]()(sp.csr_array(only), B, prevalence, A)
    assert W.argmax() == 3


@pytest.mark.parametrize("factor", [0.9, 1.2])
def test_correlations_as_a_fit_finds_them(name, factor):
    """Not of sum one, with entries below zero and a negative eigenvalue."""
    B, prevalence, A = topics()
    A = factor * A
    A[0, 1] = A[1, 0] = -0.02
    A[2, 2] = 0
    assert np.linalg.eigvalsh(A)[0] < 0
    for length in (1, 20, 1000):
        assert_on_simplex(INFERENCES[name]()(documents(B, length)[0], B, prevalence, A))


@pytest.mark.parametrize(
    "A", [np.zeros((5, 5)), np.full((5, 5), np.nan), np.diag([1e34, 1, 1, 1, -1e34]), np.diag([1.0, 1, 0, 1, 1])]
)
def test_unusable_correlations(name, A):
    """Zero, not finite, with a sum of zero, or zero for a topic with prevalence: only the prevalence decides."""
    B, prevalence, _ = topics()
    X = documents(B, 20)[0]
    independent = (np.diag(prevalence) + np.outer(prevalence, prevalence)) / 2  # of a Dirichlet whose α sum to one
    expected = INFERENCES[name]()(X, B, prevalence, independent)
    if name != "prior":
        assert np.allclose(INFERENCES[name]()(X, B, prevalence, A), expected, atol=1e-9)
        return
    with pytest.warns(UserWarning, match=r"are nothing, for some topics or for all, or not finite.*method='em'"):
        found = INFERENCES[name]()(X, B, prevalence, A)
    assert np.allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-10, 1e-19, 1e-60])
def test_documents_with_tiny_counts(name, factor):
    B = np.kron(np.eye(2), np.full((3, 1), 1 / 3))
    X = sp.csr_array(factor * np.kron(np.eye(2), np.ones((2, 3))))
    W = INFERENCES[name]()(X, B, np.full(2, 0.5), np.eye(2) / 2)  # documents of one topic each: counts are trusted
    assert_on_simplex(W)
    if name not in ("prior", ONE_TOPIC):  # they may say that such small counts mean nothing
        assert np.allclose(W, np.kron(np.eye(2), np.ones((2, 1))), atol=1e-6)


def test_threads_and_runs_agree(name, monkeypatch):
    B, prevalence, A = topics()
    X, _ = documents(B, 12, n=700)
    found = []
    for n in (1, 3, 3):
        monkeypatch.setattr(threads, "n_threads", lambda n=n: n)
        found.append(INFERENCES[name]()(X, B, prevalence, A))
    assert (found[1] == found[2]).all()
    assert np.allclose(found[0], found[1], atol=1e-12)


def test_the_default_is_one_of_them(name):
    assert DEFAULT in INFERENCES
