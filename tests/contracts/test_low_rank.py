"""The low-rank anchor word algorithm (Lee et al. 2021, section 4): a step on a thin factor is that on its product."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import planted_corpus
from cotopics import AnchorWords, cooccurrence, load
from cotopics.anchors import SELECTORS, PivotedQR
from cotopics.cooccur import Clipped, Dense, LowRank
from cotopics.correlation import anchor_correlation
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.metrics import match_topics, topic_error
from cotopics.records import Anchors
from cotopics.recover import RECOVERIES
from cotopics.recover.convex_combinations import with_nonnegative_anchors
from cotopics.rectify import EpsilonNonNegative, ProximalMinimisation


def rotated(Y, rng):
    """Another factor of YYᵀ, with entries of both signs."""
    return Y @ np.linalg.qr(rng.standard_normal((Y.shape[1], Y.shape[1])))[0]


def check_topics(C, anchors, topics):
    A = anchor_correlation(C, anchors, topics.B)
    for array in (topics.B, topics.membership, topics.prevalence, A):
        assert np.isfinite(array).all()
        assert array.min() >= 0
    assert np.allclose(topics.B.sum(axis=0), 1)
    assert np.isclose(topics.prevalence.sum(), 1)
    assert (A == A.T).all()


@pytest.mark.parametrize("name", SELECTORS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), n_topics=st.integers(1, 6))
def test_lemma_2(name, seed, n_topics):
    """Where YYᵀ ≥ 0: the same anchors from Y and from YYᵀ, and the same topics and correlations."""
    rng = np.random.default_rng(seed)
    Y = rng.random((60, n_topics)) ** 3 * 10.0 ** rng.uniform(-2, 0, (60, 1))
    thin, full = LowRank(rotated(Y, rng)), Dense(Y @ Y.T)
    anchors, expected = (SELECTORS[name]()(C, n_topics) for C in (thin, full))
    assert anchors.words.tolist() == expected.words.tolist()
    assert anchors.rank == expected.rank
    for recovery in RECOVERIES:
        found, right = (RECOVERIES[recovery]()(C, expected) for C in (thin, full))
        assert np.abs(found.B - right.B).max() <= 1e-10
        A, A_right = (anchor_correlation(C, expected, topics.B) for C, topics in ((thin, found), (full, right)))
        assert np.abs(A - A_right).max() <= 1e-10 * A_right.max()


def noise(kind, Y, rng, size):
    """Ten tiny rows of noise."""
    sums = Y.sum(axis=0)
    N = size * np.abs(Y).max() * rng.standard_normal((10, Y.shape[1]))
    if kind == "negative":
        return -np.abs(N @ sums)[:, None] * Y[rng.integers(len(Y), size=10)]
    if kind == "sums near zero":
        return N - np.outer(N @ sums, sums) / (sums @ sums)
    if kind == "partly negative":
        return N - np.outer(N @ sums, sums) / (sums @ sums) + 1e-3 * size * sums
    return np.zeros_like(N)


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("kind", ["negative", "sums near zero", "partly negative", "zero"])
def test_noise_is_never_an_anchor(name, kind):
    for seed, size in enumerate([1e-14, 1e-9, 1e-5, 1e-2]):
        rng = np.random.default_rng(seed)
        _, B, A = make_cooccurrence(50, 4, n_anchored=4, random_state=seed)
        Y = B @ np.linalg.cholesky(A)
        C = LowRank(np.vstack([Y, noise(kind, Y, rng, size)]))
        anchors = SELECTORS[name]()(C, 4)
        assert anchors.words.max() < 50
        assert set(anchors.words) == set(SELECTORS[name]()(LowRank(Y), 4).words)
        for recovery in RECOVERIES:
            topics = RECOVERIES[recovery]()(C, anchors)
            check_topics(C, anchors, topics)
            assert (
                np.abs(topics.B[:50] - B[:, [np.flatnonzero(B[word])[0] for word in anchors.words]]).max() < 20 * size
            )


def test_noise_is_not_accepted_as_a_given_anchor_either():
    _, B, A = make_cooccurrence(50, 4, n_anchored=4, random_state=0)
    Y = B @ np.linalg.cholesky(A)
    C = LowRank(np.vstack([Y, -1e-6 * Y[:1]]))
    with pytest.raises(CooccurrenceError, match=r"topic 0.*rectification left nothing of them"):
        PivotedQR()(C, 4, given=[np.array([50])])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_topics=st.integers(1, 5),
    size=st.sampled_from([0, 1e-12, 1e-6, 1e-3, 0.03, 0.2]),
    name=st.sampled_from(sorted(SELECTORS)),
    recovery=st.sampled_from(sorted(RECOVERIES)),
)
def test_any_factor_with_small_negative_parts(seed, n_topics, size, name, recovery):
    """Topics are distributions and correlations non-negative, or an error says that there are too few anchors."""
    rng = np.random.default_rng(seed)
    Y = rng.random((30, n_topics)) ** 4 * 10.0 ** rng.uniform(-4, 0, (30, 1))
    C = LowRank(rotated(Y + size * Y.mean() * rng.standard_normal(Y.shape), rng))
    try:
        anchors = SELECTORS[name]()(C, n_topics)
    except CooccurrenceError as error:
        assert "can be anchors" in str(error)  # noqa: PT017
        return
    share = np.maximum(-C.toarray(), 0).sum(axis=1) / np.abs(C.toarray()).sum(axis=1)
    assert share[anchors.words].max() < 0.1001
    assert C.row_sums()[anchors.words].min() > 0
    check_topics(C, anchors, RECOVERIES[recovery]()(C, anchors))


def test_anchors_rows_and_rows_without_sum_are_held():
    """By hand: words 3 and 4 sum to less than zero, word 1 is the anchor; all else may stay below zero."""
    Y = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-1.0, 0.0], [0.1, -0.2]])
    C = LowRank(Y)
    assert C.row_sums().tolist() == pytest.approx([1.1, 3.9, 5.6, -1.1, -0.45])
    held = with_nonnegative_anchors(C, Anchors((np.array([1]),), 1, 1))
    assert isinstance(held, Clipped)
    assert held.words.tolist() == [1, 3, 4]
    expected = Y @ Y.T
    expected[[1, 3, 4]] = np.maximum(expected[[1, 3, 4]], 0)
    expected[:, [1, 3, 4]] = np.maximum(expected[:, [1, 3, 4]], 0)
    assert np.allclose(held.toarray(), expected)
    assert held.row_sums().min() > 0
    full = Dense(np.eye(3))
    assert with_nonnegative_anchors(full, PivotedQR()(full, 1)) is full  # counts are as they are


def test_correlations_of_anchors_below_zero_are_zero():
    """Two anchors whose product is −1e-3: Lee et al. 2015, Eq. 6 would give a negative probability."""
    Y = np.array([[1.0, -1e-3], [0.0, 1.0], [0.5, 0.5]])
    C = LowRank(Y)
    anchors = PivotedQR()(C, 2, given=[np.array([0]), np.array([1])])
    topics = RECOVERIES["l2"]()(C, anchors)
    A = anchor_correlation(C, anchors, topics.B)
    assert A[0, 1] == 0
    d = np.diag(topics.B[[0, 1]])
    assert np.allclose(np.diag(A), [(1 + 1e-6) / d[0] ** 2, 1 / d[1] ** 2])


@pytest.mark.parametrize("uncorrelated", [False, True])
@pytest.mark.parametrize("n_words", [120, 400, 1200])
def test_planted_topics_come_back_through_enn(n_words, uncorrelated):
    """To 1e-14 where all words co-occur: E is zero, and a power step on an exact low-rank matrix is exact. To 3e-9
    where topics share no words: zeros of YYᵀ are 1e-9 in single precision, half of them in E."""
    _, B, A = make_cooccurrence(n_words, 6, n_anchored=6, density=0.4, random_state=2)
    A = np.diag([0.1, 0.1, 0.2, 0.2, 0.2, 0.2]) if uncorrelated else A
    model = AnchorWords(6, rectifier="enn").fit_cooccurrence(B @ A @ B.T)
    match = match_topics(model, B)
    within = 1e-7 if uncorrelated else 1e-12
    assert np.abs(model.components_[match].T - B).max() <= within
    assert np.abs(model.topic_correlation_[np.ix_(match, match)] - A).max() <= within


def test_planted_topics_come_back_nearly_through_palm():
    """PALM stops at a non-negative factor near by: measured 2.4e-4 of topics' mass misplaced, A to 1.6e-3."""
    C, B, A = make_cooccurrence(400, 2, n_anchored=2, random_state=2)
    model = AnchorWords(2, rectifier="palm").fit_cooccurrence(C)
    match = match_topics(model, B)
    assert topic_error(model, B) < 1e-3
    assert np.abs(model.topic_correlation_[np.ix_(match, match)] - A).max() < 5e-3


@pytest.mark.parametrize("rectifier", ["enn", "palm"])
def test_documents_as_they_are_and_the_full_matrix_give_the_same_model(rectifier):
    X = planted_corpus(n_documents=300, n_words=300, n_topics=4)[0]
    full, thin = (AnchorWords(4, rectifier=rectifier, representation=kind).fit(X) for kind in ("dense", "implicit"))
    assert (full.anchors_ == thin.anchors_).all()
    assert np.abs(full.components_ - thin.components_).max() <= 1e-9
    assert thin.components_.min() >= 0
    assert thin.topic_correlation_.min() >= 0


def test_enn_finds_the_topics_of_alternating_projection():
    X, B, _ = planted_corpus(n_documents=300, length=15)
    full, thin = (AnchorWords(4, rectifier=name).fit_cooccurrence(cooccurrence(X)) for name in ("ap", "enn"))
    assert (full.anchors_ == thin.anchors_).all()
    assert topic_error(thin, full) < 0.01
    assert abs(topic_error(thin, B) - topic_error(full, B)) < 0.01


@pytest.mark.parametrize("step", [EpsilonNonNegative(n_rows=50), ProximalMinimisation(inertia=0.2)])
def test_steps_are_saved_and_loaded(step, tmp_path, corpus):
    model = AnchorWords(4, rectifier=step).fit(corpus[0])
    model.save(tmp_path / "m.cotopics")
    back = load(tmp_path / "m.cotopics")
    assert back.rectifier == step
    assert type(back.rectifier) is type(step)
    assert (back.components_ == model.components_).all()
    assert {**back.diagnostics_, "seconds": model.diagnostics_["seconds"]} == model.diagnostics_  # the time is not kept
    assert (back.fit(corpus[0]).components_ == model.components_).all()
