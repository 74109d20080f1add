"""Topics from groups of anchors by small linear programs: Bing et al. 2020, (38) to (44)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics import cooccurrence
from cotopics.datasets import make_corpus
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.records import Anchors
from cotopics.top import DecoupledPrograms, FindAnchorWords
from cotopics.top.error_bounds import error_bounds
from cotopics.top.l1_inverse import l1_inverse


def anchors_of(groups):
    groups = tuple(np.asarray(group, dtype=np.int64) for group in groups)
    return Anchors(groups, len(groups), 1)


@pytest.fixture(scope="module")
def X():
    lengths = np.random.default_rng(1).integers(60, 200, size=200)
    return make_corpus(200, 40, 6, length=lengths, anchors_per_topic=2, random_state=1)[0].toarray()


@pytest.fixture(scope="module")
def C(X):
    return cooccurrence(X, representation="implicit")


PAIRS = [[2 * k, 2 * k + 1] for k in range(6)]


def single(C, groups, L, c0):
    """Topics of groups with these representatives."""
    place = np.cumsum([0, *(len(group) for group in groups)])
    positions = np.array([place[k] + list(group).index(L[k]) for k, group in enumerate(groups)])

    class Chosen(DecoupledPrograms):
        def _representatives(self, place):
            return [positions]

    return Chosen(c0)(C, anchors_of(groups))


def slow(X, groups, L, c0):
    theta = reference.unbiased_theta(X, 1000)
    f = (X / X.sum(axis=1, keepdims=True)).mean(axis=0)
    return reference.topics_by_programs(theta, f, reference.tolerances(X)[1], groups, L, c0)


@pytest.mark.parametrize("c0", [0.0, 1e-4, 0.01, 0.1, 1.0])
@pytest.mark.parametrize("L", [[0, 2, 4, 6, 8, 10], [1, 2, 5, 7, 8, 11]])
def test_agrees_with_the_slow_version(X, C, L, c0):
    found = single(C, PAIRS, L, c0)
    assert np.allclose(found.B, slow(X, PAIRS, L, c0), atol=1e-5)


def test_lambda_is_the_largest_row_sum_of_eta(X, C):
    eta = reference.tolerances(X)[1]
    L = [0, 2, 4, 6, 8, 10]
    found = single(C, PAIRS, L, 0.03)
    assert np.allclose(found.history["lambda"], 0.03 / 1000**2 * eta[np.ix_(L, L)].sum(axis=1).max())


def test_groups_in_any_order_and_of_any_size(X, C):
    groups = [[11, 10], [4], [1, 0], [6, 7], [9]]
    L = [11, 4, 0, 7, 9]
    assert np.allclose(single(C, groups, L, 0.01).B, slow(X, groups, L, 0.01), atol=1e-5)


def planted_statistics(seed, n_words=40, sizes=(3, 1, 2, 2)):
    rng = np.random.default_rng(seed)
    groups = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    B = rng.dirichlet(np.full(n_words, 0.5), size=len(sizes)).T
    B[: sum(sizes)] = 0
    for k, group in enumerate(groups):
        B[group, k] = rng.uniform(0.01, 0.1, size=len(group))
    B /= B.sum(axis=0)
    W = rng.dirichlet(np.full(len(sizes), 0.4), size=50).T
    return B @ W @ W.T @ B.T / 50, B, W, groups


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), c0=st.sampled_from([0.0, 0.01, 10.0]), n_repeats=st.integers(1, 4))
def test_exact_statistics_give_the_topics_exactly(seed, c0, n_repeats):
    """Bing et al. 2020, Proposition 3. Without errors there is no tolerance, whatever c0."""
    theta, B, W, groups = planted_statistics(seed)
    found = DecoupledPrograms(c0, n_repeats, random_state=seed % 100)(theta, anchors_of(groups))
    assert np.abs(found.B - B).max() < 1e-7
    assert np.allclose(found.prevalence, W.mean(axis=1), atol=1e-7)
    joint = B * W.mean(axis=1)
    assert np.allclose(found.membership, joint / joint.sum(axis=1, keepdims=True), atol=1e-6)
    assert (np.array(found.history["lambda"]) == 0).all()


def test_what_is_true_for_all_data(C):
    found = DecoupledPrograms()(C, FindAnchorWords()(C))
    assert (found.B >= 0).all()
    assert np.allclose(found.B.sum(axis=0), 1)
    assert np.allclose(found.membership.sum(axis=1), 1)
    assert np.isclose(found.prevalence.sum(), 1)
    f = error_bounds(C).frequency
    for k, group in enumerate(FindAnchorWords()(C).groups):
        others = np.delete(found.B[group], k, axis=1)
        assert (others == 0).all()  # an anchor is in its topic only
        assert np.allclose(found.B[group, k] / found.B[group[0], k], f[group] / f[group[0]])  # (38)
    words = np.arange(12)  # f is the prevalence times B for an anchor, up to one factor for all topics; (18)
    ratio = (found.B * found.prevalence).sum(axis=1)[words] / f[words]
    assert np.allclose(ratio, ratio[0])


def test_the_mean_over_representatives(X, C):
    step = DecoupledPrograms(0.01, n_repeats=5, random_state=4)
    place = np.arange(0, 13, 2)
    draws = step._representatives(place)
    assert len(draws) == 5
    for L in draws:
        assert ((place[:-1] <= L) & (place[1:] > L)).all()  # one of every group
    mean = np.mean([single(C, PAIRS, L.tolist(), 0.01).B for L in draws], axis=0)
    found = step(C, anchors_of(PAIRS))
    assert np.allclose(found.B, mean, atol=1e-12)
    assert len(found.history["lambda"]) == 5


def test_every_word_of_a_group_is_sometimes_its_representative():
    draws = np.array(DecoupledPrograms(n_repeats=300)._representatives(np.array([0, 1, 4, 6])))
    counts = np.bincount(draws.ravel(), minlength=6)
    assert counts[0] == 300
    assert (counts[1:4] > 60).all()
    assert (counts[4:] > 100).all()
    assert np.abs(np.corrcoef(draws[:, 1], draws[:, 2])[0, 1]) < 0.3  # of one group independently of another


def test_one_word_a_group_needs_no_repeats(C):
    groups = [[0], [2], [4]]
    found = DecoupledPrograms(n_repeats=50)(C, anchors_of(groups))
    assert len(found.history["lambda"]) == 1
    assert np.allclose(found.B, DecoupledPrograms(n_repeats=1)(C, anchors_of(groups)).B)


def test_c0_of_zero_is_the_plain_inverse(X, C):
    L = [0, 2, 4, 6, 8, 10]
    theta = reference.unbiased_theta(X)
    B = np.maximum(theta[:, L] @ np.linalg.inv(theta[np.ix_(L, L)]), 0)
    found = single(C, PAIRS, L, 0.0)
    rest = np.arange(12, 40)
    scale = found.B[L, range(6)]  # B is one there before it is scaled
    assert np.allclose(found.B[rest], B[rest] * scale)
    assert found.n_iter == 0


def test_the_approximate_inverse_is_in_tokens_per_thousand(C):
    """λ and Θ_LL are in one unit: Ω solves the programs of `l1_inverse` as they are."""
    L = [0, 2, 4, 6, 8, 10]
    bounds = error_bounds(C)
    theta = bounds.rows(np.arange(40))[0]
    lam = 0.05 * bounds.eta(L, L).sum(axis=1).max()
    omega = l1_inverse(theta[np.ix_(L, L)], lam).omega
    found = single(C, PAIRS, L, 0.05)
    expected = np.maximum(theta[12:, L] @ omega, 0)
    assert np.allclose(found.B[12:] / found.B[L, range(6)], expected)


def test_same_seed_same_topics(C):
    first, again = (DecoupledPrograms(random_state=3)(C, anchors_of(PAIRS)) for _ in range(2))
    assert (first.B == again.B).all()
    assert not (DecoupledPrograms(random_state=4, n_repeats=1)(C, anchors_of(PAIRS)).B == first.B).all()


def test_two_groups_of_one_topic_have_no_inverse():
    theta, _, _, groups = planted_statistics(0)
    split = [groups[0][:1], groups[0][1:], *groups[1:]]
    theta[groups[0][0]] = theta[groups[0][1]]  # to the last digit
    theta[:, groups[0][0]] = theta[:, groups[0][1]]
    theta[groups[0][2]] = theta[groups[0][1]]
    theta[:, groups[0][2]] = theta[:, groups[0][1]]
    with pytest.raises(CooccurrenceError, match=r"no inverse.*Raise c1"):
        DecoupledPrograms()(theta, anchors_of(split))


def test_words_without_pairs_are_in_no_topic(X):
    wide = np.pad(X, ((0, 0), (0, 2)))
    found = DecoupledPrograms()(cooccurrence(wide, representation="implicit"), anchors_of(PAIRS))
    assert (found.B[40:] == 0).all()
    assert (found.membership[40:] == 0).all()
    assert np.allclose(
        found.B[:40], DecoupledPrograms()(cooccurrence(X, representation="implicit"), anchors_of(PAIRS)).B
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c0": -0.1}, "c0=-0.1"),
        ({"c0": np.nan}, "c0=nan"),
        ({"c0": None}, "c0=None must be a number"),
        ({"c0": True}, "c0=True must be a number"),
        ({"n_repeats": 0}, "n_repeats=0"),
        ({"n_repeats": 2.5}, r"n_repeats=2.5"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ParameterError, match=message):
        DecoupledPrograms(**options)


@pytest.mark.parametrize("c0", [0.0, 0.01])
def test_the_scale_of_an_exact_matrix_does_not_matter(c0):
    """C in shares, in counts or per thousand: the same topics to the last bit for powers of two."""
    C, _, _, groups = planted_statistics(0)
    found = DecoupledPrograms(c0)(C, anchors_of(groups))
    for exponent in (-60, 20):
        scaled = DecoupledPrograms(c0)(2.0**exponent * C, anchors_of(groups))
        assert (scaled.B == found.B).all()
        assert (scaled.prevalence == found.prevalence).all()
    assert np.allclose(DecoupledPrograms(c0)(1e-9 * C, anchors_of(groups)).B, found.B, atol=1e-12)
