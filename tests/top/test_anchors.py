"""Anchor words and the number of topics from row and column maxima: Bing et al. 2020, Algorithms 1 and 2."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from cotopics import cooccurrence
from cotopics.datasets import make_corpus
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.top import DecoupledPrograms, FindAnchorWords, anchor_groups, group_rare_words
from cotopics.top import anchors as module
from cotopics.top.error_bounds import error_bounds

GRID = np.array([0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.1, 1.6, 2.4, 4.0])

A = np.array([[0.3, 0, 0], [0.2, 0, 0], [0, 0.5, 0], [0, 0, 0.4], [0.2, 0.5, 0.3], [0.3, 0, 0.3]])
W = np.array([[0.6, 0.2, 0.2], [0.3, 0.7, 0.0], [0.1, 0.1, 0.8]])


def documents(X):
    return cooccurrence(X, representation="implicit")


def planted(n_words=60, n_topics=6, n_documents=150, length=200, per_topic=2, seed=0):
    return make_corpus(n_documents, n_words, n_topics, length=length, anchors_per_topic=per_topic, random_state=seed)[0]


def noisy(n_documents, n_words, n_topics=4, seed=0, length=25):
    """Few short documents: groups overlap, cut one another and come and go with c1."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(n_words, 0.2), size=n_topics)
    mixtures = rng.dirichlet(np.full(n_topics, 0.2), size=n_documents)
    lengths = rng.integers(length // 2, 2 * length, size=n_documents)
    X = np.array([rng.multinomial(N, p) for N, p in zip(lengths, mixtures @ B, strict=True)])
    return X[:, X.sum(axis=0) > 0].astype(float)


def slow_groups(X, grid):
    """The reference's groups for counts in which every word occurs, words by frequency and then by burstiness."""
    R, (delta, _) = reference.scaled_theta(X), reference.tolerances(X)
    f = (X / X.sum(axis=1, keepdims=True)).mean(axis=0)
    burst = np.diag(reference.unbiased_theta(X))
    order = sorted(range(len(f)), key=lambda i: (-round(f[i], 12), -round(burst[i], 12)))
    return [reference.find_anchor_words(R, c * delta, order) for c in grid]


def as_sets(groups):
    return {frozenset(np.asarray(group).tolist()) for group in groups}


def test_the_example_of_the_paper():
    """Bing et al. 2020, Example 1, to the digits printed."""
    Pi = A @ W
    theta = Pi @ Pi.T / 3
    f = theta.sum(axis=1)
    assert np.allclose(f, Pi.mean(axis=1))
    R = theta / np.outer(f, f)
    printed = [
        [1.32, 1.32, 0.96, 0.72, 0.96, 1.02],
        [1.32, 1.32, 0.96, 0.72, 0.96, 1.02],
        [0.96, 0.96, 1.74, 0.30, 1.15, 0.63],
        [0.72, 0.72, 0.30, 1.98, 0.89, 1.35],
        [0.96, 0.96, 1.15, 0.89, 1.03, 0.92],
        [1.02, 1.02, 0.63, 1.35, 0.92, 1.19],
    ]
    assert np.abs(R - printed).max() < 0.005 + 1e-12
    anchors = FindAnchorWords()(theta)
    assert as_sets(anchors.groups) == {frozenset({0, 1}), frozenset({2}), frozenset({3})}
    topics = DecoupledPrograms()(theta, anchors)
    order = [int(np.flatnonzero(A[word])[0]) for word in anchors.words]
    assert np.abs(topics.B - A[:, order]).max() < 1e-12
    assert np.allclose(topics.prevalence, W.mean(axis=1)[order])
    assert as_sets(reference.find_anchor_words(R, 1e-9 * R, range(6))) == as_sets(anchors.groups)


def planted_statistics(rng, n_words, n_topics, anchors):
    """Θ of topics with this many anchors each, where Assumption 3 holds: ν > 0."""
    groups = np.split(np.arange(sum(anchors)), np.cumsum(anchors)[:-1])
    B = rng.dirichlet(np.full(n_words, 0.5), size=n_topics).T + 1e-3
    B[: sum(anchors)] = 0
    for k, group in enumerate(groups):
        B[group, k] = rng.uniform(0.005, 0.05, size=len(group))
    B /= B.sum(axis=0)
    while True:
        W = rng.dirichlet(rng.uniform(0.1, 0.6, size=n_topics), size=40).T
        normalised = W / W.sum(axis=1, keepdims=True)
        C = 40 * normalised @ normalised.T
        nu = min(min(C[i, i], C[j, j]) - C[i, j] for i in range(n_topics) for j in range(i))
        if nu > 1e-3:
            break
    Pi = B @ W
    return Pi @ Pi.T / 40, B, W, groups


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_topics=st.integers(2, 6), data=st.data())
def test_exact_statistics_give_the_groups_exactly(seed, n_topics, data):
    """Bing et al. 2020, Proposition 2."""
    anchors = data.draw(st.lists(st.integers(1, 4), min_size=n_topics, max_size=n_topics))
    theta, _, _, groups = planted_statistics(np.random.default_rng(seed), 50, n_topics, anchors)
    order = np.random.default_rng(seed).permutation(50)
    found = FindAnchorWords()(theta[np.ix_(order, order)])
    assert as_sets(order[group] for group in found.groups) == as_sets(groups)
    assert as_sets(FindAnchorWords()(7.0 * sp.csr_array(theta)).groups) == as_sets(groups)  # in any scale


def test_without_assumption_3_a_topic_is_missed():
    """Topic 0 has the same share in all documents, so its words meet those of topic 1 as often as one another."""
    W = np.array([[0.5, 0.5, 0.5, 0.5], [0.1, 0.4, 0.2, 0.3], [0.4, 0.1, 0.3, 0.2]])
    normalised = W / W.sum(axis=1, keepdims=True)
    C = 4 * normalised @ normalised.T
    assert np.isclose(C[0, 0], C[0, 1])
    B = np.array([[0.2, 0, 0], [0.1, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0.7, 0.7, 0.7]])
    Pi = B @ W
    assert as_sets(FindAnchorWords()(Pi @ Pi.T).groups) == {frozenset({2}), frozenset({3})}


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_the_slow_version(seed):
    X = noisy(30, 25, seed=seed)
    expected = slow_groups(X, GRID)
    assert len({len(groups) for groups in expected}) > 2  # so the test is not trivial
    for groups, sets in zip(anchor_groups(documents(X), GRID), expected, strict=True):
        assert as_sets(groups) == {frozenset(group) for group in sets}


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_documents=st.integers(2, 60),
    n_words=st.integers(2, 14),
    n_topics=st.integers(1, 5),
)
def test_agrees_with_the_slow_version_on_any_counts(seed, n_documents, n_words, n_topics):
    X = noisy(n_documents, n_words, n_topics, seed)
    if X.shape[1] < 2:
        return
    for groups, sets in zip(anchor_groups(documents(X), GRID), slow_groups(X, GRID), strict=True):
        assert as_sets(groups) == {frozenset(group) for group in sets}


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("entries", [1, 200, 1 << 21])
def test_neither_blocks_nor_threads_change_anything(monkeypatch, entries, threads, equal):
    X = planted(40, n_documents=60, length=60).toarray() if equal else noisy(40, 35, seed=3)
    expected = anchor_groups(documents(X), GRID)
    monkeypatch.setattr(module, "BLOCK_ENTRIES", entries)
    for where in ("cotopics.top.anchors", "cotopics.linalg.threads"):
        monkeypatch.setattr(f"{where}.n_threads", lambda: threads)
    for whole in (0, 10**6):
        monkeypatch.setattr("cotopics.top.error_bounds.MAX_KEPT_ENTRIES", whole)
        found = anchor_groups(documents(X), GRID)
        for ours, theirs in zip(found, expected, strict=True):
            assert [group.tolist() for group in ours] == [group.tolist() for group in theirs]


def test_a_grid_of_c1_gives_what_each_c1_gives_alone():
    C = documents(noisy(30, 25, seed=1))
    together = anchor_groups(C, GRID)
    for c1, groups in zip(GRID, together, strict=True):
        (alone,) = anchor_groups(C, [c1])
        assert [group.tolist() for group in alone] == [group.tolist() for group in groups]


@pytest.mark.parametrize("seed", range(3))
def test_permuting_words_permutes_groups(seed):
    X = planted(seed=seed)
    order = np.random.default_rng(seed).permutation(60)
    expected = FindAnchorWords()(documents(X)).groups
    found = FindAnchorWords()(documents(X[:, order])).groups
    assert [order[group].tolist() for group in found] == [group.tolist() for group in expected]
    assert as_sets(expected) == {frozenset({2 * k, 2 * k + 1}) for k in range(6)}


def tied(seed):
    """Few documents of one length: frequencies tie, and so do entries of R."""
    rng = np.random.default_rng(seed)
    X = rng.multinomial(60, rng.dirichlet(np.full(15, 0.3)), size=12).astype(float)
    return X[:, X.sum(axis=0) > 0]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), equal=st.booleans())
def test_no_order_matters_if_numbers_tie(seed, equal):
    """Neither that of words nor that of documents; sums in another order differ in their last digit.

    Only words that are equally frequent and equally bursty keep their order.
    """
    X, rng = tied(seed) if equal else noisy(12, 15, seed=seed), np.random.default_rng(seed)
    shares = X / X.sum(axis=1, keepdims=True)
    burst = np.diag(reference.unbiased_theta(X))
    keys = np.round([shares.sum(axis=0), burst / burst.max()], 9)
    assume(len(np.unique(keys, axis=1).T) == X.shape[1])
    words, lines = rng.permutation(X.shape[1]), rng.permutation(len(X))
    expected = anchor_groups(documents(X), GRID)
    found = anchor_groups(documents(X[lines][:, words]), GRID)
    for ours, theirs in zip(found, expected, strict=True):
        assert as_sets(words[group] for group in ours) == as_sets(theirs)


@pytest.mark.parametrize("seed", range(20))
def test_ties_as_in_the_slow_version(seed):
    X = tied(seed)
    for groups, sets in zip(anchor_groups(documents(X), GRID), slow_groups(X, GRID), strict=True):
        assert as_sets(groups) == {frozenset(group) for group in sets}


@pytest.mark.parametrize("seed", range(6))
def test_the_most_frequent_come_first(seed):
    C = documents(noisy(40, 30, seed=seed))
    f = error_bounds(C).frequency
    for groups in anchor_groups(C, GRID):
        for group in groups:
            assert (np.diff(f[group]) <= 1e-12).all()
        assert (np.diff([f[group[0]] for group in groups]) <= 1e-12).all()
        words = np.concatenate([*groups, np.zeros(0, dtype=int)])
        assert len(set(words.tolist())) == len(words)  # no word is in two groups


def test_only_candidates_are_anchors():
    X = planted()
    C = documents(X)
    some = np.setdiff1d(np.arange(60), [0, 3, 5, 40])
    found = FindAnchorWords()(C, candidates=some)
    expected = [{1}, {2}, {4}, {6, 7}, {8, 9}, {10, 11}]
    assert as_sets(found.groups) == {frozenset(group) for group in expected}
    every = FindAnchorWords()(C, candidates=np.arange(60))
    assert [g.tolist() for g in every.groups] == [g.tolist() for g in FindAnchorWords()(C).groups]


def test_candidates_do_not_change_what_a_word_meets_most():
    """A word that is not an anchor does not become one because the anchors are not candidates."""
    C = documents(planted())
    with pytest.raises(CooccurrenceError, match=r"no word is an anchor at c1=1.1.*there are 1 at c1=2.2.*Change c1"):
        FindAnchorWords()(C, candidates=np.arange(12, 60))


def test_a_group_without_candidates_is_left_out():
    """The largest lifts of a candidate are all with words that are not candidates."""
    theta = np.array([[2.0, 6, 0, 0], [6, 2, 0, 0], [0, 0, 2, 2], [0, 0, 2, 2]])
    f = theta.sum(axis=1)
    R = theta / np.outer(f, f)
    assert R[0].argmax() == 1
    assert R[1].argmax() == 0
    found = FindAnchorWords()(theta, candidates=[0, 2, 3])
    assert [group.tolist() for group in found.groups] == [[2, 3]]
    assert found.rank == 1
    assert (np.array(found.history["n_groups"]) == 1).all()
    with pytest.raises(CooccurrenceError, match="no word is an anchor"):
        FindAnchorWords()(theta, candidates=[0])


@pytest.mark.parametrize("n_new", [1, 5])
def test_words_that_never_occur_change_nothing(n_new):
    X = noisy(30, 25, seed=4)
    expected = anchor_groups(documents(X), GRID)
    wide = np.hstack([np.zeros((30, n_new)), X, np.zeros((30, n_new))])
    for ours, theirs in zip(anchor_groups(documents(wide), GRID), expected, strict=True):
        assert [(group - n_new).tolist() for group in ours] == [group.tolist() for group in theirs]
    theta = planted_statistics(np.random.default_rng(0), 30, 3, [2, 2, 2])[0]
    found = FindAnchorWords()(np.pad(theta, n_new)).groups
    assert as_sets(group - n_new for group in found) == as_sets(FindAnchorWords()(theta).groups)


def test_even_if_words_are_the_largest_number():
    """M is the largest of documents, words and length; words that never occur do not count."""
    X = noisy(20, 60, seed=0, length=10)
    assert X.shape[1] > max(20, X.sum(axis=1).max())
    wide = np.pad(X, ((0, 0), (0, 4000)))
    for ours, theirs in zip(anchor_groups(documents(wide), GRID), anchor_groups(documents(X), GRID), strict=True):
        assert [group.tolist() for group in ours] == [group.tolist() for group in theirs]


def test_other_values_of_c1_are_reported():
    C = documents(planted(n_documents=80, length=80))
    found = FindAnchorWords(0.8)(C)
    assert np.allclose(found.history["c1"], [0.2, 0.4, 0.8, 1.6, 3.2])
    assert found.history["n_groups"] == [float(len(g)) for g in anchor_groups(C, found.history["c1"])]
    assert found.history["n_groups"][2] == len(found.groups) == found.rank
    assert found.words.tolist() == [group[0] for group in found.groups]


def test_everything_is_one_topic_for_a_large_c1():
    X = noisy(30, 25, seed=0)
    (group,) = FindAnchorWords(1e6)(documents(X)).groups
    assert sorted(group.tolist()) == list(range(X.shape[1]))


@pytest.mark.parametrize("c1", [0, -1.0, np.nan, np.inf, None, "1.1", True, [1.1], np.array([1.1, 2.2])])
def test_wrong_c1(c1):
    with pytest.raises(ParameterError, match=r"c1=.*must be a number above 0"):
        FindAnchorWords(c1)


@pytest.mark.parametrize("frequent", [[0, 1, 2, 5], [5, 2], [3], []])
def test_rare_words_are_grouped_by_adding_up_their_pairs(frequent, rng):
    """C' = PᵀCP, where P (n_words, n_frequent + 1) says which word of C' a word is: pairs of tokens stay pairs."""
    X = rng.poisson(0.8, size=(40, 8))
    X[:2] = 0
    X[1, 4] = 1  # one token, so no pair
    C = documents(X)
    frequent = np.array(frequent, dtype=int)
    merged = group_rare_words(C, frequent)
    P = np.zeros((8, len(frequent) + 1))
    P[:, -1] = 1
    P[frequent] = np.eye(len(frequent) + 1)[:-1]
    assert np.allclose(merged.toarray(), P.T @ C.toarray() @ P, atol=1e-12)
    assert np.array_equal(merged.counts().toarray(), C.counts().toarray() @ P)
    assert merged.documents.n_used == C.documents.n_used
    long_enough = X.sum(axis=1) >= 2
    assert merged.documents.frequency.tolist() == ((X @ P)[long_enough] > 0).sum(axis=0).tolist()


def test_a_matrix_of_zeros():
    with pytest.raises(CooccurrenceError):
        FindAnchorWords()(np.zeros((3, 3)))
