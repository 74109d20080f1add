"""cotopics transform"""

import csv
import gzip
import io
import json
import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorWords
from cotopics.infer import INFERENCES
from platforms import needs_full_device

X, _, W = planted_corpus()
WORDS = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"][:60]
LABELS = ["=1+1", None, 7, ["a", "b"]] * 100


@pytest.fixture(scope="module")
def fitted():
    return AnchorWords(4).fit(X, feature_names=WORDS)


@pytest.fixture(scope="module")
def folder(fitted, tmp_path_factory):
    """A model and documents, with labels of every kind, and one without a word of the model at the end."""
    folder = tmp_path_factory.mktemp("transform")
    fitted.save(folder / "m.cotopics")
    texts = [" ".join(WORDS[i] for i, n in enumerate(row) for _ in range(n)) for row in X.toarray()]
    lines = [json.dumps({"text": text, "label": label}) for text, label in zip(texts, LABELS, strict=True)]
    (folder / "t.jsonl").write_text("\n".join([*lines, '{"text": "unheard of"}']), encoding="utf-8")
    sp.save_npz(folder / "counts.npz", X)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def expected(fitted):
    return np.vstack([fitted.transform(X), fitted.topic_prevalence_])


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".jsonl", ".parquet"])
def test_a_row_a_document(run, folder, expected, suffix):
    out = folder / f"w{suffix}"
    result = run("transform", folder / "m.cotopics", folder / "t.jsonl", "-o", out)
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    assert "401 documents, 60 words of the model" in result.stderr
    assert "1 documents have no word that the topics know" in result.stderr
    assert f"Written to {out}" in result.stderr
    readers = {".parquet": pl.read_parquet, ".jsonl": lambda path: pl.read_ndjson(path, infer_schema_length=None)}
    read = readers.get(suffix, lambda path: pl.read_csv(path, separator="\t" if suffix == ".tsv" else ","))
    frame = read(out)
    assert frame.columns == ["document", "label", "topic_0", "topic_1", "topic_2", "topic_3"]
    assert frame["document"].to_list() == list(range(401))
    assert np.abs(frame[:, 2:].to_numpy() - expected).max() <= 1e-15
    formula = "=1+1" if suffix in (".jsonl", ".parquet") else "'=1+1"
    assert frame["label"].to_list()[:4] == [formula, None, "7", '["a", "b"]']
    assert frame["label"].to_list()[-1] is None


@pytest.mark.parametrize("output", [[], ["-o", "-"]])
def test_stdout_is_csv_and_nothing_else(run, folder, expected, output):
    result = run("transform", folder / "m.cotopics", folder / "t.jsonl", *output)
    assert result.exit_code == 0
    names, *rows = csv.reader(io.StringIO(result.stdout))
    assert names[-1] == "topic_3"
    assert np.array([row[2:] for row in rows], dtype=float) == pytest.approx(expected, abs=1e-15)
    quiet = run("transform", folder / "m.cotopics", folder / "t.jsonl", *output, "-q")
    assert quiet.stdout == result.stdout
    assert quiet.stderr == ""


def test_long_form(run, folder, fitted):
    W = fitted.transform(X, method="em")
    for options, least in ((["--sparse"], 0), (["--threshold", 0.25], 0.25)):
        result = run("transform", folder / "m.cotopics", folder / "counts.npz", "--method", "em", *options)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert list(rows[0]) == ["document", "topic", "share"]
        found = {(int(row["document"]), int(row["topic"])): float(row["share"]) for row in rows}
        wanted = {(m, k): W[m, k] for m in range(400) for k in range(4) if W[m, k] > 0 and W[m, k] >= least}
        assert found == pytest.approx(wanted, abs=1e-15)


def test_every_method(run, folder, fitted):
    for method in INFERENCES:
        result = run("transform", folder / "m.cotopics", folder / "counts.npz", "--method", method)
        _, *rows = csv.reader(io.StringIO(result.stdout))
        assert np.array(rows, dtype=float)[:, 1:] == pytest.approx(fitted.transform(X, method=method), abs=1e-12)


def test_formulas_may_stay(run, folder):
    result = run("transform", folder / "m.cotopics", folder / "t.jsonl", "--no-defuse")
    assert result.stdout.splitlines()[1].startswith("0,=1+1,")


def test_documents_with_ids(run, folder, tmp_path):
    sp.save_npz(tmp_path / "counts.npz", X)
    for name, lines in (("vocab.txt", WORDS), ("ids.txt", [f"id{m}" for m in range(400)])):
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    result = run("transform", folder / "m.cotopics", tmp_path / "counts.npz", "--threshold", 0.5)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert all(row["id"] == f"id{row['document']}" for row in rows)


def test_the_field_of_the_labels(run, folder, tmp_path):
    (tmp_path / "t.jsonl").write_text('{"text": "am an", "section": "x"}\n{"text": "ap", "section": "y"}\n')
    result = run("transform", folder / "m.cotopics", tmp_path / "t.jsonl", "--labels-field", "section")
    assert [row["label"] for row in csv.DictReader(io.StringIO(result.stdout))] == ["x", "y"]


def test_warnings_come_once(run, folder, monkeypatch):
    def warn(self, counts, method=None):
        for _ in range(3):
            warnings.warn("something to know", stacklevel=2)
        return np.full((counts.shape[0], 4), 0.25)

    monkeypatch.setattr("cotopics.models.AnchorWords.transform", warn)
    result = run("transform", folder / "m.cotopics", folder / "counts.npz", "-o", folder / "warned.csv")
    assert result.exit_code == 0
    assert result.stderr.count("something to know") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "{f}/t.jsonl"], "no model file"),
        (["{f}/t.jsonl", "{f}/t.jsonl"], "not a readable model file"),
        (["{f}/m.cotopics", "nothing.jsonl"], "there is no file nothing.jsonl"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "-o", "{f}/w.xlsx"], "tables are written as .csv, .tsv, .jsonl, .parquet"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "-o", "{f}/w.parquet.gz"], "leave out .gz"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "-o", "{f}"], "is not a file name"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "-o", "{f}/no/w.csv"], "the folder of"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "--threshold", "2"], "2"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "--method", "magic"], "magic"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "--text-field", "body"], "no field 'body'"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "--labels-field", "kind"], "no document has a field 'kind'"),
        (["{f}/m.cotopics", "{f}/counts.npz", "--labels-field", "kind"], "--label-field is for texts"),
        (["{f}/m.cotopics", "{f}/t.jsonl", "-o", "{f}/t.jsonl"], "would replace a file that is read"),
        (["{f}/m.cotopics", "{f}/counts.npz", "--text-field", "kind"], "--text-field is for texts"),
        (["{f}/m.cotopics"], "Missing argument"),
    ],
)
def test_wrong_use_is_one_clear_line(run, folder, arguments, message):
    before = set(folder.iterdir())
    result = run("transform", *(argument.format(f=folder) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    assert set(folder.iterdir()) == before
    assert result.stderr.startswith("cotopics: ")
    assert len(result.stderr.splitlines()) == 1


def test_without_pyarrow(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("transform", folder / "m.cotopics", folder / "t.jsonl", "-o", folder / "none.parquet")
    assert result.exit_code == 2
    assert result.stderr == 'cotopics: .parquet files need pyarrow: pip install "cotopics[parquet]"\n'


def test_a_failure_leaves_the_old_file(run, folder, monkeypatch):
    out = folder / "old.csv.gz"
    out.write_bytes(gzip.compress(b"old"))

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run("transform", folder / "m.cotopics", folder / "t.jsonl", "-o", out, "-q")
    assert result.exit_code == 2
    assert result.stderr == f"cotopics: {out}: No space left on device\n"
    assert gzip.decompress(out.read_bytes()) == b"old"
    assert not list(folder.glob(".*.part"))


@needs_full_device
def test_a_full_pipe_is_one_line(folder):
    script = "from cotopics.cli.main import main; main()"
    command = [sys.executable, "-c", script, "transform", folder / "m.cotopics", folder / "t.jsonl", "-q"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("cotopics: ")
    assert len(done.stderr.splitlines()) == 1
