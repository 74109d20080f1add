"""TOP: planted topics come back, their number too, and the documents may come in any way."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import reference
from cotopics import TOP, CooccurrenceAccumulator, cooccurrence, load, metrics
from cotopics.datasets import make_cooccurrence, make_corpus
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.top import SplitHalves

FITTED = ("components_", "topic_correlation_", "topic_prevalence_", "anchors_", "anchor_cooccurrence_")


def corpus(n_documents=300, seed=0, length=300, anchors_per_topic=3):
    """(X, B, W) of six topics over 80 words; the first words are their anchors."""
    return make_corpus(n_documents, 80, 6, length=length, anchors_per_topic=anchors_per_topic, random_state=seed)


@pytest.fixture(scope="module")
def planted():
    return corpus()


@pytest.fixture(scope="module")
def X(planted):
    return planted[0]


def assert_same(one, other, **tolerance):
    assert [group.tolist() for group in one.anchor_groups_] == [group.tolist() for group in other.anchor_groups_]
    for name in FITTED:
        assert np.allclose(getattr(one, name), getattr(other, name), **tolerance), name


def true_groups(per_topic=3):
    return {frozenset(range(per_topic * k, per_topic * (k + 1))) for k in range(6)}


def as_sets(groups):
    return {frozenset(group.tolist()) for group in groups}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("per_topic", [1, 2, 4])
def test_planted_topics_come_back(seed, per_topic):
    """004, Table 1: their number and all anchors, and no other word."""
    X, B, W = corpus(400, seed, anchors_per_topic=per_topic)
    model = TOP().fit(X)
    assert model.n_topics_ == 6
    assert as_sets(model.anchor_groups_) == true_groups(per_topic)
    assert metrics.anchor_recovery(model, range(6 * per_topic), 80) == (1, 1)
    order = [int(np.flatnonzero(B[word])[0]) for word in model.anchors_]
    assert metrics.topic_error(model.components_.T, B) < 0.1
    assert np.abs(model.components_ - B.T[order]).sum(axis=1).max() < 0.15
    assert np.abs(model.topic_prevalence_ - W.mean(axis=0)[order]).max() < 0.02
    assert np.abs(model.topic_correlation_ - (W.T @ W / len(W))[np.ix_(order, order)]).max() < 0.03


def test_the_error_shrinks_with_more_documents():
    errors = []
    for n_documents in (120, 480, 1920):
        X, B, _ = corpus(n_documents, seed=1)
        errors.append(metrics.topic_error(TOP(n_repeats=1).fit(X).components_.T, B))
    assert errors[1] < 0.7 * errors[0]  # by half where theory holds
    assert errors[2] < 0.7 * errors[1]


def test_ten_choices_are_better_than_one_on_average():
    gains = []
    for seed in range(8):
        X, B, _ = corpus(150, seed, length=100)
        one, ten = (metrics.topic_error(TOP(n_repeats=n).fit(X).components_.T, B) for n in (1, 10))
        gains.append(one - ten)
    assert np.mean(gains) > 0


def test_it_is_the_algorithm_of_the_paper(X):
    """Algorithm 3 step by step, with the slow versions; one representative a group, so nothing is drawn."""
    X = X[:, ::3].toarray()  # one anchor a topic is left
    R, (delta, eta) = reference.scaled_theta(X), reference.tolerances(X)
    f = (X / X.sum(axis=1, keepdims=True)).mean(axis=0)
    groups = reference.find_anchor_words(R, 1.1 * delta, np.argsort(-f, kind="stable"))
    model = TOP().fit(X)
    assert as_sets(model.anchor_groups_) == {frozenset(int(i) for i in group) for group in groups}
    assert all(len(group) == 1 for group in groups)
    order = [int(word) for word in model.anchors_]
    theta = reference.unbiased_theta(X, 1000)
    B = reference.topics_by_programs(theta, f, eta, [[word] for word in order], order, 0.01)
    assert np.allclose(model.components_, B.T, atol=1e-6)


def test_what_every_fit_keeps(X):
    model = TOP().fit(X)
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert (model.components_ >= 0).all()
    assert np.allclose(model.anchor_cooccurrence_.sum(axis=1), 1)
    assert np.isclose(model.topic_prevalence_.sum(), 1)
    assert np.allclose(model.topic_correlation_, model.topic_correlation_.T)
    assert np.isclose(model.topic_correlation_.sum(), 1, atol=0.1)
    for k, group in enumerate(model.anchor_groups_):
        assert model.anchors_[k] == group[0]
        assert (np.delete(model.components_[:, group], k, axis=0) == 0).all()
    counts = np.asarray(X.sum(axis=0))[model.anchors_]
    assert (np.diff(counts) <= 0).all()  # the most frequent first
    diagnostics = model.diagnostics_
    assert diagnostics["documents"] == {"used": 300, "left_out": 0}
    assert diagnostics["words"] == {"used": 80, "without_pairs": 0}
    assert diagnostics["c1"] == 1.1
    assert diagnostics["n_topics_by_c1"]["1.1"] == model.n_topics_
    assert list(diagnostics["n_topics_by_c1"]) == ["0.275", "0.55", "1.1", "2.2", "4.4"]
    assert diagnostics["anchors"]["words"] == 18
    assert len(diagnostics["recovery"]["history"]["lambda"]) == 10


def test_characteristic_words_are_next_to_the_anchors(X):
    model = TOP().fit(X)
    C = cooccurrence(X).toarray()
    rows = np.array([C[group].sum(axis=0) for group in model.anchor_groups_])
    assert np.allclose(model.anchor_cooccurrence_, rows / rows.sum(axis=1, keepdims=True))
    A = np.array([[C[np.ix_(g, h)].sum() for h in model.anchor_groups_] for g in model.anchor_groups_])
    d = np.array([model.components_[k, group].sum() for k, group in enumerate(model.anchor_groups_)])
    assert np.allclose(model.topic_correlation_, A / np.outer(d, d))  # 001, Eq. 6, in shares and not per thousand


def test_documents_in_any_way(X):
    whole = TOP().fit(X)
    assert_same(TOP().fit_cooccurrence(cooccurrence(X, representation="implicit")), whole, atol=1e-9)
    assert_same(TOP().fit_cooccurrence(CooccurrenceAccumulator(keep_documents=True).update(X)), whole, atol=1e-9)
    pieces = TOP().partial_fit(X[:1]).partial_fit(X[200:]).partial_fit(X[1:150]).partial_fit(X[150:200])
    assert_same(pieces, whole, atol=1e-9)
    extra = corpus(40, seed=9)[0]
    forgot = TOP().partial_fit(X[:100]).partial_fit(extra).partial_fit(X[100:]).forget(extra)
    assert_same(forgot, whole, atol=1e-9)
    assert forgot.diagnostics_["documents"]["used"] == 300


def test_forgetting_some_of_many(X):
    assert_same(TOP().fit(X).forget(X[:60]), TOP().fit(X[60:]), atol=1e-9)


def test_forgetting_what_was_never_there():
    X = corpus(60)[0].toarray()
    model = TOP().fit(X)
    never = X[:1].copy()
    never[0, np.flatnonzero(never[0])[:2]] += 1
    with pytest.raises(CorpusError, match="not among those added"):
        _ = model.forget(never).components_


def test_pieces_are_never_added_up(X, monkeypatch):
    monkeypatch.setattr("cotopics.cooccur.accumulate.MAX_KEPT_COUNTS", 10)
    assert_same(TOP().partial_fit(X[:100]).partial_fit(X[100:]), TOP().fit(X), atol=1e-9)


def test_new_words_may_come_later(X):
    model = TOP().partial_fit(X[:150, :78]).partial_fit(X[150:])
    blank = X.toarray()
    blank[:150, 78:] = 0
    assert_same(model, TOP().fit(blank), atol=1e-9)


def test_any_kind_of_table(X):
    expected = TOP().fit(X)
    for table in (X.toarray(), X.toarray().astype(int), sp.coo_array(X), pd.DataFrame(X.toarray())):
        assert_same(TOP().fit(table), expected, atol=0, rtol=0)


def test_the_same_bits_again(X):
    first, second = TOP(random_state=5).fit(X), TOP(random_state=5).fit(X.copy())
    for name in FITTED:
        assert (getattr(first, name) == getattr(second, name)).all()
    assert (first.transform(X) == second.transform(X)).all()
    assert (TOP().fit(X).components_ == TOP().fit(X).components_).all()


def test_the_seed_chooses_representatives_alone(X):
    one, other = TOP(random_state=1, n_repeats=1).fit(X), TOP(random_state=2, n_repeats=1).fit(X)
    assert as_sets(one.anchor_groups_) == as_sets(other.anchor_groups_)
    assert not np.array_equal(one.components_, other.components_)
    assert np.abs(one.components_ - other.components_).sum(axis=1).max() < 0.1
    TOP(random_state=np.random.RandomState(0)).fit(X)


def test_order_of_words_and_documents_is_of_no_account(X):
    rng = np.random.default_rng(0)
    order = rng.permutation(80)
    expected, found = TOP(n_repeats=1, c0=0).fit(X), TOP(n_repeats=1, c0=0).fit(X[rng.permutation(300)][:, order])
    assert [order[group].tolist() for group in found.anchor_groups_] == [g.tolist() for g in expected.anchor_groups_]
    assert np.allclose(found.components_, expected.components_[:, order], atol=1e-9)


@pytest.mark.parametrize("c1", [1.1, np.float64(0.8), "cv", SplitHalves(n_splits=2, grid=(0.5, 1.0, 2.0))])
def test_saved_and_loaded(X, tmp_path, c1):
    words = [f"w{i}" for i in range(80)]
    model = TOP(c1=c1, random_state=3).fit(X, feature_names=words)
    model.save(tmp_path / "m")
    back = load(tmp_path / "m")
    assert type(back) is TOP
    assert back.get_params() == model.get_params()
    for name in FITTED:
        assert (getattr(back, name) == getattr(model, name)).all()
    assert [group.tolist() for group in back.anchor_groups_] == [group.tolist() for group in model.anchor_groups_]
    assert {**back.diagnostics_, "seconds": model.diagnostics_["seconds"]} == model.diagnostics_  # the time is not kept
    assert back.n_topics_ == model.n_topics_
    assert back.top_words(3) == model.top_words(3)
    assert (back.transform(X) == model.transform(X)).all()
    assert_same(back.fit(X, feature_names=words), model, atol=1e-12)


def test_cross_validation_finds_the_planted_topics(X):
    model = TOP(c1="cv").fit(X)
    assert as_sets(model.anchor_groups_) == true_groups()
    assert model.diagnostics_["c1"] == SplitHalves()(cooccurrence(X, representation="implicit"))
    assert_same(TOP(c1=model.diagnostics_["c1"]).fit(X), model, atol=1e-12)
    given = TOP(c1=SplitHalves(n_splits=1, grid=(0.9, 1e6))).fit(X)
    assert given.diagnostics_["c1"] == 0.9


def test_transform(planted):
    X, B, W = planted
    model = TOP().fit(X)
    order = [int(np.flatnonzero(B[word])[0]) for word in model.anchors_]
    found = model.transform(X)
    assert found.shape == (300, 6)
    assert np.allclose(found.sum(axis=1), 1)
    assert np.abs(found - W[:, order]).mean() < 0.05
    assert (model.fit_transform(X) == found).all()


def test_words_that_never_occur(X):
    wide = sp.hstack([sp.csr_array((300, 2)), X, sp.csr_array((300, 3))], format="csr")
    model, expected = TOP().fit(wide), TOP().fit(X)
    assert [(group - 2).tolist() for group in model.anchor_groups_] == [g.tolist() for g in expected.anchor_groups_]
    assert (model.components_[:, [0, 1, 82, 83, 84]] == 0).all()
    assert np.allclose(model.components_[:, 2:82], expected.components_, atol=1e-12)
    assert model.diagnostics_["words"] == {"used": 80, "without_pairs": 5}


def test_empty_documents_and_single_words(X):
    blank = np.zeros((3, 80))
    blank[1, 4] = 1  # one token makes no pair
    model = TOP(min_documents=3).fit(sp.vstack([X, blank]))
    assert_same(model, TOP(min_documents=3).fit(X), atol=1e-12)
    assert model.diagnostics_["documents"] == {"used": 300, "left_out": 3}


def test_documents_given_twice(X):
    """Twice as many documents, the same frequencies: tighter bounds, the same R."""
    model = TOP().fit(sp.vstack([X, X]))
    assert as_sets(model.anchor_groups_) == true_groups()
    assert_same(model.forget(X), TOP().fit(X), atol=1e-9)


def test_fractional_counts(X):
    model = TOP().fit(X * 0.7)
    assert as_sets(model.anchor_groups_) == true_groups()
    assert np.allclose(model.components_.sum(axis=1), 1)


def test_one_topic_is_a_warning():
    X = np.random.default_rng(0).multinomial(40, np.full(12, 1 / 12), size=50)
    with pytest.warns(UserWarning, match="TOP found one topic.*Lower c1"):
        model = TOP().fit(X)
    assert model.n_topics_ == 1
    f = (X / X.sum(axis=1, keepdims=True)).mean(axis=0)
    assert np.allclose(model.components_[0], f / f.sum())  # all words are anchors: their frequencies
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TOP().fit(corpus()[0])  # and no warning for more


def test_an_exact_matrix():
    C, B, A = make_cooccurrence(60, 4, n_anchored=4, random_state=0)
    model = TOP().fit_cooccurrence(C)
    assert model.n_topics_ == 4
    order = [int(np.flatnonzero(B[word])[0]) for word in model.anchors_]
    assert np.abs(model.components_ - B.T[order]).max() < 1e-8
    assert np.abs(model.topic_correlation_ - A[np.ix_(order, order)]).max() < 1e-8
    assert model.diagnostics_["documents"] is None
    assert np.allclose(TOP().fit_cooccurrence(sp.csr_array(3 * C)).components_, model.components_, atol=1e-10)


def test_an_exact_matrix_with_words_that_never_occur():
    C, B, _ = make_cooccurrence(40, 3, n_anchored=3, random_state=1)
    model = TOP().fit_cooccurrence(np.pad(C, 2))
    assert model.components_.shape == (3, 44)
    order = [int(np.flatnonzero(B[word - 2])[0]) for word in model.anchors_]
    assert np.abs(model.components_[:, 2:42] - B.T[order]).max() < 1e-8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c1": 0}, "c1=0"),
        ({"c1": -1.0}, "c1=-1.0"),
        ({"c1": np.nan}, "c1=nan"),
        ({"c1": np.inf}, "c1=inf"),
        ({"c1": "best"}, r"c1='best' must be .*, 'cv' or a cotopics\.anchors\.SplitHalves object"),
        ({"c1": None}, "c1=None"),
        ({"c1": True}, "c1=True"),
        ({"c1": [1.1]}, r"c1=\[1.1\]"),
        ({"c0": -1}, "c0=-1"),
        ({"c0": None}, "c0=None must be a number"),
        ({"c0": "0.1"}, "c0='0.1' must be a number"),
        ({"c0": True}, "c0=True must be a number"),
        ({"n_repeats": 0}, "n_repeats=0"),
        ({"n_repeats": 1.5}, r"n_repeats=1.5"),
        ({"rare_words": "drop"}, "rare_words='drop'.*group, remove, keep"),
        ({"min_documents": 301}, "min_documents=301.*in 300 of 300.*Lower min_documents"),
        ({"min_documents": 1.5}, "share above 1"),
        ({"min_documents": -1}, "min_documents=-1"),
        ({"min_documents": "many"}, "min_documents='many'"),
    ],
)
def test_wrong_parameters(X, options, message):
    with pytest.raises(ParameterError, match=message):
        TOP(**options).fit(X)


@pytest.mark.parametrize("options", [{"c1": 0}, {"c0": -1}, {"n_repeats": 0}, {"rare_words": "drop"}])
def test_wrong_parameters_are_noticed_before_documents_are_taken_in(X, options):
    model = TOP(**options)
    with pytest.raises(ParameterError):
        model.partial_fit(X)
    assert not hasattr(model, "n_features_in_")


def test_cross_validation_needs_documents():
    with pytest.raises(CooccurrenceError, match="c1='cv' splits the documents"):
        TOP(c1="cv").fit_cooccurrence(make_cooccurrence(20, 3, random_state=0)[0])


def test_a_failed_fit_leaves_the_old_model(X):
    model = TOP().fit(X)
    before = model.components_
    with pytest.raises(ParameterError):
        model.set_params(min_documents=1000).fit(X)
    assert model.components_ is before


BY_C1 = {"0.275": 300, "0.55": 40, "1.1": 1, "2.2": 1, "4.4": 0}


@pytest.mark.parametrize(
    ("n_topics", "n_words", "by_c1", "said"),
    [
        (1, 50, BY_C1, "found one topic. There are 300 at c1=0.275, 40 at c1=0.55. Lower c1"),
        (1, 50, {"1.1": 1, "2.2": 0}, "found one topic. Lower c1"),
        (40, 300, BY_C1, "found 40 topics in 300 words.* There are 300 at c1=0.275. Raise c1, or let choose_n_topics"),
        (40, 300, {"1.1": 40}, "take long to recover. Raise c1"),
    ],
)
def test_numbers_to_warn_of(n_topics, n_words, by_c1, said):
    with pytest.warns(UserWarning, match=said):
        TOP._warn_of_number(n_topics, n_words, by_c1)


@pytest.mark.parametrize(("n_topics", "n_words"), [(2, 3), (20, 30), (21, 210), (40, 400)])
def test_numbers_that_need_no_warning(n_topics, n_words):
    """Up to twenty, or up to a tenth of the words."""
    TOP._warn_of_number(n_topics, n_words, BY_C1)


def test_more_than_a_tenth_of_the_words_is_a_warning():
    """Words that have nothing to do with one another: each is a topic of its own."""
    X = np.kron(np.eye(24), np.full((10, 1), 20)) + np.random.default_rng(0).poisson(0.5, (240, 24))
    with pytest.warns(UserWarning, match="TOP found 24 topics in 24 words"):
        assert TOP(n_repeats=1).fit(X).n_topics_ == 24


def test_the_unit_of_the_error_bounds_is_an_option(tmp_path):
    """Multiplying frequencies by more makes the bounds narrower, as a smaller c1 does."""
    X = make_corpus(300, 60, 4, length=200, anchors_per_topic=3, random_state=0)[0]
    wide, narrow = (TOP(unit=unit).fit(X) for unit in (1000.0, 1e6))
    assert narrow.n_topics_ >= wide.n_topics_
    narrow.save(tmp_path / "m.cotopics")
    assert load(tmp_path / "m.cotopics").unit == 1e6
