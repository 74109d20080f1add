"""What fails leaves everything as it was."""

import threading

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_info

from cotopics import TOP, AnchorFree, AnchorWords, CooccurrenceAccumulator, TopicModel, cooccurrence, load
from cotopics.errors import CorpusError
from cotopics.rectify import AlternatingProjection

WORDS = [f"w{i}" for i in range(60)]


def test_a_failed_partial_fit_counts_nothing(corpus):
    X = corpus[0]
    model = AnchorWords(0)
    for _ in range(2):
        with pytest.raises(ValueError, match="n_topics=0"):
            model.partial_fit(X[:200])
    model.set_params(n_topics=4).partial_fit(X[:200])
    model.set_params(n_topics=0)
    with pytest.raises(ValueError, match="n_topics=0"):
        model.partial_fit(X[200:])
    model.set_params(n_topics=4).partial_fit(X[200:])
    assert model.diagnostics_["documents"]["used"] == 400
    assert np.allclose(model.components_, AnchorWords(4).fit(X).components_, atol=1e-9)


def test_a_failed_forget_forgets_nothing(corpus):
    X = corpus[0][:100]
    model = AnchorWords(4).fit(X)
    with pytest.raises(CorpusError):
        model.forget(X)  # nothing would be left
    assert np.allclose(model.forget(X[:40]).components_, AnchorWords(4).fit(X[40:]).components_, atol=1e-9)


def test_a_failed_fit_leaves_the_old_model(corpus):
    model = AnchorWords(4).fit(corpus[0], feature_names=WORDS)
    words, W = model.top_words(), model.transform(corpus[0])
    with pytest.raises(ValueError, match="more than the"):
        model.set_params(n_topics=30).fit(corpus[0][:, :20], feature_names=WORDS[:20])
    assert model.top_words() == words
    assert (model.transform(corpus[0]) == W).all()


def test_statistics_of_earlier_documents_do_not_come_back(corpus):
    model = AnchorWords(4).fit(corpus[0]).fit_cooccurrence(cooccurrence(corpus[0][:200]))
    with pytest.raises(CorpusError, match="keeps no statistics"):
        model.partial_fit(corpus[0])


def test_words_of_earlier_documents_do_not_come_back(corpus):
    frame = pd.DataFrame(corpus[0].toarray(), columns=WORDS)
    model = AnchorWords(4).fit(frame).fit_cooccurrence(cooccurrence(corpus[0][:, :20]))
    assert model.vocabulary_ is None
    assert max(max(topic) for topic in model.top_words(5)) < 20


def test_an_interrupted_sum_loses_no_document(monkeypatch, corpus):
    accumulator = CooccurrenceAccumulator().update(corpus[0])

    def interrupt(pairs):
        raise KeyboardInterrupt

    monkeypatch.setattr(accumulator, "_add_pairs", interrupt)
    with pytest.raises(KeyboardInterrupt):
        accumulator._fold()
    monkeypatch.undo()
    accumulator._fold()
    assert np.allclose(accumulator.finish().toarray(), cooccurrence(corpus[0]).toarray(), atol=1e-15)


def test_fits_in_several_threads_agree_and_give_the_cores_back(corpus):
    def blas_threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    expected, before, found = AnchorWords(4).fit(corpus[0]), blas_threads(), []
    threads = [threading.Thread(target=lambda: found.append(AnchorWords(4).fit(corpus[0]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all((model.components_ == expected.components_).all() for model in found)
    assert blas_threads() == before


def test_a_loaded_model_refuses_what_the_saved_one_refuses(corpus, tmp_path):
    frame = pd.DataFrame(corpus[0].toarray(), columns=WORDS)
    AnchorFree(4).fit(frame).save(tmp_path / "m")
    model = load(tmp_path / "m")
    assert (model.feature_names_in_ == WORDS).all()
    with pytest.raises(ValueError, match="feature names"):
        model.transform(frame[WORDS[::-1]])
    with pytest.raises(ValueError, match="use top_words"):
        model.characteristic_words()


def test_numpy_numbers_in_step_options_are_saved(corpus, tmp_path):
    rectifier = AlternatingProjection(max_iter=np.int64(100), tolerance=np.float64(1e-3))
    AnchorWords(4, rectifier=rectifier).fit(corpus[0]).save(tmp_path / "m")
    assert load(tmp_path / "m").rectifier == rectifier


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_absurd_scales_are_refused(corpus, scale):
    with pytest.raises(ValueError, match="divide it by its sum"):
        AnchorWords(4).fit_cooccurrence(scale * cooccurrence(corpus[0]).toarray())


@pytest.mark.parametrize(
    ("anchors", "message"),
    [(["w1"], "more than once"), (5, "is not a list"), ([1.5], "neither a word"), ([[3, 3]], "given twice")],
)
def test_ambiguous_anchors(corpus, anchors, message):
    with pytest.raises(ValueError, match=message):
        AnchorWords(4, anchors=anchors).fit(corpus[0], feature_names=["w1", *WORDS[1:]])


def test_dependent_given_anchors_are_noticed():
    X = np.random.default_rng(0).poisson(1.0, size=(40, 6))
    X[:, 1] = X[:, 0]
    with pytest.warns(UserWarning, match="numerical rank 1"):
        AnchorWords(2, weighting="tfidf", rectifier=None, anchors=[0, 1], min_anchor_documents=40).fit(X)


def test_an_iteration_count_of_zero():
    with pytest.raises(ValueError, match="max_iter=0"):
        AlternatingProjection(max_iter=0)


@pytest.mark.parametrize("model", [AnchorWords(2), TopicModel(2), TOP(c1=50)], ids=lambda model: type(model).__name__)
def test_warnings_point_at_whoever_fits(model):
    with pytest.warns(UserWarning, match=r"numerical rank 1|all words look alike") as caught:
        model.fit([[1, 2, 1, 2], [2, 1, 2, 1]] * 3 if isinstance(model, TOP) else np.ones((5, 4)))
    assert [warning.filename for warning in caught] == [__file__]
