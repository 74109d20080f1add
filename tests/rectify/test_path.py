"""The path of alternating projection: fewer steps, the same places."""

import numpy as np
import pytest

import reference
from conftest import planted_corpus
from cotopics import cooccurrence
from cotopics.anchors import PivotedQR
from cotopics.datasets import make_cooccurrence
from cotopics.linalg import top_eigenpairs
from cotopics.metrics import topic_error
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import AlternatingProjection, EpsilonNonNegative, path


@pytest.fixture(scope="module")
def slow_to_settle():
    """Frequencies as in text: the norm of C stands still long before the rows of rare words do."""
    rng = np.random.default_rng(0)
    n_words, n_topics = 300, 6
    B = rng.gamma(0.1, size=(n_words, n_topics)) / np.arange(1, n_words + 1)[:, None]
    P = rng.dirichlet(np.full(n_topics, 0.1), size=400) @ (B / B.sum(axis=0)).T
    C = cooccurrence(np.array([rng.multinomial(60, p / p.sum()) for p in P]))
    return C.restrict(np.flatnonzero(C.row_sums() > 0))


def topics(rectified, n_topics):
    anchors = PivotedQR()(rectified.C, n_topics)
    return anchors.words.tolist(), SimplexLeastSquares()(rectified.C, anchors).B


@pytest.mark.parametrize(("n_words", "n_topics"), [(60, 3), (250, 5)])
def test_the_default_is_where_150_plain_steps_lead(n_words, n_topics):
    C = cooccurrence(planted_corpus(n_documents=150, n_words=n_words, n_topics=n_topics, length=8)[0])
    C = C.restrict(np.flatnonzero(C.row_sums() > 0))
    full = C.toarray()
    plain = reference.alternating_projection(full, n_topics, 150)
    rectified = AlternatingProjection()(C, n_topics)
    assert rectified.converged
    assert rectified.n_iter < 50
    assert rectified.history["plain_steps"][-1] == pytest.approx(150)
    moved = np.linalg.norm(plain - reference.alternating_projection(full, n_topics, 20))
    assert np.linalg.norm(rectified.C.toarray() * (1 / full.sum()) - plain) < 0.1 * moved


@pytest.mark.parametrize("rectifier", [AlternatingProjection, EpsilonNonNegative])
def test_a_small_change_of_the_norm_is_not_called_converged(slow_to_settle, rectifier):
    """A step changes C by 1e-4 of its norm almost at once, and topics move for hundreds of steps."""
    early = rectifier(tolerance=1e-4)(slow_to_settle, 6)
    late = rectifier(max_iter=1000, tolerance=0)(slow_to_settle, 6)
    made = rectifier()(slow_to_settle, 6)
    assert early.n_iter < 20
    far = topic_error(topics(early, 6)[1], topics(late, 6)[1])
    assert topic_error(topics(made, 6)[1], topics(late, 6)[1]) < far / 2
    assert made.history["plain_steps"][-1] >= 149
    assert made.converged == (made.history["row_movement"][-1] * made.history["plain_steps"][-1] <= path.SETTLED)


def test_too_little_work_is_not_called_converged(slow_to_settle):
    for max_iter in (1, 11, 12, 30):
        made = AlternatingProjection(max_iter=max_iter)(slow_to_settle, 6)
        assert (made.n_iter, made.converged) == (max_iter, False)


def test_what_stands_still_stops_at_once():
    C, _, _ = make_cooccurrence(250, 4, random_state=0)
    assert AlternatingProjection()(C, 4).n_iter <= 3


@pytest.mark.parametrize("s", [1, 2, 5, 12])
def test_moves_are_stable_and_follow_the_path_at_every_rate(s):
    """On dy/dt = −μ y, a move multiplies by a polynomial that is below one for rates 0 < μ ≤ 1 and like exp(−μ t)."""
    length = path._Chebyshev(s).reach
    assert length > 1.9 * s**2
    rates = np.linspace(1e-6, 1, 400)

    def factor(rate):
        step = lambda Y: path.Step(Y * (1 - rate), 0.0, 0.0)  # noqa: E731
        one = np.ones((1, 1))
        return float(path._move(step, one, step(one).Y, length, s)[0, 0])

    factors = np.array([factor(rate) for rate in rates])
    assert (np.abs(factors) < 1).all()
    slow = 0.05 / length
    assert factor(slow) == pytest.approx(np.exp(-0.05), abs=0.05**2)


def test_a_rotated_factor_is_turned_back(rng):
    Y = rng.standard_normal((40, 5))
    Q = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    assert np.allclose(path._turned(Y @ Q, Y), Y)


def test_the_movement_is_that_of_the_extreme_rows(rng):
    C = make_cooccurrence(250, 4, n_anchored=4, random_state=1)[0]
    pairs = top_eigenpairs(C, 4)
    Y = pairs.vectors * np.sqrt(pairs.values)
    assert path.row_movement(Y, Y @ np.linalg.qr(rng.standard_normal((4, 4)))[0]).max() < 1e-9
    words = PivotedQR()(C, 4).words
    Z = Y.copy()
    Z[np.setdiff1d(np.arange(250), words)] *= 1.01  # all but the anchors
    unit, moved = (rows / rows.sum(axis=1, keepdims=True) for rows in (Y[words] @ Y.T, Z[words] @ Z.T))
    assert np.allclose(np.sort(path.row_movement(Y, Z)), np.sort(np.abs(unit - moved).sum(axis=1)), rtol=1e-6)
