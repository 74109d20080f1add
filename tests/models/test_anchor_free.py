import numpy as np
import pytest

from conftest import planted_corpus
from cotopics import AnchorFree, CooccurrenceAccumulator, cooccurrence, load
from cotopics.anchor_free import PenaltyDualSplitting
from cotopics.cooccur import Balanced
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.metrics import match_topics, topic_error
from cotopics.rectify import EpsilonNonNegative

WORDS = [f"w{i}" for i in range(60)]


@pytest.mark.parametrize("solver", ["lp", "pds"])
@pytest.mark.parametrize("n_topics", [1, 2, 10, 25])
def test_planted_topics_without_anchors_come_back(n_topics, solver):
    C, B, A = make_cooccurrence(600, n_topics, random_state=n_topics)
    model = AnchorFree(n_topics, solver=solver).fit_cooccurrence(C)
    match = match_topics(model, B)
    assert ((model.components_[match].T - B) ** 2).sum() < 1e-8
    assert ((model.topic_correlation_[np.ix_(match, match)] - A) ** 2).sum() < 1e-8


def test_topics_are_found_in_documents():
    X, B, _ = planted_corpus(n_documents=4000, length=80)
    assert topic_error(AnchorFree(4, weighting="counts").fit(X), B) < 0.2


def test_members(corpus):
    model = AnchorFree(4).fit(corpus[0], feature_names=WORDS)
    assert model.components_.shape == (4, 60)
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert model.components_.min() >= 0
    assert np.isclose(model.topic_prevalence_.sum(), 1)
    assert np.allclose(model.topic_correlation_, model.topic_correlation_.T)
    assert np.linalg.eigvalsh(model.topic_correlation_)[0] > -1e-12
    assert model.anchors_ is None
    assert model.anchor_groups_ is None
    assert model.transform(corpus[0]).shape == (400, 4)
    assert model.top_words(2)[0][0] in WORDS
    with pytest.raises(ValueError, match="use top_words"):
        model.characteristic_words()


def test_permuting_words_and_documents_changes_nothing_else(corpus):
    X = corpus[0]
    rng = np.random.default_rng(0)
    words, documents = rng.permutation(60), rng.permutation(400)
    model, permuted = AnchorFree(4).fit(X), AnchorFree(4).fit(X[documents][:, words])
    assert np.allclose(permuted.components_, model.components_[:, words], atol=1e-6)


def test_two_runs_are_equal_bit_for_bit(corpus):
    first, second = AnchorFree(4).fit(corpus[0]), AnchorFree(4).fit(corpus[0])
    assert (first.components_ == second.components_).all()
    assert (first.topic_correlation_ == second.topic_correlation_).all()


def test_pieces_equal_the_whole(corpus):
    X = corpus[0]
    whole = AnchorFree(4, weighting="counts").fit(X)
    pieces = AnchorFree(4, weighting="counts").partial_fit(X[:100]).partial_fit(X[100:])
    merged = CooccurrenceAccumulator().update(X[:90]).merge(CooccurrenceAccumulator().update(X[90:]))
    for model in (pieces, AnchorFree(4, weighting="counts").fit_cooccurrence(merged)):
        assert np.allclose(model.components_, whole.components_, atol=1e-6)


def test_rare_words_are_not_constrained(corpus):
    X = corpus[0]
    frequency = np.bincount(X.indices, minlength=60)
    model = AnchorFree(4, min_constraint_documents=200).fit(X)
    assert model.diagnostics_["constrained_words"] == max(np.count_nonzero(frequency >= 200), 40)
    assert AnchorFree(4, min_constraint_documents=0).fit(X).diagnostics_["constrained_words"] == 60
    assert AnchorFree(4).fit_cooccurrence(cooccurrence(X).toarray()).diagnostics_["constrained_words"] == 60


def test_words_that_never_co_occur_are_given_back(corpus):
    X = np.insert(corpus[0].toarray(), 5, 0, axis=1)
    model, plain = AnchorFree(4).fit(X), AnchorFree(4).fit(corpus[0])
    assert (model.components_[:, 5] == 0).all()
    assert np.allclose(np.delete(model.components_, 5, axis=1), plain.components_, atol=1e-9)


def test_the_same_model_comes_back_from_a_file(corpus, tmp_path):
    options = {"solver": PenaltyDualSplitting(tolerance=1e-3), "weighting": Balanced(power=0.75)}
    model = AnchorFree(4, **options).fit(corpus[0], feature_names=WORDS)
    model.save(tmp_path / "m")
    back = load(tmp_path / "m")
    assert back.get_params() == model.get_params()
    assert (back.components_ == model.components_).all()
    assert back.anchors_ is None
    assert (back.transform(corpus[0], method="nnls") == model.transform(corpus[0], method="nnls")).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"solver": "magic"}, "solver='magic'"),
        ({"n_topics": 61}, "more than the 60 words"),
        ({"weighting": "log"}, "weighting='log'"),
        ({"min_constraint_documents": -1}, "min_constraint_documents=-1"),
    ],
)
def test_wrong_parameters_are_named(corpus, parameters, message):
    with pytest.raises(ValueError, match=message):
        AnchorFree(**{"n_topics": 4, **parameters}).fit(corpus[0])


def test_more_topics_than_the_rank_supports():
    C, _, _ = make_cooccurrence(50, 2, random_state=0)
    with pytest.raises(CooccurrenceError, match="numerical rank 2"):
        AnchorFree(3).fit_cooccurrence(C)


def test_inference_by_nnls_is_exact_on_exact_mixtures(corpus):
    model = AnchorFree(4).fit(corpus[0])
    W = np.random.default_rng(0).dirichlet(np.ones(4), size=20)
    assert np.allclose(model.transform(1000 * W @ model.components_, method="nnls"), W, atol=1e-8)


def test_a_rectifier_is_used_and_reported(tmp_path):
    X = planted_corpus(n_documents=300, length=20)[0]
    model = AnchorFree(4, weighting="counts", rectifier="enn").fit(X)
    steps = model.diagnostics_["rectification"]
    assert steps["n_iter"] >= 1
    rectified = EpsilonNonNegative()(cooccurrence(X), 4).C
    by_hand = AnchorFree(4, min_constraint_documents=0).fit_cooccurrence(rectified)
    same = AnchorFree(4, weighting="counts", rectifier="enn", min_constraint_documents=0).fit(X)
    assert topic_error(same, by_hand) < 1e-6
    model.save(tmp_path / "m.cotopics")
    assert load(tmp_path / "m.cotopics").rectifier == "enn"


def test_an_exact_matrix_needs_no_rectifier():
    C, _, _ = make_cooccurrence(300, 4, random_state=0)
    plain, rectified = (AnchorFree(4, rectifier=step).fit_cooccurrence(C) for step in (None, "ap"))
    assert topic_error(plain, rectified) < 1e-6
