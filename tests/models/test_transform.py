"""Documents' proportions from a fitted model."""

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords
from cotopics.infer import DEFAULT, EM, INFERENCES
from cotopics.metrics import match_topics


@pytest.fixture(scope="module")
def model(corpus):
    return AnchorWords(4).fit(corpus[0])


@pytest.mark.parametrize("method", INFERENCES)
def test_planted_proportions_come_back(model, method):
    X, B, W = planted_corpus(length=400)
    found = model.transform(X, method)[:, match_topics(model, B)]
    assert np.allclose(found.sum(axis=1), 1)
    assert np.abs(found - W).mean() < (0.1 if method not in ("project", "one-topic") else 0.2)


def test_none_is_the_default(model, corpus):
    assert (model.transform(corpus[0]) == model.transform(corpus[0], method=DEFAULT)).all()


def test_a_step_object(model, corpus):
    smooth = model.transform(corpus[0], method=EM(smoothing=1.0))
    assert (smooth > 0).all()
    assert (model.transform(corpus[0], EM()) == model.transform(corpus[0], "em")).all()


@pytest.mark.parametrize("method", ["magic", 3, EM])
def test_what_is_no_method(model, corpus, method):
    names = "nnls, simplex, project, em, prior, one-topic"
    with pytest.raises(ValueError, match=rf"method=.*choose one of {names}, or give a step"):
        model.transform(corpus[0], method=method)


@pytest.mark.parametrize("method", INFERENCES)
def test_sparse_output_is_the_same(model, corpus, method, monkeypatch):
    monkeypatch.setattr("cotopics.models.fitted.SPARSE_BLOCK", 150)  # 400 documents in three pieces
    X = corpus[0].toarray()
    X[[0, 170]] = 0
    with pytest.warns(UserWarning, match="2 of 400 documents have no word") as warned:
        found = model.transform(X, method, sparse_output=True)
    assert len(warned) == 1
    with pytest.warns(UserWarning, match="2 of 400"):
        dense = model.transform(X, method)
    assert isinstance(found, sp.csr_array)
    assert np.allclose(found.toarray(), dense, atol=1e-10)
    assert (found.data != 0).all()
    assert np.allclose(found[[0, 170]].toarray(), model.topic_prevalence_)


def test_no_document_has_a_known_word(model):
    with pytest.warns(UserWarning, match="2 of 2 documents"):
        W = model.transform(np.zeros((2, 60)))
    assert (model.topic_prevalence_ == W).all()


def test_proportions_as_a_data_frame(corpus):
    pytest.importorskip("pandas")
    model = AnchorWords(4).set_output(transform="pandas").fit(corpus[0])
    frame = model.transform(corpus[0], method="em")
    assert list(frame.columns) == [f"anchorwords{k}" for k in range(4)]
    assert np.allclose(frame.sum(axis=1), 1)
    with pytest.raises(ValueError, match="sparse"):
        model.transform(corpus[0], sparse_output=True)


@pytest.mark.parametrize("method", INFERENCES)
def test_topics_without_anchors(corpus, method):
    """AnchorFree's correlations may be negative, and its fit is of weighted documents."""
    W = AnchorFree(4).fit(corpus[0]).transform(corpus[0], method)
    assert (W >= 0).all()
    assert np.allclose(W.sum(axis=1), 1)


@pytest.mark.parametrize("method", INFERENCES)
def test_words_that_no_topic_knows_do_not_count(model, corpus, method):
    wide = sp.csr_array(sp.hstack([corpus[0], sp.csr_array((400, 2))]))
    fitted = AnchorWords(4).fit(wide)
    strange = wide.toarray()
    strange[:, -1] = 5
    assert np.allclose(fitted.transform(strange, method), model.transform(corpus[0], method), atol=1e-6)
