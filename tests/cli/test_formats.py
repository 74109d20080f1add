"""Every format of documents and of counts, through every command that reads them."""

import csv
import io
import json

import numpy as np
import pytest
import scipy.sparse as sp

import written
from cotopics import TopicModel, load, metrics
from cotopics.cli.main import main
from cotopics.corpus import Corpus, save_corpus
from planted import DOCUMENTS, LABELS, TEXTS, WORDS, X, write_jsonl
from runner import CliRunner

PACKED = {".txt": ".gz", ".jsonl": ".zst", ".csv": ".bz2", ".tsv": ".xz", ".parquet": "", "folder": ".gz"}
COUNTS_PACKED = {".npz": "", "docword": ".gz", ".ldac": ".xz", ".mtx": ".zst"}
FIT = ("-k", 4, "--min-documents", 1)


@pytest.fixture(scope="module")
def model_of():
    """The model of these rows of X, fitted by hand."""
    return lambda rows: TopicModel(4).fit(X[rows], feature_names=WORDS)


def check(run, path, model, rows, ids, labels):
    """Fitted, transformed and evaluated as by hand; the documents of the file are these rows of X."""
    out = path.parent / "m.cotopics"
    fitted = run("fit", path, *FIT, "-o", out)
    assert fitted.exit_code == 0, fitted.output
    assert f"{len(rows)} documents, {len(WORDS)} words" in fitted.stderr
    found = load(out)
    assert found.vocabulary_.tolist() == WORDS
    assert found.components_ == pytest.approx(model.components_, abs=1e-12)
    result = run("transform", out, path)
    shares = list(csv.DictReader(io.StringIO(result.stdout)))
    topics = np.array([[float(row[f"topic_{k}"]) for k in range(4)] for row in shares])
    assert topics == pytest.approx(found.transform(X[rows]), abs=1e-12)
    assert [row.get("id") for row in shares] == (ids or [None] * len(rows))
    assert [row.get("label") for row in shares] == ([label or "" for label in labels] if labels else [None] * len(rows))
    measured = run("evaluate", out, path, "--json", "-q")
    assert measured.stderr == ""
    values = {name: entry["value"] for name, entry in json.loads(measured.stdout)["measures"].items()}
    expected = metrics.evaluate(found, X[rows], labels).values
    assert {name: value for name, value in values.items() if value is not None} == pytest.approx(expected)
    assert (values["nmi"] is None) == (labels is None)


@pytest.mark.parametrize("kind", written.DOCUMENT_WRITERS)
def test_documents(run, tmp_path, model_of, kind):
    path, documents = written.DOCUMENT_WRITERS[kind](tmp_path, DOCUMENTS, kind, PACKED[kind])
    rows = [TEXTS.index(document.text) for document in documents]
    ids = None if kind == ".txt" else [document.id for document in documents]
    labels = None if kind == ".txt" else [document.label for document in documents]
    check(run, path, model_of(rows), rows, ids, labels)


@pytest.mark.parametrize("kind", written.COUNT_WRITERS)
def test_counts(run, tmp_path, model_of, kind):
    path = written.COUNT_WRITERS[kind](tmp_path, X.toarray(), WORDS, COUNTS_PACKED[kind])
    ids = [document.id for document in DOCUMENTS]
    for name, lines in (("ids.txt", ids), ("labels.txt", LABELS)):
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    rows = range(X.shape[0])
    check(run, path, model_of(rows), rows, ids, LABELS)


def test_a_saved_corpus(run, tmp_path, model_of):
    ids, rows = [document.id for document in DOCUMENTS], range(X.shape[0])
    save_corpus(Corpus(X, WORDS, LABELS, ids=ids), tmp_path / "a.corpus")
    check(run, tmp_path / "a.corpus", model_of(rows), rows, ids, LABELS)


def test_every_format_is_in_the_tables():
    assert set(PACKED) == set(written.DOCUMENT_WRITERS)
    assert set(COUNTS_PACKED) == set(written.COUNT_WRITERS)


def test_counts_without_words(run, tmp_path):
    """They are named by their columns, in the model and in what it is given later."""
    sp.save_npz(tmp_path / "c.npz", X)
    for options in ([], ["--stream"]):
        assert run("fit", tmp_path / "c.npz", *FIT, "-o", tmp_path / "m", *options).exit_code == 0
        assert load(tmp_path / "m").vocabulary_.tolist() == [f"word{i}" for i in range(X.shape[1])]
        assert run("transform", tmp_path / "m", tmp_path / "c.npz").stdout.count("\n") == X.shape[0] + 1


@pytest.mark.parametrize("packing", written.PACK)
def test_standard_input(tmp_path, model_of, packing):
    content = written.PACK[packing]("\n".join(json.dumps({"text": text}) for text in TEXTS).encode())
    out = tmp_path / "m.cotopics"
    fitted = CliRunner().invoke(main, ["fit", "-", *map(str, FIT), "-o", str(out)], input=content)
    assert fitted.exit_code == 0, fitted.output
    model = load(out)
    assert model.components_ == pytest.approx(model_of(range(len(TEXTS))).components_, abs=1e-12)
    assert model.provenance_["input"] == "standard input"
    shown = CliRunner().invoke(main, ["transform", str(out), "-", "-q"], input=content)
    assert shown.stdout.count("\n") == len(TEXTS) + 1


BROKEN = ['{"text": ', "[1]"]
LEFT_OUT = "2 documents left out that cannot be read"


@pytest.fixture
def broken(tmp_path):
    path = write_jsonl(tmp_path / "broken.jsonl", TEXTS)
    path.write_text("\n".join([BROKEN[0], path.read_text(), BROKEN[1]]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["fit", "{broken}", "-k", "4", "-o", "{out}"],
        ["fit", "{broken}", "-k", "4", "--stream", "-o", "{out}"],
        ["fit", "{broken}", "-k", "4", "--stream", "--statistics", "{statistics}", "--again", "-o", "{out}"],
        ["forget", "{statistics}", "{broken}", "-o", "{out}"],
        ["transform", "{model}", "{broken}", "-o", "{out}.csv"],
        ["evaluate", "{model}", "{broken}"],
        ["export", "{model}", "{broken}", "--to", "pyldavis", "-o", "{out}"],
    ],
)
def test_what_cannot_be_read_is_an_error_or_counted(run, tmp_path, broken, command):
    names = {"broken": broken, "model": tmp_path / "m", "statistics": tmp_path / "s", "out": tmp_path / "out"}
    good = write_jsonl(tmp_path / "good.jsonl", TEXTS)
    run("fit", good, "-k", 4, "--stream", "--statistics", names["statistics"], "-o", names["model"])
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    arguments = [argument.format(**names) for argument in command]
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "broken.jsonl, line 1: " in refused.stderr
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    result = run(*arguments, "--on-error", "skip")
    assert result.exit_code == 0, result.output
    assert LEFT_OUT in result.stderr
    if command[0] == "fit":
        assert LEFT_OUT in " ".join(load(names["out"]).provenance_["notes"])
        assert str(tmp_path).encode() not in names["out"].read_bytes()


@pytest.mark.parametrize("name", ["made.dat", "made.npz", "made"])
def test_a_kind_is_taken_before_the_suffix(run, tmp_path, name):
    """Also by what says whether options of texts are of use."""
    path = write_jsonl(tmp_path / "t.jsonl", TEXTS, "body").rename(tmp_path / name)
    result = run("fit", path, *FIT, "--kind", "jsonl", "--text-field", "body")
    assert result.exit_code == 0, result.output
    assert f"{len(TEXTS)} documents" in result.stderr
    assert run("fit", path, *FIT, "--kind", "mtx", "--text-field", "body").exit_code == 2
    unknown = run("fit", path, "--kind", "docx")
    assert unknown.exit_code == 2
    assert "kind='docx' is unknown; choose txt, jsonl" in unknown.stderr


def test_encodings(run, tmp_path):
    texts = [" ".join(f"é{word}" for word in text.split()) for text in TEXTS]
    path = tmp_path / "latin.txt"
    path.write_bytes("\n".join(texts).encode("latin-1"))
    refused = run("fit", path, *FIT)
    assert refused.exit_code == 2
    assert "latin.txt, line 1: not UTF-8" in refused.stderr
    assert run("fit", path, *FIT, "--encoding", "latin-1", "-o", tmp_path / "m").exit_code == 0
    assert load(tmp_path / "m").vocabulary_.tolist() == [f"é{word}" for word in WORDS]
    assert "unknown" in run("fit", path, *FIT, "--encoding", "latin-99").stderr


def test_fields(run, tmp_path):
    rows = [{"body": text, "key": f"k{m}", "kind": m % 3} for m, text in enumerate(TEXTS)]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("fit", path, *FIT, "--text-field", "body", "-o", tmp_path / "m").exit_code == 0
    fields = ["--text-field", "body", "--id-field", "key", "--label-field", "kind"]
    shown = list(csv.DictReader(io.StringIO(run("transform", tmp_path / "m", path, *fields).stdout)))
    assert [(row["id"], row["label"]) for row in shown] == [(row["key"], str(row["kind"])) for row in rows]
