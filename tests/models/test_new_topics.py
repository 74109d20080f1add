"""Topics that come with documents which are added."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import planted_corpus
from cotopics import TopicModel, load
from cotopics.diagnostics import unsupported_topics
from cotopics.errors import ParameterError

KINDS = ["one", "many"]
NAMES = [f"w{i}" for i in range(120)]


def planted():
    """Counts of documents with a main topic of six, and a fifth of another; the main ones, and all that each has."""
    rng = np.random.default_rng(0)
    _, B, _ = planted_corpus(n_documents=1, n_words=120, n_topics=6)
    main, other = rng.integers(0, 6, (2, 1200))
    W = 0.8 * np.eye(6)[main] + 0.2 * np.eye(6)[other]
    return sp.csr_array(np.array([rng.multinomial(40, p) for p in W @ B.T])), main, W > 0


X, LABELS, HAS = planted()
FIRST = np.arange(1200) < 600


def model_of(kind, k=4):
    return TopicModel(k, topics_per_document=kind)


def without(labels):
    """Documents of the first half that have none of these topics."""
    return X[FIRST & ~HAS[:, labels].any(axis=1)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("absent", [[1], [0, 5]])
def test_topics_that_were_absent_appear(kind, absent):
    k = 6 - len(absent)
    later, labels = X[~FIRST], LABELS[~FIRST]
    model = model_of(kind, k).fit(without(absent))
    old = model.components_
    model.partial_fit(later, n_new="auto")
    assert model.n_topics_ == 6
    told = model.diagnostics_["update"]["new_topics"]
    assert unsupported_topics(model.diagnostics_, model.n_topics_) == []
    assert [each["topic"] for each in told] == list(range(k, 6))
    leading = model.transform(later).argmax(axis=1)
    for label in absent:
        own = np.bincount(leading[labels == label], minlength=6)
        assert own.argmax() >= k
        assert own.max() > 0.85 * own.sum()
    nearest = np.abs(model.components_[:, None] - old[None]).sum(axis=2)[:k].argmin(axis=1)
    assert nearest.tolist() == list(range(k))  # topics keep their numbers
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.isclose(model.topic_prevalence_.sum(), 1)
    assert np.isclose(model.topic_correlation_.sum(), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_comes_unasked_but_it_is_said(kind):
    model = model_of(kind, 5).fit(without([1])).partial_fit(X[~FIRST])
    assert model.n_topics_ == 5
    (told,) = model.diagnostics_["update"]["explained_badly"]
    n_there = np.count_nonzero(LABELS[~FIRST] == 1)
    assert 0.8 * n_there < told["documents"] < 1.2 * n_there
    shares = np.asarray(X[LABELS == 1].sum(axis=0), dtype=float) / np.maximum(np.asarray(X.sum(axis=0)), 1)
    assert (shares[told["words"][:3]] > 0.5).all()  # its words are those of the topic


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.integers(3, 6), st.floats(0, 1))
def test_no_topic_is_new_where_all_were_there(seed, kind, k, tilt):
    """However often each topic is in the later documents."""
    rng = np.random.default_rng(seed)
    weight = np.where(np.isin(LABELS, [0, 1]), 1 + 4 * tilt, 1.0)
    later = rng.choice(1200, 300, replace=False, p=weight / weight.sum())
    model = model_of(kind, k).fit(X[FIRST]).partial_fit(X[later], n_new="auto")
    assert model.n_topics_ == k
    assert "new_topics" not in model.diagnostics_["update"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_with_a_new_topic_goes_on(kind, tmp_path):
    model = model_of(kind, 5).fit(without([1]), feature_names=NAMES).rename({0: "first"})
    model.partial_fit(X[~FIRST], feature_names=NAMES, n_new="auto").save(tmp_path / "m.cotopics")
    again = load(tmp_path / "m.cotopics")
    assert again.topic_names_[0] == "first"
    assert len(again.topic_names_) == len(again.anchors_) == again.n_topics_ == 6
    assert np.array_equal(again.transform(X[:5]), model.transform(X[:5]))
    again.partial_fit(X[FIRST & (LABELS == 1)], feature_names=NAMES)  # the topic is known by now
    assert "explained_badly" not in again.diagnostics_["update"]
    again.forget(X[~FIRST], feature_names=NAMES)
    n_left = without([1]).shape[0] + np.count_nonzero(FIRST & (LABELS == 1))
    assert again.fit_.sums.n_documents == n_left
    assert np.isfinite(again.transform(X[:5])).all()


def test_a_number_is_a_limit_and_too_few_are_named():
    model = model_of("many").fit(without([0, 5])).partial_fit(X[~FIRST], n_new=1)
    assert model.n_topics_ == 5
    with pytest.warns(UserWarning, match="0 new topics were found in these documents, not the 3"):
        model_of("many", 6).fit(X[FIRST]).partial_fit(X[~FIRST], n_new=3)


@pytest.mark.parametrize("n_new", [-1, 1.5, "many", True, None])
def test_wrong_numbers_are_refused(n_new):
    model = model_of("many").fit(X[FIRST])
    with pytest.raises(ParameterError, match="n_new="):
        model.partial_fit(X, n_new=n_new)
