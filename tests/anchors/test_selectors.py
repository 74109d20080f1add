"""Facts about single selectors, or about two of them."""

import numpy as np
import pytest
import scipy.linalg

import reference
from cotopics.anchors import SELECTORS, SNPA, SPA, XRAY, FastAnchor, PivotedQR
from cotopics.cooccur.low_rank import LowRank
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError


@pytest.fixture
def C():
    H = np.random.default_rng(0).random((120, 200)) ** 4
    return H @ H.T


def test_pivoted_qr_is_pivoted_qr(C):
    C_bar = C / C.sum(axis=1, keepdims=True)
    _, R, pivots = scipy.linalg.qr(C_bar.T, mode="economic", pivoting=True)
    anchors = PivotedQR()(C, 40)
    assert anchors.words.tolist() == pivots[:40].tolist()
    assert np.allclose(anchors.history["residual"], np.abs(np.diagonal(R))[:40], rtol=1e-9)


def test_pivoted_qr_sees_distances_below_the_rounding_of_their_squares():
    """Distances from 1 to 1e-7: by subtraction alone, their squares would be lost at 1e-8."""
    C = 1 + np.diag(np.logspace(1, -6.5, 25))
    C_bar = C / C.sum(axis=1, keepdims=True)
    _, R, pivots = scipy.linalg.qr(C_bar.T, mode="economic", pivoting=True)
    assert 1e-9 < abs(R[-2, -2] / R[0, 0]) < 1e-6
    anchors = PivotedQR()(C, 24)
    assert anchors.words.tolist() == pivots[:24].tolist()
    assert anchors.rank == 24


@pytest.mark.parametrize("seed", range(5))
def test_spa_and_snpa_choose_the_same_anchors_in_separable_data(seed):
    """As in all tables of Fu et al. 2019."""
    C, *_ = make_cooccurrence(200, 12, n_anchored=12, random_state=seed)
    assert set(SPA()(C, 12).words) == set(SNPA()(C, 12).words)


def test_spa_is_pivoted_qr_where_nothing_ties(C):
    assert SPA()(C, 30).words.tolist() == PivotedQR()(C, 30).words.tolist()


@pytest.mark.parametrize("tie", [0.01, 0.1, 0.5])
def test_spa_gives_ties_to_the_longest_row(C, tie):
    words = SPA(tie=tie)(C, 10).words.tolist()
    assert words == reference.spa(C, 10, tie=tie)
    assert words != PivotedQR()(C, 10).words.tolist()


def test_fast_anchor_measures_from_its_first_anchor(C):
    C_bar = C / C.sum(axis=1, keepdims=True)
    first, second = FastAnchor()(C, 2).words
    assert first == np.argmax(np.linalg.norm(C_bar, axis=1))
    assert second == np.argmax(np.linalg.norm(C_bar - C_bar[first], axis=1))


def test_snpa_goes_on_beyond_the_rank_while_rows_are_outside_the_hull():
    """Four corners of a square span three dimensions; every corner is an extreme point."""
    corners = np.array([[2.0, 0, 1, 1], [0, 2, 1, 1], [1, 1, 2, 0], [1, 1, 0, 2]])
    inner = np.full((3, 4), 1.0)
    H = np.vstack([inner, corners])
    anchors = SNPA()(H @ H.T, 4)
    assert set(anchors.words) == {3, 4, 5, 6}
    assert anchors.rank == 3


def test_xray_distances_are_those_of_non_negative_least_squares(C):
    """The hull that stands for the cone is large enough."""
    cone = XRAY().start(_candidates(C))
    for k in range(15):
        cone.take(np.array([cone.next()]))
        far = cone.farthest()[0]
        taken = C[np.concatenate(cone.groups)]
        exact = max(reference.nonnegative(taken.T, row)[1] for row in C)
        assert np.sqrt(cone.squared[far]) == pytest.approx(exact, rel=1e-7), k


def test_few_words_are_solved_in_a_step(C, monkeypatch):
    """Old distances bound new ones, so most words need not be solved again."""
    from cotopics.anchors import hull_selectors as hull

    solved = []
    solve = hull.Hull._solve
    monkeypatch.setattr(hull, "FIRST_BATCH", 8)
    monkeypatch.setattr(hull.Hull, "_solve", lambda self, words: solved.append(len(words)) or solve(self, words))
    everywhere = SNPA()(C, 20).words.tolist()
    assert sum(solved) < 0.6 * 120 * 19
    monkeypatch.undo()
    assert SNPA()(C, 20).words.tolist() == everywhere


def test_selectors_with_equal_options_are_equal():
    for selector in SELECTORS.values():
        assert selector() == selector()
        assert hash(selector()) == hash(selector())


def _candidates(C):
    from cotopics.anchors.greedy import check_candidates

    return check_candidates(C, 1, None)


def test_words_least_below_zero_fill_up_where_too_few_are_left():
    """As rectified rows of rare words are, in short texts."""
    rng = np.random.default_rng(0)
    Y = np.column_stack([rng.uniform(0.05, 1, 30), rng.standard_normal((30, 2))])
    C = LowRank(Y @ np.diag([1, 0.4, 0.4]))
    share = C.negative_share()
    n = int((share <= 0.1).sum())
    with pytest.raises(CooccurrenceError, match=f"{n} words can be anchors"):
        PivotedQR()(C, n + 4)
    filled = PivotedQR(fill_up=True)(C, n + 4)
    usable = np.flatnonzero(C.row_sums() > 1e-9)
    assert n + 4 < len(usable)
    assert sorted(filled.words) == sorted(usable[np.argsort(share[usable])][: n + 4])
    assert PivotedQR(fill_up=True)(C, 3).words.tolist() == PivotedQR()(C, 3).words.tolist()
    with pytest.raises(CooccurrenceError, match="words can be anchors"):
        PivotedQR(fill_up=True)(C, 31)
