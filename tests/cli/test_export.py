"""cotopics export"""

import csv
import importlib
import io
import json
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest

from conftest import planted_corpus
from cotopics import AnchorWords
from cotopics.cli import export as command_module
from cotopics.export import correlation_table, pyldavis_data, topic_words_table, topics_table
from cotopics.registry import EXPORTS, Export

X, _, _ = planted_corpus()
WORDS = ["=cmd", "@x", "a b", *(f"w{i}" for i in range(57))]


@pytest.fixture(scope="module")
def fitted():
    return AnchorWords(4).fit(X, feature_names=WORDS)


@pytest.fixture(scope="module")
def folder(fitted, tmp_path_factory, save_counts):
    folder = tmp_path_factory.mktemp("export")
    fitted.save(folder / "m.cotopics")
    AnchorWords(4).fit(X, feature_names=[f"w{i}" for i in range(60)]).save(folder / "plain.cotopics")
    save_counts(X).rename(folder / "counts.npz")
    (folder / "vocab.txt").write_text("\n".join(f"w{i}" for i in range(60)), encoding="utf-8")
    return folder


@pytest.mark.parametrize("suffix", [".csv", ".tsv.gz", ".jsonl", ".parquet"])
@pytest.mark.parametrize("what", ["topics", "words", "correlations"])
def test_tables(run, folder, fitted, what, suffix):
    makers = {"topics": topics_table, "words": topic_words_table, "correlations": correlation_table}
    table = makers[what](fitted)
    out = folder / f"{what}{suffix}"
    result = run("export", folder / "m.cotopics", "--to", what, "-o", out, "--no-defuse" if "sv" in suffix else "-q")
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    readers = {".csv": pl.read_csv, ".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet}
    frame = readers.get(suffix, lambda path: pl.read_csv(path, separator="\t"))(out)
    assert tuple(frame.columns) == table.names
    for name, column in table.as_dict().items():
        expected = column if isinstance(column, list) else pytest.approx(column, abs=1e-15)
        assert frame[name].to_list() == expected


def test_stdout_is_defused_csv(run, folder, fitted):
    result = run("export", folder / "m.cotopics", "--to", "words", "-n", 60)
    words = [row["word"] for row in csv.DictReader(io.StringIO(result.stdout))]
    assert {"'=cmd", "'@x"} <= set(words)
    assert result.stderr == ""


def test_words_of_each_topic(run, folder, fitted):
    rows = list(csv.DictReader(io.StringIO(run("export", folder / "m.cotopics", "--to", "words", "-n", 3).stdout)))
    assert [row["word"].removeprefix("'") for row in rows] == [word for words in fitted.top_words(3) for word in words]
    shown = run("export", folder / "m.cotopics", "--to", "topics", "-n", 2, "--no-defuse").stdout
    assert [row["words"] for row in csv.DictReader(io.StringIO(shown))] == topics_table(fitted, 2).as_dict()["words"]


def test_graphml(run, folder):
    edges = []
    for threshold in ("0", "0.5", "99"):
        out = folder / "t.graphml"
        result = run("export", folder / "m.cotopics", "--to", "graphml", "--threshold", threshold, "-o", out)
        assert result.exit_code == 0
        root = ET.parse(out).getroot()
        assert len([node for node in root.iter() if node.tag.endswith("node")]) == 4
        edges.append(len([edge for edge in root.iter() if edge.tag.endswith("edge")]))
    assert edges[0] == 6
    assert edges[2] == 0
    assert run("export", folder / "m.cotopics", "--to", "graphml").stdout.startswith("<?xml")


def test_pyldavis(run, folder):
    model, counts = folder / "plain.cotopics", folder / "counts.npz"
    result = run("export", model, counts, "--to", "pyldavis", "-o", folder / "vis.json")
    assert result.exit_code == 0
    assert "400 documents, 60 words of the model" in result.stderr
    read = json.loads((folder / "vis.json").read_text())
    expected = pyldavis_data(AnchorWords(4).fit(X), X)
    assert read["vocab"] == [f"w{i}" for i in range(60)]
    assert np.abs(np.array(read["doc_topic_dists"]) - expected["doc_topic_dists"]).max() < 1e-12
    assert read["sort_topics"] is False
    assert json.loads(run("export", model, counts, "--to", "pyldavis").stdout) == read


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "--to", "topics"], "no model file"),
        (["{f}/m.cotopics"], "Missing option"),
        (["{f}/m.cotopics", "--to", "xml"], "'xml' is not one of"),
        (["{f}/m.cotopics", "--to", "pyldavis"], "name their file after the model"),
        (["{f}/m.cotopics", "{f}/counts.npz", "--to", "topics"], "--to topics uses the model alone"),
        (["{f}/m.cotopics", "{f}/counts.npz", "--to", "pyldavis", "--text-field", "x"], "--text-field is for texts"),
        (["{f}/m.cotopics", "--to", "topics", "--text-field", "x"], "--text-field is for --to pyldavis"),
        (["{f}/m.cotopics", "--to", "topics", "--threshold", "0.5"], "--threshold is for --to graphml"),
        (["{f}/m.cotopics", "--to", "graphml", "-n", "3"], "--words is for --to "),
        (["{f}/m.cotopics", "--to", "graphml", "--no-defuse"], "is for tables"),
        (["{f}/m.cotopics", "--to", "words", "-n", "0"], "0"),
        (["{f}/m.cotopics", "--to", "words", "-o", "{f}/w.pdf"], "tables are written as .csv, .tsv, .jsonl, .parquet"),
        (["{f}/m.cotopics", "--to", "graphml", "-o", "{f}"], "name a file such as topics.graphml"),
        (["{f}/m.cotopics", "--to", "graphml", "-o", "{f}/no/t.graphml"], "the folder of"),
        (["{f}/plain.cotopics", "nothing.npz", "--to", "pyldavis"], "there is no file nothing.npz"),
    ],
)
def test_wrong_use_is_one_clear_line(run, folder, arguments, message):
    before = set(folder.iterdir())
    result = run("export", *(argument.format(f=folder) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    assert set(folder.iterdir()) == before
    if result.stderr.startswith("cotopics:"):
        assert len(result.stderr.splitlines()) == 1


@pytest.fixture
def lines_format(monkeypatch):
    """A made-up format, named before the command is loaded, as a line of EXPORTS is."""

    def lines(model, X, n=2, least=0.0):
        yield f"{X.shape[0]} documents, lift {least}\n"
        yield from (f"{' '.join(words)}\n" for words in model.top_words(n))

    options = {"n_words": "n", "threshold": "least"}
    form = Export("a line a topic", "lines.txt", lines, options, needs_documents=True)
    monkeypatch.setitem(EXPORTS, "lines", form)
    yield importlib.reload(command_module)
    monkeypatch.undo()
    importlib.reload(command_module)


@pytest.mark.usefixtures("lines_format")
def test_a_new_format_is_one_entry(run, folder):
    assert "lines          a line a topic" in run("export", "--help").stdout
    model, counts, out = folder / "plain.cotopics", folder / "counts.npz", folder / "lines.txt"
    result = run("export", model, counts, "--to", "lines", "-n", 3, "--threshold", 0.5, "-o", out)
    assert result.exit_code == 0, result.output
    words = [
        " ".join(words) for words in AnchorWords(4).fit(X, feature_names=[f"w{i}" for i in range(60)]).top_words(3)
    ]
    assert out.read_text(encoding="utf-8").splitlines() == ["400 documents, lift 0.5", *words]
    assert "--to lines needs documents" in run("export", model, "--to", "lines").stderr
    refused = run("export", model, "--to", "correlations", "-n", 3).stderr
    assert "--words is for --to " in refused
    assert " and lines" in refused
    assert "lines.txt" in run("export", model, counts, "--to", "lines", "-o", folder).stderr


def test_every_format_is_named_once(run, folder):
    for name, form in EXPORTS.items():
        documents = [folder / "counts.npz"] if form.needs_documents else []
        out = folder / form.file
        assert run("export", folder / "plain.cotopics", *documents, "--to", name, "-o", out).exit_code == 0
        assert out.stat().st_size
