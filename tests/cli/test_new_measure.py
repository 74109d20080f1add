"""A measure that is named in MEASURES is seen wherever measures are shown."""

import json

import pytest

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords, metrics
from cotopics.corpus import Corpus
from cotopics.metrics import MEASURES, Measure
from cotopics.report import content

X, _, _ = planted_corpus()
WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(autouse=True)
def named(monkeypatch):
    """Two made-up measures: one of a model alone, and a slow one of anchors and documents."""
    largest = Measure(
        "lower", "share of the largest topic", lambda g: g.model.topic_prevalence_.max(), good="low is good"
    )
    n_words = Measure("higher", "words", lambda g: g.X.shape[1], needs=("documents", "anchors"), slow=True)
    monkeypatch.setitem(MEASURES, "largest", largest)
    monkeypatch.setitem(MEASURES, "n_words", n_words)


@pytest.fixture(scope="module")
def model():
    return AnchorWords(4).fit(X, feature_names=WORDS)


def test_evaluate_has_it(model):
    found = metrics.evaluate(model, X)
    assert found["largest"] == model.topic_prevalence_.max()
    assert found["n_words"] == 60
    assert str(found).splitlines()[-2].endswith("share of the largest topic")
    assert "without anchor words" in metrics.evaluate(AnchorFree(4).fit(X), X).notes["n_words"]


def test_the_command_line_has_it(run, model, save_counts, tmp_path):
    model.save(tmp_path / "m.cotopics")
    arguments = ("evaluate", tmp_path / "m.cotopics", save_counts(X))
    found = json.loads(run(*arguments, "--json").stdout)["measures"]
    assert found["largest"]["value"] == pytest.approx(model.topic_prevalence_.max())
    assert found["n_words"] == {"name": "n_words", "value": 60, "better": "higher", "meaning": "words", "note": ""}
    assert "share of the largest topic" in run(*arguments).stdout


def test_the_report_has_it(model):
    for corpus in (None, Corpus(X, WORDS)):
        measures = {measure["name"]: measure for measure in content(model, corpus)["overview"]["measures"]}
        assert measures["largest"]["good"] == "low is good"
        assert measures["largest"]["value"] == pytest.approx(model.topic_prevalence_.max(), rel=1e-4)
        assert ("n_words" in measures) == (corpus is not None)
    assert "cotopics evaluate" in measures["n_words"]["note"]  # which the report does not wait for


def test_a_value_that_is_not_finite_has_a_note(model, monkeypatch):
    monkeypatch.setitem(MEASURES, "endless", Measure("lower", "nothing", lambda g: float("inf")))
    assert metrics.evaluate(model, X).notes["endless"] == "inf: not a finite number"
