from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from conftest import planted_corpus
from cotopics import AnchorWords, CooccurrenceAccumulator, cooccurrence
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError, CorpusError
from cotopics.metrics import match_topics, topic_error
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import AlternatingProjection

WORDS = [f"w{i}" for i in range(60)]


@pytest.mark.parametrize("rectifier", ["ap", "dc", "enn", None])
@pytest.mark.parametrize("n_topics", [1, 2, 5, 12, 30])
def test_planted_topics_come_back_exactly(n_topics, rectifier):
    C, B, A = make_cooccurrence(400, n_topics, n_anchored=n_topics, random_state=n_topics)
    model = AnchorWords(n_topics, rectifier=rectifier).fit_cooccurrence(C)
    match = match_topics(model, B)
    assert np.abs(model.components_[match].T - B).max() <= 1e-8
    assert np.abs(model.topic_correlation_[np.ix_(match, match)] - A).max() <= 1e-8


def test_topics_are_found_in_documents(corpus):
    X, B, W = corpus
    model = AnchorWords(4).fit(X)
    assert topic_error(model, B) < 0.3
    prevalence = model.topic_prevalence_[match_topics(model, B)]
    assert np.allclose(prevalence, W.mean(axis=0), atol=0.05)


def test_more_documents_bring_the_topics_closer():
    errors = []
    for n_documents in (100, 1000, 10_000):
        X, B, _ = planted_corpus(n_documents=n_documents, length=60)
        errors.append(topic_error(AnchorWords(4).fit(X), B))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.1


def test_members_are_distributions(corpus):
    model = AnchorWords(4).fit(corpus[0])
    assert model.components_.shape == (4, 60)
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert model.components_.min() >= 0
    assert np.isclose(model.topic_prevalence_.sum(), 1)
    assert (model.topic_correlation_ == model.topic_correlation_.T).all()
    assert model.topic_correlation_.min() >= 0
    assert np.linalg.eigvalsh(model.topic_correlation_)[0] > -1e-12
    assert model.n_topics_ == len(model.anchors_) == len(model.anchor_groups_) == 4
    B = model.components_.T
    anchors = B[model.anchors_]
    assert (anchors == np.diag(np.diag(anchors))).all()  # an anchor word is in its topic alone


def test_permuting_words_permutes_the_answer(corpus):
    X = corpus[0]
    order = np.random.default_rng(0).permutation(60)
    model, permuted = AnchorWords(4).fit(X), AnchorWords(4).fit(X[:, order])
    assert (order[permuted.anchors_] == model.anchors_).all()
    assert np.allclose(permuted.components_, model.components_[:, order], atol=1e-9)
    assert np.allclose(permuted.topic_correlation_, model.topic_correlation_, atol=1e-9)


def test_order_and_copies_of_documents_do_not_matter(corpus):
    X = corpus[0]
    model = AnchorWords(4).fit(X)
    order = np.random.default_rng(0).permutation(X.shape[0])
    for same in (X[order], sp.vstack([X, X, X])):
        other = AnchorWords(4).fit(same)
        assert (other.anchors_ == model.anchors_).all()
        assert np.allclose(other.components_, model.components_, atol=1e-9)


@pytest.mark.parametrize("representation", ["dense", "sparse", "implicit"])
@pytest.mark.parametrize("options", [{}, {"rectifier": None}, {"weighting": "balanced", "min_anchor_documents": 0.1}])
def test_representations_agree(corpus, representation, options):
    model = AnchorWords(4, **options).fit(corpus[0])
    other = AnchorWords(4, representation=representation, **options).fit(corpus[0])
    assert other.diagnostics_["representation"] == representation
    assert (other.anchors_ == model.anchors_).all()
    assert np.allclose(other.components_, model.components_, atol=1e-9)


def test_two_runs_are_equal_bit_for_bit(corpus):
    first, second = AnchorWords(4).fit(corpus[0]), AnchorWords(4).fit(corpus[0])
    for name in ("components_", "topic_correlation_", "topic_prevalence_", "anchors_"):
        assert (getattr(first, name) == getattr(second, name)).all()


def test_words_that_never_co_occur_are_given_back(corpus):
    X = corpus[0].toarray()
    wide = np.insert(X, [0, 30], 0, axis=1)
    lonely = np.zeros((1, 62), dtype=int)
    lonely[0, 0] = 1  # a document of one word
    model = AnchorWords(4).fit(np.vstack([wide, lonely]))
    plain = AnchorWords(4).fit(X)
    kept = np.delete(np.arange(62), [0, 31])
    assert np.allclose(model.components_[:, kept], plain.components_, atol=1e-12)
    assert (model.components_[:, [0, 31]] == 0).all()
    assert (model.anchors_ == kept[plain.anchors_]).all()
    assert model.diagnostics_["words"] == {"used": 60, "without_pairs": 2}
    assert model.diagnostics_["documents"] == {"used": 400, "left_out": 1}


def test_pieces_equal_the_whole(corpus):
    X = corpus[0]
    whole = AnchorWords(4).fit(X)
    pieces = AnchorWords(4).partial_fit(X[:100]).partial_fit(X[100:350]).partial_fit(X[350:])
    accumulated = AnchorWords(4).fit_cooccurrence(CooccurrenceAccumulator().update(X[200:]).update(X[:200]))
    continued = AnchorWords(4).fit(X[:100]).partial_fit(X[100:])
    for model in (pieces, accumulated, continued, AnchorWords(4).fit_cooccurrence(cooccurrence(X))):
        assert np.allclose(model.components_, whole.components_, atol=1e-9)


def test_forgetting_is_never_having_seen(corpus):
    X = corpus[0]
    model = AnchorWords(4).fit(X).forget(X[:150])
    never = AnchorWords(4).fit(X[150:])
    assert (model.anchors_ == never.anchors_).all()
    assert np.allclose(model.components_, never.components_, atol=1e-9)
    with pytest.raises(CorpusError, match="never added"):
        model.forget(X)


def test_partial_fit_needs_counts(corpus):
    assert not hasattr(AnchorWords(4, weighting="tfidf"), "partial_fit")
    with pytest.raises(AttributeError) as caught:
        AnchorWords(4, weighting="tfidf").fit(corpus[0]).forget(corpus[0])
    assert "the idf of 'tfidf' changes with every document" in str(caught.value.__cause__)
    with pytest.raises(CorpusError, match="keeps no statistics"):
        AnchorWords(4).fit_cooccurrence(cooccurrence(corpus[0])).partial_fit(corpus[0])


def test_given_anchors_are_used(corpus):
    X, B, _ = corpus
    free = AnchorWords(4).fit(X)
    given = AnchorWords(4, anchors=[[int(w)] for w in free.anchors_]).fit(X)
    assert np.allclose(given.components_, free.components_)
    named = AnchorWords(4, anchors=["w2", ["w1"]]).fit(X, feature_names=WORDS)
    assert named.anchors_[:2].tolist() == [2, 1]
    assert named.n_topics_ == 4
    assert len(set(named.anchors_.tolist())) == 4
    assert topic_error(named, B) < 0.4
    frame = pd.DataFrame(X.toarray(), columns=WORDS)
    assert np.allclose(AnchorWords(4, anchors=["w2", "w1"]).fit(frame).components_, named.components_)


def test_a_group_of_anchors_acts_as_one_word():
    """Split an anchor word in two: the pair as a group gives what the whole word gives."""
    C, B, A = make_cooccurrence(50, 3, n_anchored=3, random_state=0)
    split = np.zeros((51, 50))
    split[np.arange(50), np.arange(50)] = 1
    split[0, 0], split[50, 0] = 0.3, 0.7
    model = AnchorWords(3, anchors=[[0, 50], 1, 2], rectifier=None).fit_cooccurrence(split @ C @ split.T)
    assert np.abs(model.components_.T - split @ B).max() < 1e-8
    assert np.abs(model.topic_correlation_ - A).max() < 1e-8
    assert model.anchor_groups_[0].tolist() == [0, 50]


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        ("word", "is one word"),
        (["nowhere"], "not in the vocabulary"),
        ([99], "outside the vocabulary"),
        ([[1], [2, 1]], "one topic only"),
        ([[]], "is empty"),
        ([[1.5]], "neither a word nor a word id"),
        ([1, 2, 3, 4, 5], "n_topics=4"),
    ],
)
def test_anchors_that_cannot_be(corpus, anchors, message):
    with pytest.raises(ValueError, match=message):
        AnchorWords(4, anchors=anchors).fit(corpus[0], feature_names=WORDS)


def test_words_as_anchors_need_a_vocabulary(corpus):
    with pytest.raises(ValueError, match="feature_names"):
        AnchorWords(4, anchors=["w1"]).fit(corpus[0])


@pytest.mark.parametrize("least", [150, 0.375])
def test_anchors_are_chosen_among_frequent_words(corpus, least):
    X = corpus[0]
    frequency = np.bincount(X.indices, minlength=60)
    model = AnchorWords(4, min_anchor_documents=least).fit(X)
    assert frequency[model.anchors_].min() >= 150
    assert frequency[AnchorWords(4).fit(X).anchors_].min() < 150


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_topics": 0}, "n_topics=0"),
        ({"n_topics": 2.5}, "n_topics=2.5"),
        ({"n_topics": 61}, "more than the 60 words"),
        ({"weighting": "log"}, "weighting='log'"),
        ({"rectifier": "magic"}, "rectifier='magic'"),
        ({"selector": None}, "selector=None"),
        ({"recovery": AlternatingProjection}, "recovery="),
        ({"representation": "thin"}, "representation='thin'"),
        ({"min_anchor_documents": -1}, "min_anchor_documents=-1"),
        ({"min_anchor_documents": 1.5}, "share above 1"),
        ({"min_anchor_documents": 10_000}, "lower min_anchor_documents"),
    ],
)
def test_wrong_parameters_are_named(corpus, parameters, message):
    with pytest.raises(ValueError, match=message):
        AnchorWords(**{"n_topics": 4, **parameters}).fit(corpus[0])


def test_min_anchor_documents_needs_documents(corpus):
    with pytest.raises(ValueError, match="which documents"):
        AnchorWords(4, min_anchor_documents=5).fit_cooccurrence(cooccurrence(corpus[0]).toarray())


def test_step_objects(corpus):
    quick = AlternatingProjection(max_iter=2, tolerance=0)
    with pytest.warns(ConvergenceWarning, match="rectification stopped after 2 steps"):
        model = AnchorWords(4, rectifier=quick, recovery=SimplexLeastSquares("active-set")).fit(corpus[0])
    assert model.diagnostics_["rectification"]["n_iter"] == 2
    assert not model.diagnostics_["rectification"]["converged"]
    exact = AnchorWords(4, rectifier=None).fit(corpus[0])
    papers = AnchorWords(4, rectifier=None, recovery=SimplexLeastSquares("exponentiated-gradient"))
    with pytest.warns(ConvergenceWarning):
        papers.fit(corpus[0])
    assert topic_error(papers, exact) < 0.05


def test_random_state_seeds_diagonal_completion(corpus):
    a, b, c = (AnchorWords(4, rectifier="dc", random_state=seed).fit(corpus[0]).components_ for seed in (1, 1, 2))
    assert (a == b).all()
    assert (a != c).any()


def test_more_topics_than_the_rank_supports():
    C, _, _ = make_cooccurrence(50, 2, random_state=0)
    with pytest.warns(UserWarning, match="numerical rank 2: only 2 of the 3 topics"):
        model = AnchorWords(3).fit_cooccurrence(C)
    assert np.isfinite(model.components_).all()
    assert np.allclose(model.components_.sum(axis=1), 1)


def test_a_full_matrix_that_nobody_asked_for(monkeypatch, corpus):
    monkeypatch.setattr("cotopics.models.anchor_start.FULL_MATRIX_LIMIT", 1000)
    with pytest.raises(CooccurrenceError, match="keep fewer words"):
        AnchorWords(4).fit(corpus[0])
    AnchorWords(4, representation="dense").fit(corpus[0])
    AnchorWords(4, rectifier=None).fit(corpus[0])


def test_transform_recovers_mixtures():
    X, B, W = planted_corpus(n_documents=3000, length=400)
    model = AnchorWords(4).fit(X)
    found = model.transform(X)[:, match_topics(model, B)]
    assert found.shape == W.shape
    assert np.allclose(found.sum(axis=1), 1)
    assert np.abs(found - W).mean() < 0.03


def test_transform_of_exact_mixtures_is_exact():
    C, _, _ = make_cooccurrence(200, 5, n_anchored=5, random_state=0)
    model = AnchorWords(5).fit_cooccurrence(C)
    W = np.random.default_rng(0).dirichlet(np.ones(5), size=20)
    X = W @ model.components_ * 1000
    for method in ("simplex", "nnls"):
        assert np.allclose(model.transform(X, method), W, atol=1e-8)


def test_documents_without_known_words_get_the_prevalence(corpus):
    model = AnchorWords(4).fit(corpus[0])
    X = corpus[0][:3].toarray()
    X[1] = 0
    with pytest.warns(UserWarning, match="1 of 3 documents"):
        W = model.transform(X)
    assert np.allclose(W[1], model.topic_prevalence_)
    with pytest.raises(ValueError, match="method='magic'"):
        model.transform(X, method="magic")


def test_words_of_topics(corpus):
    model = AnchorWords(4).fit(corpus[0])
    ids = model.top_words(3)
    assert ids[0] == np.argsort(-model.components_[0])[:3].tolist()
    named = AnchorWords(4).fit(corpus[0], feature_names=WORDS)
    assert named.top_words(3) == [[f"w{i}" for i in topic] for topic in ids]
    assert model.top_words(3, feature_names=WORDS) == named.top_words(3)
    lift = model.top_words(1, relevance=0.0)
    marginal = model.topic_prevalence_ @ model.components_
    for k, (word,) in enumerate(lift):
        ratio = model.components_[k] / marginal
        assert np.isclose(ratio[word], ratio.max())
    with pytest.raises(ValueError, match="relevance"):
        model.top_words(relevance=2)
    with pytest.raises(ValueError, match="59 words"):
        model.top_words(feature_names=WORDS[1:])


def test_characteristic_words_are_the_anchors_neighbours(corpus):
    model = AnchorWords(4, rectifier=None).fit(corpus[0])
    C = cooccurrence(corpus[0]).toarray()
    for k, words in enumerate(model.characteristic_words(5)):
        assert words == np.argsort(-C[model.anchors_[k]], kind="stable")[:5].tolist()


def test_in_a_grid_search(corpus):
    def fit_of_counts(model, X, y=None):
        X = X.toarray()
        rebuilt = model.transform(X) @ model.components_ * X.sum(axis=1, keepdims=True)
        return -np.abs(X - rebuilt).sum()

    search = GridSearchCV(AnchorWords(), {"n_topics": [1, 4]}, scoring=fit_of_counts, cv=2).fit(corpus[0])
    assert search.best_params_ == {"n_topics": 4}


def test_polars_frames(corpus):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(corpus[0].toarray(), schema=WORDS)
    model = AnchorWords(4).fit(frame)
    assert model.vocabulary_.tolist() == WORDS
    assert np.allclose(model.components_, AnchorWords(4).fit(corpus[0]).components_)


def test_in_a_pipeline_and_as_a_frame(corpus):
    frame = pd.DataFrame(corpus[0].toarray(), columns=WORDS)
    pipeline = make_pipeline(FunctionTransformer(), AnchorWords(4)).set_output(transform="pandas")
    W = pipeline.fit_transform(frame)
    assert W.columns.tolist() == ["anchorwords0", "anchorwords1", "anchorwords2", "anchorwords3"]
    assert pipeline[-1].top_words(1)[0][0] in WORDS


def test_words_that_tie_come_in_their_own_order(corpus):
    """Equal up to rounding is equal: which sum a machine rounds up does not decide who leads."""
    model = AnchorWords(4).fit(corpus[0])
    P = np.full((4, 60), 0.01)
    P[:, 7] = P[:, 3] = 0.1
    P[0, 7] *= 1 + 1e-15
    P[1, 7] *= 1 - 1e-15
    P[2, 7] *= 1 + 1e-5  # more than rounding
    P[3, 50] *= 1 + 1e-14
    P /= P.sum(axis=1, keepdims=True)
    model._fitted = replace(model.fit_, components=P, anchor_cooccurrence=P)
    expected = [[3, 7, 0, 1], [3, 7, 0, 1], [7, 3, 0, 1], [3, 7, 0, 1]]
    assert model.top_words(4) == expected
    assert model.characteristic_words(4) == expected
