"""What the README says to paste, pasted."""

import re
import shlex

import numpy as np
import pytest

from cotopics import load
from cotopics.cli.main import main
from pages import ROOT
from runner import CliRunner

README = (ROOT / "README.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
(COMMANDS,) = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
WORDS = [
    f"{a}{b}" for a in ("bar", "cel", "dom", "fir", "gos", "hul", "jam", "kel") for b in ("an", "et", "ik", "ol", "um")
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_python_example(folder, capsys):
    names = {}
    exec(compile(EXAMPLE, "README.md", "exec"), names)
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 12
    assert all(re.fullmatch(r" *\d+\.\d%  \w+, \w+, \w+", line) for line in shown)
    assert load("model.cotopics").top_words() == names["model"].top_words()
    assert np.allclose(names["W"].sum(axis=1), 1)


def test_the_commands(folder):
    """On made-up articles of eight subjects, a few of them of January."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS[5 * (i % 8) :][:5], 30)) for i in range(300)]
    for name, some in (("articles.csv", texts), ("january.csv", texts[::3])):
        (folder / name).write_text("\n".join(["text", *some]) + "\n", encoding="utf-8")
    lines = COMMANDS.splitlines()
    assert len(lines) == 6
    for line in lines:
        program, *arguments = shlex.split(line.replace("-k 12", "-k 8"), comments=True)  # the corpus is small
        assert program == "cotopics"
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        assert (folder / arguments[arguments.index("-o") + 1]).stat().st_size > 0


def test_it_is_read_in_two_minutes():
    """At 240 words a minute, without the code and the table."""
    prose = re.sub(r"```.*?```|<!--.*?<!-- to here -->|\]\([^)]+\)", "", README, flags=re.DOTALL)
    assert len(prose.split()) < 480


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
