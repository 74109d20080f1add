import csv
import io
import json
import subprocess
import sys

import pytest

from conftest import planted_corpus
from cotopics import __version__, load
from cotopics.cli.display import plain
from cotopics.cli.main import COMMANDS
from cotopics.cli.topics import as_csv
from platforms import needs_full_device


@pytest.fixture
def texts(tmp_path):
    counts = planted_corpus()[0].toarray()
    names = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"]
    path = tmp_path / "texts.jsonl"
    lines = [" ".join(names[i] for i, count in enumerate(row) for _ in range(count)) for row in counts]
    path.write_text("\n".join(json.dumps({"text": line}) for line in lines), encoding="utf-8")
    return path


def test_from_texts_to_topics_on_screen(run, texts, tmp_path):
    out = tmp_path / "model.cotopics"
    fitted = run("fit", texts, "-k", 4, "-o", out, "--stop-words", "none")
    assert fitted.exit_code == 0
    assert "400 documents" in fitted.stderr
    model = load(out)
    assert model.n_topics_ == 4
    for word in model.top_words(1):
        assert word[0] in fitted.stdout
    shown = run("topics", out, "-n", 3)
    assert shown.exit_code == 0
    assert "prominent words" in shown.stdout
    topics = json.loads(run("topics", out, "--json", "-n", 3).stdout)
    assert len(topics) == 4
    assert [topic["prevalence"] for topic in topics] == sorted((t["prevalence"] for t in topics), reverse=True)
    for topic in topics:
        assert topic["words"] == model.top_words(3)[topic["topic"]]
        assert topic["characteristic_words"] == model.characteristic_words(3)[topic["topic"]]
        assert topic["anchor"] == model.vocabulary_[model.anchors_[topic["topic"]]]
    rows = list(csv.DictReader(io.StringIO(run("topics", out, "--csv", "-n", 3).stdout)))
    assert [int(row["topic"]) for row in rows] == [topic["topic"] for topic in topics]
    assert rows[0]["words"] == " ".join(topics[0]["words"])


def test_options_reach_the_model(run, texts, tmp_path):
    out = tmp_path / "m"
    options = [
        "--method",
        "anchor-words",
        "--weighting",
        "counts",
        "--rectifier",
        "none",
        "--min-anchor-documents",
        "3",
        "--vocabulary-size",
        "50",
    ]
    result = run("fit", texts, "-k", 3, "-o", out, "-q", "--stop-words", "none", *options)
    assert result.exit_code == 0
    assert result.stderr == ""
    model = load(out)
    assert (model.weighting, model.rectifier, model.min_anchor_documents) == ("counts", None, 3)
    assert len(model.vocabulary_) == 50


def test_anchor_free_topics(run, texts, tmp_path):
    result = run("fit", texts, "-k", 4, "-o", tmp_path / "m", "--stop-words", "none", "--method", "anchor-free")
    assert result.exit_code == 0
    assert "words next to the anchor" not in result.stdout
    assert type(load(tmp_path / "m")).__name__ == "AnchorFree"
    topics = json.loads(run("topics", tmp_path / "m", "--json").stdout)
    assert topics[0]["anchor"] is None
    assert topics[0]["characteristic_words"] is None
    assert run("topics", tmp_path / "m", "--csv").exit_code == 0


def test_without_output_nothing_is_saved(run, texts, tmp_path):
    before = set(tmp_path.iterdir())
    result = run("fit", texts, "-k", 2)
    assert result.exit_code == 0
    assert "Not saved" in result.stderr
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "nothing.txt"], "there is no file nothing.txt"),
        (["fit", "{texts}", "-k", "500"], "n_topics=500 is more than the 400 documents"),
        (["fit", "{texts}", "-o", "no/such/folder/m"], "does not exist"),
        (["fit", "{texts}", "--min-anchor-documents", "many"], "neither a number"),
        (
            ["fit", "{texts}", "--method", "anchor-words", "--min-anchor-documents", "1.5"],
            "is not a share of documents",
        ),
        (["fit", "{texts}", "--text-field", "body"], "no field 'body'"),
        (["fit", "{texts}", "-k", "0"], "Invalid value"),
        (["fit", "{texts}", "-o", ""], "is not a file name"),
        (["fit", "{texts}", "-o", "{folder}"], "is not a file name"),
        (["fit", "{texts}", "--method", "anchor-free", "--rectifier", "dc"], "--rectifier is for"),
        (["fit", "counts.npz", "--stop-words", "none"], "--stop-words is for texts"),
        (["topics", "nothing"], "no model file"),
        (["topics", "{texts}"], "not a readable model file"),
        (["fit", "{texts}", "-o", "{texts}"], "would replace a file that is read"),
        (["fit", "{texts}", "-o", "x" * 300], "File name too long"),
        (["fit", "x" * 300], "File name too long"),
        (["fit", "{texts}", "-k"], "requires an argument; see"),
        (["nonsense"], "No such command 'nonsense'; see"),
        (["--nonsense"], "No such option"),
    ],
)
def test_wrong_use_is_one_clear_line(run, texts, arguments, message):
    result = run(*(argument.format(texts=texts, folder=texts.parent) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)  # not a traceback
    assert result.stderr.splitlines()[-1].startswith("cotopics: ")
    assert result.stderr.count("cotopics: ") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "{one}", "--stop-words", "none"],
        ["fit", "{one}", "--stop-words", "none", "--min-documents", "1"],
        ["choose", "{one}", "--stop-words", "none"],
        ["evaluate", "{model}", "{one}"],
    ],
)
def test_texts_of_one_word_are_told_so(run, texts, tmp_path, arguments):
    """Whatever min_documents is: nothing that is left out makes them one."""
    run("fit", texts, "-k", 3, "-o", tmp_path / "m", "-q", "--stop-words", "none")
    (tmp_path / "one.txt").write_text("am am am\nam am", encoding="utf-8")
    result = run(*(argument.format(model=tmp_path / "m", one=tmp_path / "one.txt") for argument in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith("cotopics: the documents hold one word in all, but co-occurrence needs two.")
    assert "min_documents" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


@needs_full_device
def test_a_full_disk_and_a_narrow_terminal_are_one_line(run, texts, tmp_path):
    run("fit", texts, "-k", 3, "-o", tmp_path / "m", "-q")
    command = [sys.executable, "-c", "from cotopics.cli.main import main; main()", "topics", tmp_path / "m"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("cotopics: ")
    assert len(done.stderr.splitlines()) == 1


def test_help_and_version(run):
    assert "cotopics demo" in run("--help").stdout
    assert __version__ in run("--version").stdout
    for name in COMMANDS:
        assert run(name, "--help").exit_code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command):
    script = (
        "import sys; from cotopics.cli.main import main\n"
        f"try: main(['{command}', '--help'])\nexcept SystemExit: pass\n"
        "heavy = ('numpy', 'scipy', 'sklearn', 'numba', 'rich', 'matplotlib')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_demo(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cotopics.datasets.demo.PACKAGES", ("numpy",))
    result = run("demo", "-k", 5)
    assert result.exit_code == 0
    assert load(tmp_path / "cotopics-demo" / "model.cotopics").n_topics_ == 5
    assert "cotopics-demo/model.cotopics" in result.stderr
    assert "cotopics-demo/report.html" in result.stderr.splitlines()[-1]  # it ends by naming what to open
    assert (tmp_path / "cotopics-demo" / "report.html").exists()


def test_text_from_a_corpus_is_only_text():
    assert plain("a\x1b[31mb\u202ec") == "a [31mb c"
    topic = {"topic": 0, "name": "+n", "prevalence": 1.0, "anchor": "=cmd()", "words": ["@x", "y"]}
    topic["characteristic_words"] = ["-1"]
    assert as_csv([topic]).splitlines()[1] == "0,'+n,1.0,'=cmd(),'@x y,'-1"


def test_topics_are_defused_as_every_other_table():
    words = ["two words", "=1+1"]
    topic = {"topic": 0, "name": "n", "prevalence": 1.0, "anchor": "＝1+1", "words": words}
    topic["characteristic_words"] = None
    topic["tags"] = [{"tag": "=cmd()", "share": 0.5, "lift": 2.0}]
    assert as_csv([topic]).splitlines()[1] == "0,n,1.0,'＝1+1,two words;' =1+1,,'=cmd() 50% ×2.0"
