"""Topics that are renamed, merged, dropped, split and followed: facts that hold for every estimator and inference."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, load
from cotopics.datasets import make_corpus
from cotopics.errors import CorpusError, ParameterError
from cotopics.infer import EM, INFERENCES
from cotopics.metrics import held_out_likelihood

K = 6
X, B, _ = make_corpus(300, 60, K, length=60, anchors_per_topic=3, random_state=1)
WORDS = [f"w{i}" for i in range(60)]
ESTIMATORS = {
    "TopicModel, mixtures": TopicModel(K, topics_per_document="many"),
    "TopicModel, one topic": TopicModel(K, topics_per_document="one"),
    "AnchorWords": AnchorWords(K),
    "AnchorWords, refined": AnchorWords(K, refine=3),
    "AnchorFree": AnchorFree(K),
    "TOP": TOP(),
}


@pytest.fixture(scope="module")
def fitted():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: model.fit(X, feature_names=WORDS) for name, model in ESTIMATORS.items()}


@pytest.fixture(params=list(ESTIMATORS))
def model(request, fitted):
    return fitted[request.param]


def summed(W, groups, n_topics):
    """Columns of W added up by groups; the merged column has the place of its first member."""
    first = {k: min(group) for group in groups for k in group}
    kept = sorted({first.get(k, k) for k in range(n_topics)})
    return np.stack([W[:, [k for k in range(n_topics) if first.get(k, k) == new]].sum(axis=1) for new in kept], axis=1)


def groups_of(numbers):
    """Groups of topics, drawn as a number of its group for each topic."""
    return [np.flatnonzero(np.array(numbers) == n).tolist() for n in sorted(set(numbers))]


# --- merging ---------------------------------------------------------------------------------------------------------


def test_shares_of_merged_topics_add_up_exactly(model, tmp_path):
    groups = [[0, 2], [3, 1]]
    merged = model.merge(groups)
    W = summed(model.transform(X), groups, model.n_topics_)
    assert merged.n_topics_ == model.n_topics_ - 2
    assert np.abs(merged.transform(X) - W).max() <= 1e-15
    merged.save(tmp_path / "merged.cotopics")
    loaded = load(tmp_path / "merged.cotopics")
    assert (loaded.transform(X) == merged.transform(X)).all()
    assert (loaded.components_ == merged.components_).all()
    assert (loaded.topic_correlation_ == merged.topic_correlation_).all()
    assert loaded.diagnostics_["edits"] == [{"merge": [[0, 2], [1, 3]]}]


@pytest.mark.parametrize("method", list(INFERENCES))
def test_shares_add_up_whatever_the_inference(fitted, method):
    model, groups = fitted["AnchorWords, refined"], [[5, 0], [2, 3]]
    W = summed(model.transform(X, method=method), groups, K)
    assert np.abs(model.merge(groups).transform(X, method=method) - W).max() <= 1e-15
    assert np.abs(model.merge(groups).transform(X, sparse_output=True, method=method).toarray() - W).max() <= 1e-15


def test_words_are_the_mixture_and_correlations_the_congruence(model):
    n = model.n_topics_
    merged, p = model.merge([[0, 2]]), model.topic_prevalence_
    mixture = (p[0] * model.components_[0] + p[2] * model.components_[2]) / (p[0] + p[2])
    np.testing.assert_allclose(merged.components_[0], mixture, rtol=1e-12, atol=1e-18)
    G = np.delete(np.eye(n), 2, axis=0)
    G[0, 2] = 1
    np.testing.assert_allclose(merged.topic_prevalence_, G @ p, rtol=1e-13)
    np.testing.assert_allclose(merged.topic_correlation_, G @ model.topic_correlation_ @ G.T, rtol=1e-10, atol=1e-18)
    others = np.delete(np.arange(n), [0, 2])
    assert (merged.components_[1:] == model.components_[others]).all()


def test_merged_words_explain_the_corpus_as_before(model):
    """Σ p(topic) p(word | topic) does not change."""
    merged = model.merge([[1, 2, 0]])
    before, after = (each.topic_prevalence_ @ each.components_ for each in (model, merged))
    np.testing.assert_allclose(after, before, rtol=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=K, max_size=K), st.data())
def test_merging_and_inferring_commute(fitted, numbers, data):
    model = fitted[data.draw(st.sampled_from(["TopicModel, mixtures", "TopicModel, one topic", "AnchorWords"]))]
    groups = groups_of(numbers)
    some = X[:20]
    W = summed(model.transform(some), groups, K)
    assert np.abs(model.merge(groups).transform(some) - W).max() <= 1e-15


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(K)))
def test_merging_twice_is_merging_once(fitted, order):
    a, b, c, *_ = order
    model = fitted["TopicModel, mixtures"]
    at_once = model.merge([[a, b, c]])
    first = model.merge([[a, b]])
    place = {k: sum(j != max(a, b) for j in range(k)) for k in range(K)}  # of topics that were not merged
    later = first.merge([[place[min(a, b)], place[c]]])
    assert (at_once.components_ == later.components_).all()
    assert (at_once.topic_correlation_ == later.topic_correlation_).all()
    assert (at_once.transform(X[:5]) == later.transform(X[:5])).all()


def test_merged_models_predict_words(fitted):
    model = fitted["TopicModel, mixtures"]
    merged = model.merge([[0, 1, 2, 3, 4, 5]])
    one = np.log(np.maximum(merged.fit_.predicted_words()[:, 0], 1e-300))
    value = held_out_likelihood(merged, X, smoothing=0)
    tokens = np.asarray(X.sum(axis=0)).ravel() / X.sum()
    assert abs(value - tokens @ one) < 0.05  # one topic: as a sample of its own words
    assert held_out_likelihood(model, X) > held_out_likelihood(merged, X)


def test_merging_on_a_cluster(fitted):
    da = pytest.importorskip("dask.array")
    model = fitted["TopicModel, mixtures"]
    merged = model.merge([[0, 3]])
    on_dask = merged.transform(da.from_array(X.toarray(), chunks=(100, 60)))
    np.testing.assert_allclose(on_dask.compute(), merged.transform(X), atol=1e-12)


# --- names -----------------------------------------------------------------------------------------------------------


def test_names_change_no_number(model, tmp_path):
    renamed = model.rename({1: "courts", 0: "星"})
    assert renamed.topic_names_[:2] == ["星", "courts"]
    assert model.topic_names_[1] != "courts"
    assert (renamed.transform(X) == model.transform(X)).all()
    assert renamed.fit_.components is model.fit_.components
    renamed.save(tmp_path / "named.cotopics")
    assert load(tmp_path / "named.cotopics").topic_names_ == renamed.topic_names_
    assert renamed.rename({0: None, 1: None}).topic_names_ == model.topic_names_


def test_names_go_with_their_topics(fitted):
    model = fitted["AnchorWords"].rename([f"t{k}" for k in range(K)])
    assert model.merge([[1, 4]]).topic_names_ == ["t0", "t1 / t4", "t2", "t3", "t5"]
    assert model.drop([0, 3]).topic_names_ == ["t1", "t2", "t4", "t5"]
    assert model.merge([["t2", "t0"]]).topic_names_[0] == "t0 / t2"
    assert model.drop("t5").n_topics_ == K - 1


@pytest.mark.parametrize("names", [{9: "x"}, {-1: "x"}, {0: ""}, {0: 3}, {0: "a\nb"}, {"none": "x"}, ["a"], "a"])
def test_wrong_names(fitted, names):
    with pytest.raises(ParameterError):
        fitted["AnchorWords"].rename(names)


# --- dropping and splitting ------------------------------------------------------------------------------------------


def test_dropped_topics_share_out_what_they_held(model):
    n = model.n_topics_
    dropped = model.drop([1])
    p = np.delete(model.topic_prevalence_, 1)
    np.testing.assert_allclose(dropped.topic_prevalence_, p / p.sum())
    W = dropped.transform(X)
    assert W.shape == (X.shape[0], n - 1)
    np.testing.assert_allclose(W.sum(axis=1), 1)
    assert (dropped.components_ == np.delete(model.components_, 1, axis=0)).all()


def test_dropping_and_merging_other_topics_commute(fitted):
    model = fitted["TopicModel, mixtures"]
    one, other = model.merge([[0, 1]]).drop([2]), model.drop([3]).merge([[0, 1]])
    np.testing.assert_allclose(one.components_, other.components_, atol=1e-15)
    np.testing.assert_allclose(one.topic_correlation_, other.topic_correlation_, atol=1e-15)
    np.testing.assert_allclose(one.transform(X), other.transform(X), atol=1e-12)


def test_dropping_a_merged_topic_is_dropping_its_parts(fitted):
    model = fitted["TopicModel, one topic"]
    one, other = model.merge([[2, 4]]).drop([2]), model.drop([2, 4])
    assert (one.components_ == other.components_).all()
    np.testing.assert_allclose(one.topic_prevalence_, other.topic_prevalence_)
    np.testing.assert_allclose(one.transform(X), other.transform(X), atol=1e-14)


def test_split_topics_merged_again_are_the_old_topic(model):
    n = model.n_topics_
    split = model.split(1, into=2, X=X)
    assert split.n_topics_ == n + 1
    again = split.merge([[1, n]])
    np.testing.assert_allclose(again.components_, model.components_, atol=1e-15)
    np.testing.assert_allclose(again.topic_prevalence_, model.topic_prevalence_, atol=1e-15)
    np.testing.assert_allclose(again.topic_correlation_, model.topic_correlation_, rtol=1e-9, atol=1e-15)


def test_a_split_finds_two_planted_topics_that_were_fitted_as_one():
    planted = B.T
    model = TopicModel(K, topics_per_document="many").fit(X, feature_names=WORDS)
    near = [int(np.abs(model.components_ - row).sum(axis=1).argmin()) for row in planted]
    coarse = model.merge([[near[0], near[1]]])
    topic = min(near[0], near[1])
    unmerged = coarse._edited_to(replace(coarse.fit_, parts=None, topic_of=None))
    split = unmerged.split(topic, into=2, X=X)
    new = split.components_[[topic, split.n_topics_ - 1]]
    for k in (near[0], near[1]):
        assert np.abs(new - model.components_[k]).sum(axis=1).min() < 0.6  # 2 is no overlap at all


def test_other_topics_keep_their_numbers_in_a_split(fitted):
    model = fitted["TopicModel, mixtures"].merge([[0, 5]]).rename({2: "two"})
    split = model.split(1, into=3, X=X)
    assert split.n_topics_ == 7
    assert split.topic_names_[2] == "two"
    for k in (0, 2, 3, 4):
        np.testing.assert_allclose(split.components_[k], model.components_[k])


# --- wrong use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "given_", "message"),
    [
        ("merge", [[0, 6]], "topics 0 to 5"),
        ("merge", [[0, -1]], "topics 0 to 5"),
        ("merge", [[0, 1], [1, 2]], "more than once"),
        ("merge", [[0, 0]], "more than once"),
        ("merge", [[]], "empty"),
        ("merge", [0, 1], r"\[\[1, 4\], \[7, 9\]\]"),
        ("merge", [[0, 1.0]], "topics 0 to 5"),
        ("merge", 3, "lists of topics"),
        ("merge", [["courts", 1]], "no topics have the name"),
        ("drop", [0, 1, 2, 3, 4, 5], "at least one"),
        ("drop", [6], "topics 0 to 5"),
        ("drop", [], "empty"),
        ("drop", [True], "topics 0 to 5"),
        ("reduce", 7, "from 1 to 6"),
        ("reduce", 0, "from 1 to 6"),
    ],
)
def test_wrong_topics_are_named_and_nothing_changes(fitted, operation, given_, message):
    model = fitted["AnchorWords"]
    before = model.fit_
    with pytest.raises(ParameterError, match=message):
        getattr(model, operation)(given_)
    assert model.fit_ is before


def test_wrong_splits(fitted):
    model = fitted["AnchorWords"]
    with pytest.raises(ParameterError, match="2 or more"):
        model.split(0, into=1, X=X)
    with pytest.raises(CorpusError, match="too few"):
        model.split(0, into=2, X=X[:1])


# --- documents that come and go --------------------------------------------------------------------------------------


def test_names_and_merged_topics_survive_more_documents():
    model = AnchorWords(K).partial_fit(X[:150], feature_names=WORDS)
    edited = model.merge([[0, 1]]).rename({3: "three"})
    old = edited.components_
    edited.partial_fit(X[150:], feature_names=WORDS)
    assert edited.n_topics_ == K - 1
    assert edited.topic_names_[3] == "three"
    distance = np.abs(edited.components_[:, None] - old[None]).sum(axis=2)
    assert (distance.argmin(axis=1) == np.arange(K - 1)).all()
    assert model.n_topics_ == K  # the model it was made of is as it was


def test_a_model_without_a_topic_keeps_no_statistics():
    model = AnchorWords(K).partial_fit(X, feature_names=WORDS).drop([0])
    with pytest.raises(CorpusError, match="dropped or split"):
        model.partial_fit(X)


def test_refit_keeps_numbers_and_leaves_words_out(model):
    named = model.rename({1: "one"})
    word = named.top_words(1)[0][0]
    again = named.refit(X, without=[word])
    assert again.topic_names_[1] == "one"
    assert (again.components_[:, WORDS.index(word)] == 0).all()
    twice = again.refit(X, without=["w5"])
    assert (twice.components_[:, [WORDS.index(word), 5]] == 0).all()
    assert named.components_[:, WORDS.index(word)].any()


def test_refit_without_changes_is_the_same_fit(fitted):
    model = fitted["TopicModel, mixtures"]
    again = model.refit(X)
    assert (again.components_ == model.components_).all()
    assert (again.transform(X) == model.transform(X)).all()


def test_a_model_with_em_inference_merges(fitted):
    model = fitted["AnchorWords, refined"]
    infer = EM(smoothing=1.0, by_prevalence=0.5)
    W = summed(model.transform(X, method=infer), [[0, 1]], K)
    assert np.abs(model.merge([[0, 1]]).transform(X, method=infer) - W).max() <= 1e-15
