"""What does not fit, or comes in pieces, from the command line."""

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import load
from cotopics.cli import fit


@pytest.fixture
def shards(tmp_path):
    folder = tmp_path / "shards"
    folder.mkdir()
    X = sp.csr_array(planted_corpus(n_documents=600, n_words=200, n_topics=4, length=60)[0])
    for i, rows in enumerate(np.array_split(np.arange(600), 3)):
        sp.save_npz(folder / f"{i}.npz", X[rows])
    (folder / "vocab.txt").write_text("\n".join(f"w{i}" for i in range(200)), encoding="utf-8")
    return folder


def test_a_stream_of_shards(run, shards, tmp_path):
    out = tmp_path / "m.cotopics"
    result = run("fit", shards, "-k", 4, "--stream", "-o", out, "--min-anchor-documents", 20)
    assert result.exit_code == 0, result.output
    assert "600 documents" in result.stderr
    model = load(out)
    assert model.representation == "sketch"
    assert model.rectifier == "enn"
    assert all(word.startswith("w") for word in model.vocabulary_)
    options = ["--method", "anchor-words", "--rectifier", "enn", "--weighting", "counts", "--min-anchor-documents", 20]
    whole = run("fit", shards, "-k", 4, "-o", tmp_path / "w", *options)
    assert whole.exit_code == 0, whole.output
    assert load(tmp_path / "w").anchors_.tolist() == model.anchors_.tolist()


@pytest.mark.parametrize("option", [("--rectifier", "ap"), ("--weighting", "tfidf"), ("--method", "anchor-free")])
def test_what_a_stream_decides_is_not_asked(run, shards, option):
    result = run("fit", shards, "--stream", *option)
    assert result.exit_code == 2
    assert f"{option[0]} cannot be used with --stream" in result.stderr


def test_streams_of_nothing(run, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (empty, tmp_path / "missing.txt"):
        result = run("fit", path, "--stream")
        assert result.exit_code == 2
        assert "Traceback" not in result.output
        assert len(result.stderr.strip().splitlines()) == 1


def test_large_vocabularies_are_rectified_as_thin_factors(run, shards, tmp_path, monkeypatch):
    monkeypatch.setattr(fit, "MAX_WORDS_FOR_AP", 100)
    assert run("fit", shards, "-k", 4, "--method", "anchor-words", "-o", tmp_path / "m").exit_code == 0
    assert load(tmp_path / "m").rectifier == "enn"
