"""c1 by how well the groups of one half of the documents describe the other half."""

import numpy as np
import pytest

from cotopics import cooccurrence
from cotopics.datasets import make_cooccurrence, make_corpus
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.top import FindAnchorWords, SplitHalves
from cotopics.top import split_halves as module
from cotopics.top.error_bounds import ErrorBounds, error_bounds
from cotopics.top.split_halves import averaging_gain


def documents(X):
    return cooccurrence(X, representation="implicit")


@pytest.fixture(scope="module")
def planted():
    """Counts of six topics with three anchors each: words 0 to 2, 3 to 5 and so on."""
    return make_corpus(400, 80, 6, length=300, anchors_per_topic=3, random_state=0)[0]


@pytest.fixture(scope="module")
def halves(planted):
    return error_bounds(documents(planted[:200])), error_bounds(documents(planted[200:]))


TRUE = [np.arange(3 * k, 3 * k + 3) for k in range(6)]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_planted_topics_are_found(seed):
    X, _, _ = make_corpus(400, 80, 6, length=300, anchors_per_topic=3, random_state=seed)
    C = documents(X)
    c1 = SplitHalves()(C)
    found = FindAnchorWords(c1)(C)
    assert {frozenset(group.tolist()) for group in found.groups} == {frozenset(group.tolist()) for group in TRUE}


class Known(ErrorBounds):
    """Bounds of words with R and δ given, all of frequency one."""

    def __init__(self, R, delta):
        for name, value in {"R": np.array(R, dtype=float), "constant": delta, "frequency": np.ones(len(R))}.items():
            object.__setattr__(self, name, value)

    def rows(self, words):
        return self.R[words], self.R[words]

    def delta(self, rows, columns):
        return np.full((len(rows), len(columns)), self.constant)


def test_the_gain_by_hand():
    """Words 0 and 1 are a group, 2 is alone, 3 is not an anchor.

    R₁ averages to (4 + 6 + 6 + 4)/4 = 5 within the group, and to (1 + 2)/2 = 1.5 between it and word 2. Over rows 0 and
    1, without the diagonal: (0, 1) and (1, 0) were 1 off and are 0 off, a gain of 2; (0, 2) was |2 − 1| = 1 off and is
    0.5; (1, 2) was |1.5 − 2| = 0.5 off and is 0. Together 2 + 0.5 + 0.5 = 3, in units of δ₂ = 0.1.
    """
    first = Known([[4, 6, 1, 9], [6, 4, 2, 9], [1, 2, 8, 9], [9, 9, 9, 9]], 77.0)
    second = Known([[100, 5, 2, 0], [5, 100, 1.5, 0], [2, 1.5, 100, 0], [0, 0, 0, 0]], 0.1)
    groups = [np.array([0, 1]), np.array([2])]
    assert np.isclose(averaging_gain(groups, first, second), 30)
    assert np.isclose(averaging_gain(groups[::-1], first, second), 30)
    assert averaging_gain([np.array([0]), np.array([1]), np.array([2])], first, second) == 0


def test_groups_of_different_sizes_by_hand():
    """Columns are averaged too: rows of the pair of 0 and 1 in columns 2, 3 and 4, a group of three."""
    R1, R2 = np.ones((5, 5)), np.ones((5, 5))
    R1[:2, 2:] = [[1, 2, 3], [4, 5, 3]]
    R1[2:, :2] = R1[:2, 2:].T
    R2[:2, 2:] = R2[2:, :2] = 3  # the mean of R₁ there
    gain = averaging_gain([np.array([0, 1]), np.array([2, 3, 4])], Known(R1, 1.0), Known(R2, 1.0))
    assert np.isclose(gain, 2 * (2 + 1 + 0 + 1 + 2 + 0))  # both blocks: every error is gone


def test_a_group_larger_than_a_block_of_rows(monkeypatch, halves):
    groups = [np.arange(7), np.array([7, 9]), np.array([20])]
    expected = averaging_gain(groups, *halves)
    monkeypatch.setattr(module, "BLOCK_ROWS", 3)
    assert np.isclose(averaging_gain(groups, *halves), expected)


def test_true_groups_gain_and_wrong_ones_lose(halves):
    gain = averaging_gain(TRUE, *halves)
    assert gain > 0
    mixed = [np.array([k, k + 6]) for k in (0, 3, 9)] + [np.array([1, 4])]
    assert averaging_gain(mixed, *halves) < 0
    assert averaging_gain([np.array([word]) for word in range(18)], *halves) == 0
    merged = [np.concatenate(TRUE[:2]), *TRUE[2:]]
    assert averaging_gain(merged, *halves) < gain
    with_stranger = [np.append(TRUE[0], 50), *TRUE[1:]]
    assert averaging_gain(with_stranger, *halves) < gain


def test_the_order_of_groups_and_words_does_not_matter(halves):
    shuffled = [group[::-1] for group in TRUE[::-1]]
    assert np.isclose(averaging_gain(shuffled, *halves), averaging_gain(TRUE, *halves))


def test_same_seed_same_c1(planted):
    C = documents(planted)
    step = SplitHalves(n_splits=2, random_state=3)
    assert step(C) == step(C) == SplitHalves(2, random_state=3)(documents(planted))
    assert min(step.grid) <= step(C) <= max(step.grid)


def test_it_is_the_median_of_the_splits(planted, monkeypatch):
    """And of a split, the median of the c1 that tie."""
    gains = iter(np.array([[0, 5, 5, 5.0], [9, 1, 1, 1], [np.nan, 0, np.nan, 2]]))
    monkeypatch.setattr(SplitHalves, "_gains", lambda *arguments: next(gains))
    assert SplitHalves(3, (1.0, 2.0, 3.0, 4.0))(documents(planted)) == 3.0  # of 3, 1 and 4


def test_halves_are_halves(planted, monkeypatch):
    seen = []

    def gains(self, first, second, candidates):
        seen.append((first, second))
        return np.zeros(len(self.grid))

    monkeypatch.setattr(SplitHalves, "_gains", gains)
    SplitHalves(n_splits=3)(documents(planted[:41]))
    whole = error_bounds(documents(planted[:41])).frequency
    for first, second in seen:
        assert (first.C.H_t.shape[0], second.C.H_t.shape[0]) == (20, 21)
        assert np.allclose((20 * first.frequency + 21 * second.frequency) / 41, whole)  # no document twice
    assert not np.allclose(seen[0][0].frequency, seen[1][0].frequency)


def test_words_in_one_half_only_are_skipped():
    X = make_corpus(60, 40, 6, length=80, anchors_per_topic=2, random_state=0)[0].toarray()
    X[:, 39] = 0
    X[0, 39] = 30  # in one document
    assert SplitHalves(n_splits=4)(documents(X)) > 0


def test_only_candidates_are_grouped(planted, monkeypatch):
    seen = []
    original = module.averaging_gain

    def gain(groups, first, second):
        seen.extend(np.concatenate(groups).tolist())
        return original(groups, first, second)

    monkeypatch.setattr(module, "averaging_gain", gain)
    SplitHalves(n_splits=1)(documents(planted), candidates=np.arange(1, 80))
    assert 1 in seen
    assert 0 not in seen


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_splits": 0}, "n_splits=0"),
        ({"grid": ()}, "grid"),
        ({"grid": (1.0, 1.0)}, "ascending"),
        ({"grid": (2.0, 1.0)}, "ascending"),
        ({"grid": (0.0, 1.0)}, "above 0"),
        ({"grid": (-1.0, 1.0)}, "above 0"),
        ({"grid": (1.0, np.nan)}, "grid"),
        ({"grid": (1.0, np.inf)}, "grid"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ParameterError, match=message):
        SplitHalves(**options)


def test_a_list_or_an_array_is_a_grid():
    assert SplitHalves(grid=[0.5, 1.0]) == SplitHalves(grid=(0.5, 1.0))
    assert SplitHalves(grid=np.array([0.5, 1.0])) == SplitHalves(grid=(0.5, 1.0))


def test_documents_are_needed(planted):
    for C in (make_cooccurrence(20, 3, random_state=0)[0], cooccurrence(planted, representation="dense")):
        with pytest.raises(CooccurrenceError, match="c1='cv' splits the documents"):
            SplitHalves()(C)
    with pytest.raises(CooccurrenceError, match="four documents or more to split, and there are 3"):
        SplitHalves()(documents(planted[:3]))


def test_a_grid_without_two_groups_is_an_error(planted):
    with pytest.raises(CooccurrenceError, match=r"two groups of anchor words.*Set c1 to a number"):
        SplitHalves(n_splits=2, grid=(1e5, 1e6))(documents(planted))  # all words are one group
