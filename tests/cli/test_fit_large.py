"""What does not fit, or comes in pieces, from the command line."""

import signal
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import TopicModel, load
from cotopics.cli import fit
from cotopics.corpus import Documents
from planted import TEXTS, write_jsonl
from platforms import needs_signals

MAIN = [sys.executable, "-c", "from cotopics.cli.main import main; main(prog_name='cotopics')"]


@pytest.fixture
def shards(tmp_path):
    folder = tmp_path / "shards"
    folder.mkdir()
    X = sp.csr_array(planted_corpus(n_documents=600, n_words=200, n_topics=4, length=60)[0])
    for i, rows in enumerate(np.array_split(np.arange(600), 3)):
        sp.save_npz(folder / f"{i}.npz", X[rows])
    (folder / "vocab.txt").write_text("\n".join(f"w{i}" for i in range(200)), encoding="utf-8")
    return folder


def test_a_stream_is_the_recommended_model(run, shards, tmp_path):
    out = tmp_path / "m.cotopics"
    result = run("fit", shards, "-k", 4, "--stream", "-o", out, "--scratch", shards, "--topics-per-document", "many")
    assert result.exit_code == 0, result.output
    assert "600 documents, 197 words" in result.stderr
    assert "Documents have several topics each" in result.stderr
    assert sorted(path.name for path in shards.iterdir()) == ["0.npz", "1.npz", "2.npz", "vocab.txt"]
    assert run("fit", shards, "-k", 4, "-o", tmp_path / "w", "--topics-per-document", "many").exit_code == 0
    model, whole = load(out), load(tmp_path / "w")
    assert isinstance(model, TopicModel)
    assert model.vocabulary_.tolist() == whole.vocabulary_.tolist()
    assert model.provenance_["input"] == whole.provenance_["input"] == "shards"
    assert np.abs(model.components_ - whole.components_).max() < 1e-6


def test_texts_are_read_once_and_words_are_kept_as_in_memory(run, tmp_path, monkeypatch):
    write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    opened = []
    read = Documents.__iter__
    monkeypatch.setattr(Documents, "__iter__", lambda self: opened.append(1) or read(self))
    options = ("-k", 3, "--vocabulary-size", 20, "--min-documents", 2)
    assert run("fit", tmp_path / "texts.jsonl", "--stream", "-o", tmp_path / "m", *options).exit_code == 0
    assert opened == [1]
    assert run("fit", tmp_path / "texts.jsonl", "-o", tmp_path / "w", *options).exit_code == 0
    model, whole = load(tmp_path / "m"), load(tmp_path / "w")
    assert len(model.vocabulary_) == 20
    order = [model.vocabulary_.tolist().index(word) for word in whole.vocabulary_]
    assert np.abs(model.components_[:, order] - whole.components_).max() < 1e-5
    assert model.provenance_["preparation"] == whole.provenance_["preparation"]


def test_standard_input_is_a_stream(tmp_path):
    write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    command = [*MAIN, "fit", "-", "-k", "3", "--stream", "-o", tmp_path / "m"]
    with (tmp_path / "texts.jsonl").open("rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "m").provenance_["input"] == "standard input"


@needs_signals
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=str)
def test_stopped_it_leaves_nothing_behind(tmp_path, number):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    options = ["-k", "3", "--stream", "--scratch", scratch, "--refine", "10000000", "-o", tmp_path / "m"]
    command = [*MAIN, "fit", tmp_path / "texts.jsonl", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "documents" in process.stderr.readline()
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    "options",
    [["--scratch", "x"], ["--stream", "--scratch", "x", "--method", "anchor-words"], ["--stream", "--scratch", "x/y"]],
)
def test_a_scratch_folder_that_cannot_be_used(run, shards, options):
    result = run("fit", shards, *options)
    assert result.exit_code == 2
    assert "--scratch" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_stream_of_shards(run, shards, tmp_path):
    out = tmp_path / "m.cotopics"
    method = ("--method", "anchor-words")
    result = run("fit", shards, "-k", 4, "--stream", *method, "-o", out, "--min-anchor-documents", 20)
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
    result = run("fit", shards, "--stream", "--method", "anchor-words", *option)
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
