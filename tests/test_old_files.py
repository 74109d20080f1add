"""Files of every format there was: they open for ever, and say what they said when they were written."""

import json
from pathlib import Path

import numpy as np
import pytest

from cotopics import load
from cotopics.models import MODELS

FILES = Path(__file__).parent / "files"
VERSION_1 = json.loads((FILES / "v1" / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", VERSION_1["models"])
def test_models_of_version_1(name):
    expected = VERSION_1["models"][name]
    model = load(FILES / "v1" / f"{name}.cotopics")
    assert type(model).__name__ == expected["class"]
    assert model.n_topics_ == expected["n_topics"]
    assert model.top_words(4) == expected["top_words"]
    assert (None if model.anchors_ is None else model.anchors_.tolist()) == expected["anchors"]
    assert np.allclose(model.transform(VERSION_1["counts"]), expected["transform"], rtol=0, atol=1e-12)
    assert (model.components_ == expected["components"]).all()
    assert (model.topic_correlation_ == expected["correlation"]).all()
    assert model.provenance_ is None


def test_there_is_one_of_every_class():
    assert {model["class"] for model in VERSION_1["models"].values()} == set(MODELS)


@pytest.mark.parametrize("name", VERSION_1["models"])
def test_what_is_saved_again_is_the_same_model(name, tmp_path):
    model = load(FILES / "v1" / f"{name}.cotopics")
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert repr(again.get_params()) == repr(model.get_params())
    assert (again.transform(VERSION_1["counts"]) == model.transform(VERSION_1["counts"])).all()
