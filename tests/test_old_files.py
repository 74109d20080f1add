"""Files of every format there was: they open for ever, and say what they said when they were written."""

import json
from pathlib import Path

import numpy as np
import pytest

from cotopics import load
from cotopics.cooccur import load_statistics
from cotopics.corpus import load_corpus
from cotopics.models import MODELS

FILES = Path(__file__).parent / "files"
VERSIONS = {name: json.loads((FILES / name / "expected.json").read_text(encoding="utf-8")) for name in ("v1", "v2")}
WORDS = ["кот", "犬", "étoile", "lune", "</script>", "naïve\u2028", "🐍", "a\x00b", "שלום", "word", "=1+1", "\\\"'"]
PREPARATION = {"stop_words": "english"}

each_model = pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version, expected in VERSIONS.items() for name in expected["models"]]
)


@each_model
def test_models(version, name):
    counts, expected = VERSIONS[version]["counts"], VERSIONS[version]["models"][name]
    model = load(FILES / version / f"{name}.cotopics")
    assert type(model).__name__ == expected["class"]
    assert model.n_topics_ == expected["n_topics"]
    assert model.top_words(4, relevance=1) == expected["top_words"]
    assert (None if model.anchors_ is None else model.anchors_.tolist()) == expected["anchors"]
    assert np.allclose(model.transform(counts, "em"), expected["transform"], rtol=0, atol=1e-12)
    assert (model.components_ == expected["components"]).all()
    assert (model.topic_correlation_ == expected["correlation"]).all()
    assert model.vocabulary_ is None or model.vocabulary_.tolist() == WORDS
    assert (model.provenance_ or {}).get("preparation") == (None if version == "v1" else PREPARATION)


@pytest.mark.parametrize("version", VERSIONS)
def test_there_is_one_of_every_class(version):
    assert {model["class"] for model in VERSIONS[version]["models"].values()} == set(MODELS)


@each_model
def test_what_is_saved_again_is_the_same_model(version, name, tmp_path):
    counts = VERSIONS[version]["counts"]
    model = load(FILES / version / f"{name}.cotopics")
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert repr(again.get_params()) == repr(model.get_params())
    assert (again.transform(counts) == model.transform(counts)).all()


def test_a_model_goes_on():
    model = load(FILES / "v2" / "anchor-free.cotopics").partial_fit(VERSIONS["v2"]["counts"])
    assert model.diagnostics_["documents"]["used"] == 44


@pytest.mark.parametrize("name", VERSIONS["v2"]["statistics"])
def test_statistics(name):
    sums, vocabulary, provenance = load_statistics(FILES / "v2" / f"{name}.statistics")
    assert np.allclose(sums.finish().toarray(), VERSIONS["v2"]["statistics"][name], rtol=0, atol=1e-12)
    assert vocabulary == WORDS
    assert provenance["preparation"] == PREPARATION


def test_corpora():
    corpus = load_corpus(FILES / "v2" / "c.corpus", verify=True)
    assert (corpus.counts.toarray() == VERSIONS["v2"]["counts"]).all()
    assert corpus.vocabulary == WORDS
    assert corpus.ids == corpus.dates == ["x", "", "🐍", "../.."]
    assert corpus.labels == corpus.metadata["ж"] == ["a", None, 3, 2.5]
    assert corpus.notes == ["2 empty lines left out"]
