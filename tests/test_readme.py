"""What the README says to paste, pasted."""

import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import datasets
from cotopics.cli.main import main
from cotopics.corpus import count_words
from platforms import needs_scripts
from runner import CliRunner

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLE, CHOOSE, STREAM, ELSEWHERE = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
TRANSCRIPT = re.search(r"## From files to topics\n.*?```\n(.*?)```", README, flags=re.DOTALL)[1]
NUMBER = re.compile(r"\d+(?:\.(\d+))?(?:e-?\d+)?")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_scripts
def test_the_transcript(folder, data, monkeypatch):
    """Every command in a shell, and what it shows: words as they are, numbers to the digits shown or a millionth."""
    corpus = data / "bbc_news" / "docs.jsonl.gz"
    if not corpus.exists():
        pytest.skip(f"there is no {corpus}")
    (folder / corpus.name).symlink_to(corpus)
    (folder / "bin").mkdir()
    program = folder / "bin" / "cotopics"
    program.write_text(f"#!{sys.executable}\nfrom cotopics.cli.main import main\nmain(prog_name='cotopics')\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    for step in TRANSCRIPT.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        done = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout
        found = "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")
        assert NUMBER.sub("0", found) == NUMBER.sub("0", shown.strip("\n")), command
        for here, there in zip(NUMBER.finditer(found), NUMBER.finditer(shown), strict=True):
            off = 0 if there[1] is None else max(1e-6, 10.0 ** -len(there[1]))
            assert float(here[0]) == pytest.approx(float(there[0]), rel=0, abs=off), command


def test_the_python_example(folder, capsys):
    exec(compile(EXAMPLE, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) == 15
    assert "'sparse'" in shown
    assert (folder / "model.cotopics").exists()


def test_the_number_of_topics(folder, capsys):
    exec(compile(CHOOSE, "README.md", "exec"), {})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["8", "8"]
    assert (folder / "choice.svg").read_bytes().startswith(b"<?xml")


def test_the_stream_example(folder, capsys):
    texts, _ = datasets.load_demo()
    corpus = count_words(texts, vocabulary_size=800)
    counts = sp.coo_array(corpus.counts)
    lines = [f"{d + 1} {w + 1} {n}" for d, w, n in zip(*counts.coords, counts.data, strict=True)]
    header = [str(n) for n in (*counts.shape, len(lines))]
    with gzip.open(folder / "docword.pubmed.txt.gz", "wt") as file:
        file.write("\n".join([*header, *lines]) + "\n")
    (folder / "vocab.pubmed.txt").write_text("\n".join(corpus.vocabulary) + "\n", encoding="utf-8")
    exec(compile(STREAM.replace("AnchorWords(50", "AnchorWords(8"), "README.md", "exec"), {})  # the corpus is small
    assert set(re.findall(r"'(\w+)'", capsys.readouterr().out)) <= set(corpus.vocabulary)


def test_the_example_of_other_tools(folder, capsys):
    exec(compile(ELSEWHERE, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2
    for name in ("words.csv", "mixtures.csv.gz", "topics.graphml"):
        assert (folder / name).stat().st_size > 0


def test_the_commands_for_other_tools(folder):
    words = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"]
    texts = [" ".join(words[i] for i, n in enumerate(row) for _ in range(n)) for row in planted_corpus()[0].toarray()]
    with gzip.open(folder / "articles.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    commands = re.search(r"## Take them elsewhere\n\n```\n(.*?)```", README, flags=re.DOTALL)[1].splitlines()
    for line in ["cotopics fit articles.jsonl.gz -k 4 -o articles.cotopics", *commands]:
        program, *arguments = shlex.split(line, comments=True)
        assert program == "cotopics"
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        assert (folder / arguments[arguments.index("-o") + 1]).stat().st_size > 0


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target
