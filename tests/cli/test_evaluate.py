"""cotopics evaluate"""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords, metrics
from cotopics.metrics import MEASURES

X, _, W = planted_corpus()
WORDS = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"][:60]
LABELS = [f"group {k}" for k in W.argmax(axis=1)]


@pytest.fixture(scope="module")
def fitted():
    return AnchorWords(4).fit(X, feature_names=WORDS)


@pytest.fixture
def model(fitted, tmp_path):
    fitted.save(tmp_path / "m.cotopics")
    return tmp_path / "m.cotopics"


def write_texts(path, extra="", **fields):
    """Documents with their words in the order of the alphabet, and whatever fields."""
    lines = []
    for m, row in enumerate(X.toarray()):
        text = " ".join(WORDS[i] for i, count in enumerate(row) for _ in range(count))
        lines.append(json.dumps({"text": text + extra, **{name: values[m] for name, values in fields.items()}}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def measured(result):
    assert result.exit_code == 0, result.output
    return {name: entry["value"] for name, entry in json.loads(result.stdout)["measures"].items()}


def test_the_table(run, model, fitted, tmp_path):
    result = run("evaluate", model, write_texts(tmp_path / "t.jsonl", label=LABELS))
    assert result.exit_code == 0
    shown = [line.split()[0] for line in result.stdout.splitlines() if line.strip()]
    assert [name for name in shown if name in MEASURES] == [name for name in MEASURES if name != "reference_npmi"]
    assert "400 documents, 60 words of the model" in result.stderr
    assert "left out" not in result.stderr
    assert f"{metrics.npmi(fitted, X):#.4g}" in result.stdout


def test_json_is_what_evaluate_returns(run, model, fitted, tmp_path):
    path = write_texts(tmp_path / "t.jsonl", label=LABELS)
    expected = metrics.evaluate(fitted, X, LABELS)
    assert measured(run("evaluate", model, path, "--json")) == pytest.approx(expected.values)
    quiet = run("evaluate", model, path, "--json", "-q")
    assert quiet.stderr == ""


def test_words_are_matched_by_name(run, model, fitted, tmp_path, rng):
    expected = metrics.evaluate(fitted, X).values
    texts = write_texts(tmp_path / "t.jsonl", extra=" the unheard of")  # stop words are unknown words like others
    result = run("evaluate", model, texts, "--json")
    values = measured(result)
    assert values["nmi"] is None
    assert {name: value for name, value in values.items() if value is not None} == pytest.approx(expected)
    assert "3 other words left out" in result.stderr
    order = rng.permutation(60)
    wider = sp.hstack([X[:, order], X[:, :2]]).tocsr()
    sp.save_npz(tmp_path / "counts.npz", wider)
    (tmp_path / "vocab.txt").write_text("\n".join([*np.array(WORDS)[order], "new", "newer"]), encoding="utf-8")
    (tmp_path / "labels.txt").write_text("\n".join(LABELS), encoding="utf-8")
    result = run("evaluate", model, tmp_path / "counts.npz", "--json")
    assert measured(result) == pytest.approx(metrics.evaluate(fitted, X, LABELS).values)
    assert "2 other words left out" in result.stderr


def test_shards(run, model, fitted, tmp_path):
    folder = tmp_path / "shards"
    folder.mkdir()
    for i, rows in enumerate(np.array_split(np.arange(400), 3)):
        sp.save_npz(folder / f"{i}.npz", X[rows])
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    values = measured(run("evaluate", model, folder, "--json"))
    assert values["npmi"] == pytest.approx(metrics.npmi(fitted, X))


def test_the_field_of_the_labels(run, model, tmp_path):
    path = write_texts(tmp_path / "t.jsonl", section=LABELS)
    assert measured(run("evaluate", model, path, "--json"))["nmi"] is None
    assert measured(run("evaluate", model, path, "--json", "--labels-field", "section"))["nmi"] > 0.5


def test_reasons_are_in_the_table(run, tmp_path):
    AnchorFree(4).fit(X, feature_names=WORDS).save(tmp_path / "free")
    result = run("evaluate", tmp_path / "free", write_texts(tmp_path / "t.jsonl"))
    assert result.exit_code == 0
    assert "AnchorFree finds topics without anchor words" in result.stdout
    assert "no labels of the documents" in result.stdout


def test_models_without_words_take_columns(run, tmp_path):
    AnchorWords(4).fit(X).save(tmp_path / "m")
    sp.save_npz(tmp_path / "same.npz", X)
    sp.save_npz(tmp_path / "other.npz", X[:, :50])
    assert measured(run("evaluate", tmp_path / "m", tmp_path / "same.npz", "--json"))["npmi"] > 0
    refused = run("evaluate", tmp_path / "m", tmp_path / "other.npz")
    assert refused.exit_code == 2
    assert "has 50 words and the model 60" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "{texts}"], "no model file"),
        (["{model}", "nothing.jsonl"], "there is no file nothing.jsonl"),
        (["{model}", "{texts}", "--text-field", "body"], "no field 'body'"),
        (["{model}", "{texts}", "--labels-field", "kind"], "no document has a field 'kind'"),
        (["{model}", "{foreign}"], "none of the model's 60 words"),
        (["{model}", "counts.npz", "--labels-field", "kind"], "--label-field is for texts, and these are counts"),
        (["{model}", "counts.npz", "--text-field", "kind"], "--text-field is for texts"),
        (["{model}"], "Missing argument"),
    ],
)
def test_wrong_use_is_one_clear_line(run, model, tmp_path, arguments, message):
    texts = write_texts(tmp_path / "t.jsonl")
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("quite different words\nand more different words", encoding="utf-8")
    result = run("evaluate", *(a.format(model=model, texts=texts, foreign=foreign) for a in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith("cotopics: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_reference_corpus(run, model, tmp_path):
    texts = write_texts(tmp_path / "t.jsonl")
    found = measured(run("evaluate", model, texts, "--reference", texts, "--json"))
    assert found["reference_npmi"] == found["npmi"]
    assert "reference_npmi" not in measured(run("evaluate", model, texts, "--json"))
