"""--device of `cotopics fit` and `transform`."""

import csv
import io

import pytest
import scipy.sparse as sp

import cotopics.gpu
from conftest import planted_corpus
from cotopics import AnchorWords, load
from cotopics.cli.main import main
from device_in_numpy import IN_NUMPY
from runner import CliRunner


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, *_ = planted_corpus(60, 30)
    sp.save_npz("counts.npz", X)
    (tmp_path / "vocab.txt").write_text("\n".join(f"word{i}" for i in range(30)))
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


def shares(result):
    return [[float(x) for x in row[1:]] for row in list(csv.reader(io.StringIO(result.stdout)))[1:]]


def test_fit_and_transform_work_on_the_device_that_is_asked_for(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(cotopics.gpu, "find_device", lambda name: asked.append(name) or IN_NUMPY)
    assert run("fit", "counts.npz", "-k", "3", "--device", "cuda", "-o", "m.cotopics").exit_code == 0
    model = load("m.cotopics")
    assert (model.device, model.diagnostics_["device"]) == ("cuda", IN_NUMPY.name)
    there = run("transform", "m.cotopics", "counts.npz")
    assert set(asked) == {"cuda"}
    here = run("transform", "m.cotopics", "counts.npz", "--device", "cpu")
    for one, other in zip(shares(there), shares(here), strict=True):
        assert one == pytest.approx(other, abs=2e-3)


@pytest.mark.parametrize("options", [["--stream"], ["--method", "anchor-words"]])
def test_a_device_that_would_not_be_used_is_refused(folder, options):
    result = run("fit", "counts.npz", "-k", "3", "--device", "cuda", *options)
    assert result.exit_code == 2
    assert "--device" in result.stderr


def test_transform_refuses_it_for_other_models(folder):
    X, *_ = planted_corpus(60, 30)
    AnchorWords(3).fit(X, feature_names=[f"word{i}" for i in range(30)]).save("w.cotopics")
    result = run("transform", "w.cotopics", "counts.npz", "--device", "cuda")
    assert result.exit_code == 2
    assert "--device is for models of `fit --method topic-model`, and this is AnchorWords" in result.stderr
