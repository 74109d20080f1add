"""The examples run, and find what their table holds: four subjects in two languages, each at its time."""

import csv
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cotopics import load
from platforms import needs_scripts

EXAMPLES = Path(__file__).parents[1] / "examples"
TABLE = runpy.run_path(str(EXAMPLES / "make_table.py"))


@pytest.fixture
def folder(tmp_path):
    TABLE["main"](tmp_path / "posts.csv")
    return tmp_path


def check_topics(words):
    """Every subject in every language has a topic whose leading words are its own."""
    own = [set(text.lower().split()) for languages in TABLE["SUBJECTS"].values() for text in languages.values()]
    found = [{k for k, listed in enumerate(own) if set(topic) <= listed} for topic in words]
    assert sorted(k for topic in found for k in topic) == list(range(8))


def shares_of(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check_dates(rows):
    """Dates are ISO where they are known."""
    dates = [row["date"] for row in rows if row["date"] not in ("", "k. A.")]
    assert len(dates) > 0.9 * len(rows)
    assert all(np.datetime64(date) >= np.datetime64("2023-01-01") for date in dates)


def bare_environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "MPLBACKEND": "agg"}


@needs_scripts
def test_the_shell(folder):
    program = folder / "bin" / "cotopics"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom cotopics.cli.main import main\nmain(prog_name='cotopics')\n")
    program.chmod(0o755)
    environment = bare_environment() | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    script = ["sh", str(EXAMPLES / "messy_table.sh"), str(folder)]
    done = subprocess.run(script, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "150 documents left out with the text of an earlier one" in done.stderr
    assert "dates are read as %d.%m.%Y" in done.stderr
    check_topics(load(folder / "posts.cotopics").top_words(5))
    rows = shares_of(folder / "shares.csv")
    assert list(rows[0])[:4] == ["document", "id", "label", "date"]
    check_dates(rows)
    assert '"2023-01"' in (folder / "report.html").read_text(encoding="utf-8")  # topics over time


def test_python(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["messy_table.py", str(folder)])
    with pytest.warns(UserWarning, match="60 of 3000 dates are not understood"):
        found = runpy.run_path(str(EXAMPLES / "messy_table.py"))
    assert "Corpus(3,000 documents" in capsys.readouterr().out
    check_topics(found["model"].top_words(5))
    check_dates(shares_of(folder / "shares.csv"))
    assert (folder / "over_time.png").stat().st_size > 10_000
    # The election is in June 2024, and nothing else is then
    election = [k for k, words in enumerate(found["model"].top_words(12)) if {"vote", "wahl"} & set(words)]
    months = np.array([date[:7] for date in found["corpus"].dates])
    share = found["W"][:, election].sum(axis=1)
    assert share[months == "2024-06"].mean() > 3 * share[months == "2023-06"].mean()


def cells():
    notebook = json.loads((EXAMPLES / "messy_table.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.filterwarnings("ignore:.*dates are not understood")
def test_the_cells_of_the_notebook(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    for cell in cells():
        exec(compile(cell, "messy_table.ipynb", "exec"), names)
    check_topics(names["model"].top_words(5))
    check_dates(shares_of(folder / "shares.csv"))
    assert len(names["axes"].get_lines()) > 5


def test_the_notebook_in_jupyter(folder):
    """Topics and both figures appear in it."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "messy_table.ipynb", as_version=4)
    code = nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}, timeout=300).execute().cells
    shown = [output.get("data", {}) for cell in code for output in cell.get("outputs", [])]
    assert sum("image/png" in data for data in shown) == 2
    assert any("leading words" in data.get("text/html", "") for data in shown)
