import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics.datasets import make_corpus, sample_corpus, synthetic
from cotopics.errors import ParameterError

CHANCE = 1e-9  # of a bound below to fail, were seeds not fixed


def bernstein(variance, n_events, largest=1.0):
    """What n_events sums of independent centred terms, at most `largest` each, all stay below but by CHANCE."""
    L = np.log(2 * n_events / CHANCE)
    return np.sqrt(2 * L * variance) + 2 / 3 * L * largest


def is_a_corpus(X, W, B, lengths):
    assert isinstance(X, sp.csr_array)
    assert X.dtype == np.float64
    assert X.has_canonical_format
    assert (X.data >= 1).all()
    assert (X.data == np.floor(X.data)).all()
    assert (X.sum(axis=1) == lengths).all()
    assert X.shape == (len(W), len(B))
    assert np.allclose(W.sum(axis=1), 1, atol=1e-12)
    assert (W >= 0).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(0, 3), st.integers(1, 30), st.integers(1, 20), st.integers(0, 99))
def test_the_mechanism(n_topics, per_topic, n_others, n_documents, seed):
    n_anchors = n_topics * per_topic
    n_words = n_anchors + n_others
    lengths = np.arange(1, n_documents + 1)
    X, B, W = make_corpus(
        n_documents, n_words, n_topics, length=lengths, anchors_per_topic=per_topic, random_state=seed
    )
    is_a_corpus(X, W, B, lengths)
    assert np.allclose(B.sum(axis=0), 1, atol=1e-12)
    anchors = np.kron(np.eye(n_topics), np.ones((per_topic, 1)))
    assert np.allclose(B[:n_anchors], n_topics / n_words * anchors)
    assert ((B[:n_anchors] > 0) == anchors).all()
    assert (B[n_anchors:] > 0).all()
    assert W.shape == (n_documents, n_topics)
    assert (np.count_nonzero(W, axis=1) <= max(1, n_topics // 3)).all()


def test_the_benchmark_of_the_paper():
    _, B, W = make_corpus(1500, 1000, 30, length=1, anchors_per_topic=10, random_state=0)
    assert np.allclose(B[:300].mean(axis=1), 1 / 1000)  # ξ
    # one topic's other entries are uniform on [0, 1] times one number: mean 1/2, variance 1/12 of it squared
    rest = B[300:] / B[300:].mean(axis=0) / 2
    assert np.allclose(rest.std(axis=0), 12**-0.5, atol=6 * np.sqrt(1 / 180 / 700) / (2 * 12**-0.5))
    # sizes 1 to 10 are equally frequent, and so are topics: 5.5 of 30 in a document
    sizes = np.bincount(np.count_nonzero(W, axis=1), minlength=11)
    assert sizes[0] == 0
    assert len(sizes) == 11
    assert (np.abs(sizes[1:] - 150) <= bernstein(150 * 0.9, 10)).all()
    assert (np.abs(np.count_nonzero(W, axis=0) - 1500 * 5.5 / 30) <= bernstein(1500 * 5.5 / 30, 30)).all()
    alone = np.count_nonzero(W, axis=1) == 1
    assert (W[alone].max(axis=1) == 1).all()


def test_anchors_as_frequent_as_asked():
    B = make_corpus(1, 50, 4, anchors_per_topic=3, anchor_frequency=0.05, random_state=0)[1]
    assert np.allclose(B[:12].max(axis=1), 4 * 0.05)
    assert np.allclose(B[12:].sum(axis=0), 1 - 3 * 4 * 0.05)


def drawn(kind):
    lengths = np.arange(50, 250)
    if kind == "make":
        X, B, W = make_corpus(200, 70, 6, length=lengths, random_state=3)
    else:
        B = np.random.default_rng(0).dirichlet(np.full(70, 0.2), size=6).T
        X, W = sample_corpus(B, 200, length=lengths, mixture=kind, n_blocks=2, random_state=3)
    return X, B, W, lengths


@pytest.mark.parametrize("kind", ["make", "dirichlet", "logistic-normal"])
def test_counts_are_multinomial(kind):
    X, B, W, N = drawn(kind)
    is_a_corpus(X, W, B, N)
    P = W @ B.T
    # XᵀW against its expectation: in Σ_i W_ik X_ij a document adds length_i terms, each W_ik or nothing
    expected = (P * N[:, None]).T @ W
    variance = (P * (1 - P) * N[:, None]).T @ W**2
    assert (np.abs(X.T @ W - expected) <= bernstein(variance, expected.size)).all()
    # and the spread: Pearson's statistic, of words above one in a hundred and all others, has this mean and variance
    statistic, mean, variance = 0.0, 0, 0.0
    for x, p, n in zip(X.toarray(), P, N, strict=True):
        apart = np.argsort(-p)[1 : np.count_nonzero(p > 0.01)]
        x, p = np.append(x[apart], n - x[apart].sum()), np.append(p[apart], 1 - p[apart].sum())
        m = len(p)
        statistic += ((x - n * p) ** 2 / (n * p)).sum()
        mean += m - 1
        variance += 2 * (m - 1) + ((1 / p).sum() - m**2 - 2 * m + 2) / n
    assert abs(statistic - mean) <= 7 * np.sqrt(variance)


@pytest.mark.parametrize("length", [100, 10**15])  # as many words as make rounding of their probabilities visible
def test_words_that_cannot_be_there_are_not(length):
    B = np.zeros((200, 5))
    for topic in range(5):  # topics share no word
        B[40 * topic : 40 * topic + 40, topic] = np.random.default_rng(topic).dirichlet(np.ones(40))
    X, W = sample_corpus(B, 400, length=length, concentration=1e-5, random_state=0)
    impossible = (W @ B.T) == 0
    assert impossible.mean() > 0.5
    assert (X.toarray()[impossible] == 0).all()


@pytest.mark.parametrize("options", [{}, {"mixture": "logistic-normal", "n_blocks": 2}])
def test_same_seed_same_corpus(options):
    def corpora_of(seed, again):
        X, B, W = make_corpus(20, 30, 4, length=50, random_state=seed)
        Y, V = sample_corpus(B, 20, length=50, random_state=again, **options)
        return X.toarray(), B, W, Y.toarray(), V

    first, second = corpora_of(5, 6), corpora_of(np.random.default_rng(5), np.random.default_rng(6))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    other = corpora_of(7, 8)
    assert all((a != b).any() for a, b in zip(first, other, strict=True))
    rng = np.random.default_rng(5)
    assert (corpora_of(rng, rng)[0] == first[0]).all()
    assert (corpora_of(rng, rng)[0] != first[0]).any()  # a generator moves on
    assert (corpora_of(None, None)[1] != corpora_of(None, None)[1]).any()


def test_blocks_of_documents_change_nothing_but_memory(monkeypatch):
    whole = make_corpus(37, 50, 6, length=80, random_state=1)[0]
    for entries in (1, 50, 170, 10**6):
        monkeypatch.setattr(synthetic, "BLOCK_ENTRIES", entries)
        assert (make_corpus(37, 50, 6, length=80, random_state=1)[0] != whole).nnz == 0
    monkeypatch.setattr(synthetic, "BLOCK_ENTRIES", 1 << 14)
    tracemalloc.start()
    X = make_corpus(500, 2000, 3, length=20, random_state=1)[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 500 * 2000 * 8 / 4
    assert X.sum() == 500 * 20


@pytest.mark.parametrize("a", [0.03, 0.5, 20.0])
def test_dirichlet_moments(a):
    n, K = 20_000, 5
    W = sample_corpus(np.eye(K), n, length=1, concentration=a, random_state=0)[1]
    share = W.mean(axis=0)
    variance = (1 / K) * (1 - 1 / K) / (K * a + 1)
    assert (np.abs(share - 1 / K) * n <= bernstein(n * variance, K)).all()
    squares = (W**2).sum(axis=1)  # E = (a + 1)/(Ka + 1), values in [0, 1]: Hoeffding
    assert abs(squares.mean() - (a + 1) / (K * a + 1)) <= np.sqrt(np.log(2 / CHANCE) / (2 * n))


@pytest.mark.parametrize("a", [1e-3, 1e-10, 1e-300, 5e-324])
def test_tiny_concentrations_give_one_topic(a):
    X, W = sample_corpus(np.eye(4), 3000, length=3, concentration=a, random_state=0)
    is_a_corpus(X, W, np.eye(4), 3)
    # E Σ W² = (a + 1)/(4a + 1): at most 3a short of one
    assert 1 - (W**2).sum(axis=1).mean() <= 3 * a + bernstein(3 * a * 3000, 1) / 3000
    assert (np.abs(np.bincount(W.argmax(axis=1), minlength=4) - 750) <= bernstein(3000 * 3 / 16, 4)).all()


def test_large_concentrations_give_equal_shares():
    for a in (1e12, 1e300):
        assert np.allclose(sample_corpus(np.eye(4), 50, length=1, concentration=a, random_state=0)[1], 1 / 4, atol=1e-5)


@pytest.mark.parametrize(("n_blocks", "sizes"), [(3, [3, 2, 2]), (1, [7]), (7, [1] * 7), (2, [4, 3])])
@pytest.mark.parametrize("rho", [0.0, 0.2, 0.9, -0.1])
def test_logits_correlate_within_their_block(n_blocks, sizes, rho):
    n = 20_000
    W = sample_corpus(
        np.eye(7), n, length=1, mixture="logistic-normal", correlation=rho, n_blocks=n_blocks, random_state=0
    )[1]
    logits = np.log(W)
    block = np.repeat(np.arange(n_blocks), sizes)
    for i in range(7):
        for j in range(i):
            # log W_i − log W_j is N(0, 2 − 2Σ_ij): the normaliser cancels, and a mean of n squares is χ²_n/n
            sigma = rho if block[i] == block[j] else 0
            ratio = ((logits[:, i] - logits[:, j]) ** 2).mean() / (2 - 2 * sigma)
            assert abs(ratio - 1) <= 6 * np.sqrt(2 / n)


def test_correlations_at_their_limits():
    def logistic(**options):
        return np.log(sample_corpus(np.eye(6), 50, length=1, mixture="logistic-normal", random_state=0, **options)[1])

    same = logistic(correlation=1, n_blocks=2)
    assert np.allclose(same[:, :3], same[:, :1])
    assert np.allclose(same[:, 3:], same[:, 3:4])
    assert not np.allclose(same[:, 0], same[:, 3])
    # three normals with correlations −1/2 add up to zero, as do the next three
    opposed = logistic(correlation=-1 / 2, n_blocks=2)
    assert np.allclose(opposed[:, :3].sum(axis=1), opposed[:, 3:].sum(axis=1))
    with pytest.raises(ParameterError, match=r"from -0\.5 to 1"):
        logistic(correlation=-0.51, n_blocks=2)


def test_lengths_of_a_real_corpus_and_topics_in_single_precision():
    B = np.random.default_rng(0).dirichlet(np.ones(300), size=4).T.astype(np.float32)
    lengths = np.array([3.0, 1.0, 10.0**6])
    X, W = sample_corpus(B, 3, length=lengths, random_state=0)
    is_a_corpus(X, W, B, lengths)


def test_the_smallest_corpora():
    X, B, W = make_corpus(1, 1, 1, length=7, anchors_per_topic=0, random_state=0)
    assert (X.toarray().tolist(), B.tolist(), W.tolist()) == ([[7.0]], [[1.0]], [[1.0]])
    X, B, W = make_corpus(2, 2, 1, length=1, random_state=0)
    assert B.tolist() == [[0.5], [0.5]]
    assert X.sum() == 2


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"n_documents": 0}, "n_documents=0"),
        ({"n_documents": 2.5}, "n_documents=2.5"),
        ({"n_words": 0}, "n_words=0"),
        ({"n_topics": 0}, "n_topics=0"),
        ({"anchors_per_topic": -1}, "anchors_per_topic=-1"),
        ({"anchors_per_topic": 5}, "20 anchors"),
        ({"anchors_per_topic": 6}, "24 anchors"),
        ({"anchor_frequency": 0}, "anchor_frequency=0"),
        ({"anchor_frequency": 0.25}, "below 0.25"),
        ({"anchor_frequency": np.nan}, "anchor_frequency=nan"),
        ({"anchors_per_topic": 0, "anchor_frequency": -1.0}, "must be above 0"),
        ({"length": 0}, "from 1 to"),
        ({"length": 2.5}, "whole"),
        ({"length": [5, 0, 5]}, "from 1 to"),
        ({"length": [5, 5]}, "each of the 3 documents"),
        ({"length": np.nan}, "whole"),
        ({"length": 1e300}, "from 1 to"),
        ({"length": "long"}, "whole number"),
    ],
)
def test_impossible_plans(options, cause):
    with pytest.raises(ParameterError, match=cause):
        make_corpus(**{"n_documents": 3, "n_words": 20, "n_topics": 4, "random_state": 0, **options})


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"B": np.eye(3)[0]}, "words × topics"),
        ({"B": np.zeros((0, 3))}, "words × topics"),
        ({"B": "topics"}, "words × topics"),
        ({"B": np.ones((3, 2))}, "a sum of one"),
        ({"B": np.array([[0.2, 0.4, 0.4], [0.5, 0.2, 0.3]])}, r"components_\.T"),
        ({"B": np.array([[1.5], [-0.5]])}, "below 0"),
        ({"B": np.array([[1.0], [np.nan]])}, "below 0"),
        ({"n_documents": 0}, "n_documents=0"),
        ({"length": 0}, "from 1 to"),
        ({"mixture": "uniform"}, "choose one of dirichlet, logistic-normal"),
        ({"concentration": 0}, "concentration=0"),
        ({"concentration": np.inf}, "concentration=inf"),
        ({"concentration": np.nan}, "concentration=nan"),
        ({"mixture": "logistic-normal"}, "n_blocks=10; give at most 3"),
        ({"mixture": "logistic-normal", "n_blocks": 0}, "n_blocks=0"),
        ({"mixture": "logistic-normal", "n_blocks": 2, "correlation": 1.1}, "correlation=1.1"),
        ({"mixture": "logistic-normal", "n_blocks": 2, "correlation": np.nan}, "correlation=nan"),
    ],
)
def test_impossible_samples(options, cause):
    with pytest.raises(ParameterError, match=cause):
        sample_corpus(**{"B": np.eye(3), "n_documents": 2, "random_state": 0, **options})
