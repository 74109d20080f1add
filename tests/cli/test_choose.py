"""cotopics choose, called as a user would."""

import json
import shlex
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import choose_n_topics, load
from cotopics.choose import COLUMNS, Choice
from cotopics.datasets import make_corpus

MAGIC = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def X():
    return make_corpus(300, 90, 5, length=150, anchors_per_topic=2, random_state=3)[0]


@pytest.fixture(scope="module")
def counts(X, save_counts):
    return save_counts(X)


@pytest.fixture
def texts(X, tmp_path):
    names = [f"w{a}{b}" for a in "abcdefghij" for b in "klmnopqrs"]
    lines = [" ".join(np.repeat(names, row)) for row in X.toarray().astype(int)]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(json.dumps({"body": line}) for line in lines), encoding="utf-8")
    return path


def test_a_table_and_a_sentence(run, counts, X):
    result = run("choose", counts, "--candidates", "8,3,5")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    heading = next(i for i, line in enumerate(lines) if line.split()[:1] == ["topics"])
    assert lines[heading].split() == ["topics", *(column.heading for column in COLUMNS.values())]
    rows = [line.split() for line in lines[heading + 2 : heading + 5]]
    assert [row[0] for row in rows] == ["3", "5", "8"]
    choice = choose_n_topics(X, [3, 5, 8])
    for i, row in enumerate(rows):
        expected = [format(choice.measures[name][i], column.digits) for name, column in COLUMNS.items()]
        assert row[1:] == expected
    assert "TOP finds 5 at c1 = 0.55, 5 at c1 = 1.1, 5 at c1 = 2.2 topics." in result.stdout
    assert f"Recommended: {choice.sentence}" in " ".join(result.stdout.split())
    assert "300 documents, 90 words" in result.stderr
    assert f"Next:  cotopics fit {counts} -k 5 -o model.cotopics" in result.stderr


def test_every_measure_has_a_heading_and_a_line_that_explains_it(run, counts):
    lines = run("choose", counts, "--candidates", "5").stdout.splitlines()
    legend = [f"{column.heading:<10} {column.meaning}" for column in COLUMNS.values()]
    first = lines.index(legend[0])
    assert lines[first : first + len(legend)] == legend


def test_everything_as_json(run, counts, X):
    result = run("choose", counts, "--candidates", "3,5,8", "--json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)  # and nothing else is on stdout
    choice = choose_n_topics(X, [3, 5, 8])
    assert set(record) == {
        "n_topics",
        "reason",
        "finest",
        "coarser",
        "sample",
        "candidates",
        "spectrum",
        "replication",
        "n_topics_top",
    }
    assert record["n_topics"] == choice.n_topics == 5
    assert record["reason"] == choice.reason
    assert [row.pop("n_topics") for row in record["candidates"]] == [3, 5, 8]
    for i, row in enumerate(record["candidates"]):
        assert row == {name: float(values[i]) for name, values in choice.measures.items()}
    assert record["spectrum"] == choice.spectrum.tolist()
    assert record["replication"] == choice.replication.tolist()
    assert record["n_topics_top"] == {"0.55": 5, "1.1": 5, "2.2": 5}


def test_without_candidates_it_finds_the_number(run, texts):
    result = run("choose", texts, "--text-field", "body", "--stop-words", "none", "--json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["n_topics"] == 5
    assert {2, 4, 5, 6} <= {row["n_topics"] for row in record["candidates"]}


def test_which_words_are_kept(run, texts):
    options = ["--text-field", "body", "--vocabulary-size", "40", "--min-documents", "2", "--candidates", "3"]
    result = run("choose", texts, *options)
    assert result.exit_code == 0, result.output
    assert "40 words" in result.stderr


def test_the_next_command_reads_the_same_words(run, texts, tmp_path):
    """Its options are those that were typed, and a shell can take it: it fits the corpus that was looked at."""
    named = texts.rename(tmp_path / "my texts.jsonl")
    options = ["--stop-words", "none", "--text-field", "body", "--vocabulary-size", "40"]
    result = run("choose", named, "--candidates", "5", *options)
    assert result.exit_code == 0, result.output
    line = result.stderr.splitlines()[-1]
    start = f"Next:  cotopics fit '{named}' --vocabulary-size 40 --stop-words none --text-field body -k 5 -o "
    assert line == f"{start}model.cotopics"
    fit = shlex.split(line)[2:-1]
    fitted = run(*fit, tmp_path / "m.cotopics")
    assert fitted.exit_code == 0, fitted.output
    assert load(tmp_path / "m.cotopics").n_features_in_ == 40
    assert fitted.stderr.splitlines()[0] == result.stderr.splitlines()[0]  # as many documents, and words


def test_a_folder_of_pieces_is_one_corpus(run, counts, X, tmp_path):
    (tmp_path / "pieces").mkdir()
    for i, rows in enumerate(np.array_split(np.arange(300), 3)):
        sp.save_npz(tmp_path / "pieces" / f"{i}.npz", X[rows])
    whole, pieces = (run("choose", path, "--candidates", "3,5", "--json") for path in (counts, tmp_path / "pieces"))
    assert pieces.exit_code == 0, pieces.output
    assert json.loads(pieces.stdout) == json.loads(whole.stdout)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "SVG"])
def test_the_figure(run, counts, tmp_path, suffix):
    out = tmp_path / f"choice.{suffix}"
    result = run("choose", counts, "--candidates", "3,5", "-o", out)
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(MAGIC[suffix.lower()])
    assert f"Drawn in {out}" in result.stderr
    assert "Recommended: 5 topics:" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_the_evidence_in_a_file(run, counts, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # nothing is drawn
    out = tmp_path / "choice.json"
    result = run("choose", counts, "--candidates", "3,5", "-o", out, "--json")
    assert result.exit_code == 0, result.output
    assert f"Written to {out}" in result.stderr
    assert json.loads(out.read_text(encoding="utf-8")) == json.loads(result.stdout) == Choice.load(out).as_dict()


def test_help_names_the_formats_that_figures_have(run):
    from cotopics.plot.canvas import FORMATS

    assert f"({', '.join(FORMATS[:-1])} or {FORMATS[-1]})" in " ".join(run("choose", "--help").stdout.split())


def test_kinds_of_figures_are_known_in_one_place(run, counts, monkeypatch):
    monkeypatch.setattr("cotopics.plot.canvas.FORMATS", (".svg", ".eps"))
    monkeypatch.setattr("cotopics.choose.choose_n_topics", None)  # would fail: it is said before the work
    result = run("choose", counts, "-o", "choice.png")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "cotopics: choice.png: figures are written as .svg or .eps, and evidence for a report as .json\n"
    )


def test_quiet_is_results_alone(run, counts, tmp_path):
    result = run("choose", counts, "--candidates", "5", "-q", "-o", tmp_path / "a.svg")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "Recommended: 5 topics:" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.npz"], "there is no file nothing.npz"),
        (["{counts}", "--candidates", "5,six"], "not a list of whole numbers"),
        (["{counts}", "--candidates", "5,,6"], "not a list of whole numbers"),
        (["{counts}", "--candidates", "2.5"], "not a list of whole numbers"),
        (["{counts}", "--candidates", ""], "not a list of whole numbers"),
        (["{counts}", "--candidates", "0,5"], "at least 2"),
        (["{counts}", "--candidates", "-5"], "at least 2"),
        (["{counts}", "--candidates", "5,500"], "up to 75 topics"),
        (["{counts}", "--vocabulary-size", "2"], "up to 1 topics"),
        (["{counts}", "--stop-words", "none"], "--stop-words is for texts"),
        (["{counts}", "--text-field", "body"], "--text-field is for texts"),
        (["{counts}", "-o", "choice.jpg"], "written as .svg, .png or .pdf"),
        (["{counts}", "-o", "choice"], "written as .svg, .png or .pdf"),
        (["{counts}", "-o", "no/such/folder/choice.svg"], "does not exist"),
        (["{counts}", "-o", ""], "is not a file name"),
        (["{counts}", "--n-splits", "3"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_wrong_use_is_one_clear_line(run, counts, arguments, message):
    result = run("choose", *(argument.format(counts=counts) for argument in arguments))
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)  # not a traceback
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if line.startswith(("cotopics:", "Error:"))]
    assert len(errors) == 1
    assert message in errors[0]


@pytest.mark.parametrize("candidates", ["0,5", "5,1", "-5", "5,six", ""])
def test_candidates_are_looked_at_before_any_file(run, candidates):
    result = run("choose", "nothing.npz", "--candidates", candidates)
    assert result.exit_code == 2
    assert "Invalid value for '--candidates'" in result.stderr
    assert "nothing.npz" not in result.stderr


def test_without_matplotlib_it_says_so_before_the_work(run, counts, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("cotopics.choose.choose_n_topics", None)  # would fail
    result = run("choose", counts, "-o", tmp_path / "a.svg")
    assert result.exit_code == 2
    assert 'pip install "cotopics[plot]"' in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_without_matplotlib_the_table_is_there(run, counts, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run("choose", counts, "--candidates", "5").exit_code == 0


def test_help(run):
    shown = run("choose", "--help")
    assert shown.exit_code == 0
    assert "its columns are explained below it" in " ".join(shown.stdout.split())
    assert "cotopics choose articles.jsonl.gz" in shown.stdout
    assert "choose" in run("--help").stdout


def test_files_larger_than_memory(run, counts, texts):
    whole = run("choose", counts, "--candidates", "3,5", "--json")
    pieces = run("choose", counts, "--candidates", "3,5", "--json", "--stream")
    assert pieces.exit_code == 0, pieces.output
    assert json.loads(pieces.stdout) == json.loads(whole.stdout)
    result = run("choose", texts, "--text-field", "body", "--stream", "--drop-duplicates")
    assert result.exit_code == 2
    assert "--drop-duplicates needs all documents at once" in result.stderr


def test_a_stream_is_asked_how_many_topics_there_are(run, counts, tmp_path):
    result = run("fit", counts, "--stream", "-k", "auto", "-o", tmp_path / "m.cotopics")
    assert result.exit_code == 0, result.output
    assert "5 topics: 5 directions" in " ".join(result.stderr.split())
    assert load(tmp_path / "m.cotopics").n_topics_ == 5
    assert Choice.from_dict(load(tmp_path / "m.cotopics").diagnostics_["choice"]).n_topics == 5
    result = run("fit", counts, "--stream", "--statistics", tmp_path / "s.statistics", "-k", "auto")
    assert result.exit_code == 2
    assert "-k auto is for --method topic-model and for documents" in result.stderr
