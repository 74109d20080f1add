"""cotopics update, and forget of a model."""

import numpy as np
import pytest

from cotopics import load
from planted import TEXTS, write_jsonl


@pytest.fixture
def folder(run, tmp_path):
    """A model of the first half of the texts, and the second half with a word of its own."""
    half = len(TEXTS) // 2
    write_jsonl(tmp_path / "first.jsonl", TEXTS[:half])
    write_jsonl(tmp_path / "second.jsonl", [f"{text} zeppelin" for text in TEXTS[half:]])
    assert run("fit", tmp_path / "first.jsonl", "-k", 3, "-o", tmp_path / "m.cotopics").exit_code == 0
    return tmp_path


def test_update_and_forget(run, folder):
    old = (folder / "m.cotopics").read_bytes()
    result = run("update", folder / "m.cotopics", folder / "second.jsonl", "-o", folder / "n.cotopics")
    assert result.exit_code == 0, result.output
    assert f"{len(TEXTS) - len(TEXTS) // 2} documents added" in result.stderr
    assert "% on average, topic" in result.stderr
    assert (folder / "m.cotopics").read_bytes() == old
    new, model = load(folder / "n.cotopics"), load(folder / "m.cotopics")
    assert new.fit_.sums.n_documents + new.fit_.sums.n_left_out == len(TEXTS)
    assert new.vocabulary_[: len(model.vocabulary_)].tolist() == model.vocabulary_.tolist()
    assert "zeppelin" in new.vocabulary_
    assert new.provenance_["input"] == "first.jsonl, second.jsonl"
    same = np.linalg.norm(new.components_[:, : len(model.vocabulary_)] - model.components_, axis=1)
    assert (same < np.linalg.norm(model.components_, axis=1)).all()  # topics keep their numbers
    result = run("forget", folder / "n.cotopics", folder / "second.jsonl")
    assert result.exit_code == 0, result.output
    assert "documents taken out" in result.stderr
    left = load(folder / "n.cotopics")
    assert b"zeppelin" not in (folder / "n.cotopics").read_bytes()
    order = [left.vocabulary_.tolist().index(word) for word in model.vocabulary_]
    assert left.fit_.sums.frequency[order].tolist() == model.fit_.sums.frequency.tolist()
    assert np.abs(left.components_[:, order] - model.components_).sum(axis=1).max() / 2 < 0.05


def test_rare_new_words_are_left_out(run, folder):
    options = ("-o", folder / "n.cotopics", "--min-documents", 100_000)
    assert run("update", folder / "m.cotopics", folder / "second.jsonl", *options).exit_code == 0
    assert load(folder / "n.cotopics").vocabulary_.tolist() == load(folder / "m.cotopics").vocabulary_.tolist()


def test_new_topics_are_offered_and_come_when_asked_for(run, folder):
    rng, words = np.random.default_rng(0), [f"zz{a}{b}" for a in "abcde" for b in "mnopq"]
    own = [" ".join(rng.choice(words, 30)) for _ in range(30)]
    write_jsonl(folder / "third.jsonl", TEXTS[:30] + own)
    command = ("update", folder / "m.cotopics", folder / "third.jsonl", "-o", folder / "n.cotopics")
    result = run(*command)
    assert "explained badly by the topics: 30 documents (zz" in result.stderr
    assert "--new-topics auto would make 1 new topic of them" in result.stderr
    assert load(folder / "n.cotopics").n_topics_ == 3
    result = run(*command, "--new-topics", "auto")
    assert "topic 3 is new: 30 documents (zz" in result.stderr
    assert load(folder / "n.cotopics").n_topics_ == 4
    assert all(word.startswith("zz") for word in load(folder / "n.cotopics").top_words(5)[3])
    result = run(*command, "--new-topics", "some")
    assert result.exit_code == 2
    assert "'some' is neither auto nor a number of topics" in result.stderr


def test_wrong_use_is_one_line_and_changes_nothing(run, folder):
    model, out = folder / "m.cotopics", folder / "n.cotopics"
    write_jsonl(folder / "other.jsonl", ["quixotic marmalade"] * 3)
    assert run("fit", folder / "first.jsonl", "-k", 3, "--method", "anchor-words", "-o", folder / "a").exit_code == 0
    before = model.read_bytes()
    for command, message in (
        (("update", model, folder / "other.jsonl", "-o", out), "none of the model's"),
        (("update", folder / "a", folder / "second.jsonl", "-o", out), "update is for topic-model"),
        (("update", model, folder / "second.jsonl", "-o", folder), "not a file name"),
        (("forget", folder / "a", folder / "first.jsonl"), "only topic-model can forget"),
        (("forget", model, folder / "first.jsonl"), "no document would be left"),
        (("forget", model, folder / "missing.jsonl"), "no file"),
    ):
        result = run(*command)
        assert result.exit_code == 2
        assert message in result.stderr
        assert "Traceback" not in result.output
    assert model.read_bytes() == before
    assert not out.exists()
