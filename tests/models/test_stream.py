"""Documents in pieces: topics are those of all of them, found once, when they are asked for."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords, load
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError


@pytest.fixture(scope="module")
def X():
    return sp.csr_array(planted_corpus(n_documents=900, n_words=300, n_topics=5, length=60)[0])


@pytest.fixture(params=["implicit", "sketch"])
def model(request):
    return AnchorWords(5, rectifier="enn", representation=request.param)


def test_pieces_give_the_topics_of_the_whole(model, X):
    whole = AnchorWords(5, rectifier="enn", representation=model.representation)
    if model.representation == "sketch":
        whole.partial_fit(X[:300]).partial_fit(X[300:])  # landmarks come from the first piece
    else:
        whole.fit(X)
    model.partial_fit(X[:300])
    for piece in (X[700:], X[300:600], X[600:700]):
        model.partial_fit(piece)
    assert (model.anchors_ == whole.anchors_).all()
    assert np.allclose(model.components_, whole.components_, atol=1e-9)


def test_forgetting_is_never_having_seen(model, X):
    seen = AnchorWords(5, rectifier="enn", representation=model.representation).partial_fit(X[:600])
    model.partial_fit(X[:600]).partial_fit(X[600:])
    assert model.diagnostics_["documents"]["used"] == 900
    model.forget(X[600:])
    assert model.diagnostics_["documents"]["used"] == 600
    assert np.allclose(model.components_, seen.components_, atol=1e-6)


def test_many_pieces_cost_one_fit(X, monkeypatch):
    fits = []
    original = AnchorWords._start
    monkeypatch.setattr(AnchorWords, "_start", lambda self, C: fits.append(1) or original(self, C))
    model = AnchorWords(5, rectifier="enn")
    for rows in np.array_split(np.arange(900), 30):
        model.partial_fit(X[rows])
    assert fits == []
    model.top_words(3), model.transform(X[:5]), model.topic_correlation_
    assert len(fits) == 1


def test_a_fit_that_fails_keeps_the_documents(X):
    model = AnchorWords(5, rectifier="enn").partial_fit(X[:2, :4])
    with pytest.raises(CooccurrenceError, match="n_topics=5"):
        _ = model.components_
    model.partial_fit(X)
    assert model.components_.shape == (5, 300)
    assert model.diagnostics_["documents"]["used"] + model.diagnostics_["documents"]["left_out"] == 902


def test_attributes_that_are_not_there(X):
    model = AnchorWords(5).partial_fit(X)
    with pytest.raises(AttributeError, match="nonsense_"):
        _ = model.nonsense_
    assert not hasattr(AnchorWords(5), "components_")


def test_new_columns_are_new_words(model, X):
    model.partial_fit(X[:300, :200]).partial_fit(X[300:])
    assert model.components_.shape == (5, 300)
    assert model.n_features_in_ == 300
    model.forget(X[:300, :200])  # documents from before the words grew
    assert model.diagnostics_["documents"]["used"] == 600


def test_words_are_matched_by_name(X, rng):
    words = [f"w{i}" for i in range(300)]
    order = rng.permutation(300)
    model = AnchorWords(5, rectifier="enn").partial_fit(X[:300, :250], feature_names=words[:250])
    model.partial_fit(X[300:][:, order], feature_names=[words[i] for i in order])
    place = [words.index(word) for word in model.vocabulary_]
    assert sorted(place) == list(range(300))
    truth = AnchorWords(5, rectifier="enn").fit(
        sp.vstack([sp.hstack([X[:300, :250], sp.csr_array((300, 50))]), X[300:]]), feature_names=words
    )
    assert np.allclose(model.components_, truth.components_[:, place], atol=1e-8)


def test_data_frames_bring_their_words(X):
    words = [f"w{i}" for i in range(300)]
    frame = pd.DataFrame(X.toarray(), columns=words)
    model = AnchorWords(5, rectifier="enn").partial_fit(frame[words[:200]].iloc[:400]).partial_fit(frame.iloc[400:])
    assert list(model.feature_names_in_) == words
    assert np.allclose(model.transform(frame).sum(axis=1), 1)


def test_names_that_cannot_be_matched(X):
    words = [f"w{i}" for i in range(300)]
    model = AnchorWords(5).partial_fit(X, feature_names=words)
    with pytest.raises(ParameterError, match="more than once"):
        model.partial_fit(X, feature_names=["w1", "w1", *words[2:]])
    with pytest.raises(ParameterError, match="not among the words"):
        model.forget(X[:5], feature_names=["new", *words[1:]])
    with pytest.raises(ValueError, match="300 features"):
        model.partial_fit(sp.hstack([X, X[:, :2]], format="csr"))  # which words are the new ones?
    assert model.n_features_in_ == 300


def test_forgetting_everything_is_refused(X):
    model = AnchorWords(5, rectifier="enn").partial_fit(X)
    with pytest.raises(CorpusError):
        model.forget(X)
    assert model.components_.shape == (5, 300)


def test_anchor_free_takes_pieces_too(X):
    model = AnchorFree(5, weighting="counts").partial_fit(X[:400]).partial_fit(X[400:])
    assert np.allclose(model.components_, AnchorFree(5, weighting="counts").fit(X).components_, atol=1e-8)


def test_sketch_needs_counts(X):
    with pytest.raises(ParameterError, match="weighting='counts'"):
        AnchorWords(5, weighting="tfidf", representation="sketch").fit(X)


def test_what_was_chosen_and_expected_is_said(X):
    dense = AnchorWords(5).fit(X).diagnostics_
    assert dense["representation"] == "dense"
    assert dense["expected_bytes"] == 2 * 8 * dense["words"]["used"] ** 2  # C, and what AP works on
    thin = AnchorWords(5, rectifier="enn", representation="implicit").fit(X).diagnostics_
    assert thin["representation"] == "implicit"
    assert thin["expected_bytes"] >= 12 * X.nnz


def test_the_callers_counts_are_not_touched(X, rng):
    words = [f"w{i}" for i in range(300)]
    order = rng.permutation(300)
    later = sp.csr_array(X[300:][:, order], dtype=np.float64)
    later.sort_indices()
    kept = later.copy()
    model = AnchorWords(5, rectifier="enn").partial_fit(X[:300], feature_names=words)
    model.partial_fit(later, feature_names=[words[i] for i in order])
    for part in ("data", "indices", "indptr"):
        assert (getattr(later, part) == getattr(kept, part)).all()


def test_a_loaded_model_says_that_it_cannot_go_on(X, tmp_path):
    AnchorWords(5).fit(X).save(tmp_path / "m")
    model = load(tmp_path / "m")
    with pytest.raises(CorpusError, match="loaded"):
        model.partial_fit(X)
    assert model.components_.shape == (5, 300)


def test_several_threads_may_ask(X):
    model = AnchorWords(5, rectifier="enn").partial_fit(X)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: model.transform(X[:10]), range(8)))
    assert all((answer == answers[0]).all() for answer in answers)


def test_a_mistake_in_a_step_is_not_taken_for_not_being_fitted(X):
    model = AnchorWords(5, rectifier=lambda C, k: C.toarray()).partial_fit(X)  # no record
    with pytest.raises(RuntimeError, match="the fit failed"):
        model.transform(X)


def test_weighting_changed_while_waiting(X):
    model = AnchorWords(5, rectifier="enn").partial_fit(X).set_params(weighting="tfidf")
    with pytest.raises(ParameterError, match="weighting='counts'"):
        model.top_words()


def test_one_document_is_a_start(X):
    model = AnchorWords(5, rectifier="enn").partial_fit(X[:1]).partial_fit(X[1:])
    assert np.allclose(model.components_, AnchorWords(5, rectifier="enn").fit(X).components_, atol=1e-9)


def test_names_that_come_too_late(X):
    model = AnchorWords(5).partial_fit(X)
    with pytest.raises(ParameterError, match="without feature_names"):
        model.partial_fit(X, feature_names=["a", "b"])


def test_names_given_beside_those_of_a_frame_stay(X):
    frame = pd.DataFrame(X.toarray(), columns=[f"c{i}" for i in range(300)])
    model = AnchorWords(5, rectifier="enn").partial_fit(frame, feature_names=[f"w{i}" for i in range(300)])
    assert model.partial_fit(frame).components_.shape == (5, 300)


@pytest.mark.parametrize("rectifier", [None, "dc"])
def test_a_sketch_must_be_rectified(X, rectifier):
    with pytest.raises(ParameterError, match="rectifier='enn'"):
        AnchorWords(5, rectifier=rectifier, representation="sketch").fit(X)


def test_given_anchors_are_taken_however_rare(X):
    frequency = np.bincount(sp.csr_array(X).indices, minlength=300)
    rare = int(np.argmin(np.where(frequency > 0, frequency, 10**6)))
    assert AnchorWords(5, rectifier="enn", anchors=[rare]).fit(X).anchors_[0] == rare
