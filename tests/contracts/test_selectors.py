"""What is true for every selector of SELECTORS."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics.anchors import SELECTORS
from cotopics.cooccur import cooccurrence
from cotopics.cooccur.low_rank import LowRank
from cotopics.correlation import anchor_correlation
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.recover import SimplexLeastSquares

pytestmark = pytest.mark.parametrize("name", SELECTORS)


def random_cooccurrence(n_words, seed, n_documents=60):
    rng = np.random.default_rng(seed)
    H = rng.random((n_words, n_documents)) ** 4
    return H @ H.T


@pytest.mark.parametrize(("n_words", "n_topics"), [(60, 4), (300, 15)])
def test_planted_topics_are_recovered(name, n_words, n_topics):
    C, B, A = make_cooccurrence(n_words, n_topics, n_anchored=n_topics, random_state=n_words)
    anchors = SELECTORS[name]()(C, n_topics)
    topics = [np.flatnonzero(B[word]) for word in anchors.words]
    order = np.concatenate(topics)  # of the planted topics, in the order of the anchors
    assert sorted(order) == list(range(n_topics))
    assert anchors.rank == n_topics
    assert anchors.converged
    found = SimplexLeastSquares()(C, anchors)
    assert np.abs(found.B - B[:, order]).max() < 1e-8
    assert (
        np.abs(anchor_correlation(LowRank(B @ np.linalg.cholesky(A)), anchors, found.B) - A[order][:, order]).max()
        < 1e-8
    )


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), n_topics=st.integers(1, 8))
def test_agrees_with_the_slow_version(name, seed, n_topics):
    C = random_cooccurrence(25, seed)
    assert SELECTORS[name]()(C, n_topics).words.tolist() == reference.SELECTORS[name](C, n_topics)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), planted=st.booleans())
def test_permuting_words_permutes_anchors(name, seed, planted):
    C = make_cooccurrence(40, 5, random_state=seed)[0] if planted else random_cooccurrence(40, seed)
    permutation = np.random.default_rng(seed).permutation(40)
    select = SELECTORS[name]()
    assert permutation[select(C[permutation][:, permutation], 5).words].tolist() == select(C, 5).words.tolist()


@pytest.mark.parametrize("scale", [1e-9, 3.7, 1e6])
def test_scaling_changes_nothing(name, scale):
    C = random_cooccurrence(80, seed=2)
    select = SELECTORS[name]()
    assert select(scale * C, 12).words.tolist() == select(C, 12).words.tolist()


def test_representations_agree(name):
    rng = np.random.default_rng(3)
    X = rng.poisson(rng.gamma(0.3, 3, size=(150, 60)))
    found = [SELECTORS[name]()(cooccurrence(X, representation=kind), 10) for kind in ("dense", "sparse", "implicit")]
    for anchors in found[1:]:
        assert anchors.words.tolist() == found[0].words.tolist()
        assert np.allclose(anchors.history["residual"], found[0].history["residual"])


def test_a_thin_factor_agrees_with_its_product(name):
    C, B, A = make_cooccurrence(60, 6, n_anchored=6, random_state=5)
    thin = LowRank(B @ np.linalg.cholesky(A))
    assert SELECTORS[name]()(thin, 6).words.tolist() == SELECTORS[name]()(C, 6).words.tolist()


def test_only_candidates_are_chosen(name):
    C = random_cooccurrence(40, seed=4)
    candidates = np.arange(3, 40, 4)
    words = SELECTORS[name]()(C, 6, candidates=candidates).words
    assert set(words) <= set(candidates)
    assert len(set(words)) == 6
    everyone = SELECTORS[name]()(C, len(candidates), candidates=candidates).words
    assert sorted(everyone) == candidates.tolist()


def test_given_groups_come_first_and_stay(name):
    C = random_cooccurrence(40, seed=5)
    groups = [np.array([7]), np.array([3, 9])]
    anchors = SELECTORS[name]()(C, 6, given=groups)
    assert [group.tolist() for group in anchors.groups[:2]] == [[7], [3, 9]]
    assert len(set(np.concatenate(anchors.groups))) == 7
    assert anchors.rank == 6
    only_given = SELECTORS[name]()(C, 2, given=groups)
    assert [group.tolist() for group in only_given.groups] == [[7], [3, 9]]


def test_a_given_first_choice_changes_nothing(name):
    C = random_cooccurrence(40, seed=6)
    free = SELECTORS[name]()(C, 6)
    assert SELECTORS[name]()(C, 6, given=free.groups[:3]).words.tolist() == free.words.tolist()


def test_too_many_topics_are_an_error_that_says_what_to_do(name):
    C = random_cooccurrence(12, seed=7)
    select = SELECTORS[name]()
    with pytest.raises(CooccurrenceError, match=r"13 .* 12 words can be anchors.*fewer topics"):
        select(C, 13)
    with pytest.raises(CooccurrenceError, match="lower min_anchor_documents"):
        select(C, 4, candidates=[1, 2, 3])
    with pytest.raises(CooccurrenceError, match="2 words can be anchors in addition to the 1 given"):
        select(C, 4, candidates=[1, 2, 3], given=[np.array([1])])
    with pytest.raises(ValueError, match="given for 2 topics"):
        select(C, 1, given=[np.array([1]), np.array([2])])


def test_beyond_the_rank_frequent_words_are_chosen(name):
    C, *_ = make_cooccurrence(50, 4, n_anchored=4, random_state=8)
    anchors = SELECTORS[name]()(C, 9)
    assert anchors.rank == 4
    left = np.setdiff1d(np.arange(50), anchors.words[:4])
    assert anchors.words[4:].tolist() == left[np.argsort(-C.sum(axis=1)[left])][:5].tolist()
    assert np.isfinite(anchors.history["residual"]).all()
    assert max(anchors.history["residual"][4:]) < 1e-9 * max(anchors.history["residual"])


def test_words_without_pairs_are_never_chosen(name):
    C = random_cooccurrence(20, seed=9)
    C[5:15] = 0
    C[:, 5:15] = 0
    select = SELECTORS[name]()
    assert sorted(select(C, 10).words) == [*range(5), *range(15, 20)]
    with pytest.raises(CooccurrenceError, match="10 words can be anchors"):
        select(C, 11)
    with pytest.raises(CooccurrenceError, match="topic 1 never occur together"):
        select(C, 3, given=[np.array([1]), np.array([2, 6])])


def test_equal_rows_go_to_the_more_frequent_word(name):
    C, *_ = make_cooccurrence(30, 4, n_anchored=4, random_state=10)
    twice = np.r_[np.arange(30), 0, 1, 2, 3]
    weight = np.r_[np.ones(30), 3, 0.5, 2, 0.1]
    C = weight[:, None] * C[twice][:, twice] * weight
    chosen = set(SELECTORS[name]()(C, 4).words)
    assert chosen == {30, 1, 32, 3}


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_counts_give_distinct_words_and_finite_distances(name, data):
    n_words = data.draw(st.integers(2, 8))
    rows = st.lists(st.integers(0, 3), min_size=n_words, max_size=n_words)
    X = np.array([[1] * n_words, *data.draw(st.lists(rows, min_size=1, max_size=8))])
    C = cooccurrence(X)
    n_topics = data.draw(st.integers(1, n_words))
    anchors = SELECTORS[name]()(C, n_topics)
    assert len(set(anchors.words)) == n_topics
    assert 1 <= anchors.rank <= n_topics
    assert np.isfinite(anchors.history["residual"]).all()
    chosen = C.rows(anchors.words)
    assert anchors.rank == np.linalg.matrix_rank(chosen / chosen.sum(axis=1, keepdims=True), tol=1e-8)


def test_the_record_can_be_saved_as_json(name):
    anchors = SELECTORS[name]()(random_cooccurrence(20, seed=12), 4)
    json.dumps([anchors.rank, anchors.n_iter, anchors.converged, anchors.history])


def test_same_result_twice(name):
    C = random_cooccurrence(200, seed=11)
    first, second = (SELECTORS[name]()(C, 20) for _ in range(2))
    assert first.words.tolist() == second.words.tolist()
    assert first.history == second.history


def test_a_group_acts_as_one_merged_word(name):
    """The two halves of a split anchor, given as a group, lead to the same other anchors as the whole word."""
    C, _, _ = make_cooccurrence(80, 5, n_anchored=5, random_state=0)
    split = np.vstack([np.eye(80), np.zeros(80)])
    split[0, 0], split[80, 0] = 0.3, 0.7
    halves = split @ C @ split.T
    whole = SELECTORS[name]()(C, 5, given=[np.array([0])])
    parts = SELECTORS[name]()(halves, 5, given=[np.array([0, 80])], candidates=np.arange(1, 80))
    assert (parts.words == whole.words).all()
    merged = halves[[0, 80]].sum(axis=0)
    length = np.linalg.norm(merged) / (1 if name == "xray" else merged.sum())
    assert np.isclose(parts.history["residual"][0], length)
