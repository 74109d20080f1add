"""One table of all measures."""

import json
from dataclasses import replace
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from cotopics import TOP, AnchorFree, AnchorWords, cooccurrence, metrics
from cotopics.cooccur import Balanced, Implicit
from cotopics.datasets import make_corpus
from cotopics.errors import ParameterError
from cotopics.metrics import MEASURES, evaluate
from cotopics.metrics.evaluate import formatted

NEED_LABELS = {"clustering_accuracy", "nmi"}
NEED_ANCHORS = {"recovery", "relative_recovery", "mst_incoherence", "log_relative_volume"}


@pytest.fixture(scope="module")
def fitted(corpus):
    return AnchorWords(4).fit(corpus[0])


@pytest.fixture(scope="module")
def labels(corpus):
    return corpus[2].argmax(axis=1)


def test_values_are_those_of_the_measures(corpus, fitted, labels):
    X = corpus[0]
    C = cooccurrence(X)
    found = evaluate(fitted, X, labels, reference=X[:50])
    topics = fitted.transform(X).argmax(axis=1)
    expected = {
        "recovery": metrics.recovery_error(fitted, C),
        "relative_recovery": metrics.recovery_error(fitted, C, relative=True),
        "approximation": metrics.approximation_error(fitted, C),
        "relative_approximation": metrics.approximation_error(fitted, C, relative=True),
        "dominancy": metrics.dominancy(fitted),
        "relative_dominancy": metrics.dominancy(fitted, relative=True),
        "specificity": metrics.specificity(fitted, C),
        "dissimilarity": metrics.dissimilarity(fitted),
        "similarity_count": metrics.similarity_count(fitted),
        "topic_diversity": metrics.topic_diversity(fitted),
        "exclusivity": metrics.exclusivity(fitted),
        "coherence": metrics.coherence(fitted, X),
        "npmi": metrics.npmi(fitted, X),
        "reference_npmi": metrics.npmi(fitted, X[:50], known_only=True),
        "mst_incoherence": metrics.mst_incoherence(fitted, C),
        "log_relative_volume": metrics.log_relative_volume(fitted, C),
        "held_out_likelihood": metrics.held_out_likelihood(fitted, X),
        "perplexity": np.exp(-metrics.held_out_likelihood(fitted, X)),
        "clustering_accuracy": metrics.clustering_accuracy(labels, topics),
        "nmi": metrics.nmi(labels, topics),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert list(found.values) == list(MEASURES)
    assert found.notes == {}
    assert found["npmi"] == found.values["npmi"]


@pytest.mark.parametrize("model", [AnchorWords(4, weighting="balanced"), AnchorFree(4), TOP()], ids=str)
@pytest.mark.filterwarnings("ignore:.*no two anchor words")  # short documents, of which TOP says so
def test_a_measure_has_a_value_or_a_reason(model, corpus, labels):
    found = evaluate(model.fit(corpus[0]), corpus[0])
    free = isinstance(model, AnchorFree)
    missing = NEED_LABELS | (NEED_ANCHORS if free else set())
    assert set(MEASURES) - set(found.values) - {"reference_npmi"} == missing <= set(found.notes)
    assert all(found.notes.values())
    assert not np.isnan(list(found.values.values())).any()
    assert set(evaluate(model, corpus[0], labels).values) >= NEED_LABELS
    with pytest.raises(KeyError, match="no labels"):
        found["nmi"]
    if free:
        with pytest.raises(KeyError, match="AnchorFree finds topics without anchor words"):
            found["recovery"]
    with pytest.raises(KeyError):
        found["beauty"]


def test_pairs_and_norms_are_counted_once(corpus, fitted, labels, monkeypatch):
    calls = []

    def counting(kind, name):
        original = getattr(kind, name)

        def call(*args, **kwargs):
            calls.append(name)
            return original(*args, **kwargs)

        monkeypatch.setattr(kind, name, call)

    implicit = cooccurrence(corpus[0], representation="implicit")
    module = import_module("cotopics.metrics.evaluate")  # of the same name as the function
    monkeypatch.setattr(module, "cooccurrence", lambda X, weighting: implicit)
    for name in ("squared_row_norms", "row_sums"):
        counting(Implicit, name)
    counting(AnchorWords, "transform")
    evaluate(fitted, corpus[0], labels)
    # one transform of the documents for both measures of labels, and one of their first halves
    assert sorted(calls) == ["row_sums", "squared_row_norms", "transform", "transform"]
    W = fitted.transform(corpus[0])
    calls.clear()
    known = evaluate(fitted, corpus[0], labels, W=W)
    assert calls.count("transform") == 1  # the mixtures are known already
    assert known.values == evaluate(fitted, corpus[0], labels).values
    with pytest.raises(ParameterError, match="documents × topics"):
        evaluate(fitted, corpus[0], labels, W=W[1:])


def test_the_weighting_is_the_models_unless_given(corpus):
    X = corpus[0]
    model = AnchorWords(4, weighting=Balanced(power=0.7)).fit(X)
    own, counted = evaluate(model, X), evaluate(model, X, weighting="counts")
    C = cooccurrence(X, weighting=Balanced(power=0.7))
    assert np.isclose(own["recovery"], metrics.recovery_error(model, C))
    assert np.isclose(counted["recovery"], metrics.recovery_error(model, cooccurrence(X)))
    assert own["npmi"] == counted["npmi"]
    assert own.weighting == "Balanced(power=0.7, floor=0.2, word_power=0.0)"
    assert counted.weighting == "counts"


def test_documents_without_a_label_are_left_out(corpus, fitted, labels):
    some = [None if m % 3 == 0 else f"label{k}" for m, k in enumerate(labels)]
    has = np.arange(400) % 3 != 0
    topics = fitted.transform(corpus[0]).argmax(axis=1)
    found = evaluate(fitted, corpus[0], some)
    assert found["nmi"] == metrics.nmi(labels[has], topics[has])
    assert "no document has a label" in evaluate(fitted, corpus[0], [None] * 400).notes["nmi"]
    for nothing in (np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT):
        gaps = [nothing if label is None else label for label in some]
        assert evaluate(fitted, corpus[0], gaps).values == found.values
        assert "no document has a label" in evaluate(fitted, corpus[0], [nothing] * 400).notes["nmi"]
    numbers = np.where(has, labels, np.nan)  # as pandas keeps whole numbers with gaps
    assert evaluate(fitted, corpus[0], pd.Series(numbers))["nmi"] == found["nmi"]
    odd = evaluate(fitted, corpus[0], np.zeros((400, 2)))
    assert "one list" in odd.notes["nmi"]
    odd = evaluate(fitted, corpus[0], [["a", "b"], ["c"]] * 200)
    assert "comparable values" in odd.notes["clustering_accuracy"]


def test_other_documents_need_not_hold_everything(corpus, fitted, labels):
    X = corpus[0].toarray()
    X[:, fitted.anchors_[0]] = 0
    X[:5] = 0  # documents without a word: no warning, and the most prevalent topic
    found = evaluate(fitted, X, labels)
    assert "in no pair" in found.notes["recovery"]
    assert {"npmi", "approximation", "held_out_likelihood", "clustering_accuracy"} <= set(found.values)
    lonely = evaluate(fitted, np.eye(60)[:20], labels[:20])
    assert "two words to pair" in lonely.notes["specificity"]
    assert "two tokens" in lonely.notes["perplexity"]
    assert {"topic_diversity", "dominancy", "coherence", "nmi"} <= set(lonely.values)


def test_fractional_counts_have_no_held_out_tokens(corpus, fitted):
    found = evaluate(fitted, corpus[0] * 1.5)
    assert set(found.notes) == NEED_LABELS | {"held_out_likelihood", "perplexity"}
    assert "fractional" in found.notes["perplexity"]


@pytest.mark.filterwarnings("ignore:the topics' correlations are nothing")
def test_odd_values_are_explained(corpus):
    X = corpus[0]
    flat = AnchorWords(3, rectifier=None).fit(X)
    flat._fitted = replace(flat.fit_, anchor_groups=[np.array([0]), np.array([1]), np.array([0, 1])])
    found = evaluate(flat, X)
    assert found["log_relative_volume"] == -np.inf
    assert "no volume" in found.notes["log_relative_volume"]
    measures = json.loads(json.dumps(found.as_dict(), allow_nan=False))["measures"]
    assert measures["log_relative_volume"]["value"] is None
    A = np.array([[0.9, -0.5, 0.0], [-0.5, 0.9, 0.0], [0.0, 0.0, 0.2]])
    flat._fitted = replace(flat.fit_, correlation=A)
    assert "negative" in evaluate(flat, X).notes["dominancy"]
    flat._fitted = replace(flat.fit_, correlation=np.diag([0.5, 0.5, 0.0]))
    assert "sum to zero or less" in evaluate(flat, X).notes["dominancy"]


def test_the_table_in_print_and_as_json(corpus, fitted):
    found = evaluate(fitted, corpus[0])
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines] == ["measure", *(name for name in MEASURES if name != "reference_npmi")]
    ends = {line.index(line.split()[1]) + len(line.split()[1]) for line in lines}
    assert len(ends) == 1  # numbers in one column
    assert lines[-1].endswith("no labels of the documents were given")
    record = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert record["weighting"] == "counts"
    assert record["measures"]["npmi"] == {
        "name": "npmi",
        "value": found["npmi"],
        "better": "higher",
        "meaning": MEASURES["npmi"].meaning,
        "note": "",
    }
    assert record["measures"]["nmi"]["value"] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (13.0, "13"), (-np.inf, "-inf"), (1234.56, "1234.6"), (0.25, "0.2500"), (2.5e-5, "2.500e-05")],
)
def test_numbers_as_they_are_read(value, text):
    assert formatted(value) == text


def test_wrong_use_is_an_error_not_a_note(corpus, fitted):
    X = corpus[0]
    for model in (AnchorWords(3), np.eye(60)):
        with pytest.raises(ParameterError, match="fitted"):
            evaluate(model, X)
    with pytest.raises(ParameterError, match="60 words and X has 59"):
        evaluate(fitted, X[:, :59])
    with pytest.raises(ParameterError, match="400 documents and 3 labels"):
        evaluate(fitted, X, ["a", "b", "c"])
    for labels in (3, np.array(3), 1.5):
        with pytest.raises(ParameterError, match=r"labels=.* is not a list; give one label for each document"):
            evaluate(fitted, X, labels)


@pytest.mark.parametrize("weighting", ["bad", 3, ["counts"]])
def test_a_weighting_that_is_none_is_an_error_before_the_work(corpus, fitted, weighting):
    with pytest.raises(ParameterError, match=r"weighting=.* is unknown; choose one of counts"):
        evaluate(fitted, corpus[0], weighting=weighting)
    with pytest.raises(ParameterError, match="weighting="):
        evaluate(fitted, "no counts", weighting=weighting)


def test_columns_of_data_frames_keep_their_order(corpus):
    frame = pd.DataFrame(corpus[0].toarray(), columns=[f"w{i}" for i in range(60)])
    model = AnchorWords(4).fit(frame)
    assert evaluate(model, frame)["npmi"] == metrics.npmi(model, corpus[0])
    with pytest.raises(ParameterError, match="another order"):
        evaluate(model, frame[frame.columns[::-1]])


def test_groups_of_anchors():
    X, _, W = make_corpus(300, 60, 3, length=200, anchors_per_topic=2, anchor_frequency=0.05, random_state=0)
    model = TOP(random_state=0).fit(X)
    found = evaluate(model, X, W.argmax(axis=1))
    assert max(len(group) for group in model.anchor_groups_) > 1
    assert set(found.values) >= NEED_ANCHORS


def test_measures_can_be_left_out(fitted, corpus):
    found, whole = evaluate(fitted, corpus[0], without=["npmi"]), evaluate(fitted, corpus[0])
    assert found.values == {name: value for name, value in whole.values.items() if name != "npmi"}
    assert found.notes["npmi"] == "left out on request"
    with pytest.raises(ParameterError, match="'volume' is not a measure"):
        evaluate(fitted, corpus[0], without=["volume"])


def test_words_that_the_reference_lacks_are_left_out():
    """Words 0 and 1 of the topic are together in one document of four; word 2 is in none of the reference."""
    B = np.array([[0.5], [0.3], [0.2]])
    reference = [[1, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert metrics.npmi(B, reference, n_words=3, known_only=True) == pytest.approx(np.log(2) / np.log(4))
    assert metrics.npmi(B, reference, n_words=3) == pytest.approx((np.log(2) / np.log(4) - 2) / 3)
    with pytest.raises(ParameterError, match="no two words of any topic"):
        metrics.npmi(B, [[1, 0, 0], [0, 0, 0]], n_words=3, known_only=True)


def test_an_approximation_that_is_worse_than_nothing_is_left_out():
    """TopicModel's topics are beyond what all documents share, so BABᵀ need not be near C."""
    X = make_corpus(300, 60, 4, length=40, anchors_per_topic=3, random_state=0)[0]
    model = AnchorWords(4).fit(X)
    sharp = replace(model.fit_, correlation=50 * model.fit_.correlation)
    model._fitted = sharp
    evaluation = metrics.evaluate(model, X)
    assert "relative_approximation" not in evaluation.values
    assert "above 1" in evaluation.notes["relative_approximation"]
