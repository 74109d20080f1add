"""cotopics report"""

import json
import re

import pytest

from conftest import planted_corpus
from cotopics import load, metrics
from cotopics.corpus import Preparation, read_corpus

WORDS = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    rows = planted_corpus(n_documents=100)[0].toarray()
    texts = [" ".join(WORDS[i] for i, n in enumerate(row) for _ in range(n)) for row in rows]
    lines = [json.dumps({"body": text, "date": f"20{10 + i % 5}"}) for i, text in enumerate(texts)]
    (folder / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def model(run, folder):
    if not (folder / "m.cotopics").exists():
        arguments = ["--method", "anchor-words", "--text-field", "body", "--stop-words", "none", "-q"]
        assert run("fit", folder / "texts.jsonl", "-k", 3, "-o", folder / "m.cotopics", *arguments).exit_code == 0
    return folder / "m.cotopics"


def record(path):
    html = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'type="application/json">(.*?)</script>', html, flags=re.DOTALL)[1])


def test_with_documents(run, folder, model):
    result = run("report", model, folder / "texts.jsonl", "--text-field", "body", "-o", folder / "r.html")
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    assert "100 documents" in result.stderr
    assert f"Written to {folder / 'r.html'}; open it in a browser" in result.stderr
    shown = record(folder / "r.html")
    assert shown["title"] == "Topics of texts.jsonl"
    assert shown["time"]["periods"] == ["2010", "2011", "2012", "2013", "2014"]
    assert len(shown["topics"][0]["documents"][0]["text"]) > 1


def test_counts_have_no_texts(run, folder, model, save_counts):
    counts = save_counts(planted_corpus(n_documents=100)[0])
    (counts.parent / "vocab.txt").write_text("\n".join(WORDS[:60]), encoding="utf-8")
    result = run("report", model, counts, "-o", folder / "c.html")
    assert result.exit_code == 0, result.output
    assert record(folder / "c.html")["topics"][0]["documents"][0]["text"] == []


def test_the_model_alone(run, folder, model, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    result = run("report", model, "-q")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert record(tmp_path / "report.html")["documents"] == []


def test_with_a_choice(run, folder, model):
    reading = ["--text-field", "body", "--stop-words", "none", "--candidates", "2,3"]
    chosen = run("choose", folder / "texts.jsonl", *reading, "-o", folder / "choice.json")
    assert chosen.exit_code == 0, chosen.output
    result = run("report", model, "--choice", folder / "choice.json", "-o", folder / "k.html")
    assert result.exit_code == 0, result.output
    assert record(folder / "k.html")["choice"]["candidates"] == [2, 3]


@pytest.fixture
def other(run, folder):
    """A model of fewer of the words."""
    if not (folder / "o.cotopics").exists():
        arguments = [
            "--method",
            "anchor-words",
            "--text-field",
            "body",
            "--stop-words",
            "none",
            "--vocabulary-size",
            40,
        ]
        assert run("fit", folder / "texts.jsonl", "-k", 2, "-o", folder / "o.cotopics", *arguments).exit_code == 0
    return folder / "o.cotopics"


@pytest.mark.parametrize("turned", [False, True])
def test_two_models_side_by_side(run, folder, model, other, turned):
    first, second = (other, model) if turned else (model, other)
    arguments = [folder / "texts.jsonl", "--text-field", "body", "--compare", second, "-o", folder / "two.html"]
    result = run("report", first, *arguments)
    assert result.exit_code == 0, result.output
    found = record(folder / "two.html")["comparison"]
    sizes = [load(name).n_features_in_ for name in (first, second)]
    assert [about["n_words"] for about in found["models"]] == sizes
    assert found["n_shared"] == min(sizes) == 40
    counts = read_corpus(folder / "texts.jsonl", text_field="body", prepare=Preparation(stop_words=None))
    theirs = load(second)
    columns = [list(counts.vocabulary).index(word) for word in theirs.vocabulary_]
    expected = metrics.npmi(theirs, counts.counts[:, columns])  # of all its words, whichever model comes first
    assert next(row for row in found["measures"] if row["name"] == "npmi")["values"][1] == pytest.approx(
        expected, rel=1e-4
    )
    assert run("report", first, "--compare", second, "-o", folder / "two.html").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no model file"),
        (["{f}/m.cotopics", "nothing.txt"], "there is no file nothing.txt"),
        (["{f}/m.cotopics", "--text-field", "x"], "--text-field says how to read INPUT"),
        (["{f}/m.cotopics", "{f}/texts.jsonl"], "no field 'text'"),
        (["{f}/m.cotopics", "--choice", "nothing.json"], "nothing.json: No such file"),
        (["{f}/m.cotopics", "--choice", "{f}/texts.jsonl"], "is not what `cotopics choose -o choice.json` writes"),
        (["{f}/m.cotopics", "--compare", "nothing"], "no model file"),
        (
            ["{f}/m.cotopics", "--compare", "{f}/o.cotopics", "-o", "{f}/o.cotopics"],
            "would replace a file that is read",
        ),
        (["{f}/m.cotopics", "-o", "{f}/m.cotopics"], "would replace a file that is read"),
        (["{f}/m.cotopics", "-o", "{f}"], "name a file such as report.html"),
        (["{f}/m.cotopics", "-o", "{f}/no/r.html"], "the folder of"),
    ],
)
def test_wrong_use_is_one_clear_line(run, folder, model, arguments, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    result = run("report", *(argument.format(f=folder) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_bootstrap_needs_documents(run, tmp_path):
    result = run("report", tmp_path / "m.cotopics", "--bootstrap", 20)
    assert result.exit_code == 2
    assert "--bootstrap draws documents again; name INPUT" in result.stderr
