"""Whatever the counts are: what a fit and a transform give are distributions, or an error of ours says why not."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, load
from cotopics.anchor_free import ANCHOR_FREE
from cotopics.anchors import SELECTORS
from cotopics.errors import CotopicsError
from cotopics.infer import INFERENCES
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS, AlternatingProjection

MODELS = {
    **{f"anchors, {r}": lambda k, r=r: AnchorWords(k, rectifier=r) for r in (*RECTIFIERS, None)},
    **{f"anchors by {s}": lambda k, s=s: AnchorWords(k, selector=s, rectifier=None) for s in SELECTORS},
    **{f"anchors, then {r}": lambda k, r=r: AnchorWords(k, recovery=r, weighting="tfidf") for r in RECOVERIES},
    **{f"no anchors, {s}": lambda k, s=s: AnchorFree(k, solver=s) for s in ANCHOR_FREE},
    "top": lambda _: TOP(),
    "top, all words": lambda _: TOP(rare_words="keep", c1=0.5),
    "recommended": lambda k: TopicModel(k, refine=3),
    "recommended start": lambda k: TopicModel(k, refine=0),
}


def short_documents(seed, n_topics=None, n_documents=150, longest=40, n_words=60):
    """Counts of documents of 5 words or more from planted topics: many words are in one document alone."""
    rng = np.random.default_rng(seed)
    drawn = int(rng.integers(2, 7))
    n_topics = drawn if n_topics is None else n_topics
    B = rng.dirichlet(np.full(n_words, 0.1), n_topics)
    W = rng.dirichlet(np.full(n_topics, 0.3), n_documents)
    return n_topics, np.vstack([rng.multinomial(rng.integers(5, longest), w @ B) for w in W])


def assert_distributions(model, X):
    for array in (model.components_, model.topic_prevalence_[None]):
        assert (array >= 0).all()
        assert np.allclose(array.sum(axis=1), 1)
    A = model.topic_correlation_
    assert np.isfinite(A).all()
    assert A.sum() > 0
    assert np.allclose(A, A.T)
    for method in (None, *INFERENCES):
        W = model.transform(X, method)
        assert (W >= 0).all(), method
        assert np.allclose(W.sum(axis=1), 1), method


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), n_topics=st.integers(1, 8), longest=st.sampled_from([6, 15, 60]))
def test_of_short_documents(name, seed, n_topics, longest):
    X = short_documents(seed, n_topics, 60, longest, n_words=30)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)  # numpy's of a division by zero
        try:
            model = MODELS[name](n_topics).fit(X)
        except CotopicsError:
            return
        assert_distributions(model, X)


@pytest.mark.parametrize("seed", [35, 202, 213, 283])
def test_anchors_that_never_meet_an_anchor(seed, tmp_path):
    """Each of two anchors is once in one document: C_SS is zero, and so was the prior of every document."""
    n_topics, X = short_documents(seed)
    with pytest.warns(UserWarning, match=r"anchors of topics \[0, 1\].*say nothing.*best fit to all words"):
        model = AnchorWords(n_topics, rectifier=AlternatingProjection(tolerance=1e-4)).fit(X)  # not yet settled
    assert_distributions(model, X)
    assert model.diagnostics_["correlation"]["without_anchors"] == [0, 1]
    model.save(tmp_path / "m.cotopics")
    assert load(tmp_path / "m.cotopics").diagnostics_["correlation"] == model.diagnostics_["correlation"]
    assert np.isclose(model.topic_correlation_.sum(), 1)
    assert np.allclose(model.topic_correlation_.sum(axis=1), model.topic_prevalence_, atol=0.1)


def test_refined_documents_tell_of_their_correlations():
    n_topics, X = short_documents(35)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        model = AnchorWords(n_topics, refine=3).fit(X)
    assert "without_anchors" not in model.diagnostics_["correlation"]
    assert np.isclose(model.diagnostics_["correlation"]["sum"], model.topic_correlation_.sum())


@pytest.mark.parametrize("factor", [1e-3, 1e-19, 1e-60, 1e-99, 1e-200, 1e-320])
@pytest.mark.parametrize("method", INFERENCES)
def test_documents_of_next_to_no_words(method, factor):
    """Topics of separate words: documents are of one topic each, and the prior trusts every word."""
    X = np.kron(np.eye(2), np.ones((30, 4)))
    model = AnchorWords(2).fit(X)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*have no word that the topics know")
        W = model.transform(factor * X, method)
    assert (W >= 0).all()
    assert np.allclose(W.sum(axis=1), 1)


@pytest.mark.parametrize("factor", [1e-19, 1e-200, 1e-310])
@pytest.mark.parametrize("weighting", ["counts", "tfidf", "balanced"])
def test_counts_of_next_to_nothing_are_weighed_or_refused(weighting, factor):
    X = factor * short_documents(0)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        if weighting == "counts" or factor < 1e-100:
            with pytest.raises(CotopicsError, match="Give counts"):
                AnchorWords(2, weighting=weighting).fit(X)
        else:
            assert_distributions(AnchorWords(2, weighting=weighting).fit(X), X)


@pytest.mark.parametrize("solver", ANCHOR_FREE)
@pytest.mark.parametrize("n_topics", [2, 3, 4])
def test_groups_of_equal_size_are_not_fewer_topics(solver, n_topics):
    """Five groups of documents alike: which of five equal eigenvectors are the first three is anybody's guess."""
    i = np.arange(200)
    X = sp.coo_array((np.ones(200), (i % 40, i % 25)), shape=(40, 25))
    with pytest.raises(CotopicsError, match=f"no {n_topics} independent topics.*another number of topics"):
        AnchorFree(n_topics, solver=solver).fit(X)
    assert_distributions(AnchorFree(5, solver=solver).fit(X), X)


def text_like(seed):
    """Counts of 300 documents in which words are as unequally frequent as in text."""
    rng = np.random.default_rng(seed)
    n_topics = int(rng.integers(2, 9))
    frequency = 1 / np.arange(1, 401) ** 1.05
    B = np.array([rng.dirichlet(20 * frequency / frequency.sum() + 1e-3) for _ in range(n_topics)])
    W = rng.dirichlet(np.full(n_topics, 0.3), 300)
    return np.vstack([rng.multinomial(n, w @ B) for n, w in zip(rng.integers(20, 120, 300), W, strict=True)])


@pytest.mark.parametrize("seed", [0, 2, 9, 11, 15, 16, 18, 21, 23, 24, 26])
def test_the_order_of_documents_changes_nothing_in_top(seed):
    """Representatives that are never twice in a document had a C_ii of rounding, by whose sign topics moved."""
    X = text_like(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        one, other = TOP().fit(X), TOP().fit(X[np.random.default_rng(seed).permutation(300)])
    assert [group.tolist() for group in one.anchor_groups_] == [group.tolist() for group in other.anchor_groups_]
    assert np.abs(one.components_ - other.components_).sum(axis=1).max() < 1e-9
    assert np.allclose(one.topic_prevalence_, other.topic_prevalence_, atol=1e-9)
    assert np.allclose(one.topic_correlation_, other.topic_correlation_, atol=1e-9)


def test_top_says_where_it_guesses(tmp_path):
    """Nobody knows how often a topic meets itself whose only anchor is never twice in a document."""
    X = np.array([[1, 4, 3, 0, 0], [1, 3, 4, 0, 0], [0, 0, 0, 5, 5], [0, 1, 1, 3, 3]] * 10)
    found = []
    for c1 in (0.01, 0.03, 0.1, 0.3, 1.0):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                model = TOP(c1=c1).fit(X)
            except CotopicsError:
                continue
        alone = [k for k, group in enumerate(model.anchor_groups_) if group.tolist() == [0]]
        found += alone
        assert model.diagnostics_["recovery"]["converged"] == (not alone)
        said = [str(w.message) for w in warned if issubclass(w.category, ConvergenceWarning)]
        assert [f"no two anchor words of topics {alone} were ever" in text for text in said] == [True] * bool(alone)
        assert_distributions(model, X)
        model.save(tmp_path / "m.cotopics")
        assert load(tmp_path / "m.cotopics").diagnostics_["recovery"] == model.diagnostics_["recovery"]
    assert found
