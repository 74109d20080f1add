"""What is true for every recovery of RECOVERIES."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics.anchors import PivotedQR
from cotopics.cooccur import cooccurrence
from cotopics.cooccur.low_rank import LowRank
from cotopics.correlation import anchor_correlation
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.records import Anchors
from cotopics.recover import RECOVERIES

pytestmark = pytest.mark.parametrize("name", RECOVERIES)

LOSSES = {"l2": reference.squared_distance, "kl": reference.divergence}


def anchors_of(*groups):
    return Anchors(tuple(np.array(group) for group in groups), len(groups), 0)


def random_counts(seed, n_documents=150, n_words=60):
    rng = np.random.default_rng(seed)
    return rng.poisson(rng.gamma(0.3, 3, size=(n_documents, n_words)))


@pytest.mark.parametrize(("n_words", "n_topics"), [(40, 3), (300, 15)])
def test_planted_topics_are_recovered(name, n_words, n_topics):
    C, B, A = make_cooccurrence(n_words, n_topics, n_anchored=n_topics, random_state=n_words)
    anchors = anchors_of(*([k] for k in range(n_topics)))
    topics = RECOVERIES[name]()(C, anchors)
    assert np.abs(topics.B - B).max() < 1e-8
    assert np.abs(anchor_correlation(LowRank(B @ np.linalg.cholesky(A)), anchors, topics.B) - A).max() < 1e-7
    assert topics.converged


def test_results_are_distributions(name):
    C = cooccurrence(random_counts(1))
    topics = RECOVERIES[name]()(C, PivotedQR()(C, 8))
    json.dumps([topics.n_iter, topics.converged, topics.history])
    assert topics.converged
    for array in (topics.B, topics.membership, topics.prevalence):
        assert (array >= 0).all()
    assert np.allclose(topics.B.sum(axis=0), 1)
    assert np.allclose(topics.membership.sum(axis=1), 1)
    assert np.allclose(topics.B @ topics.prevalence, C.row_sums() / C.row_sums().sum())


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), n_topics=st.integers(1, 6))
def test_no_fit_on_the_simplex_is_better(name, seed, n_topics):
    if name == "score":
        pytest.skip("Topic-SCORE fits in the leading directions only; see tests/recover")
    C = cooccurrence(random_counts(seed, n_documents=40, n_words=20))
    anchors = PivotedQR()(C, n_topics)
    membership = RECOVERIES[name]()(C, anchors).membership
    C_bar = C.toarray() / C.row_sums()[:, None]
    X = C_bar[anchors.words]
    reachable = X.max(axis=0) > 0
    for i in range(20):
        r = C_bar[i] * reachable
        if r.sum() > 0:
            least = reference.fit_on_simplex(LOSSES[name], X, r)
            assert LOSSES[name](r, membership[i] @ X) <= least + 1e-8


def test_an_anchor_belongs_to_its_topic_only(name):
    C = cooccurrence(random_counts(2))
    anchors = PivotedQR()(C, 8)
    topics = RECOVERIES[name]()(C, anchors)
    assert np.array_equal(topics.membership[anchors.words], np.eye(8))


def test_representations_agree(name):
    X = random_counts(3)
    anchors = PivotedQR()(cooccurrence(X), 8)
    found = [
        RECOVERIES[name]()(cooccurrence(X, representation=kind), anchors) for kind in ("dense", "sparse", "implicit")
    ]
    for topics in found[1:]:
        assert np.abs(topics.B - found[0].B).max() < 1e-8


def test_permuting_words_permutes_topics(name):
    C = cooccurrence(random_counts(4)).toarray()
    permutation = np.random.default_rng(0).permutation(60)
    anchors = PivotedQR()(C, 8)
    moved = anchors_of(*([int(np.flatnonzero(permutation == word)[0])] for word in anchors.words))
    recover = RECOVERIES[name]()
    assert np.abs(recover(C[permutation][:, permutation], moved).B - recover(C, anchors).B[permutation]).max() < 1e-8


@pytest.mark.parametrize("scale", [1e-9, 3.7, 1e6])
def test_scaling_changes_nothing(name, scale):
    C = cooccurrence(random_counts(5)).toarray()
    anchors = PivotedQR()(C, 8)
    recover = RECOVERIES[name]()
    assert np.abs(recover(scale * C, anchors).B - recover(C, anchors).B).max() < 1e-8


def test_words_without_pairs_are_in_no_topic(name):
    C = cooccurrence(random_counts(6)).toarray()
    C[10:20] = C[:, 10:20] = 0
    topics = RECOVERIES[name]()(C, PivotedQR()(C, 8))
    assert (topics.membership[10:20] == 0).all()
    assert (topics.B[10:20] == 0).all()
    assert np.isfinite(topics.B).all()


def test_a_group_acts_as_one_merged_word(name):
    """Split a word into two that behave alike, and give both as one anchor: only its probability is split."""
    C, *_ = make_cooccurrence(40, 4, n_anchored=4, random_state=7)
    split = np.r_[np.arange(40), 0]
    weight = np.r_[0.3, np.ones(39), 0.7]
    halves = weight[:, None] * C[split][:, split] * weight
    whole = RECOVERIES[name]()(C, anchors_of([0], [1], [2], [3]))
    parts = RECOVERIES[name]()(halves, anchors_of([0, 40], [1], [2], [3]))
    assert np.abs(parts.B[1:40] - whole.B[1:]).max() < 1e-8
    assert np.abs(parts.B[[0, 40]] - np.outer([0.3, 0.7], whole.B[0])).max() < 1e-8


def test_dependent_anchors_give_finite_topics(name):
    C, *_ = make_cooccurrence(50, 4, n_anchored=4, random_state=8)
    topics = RECOVERIES[name]()(C, PivotedQR()(C, 9))
    assert np.isfinite(topics.B).all()
    assert np.allclose(topics.B.sum(axis=0), 1)


def test_a_topic_without_words_is_refused(name):
    C = np.kron(np.eye(2), np.ones((2, 2)))
    with pytest.raises(CooccurrenceError, match=r"topics \[2\] have no words.*other anchor words"):
        RECOVERIES[name]()(C, anchors_of([0], [2], [1, 3]))


def test_words_that_share_nothing_with_the_anchors_give_no_nan(name):
    """Two separate vocabularies, anchors in one of them."""
    C = np.zeros((20, 20))
    C[:10, :10] = make_cooccurrence(10, 2, n_anchored=2, density=1, random_state=9)[0]
    C[10:, 10:] = make_cooccurrence(10, 2, n_anchored=2, density=1, random_state=10)[0]
    topics = RECOVERIES[name]()(C, anchors_of([0], [1]))
    assert np.isfinite(topics.B).all()
    assert np.allclose(topics.membership.sum(axis=1), 1)
