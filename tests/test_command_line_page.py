"""docs/command-line.md is true: its commands run, its options exist, and no command is missing."""

import gzip
import json
import re
import shlex
from contextlib import nullcontext
from pathlib import Path

import click
import pytest

from conftest import planted_corpus
from cotopics import load
from cotopics.cli.main import COMMANDS, main
from runner import CliRunner

PAGE = Path(__file__).parents[1] / "docs" / "command-line.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"`(cotopics [a-z]+ [^`]+)`", TEXT.partition("## More examples")[0])
BLOCKS = re.findall(r"```\n(cotopics .*?)```", TEXT, flags=re.DOTALL)
OPTION = re.compile(r"(?<![\w\-])(--?[a-z][a-z0-9\-]*)")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Documents of four topics, in the files that the page speaks of."""
    words = [f"{a}{b}" for a in "bcdfghkl" for b in "mnoprstu"]
    rows = planted_corpus()[0].toarray()
    texts = [" ".join(words[i] for i, n in enumerate(row) for _ in range(n)) for row in rows]
    lines = [json.dumps({"text": text, "label": f"group {i % 4}"}) + "\n" for i, text in enumerate(texts)]
    with gzip.open(tmp_path / "articles.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(lines)
    halves = {"others": lines[:20], "january": lines[:250], "february": lines[250:], "withdrawn": lines[240:260]}
    for name, part in halves.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(part), encoding="utf-8")
    (tmp_path / "articles.toml").write_text(re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(line):
    program, *arguments = shlex.split(line, comments=True)
    assert program == "cotopics"
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, f"{line}\n{result.output}"
    return result


def options_of(command):
    return {name for option in command.params for name in (*option.opts, *option.secondary_opts)}


def test_the_table_and_the_examples(folder):
    fit, *others = (line for line in EXAMPLES if not re.match("cotopics (demo|choose|forget)", line))
    for line in (fit, *others, *BLOCKS[0].splitlines()):
        call(line)
    for name in ("mixtures.parquet", "topics.graphml", "leading.csv", "words.csv", "correlations.csv", "vis.json"):
        assert (folder / name).stat().st_size > 0


def test_choosing(folder):
    (line,) = (line for line in EXAMPLES if line.startswith("cotopics choose"))
    call(line)
    assert (folder / "choice.svg").stat().st_size > 0


def test_options_from_a_file(folder):
    fit, transform = BLOCKS[1].splitlines()
    call(fit)
    assert len(json.loads(call("cotopics topics articles.cotopics --json").stdout)) == 4
    call(transform)
    header, *rows = (folder / "mixtures.csv").read_text(encoding="utf-8").splitlines()
    assert header == "document,label,topic,share"
    assert min(float(row.split(",")[-1]) for row in rows) >= 0.2  # typed, where the file says 0.1


def test_more_than_fits_into_memory(folder):
    (folder / "shards").mkdir()
    for name in ("january", "february"):
        (folder / "shards" / f"{name}.jsonl").write_bytes((folder / f"{name}.jsonl").read_bytes())
    (line,) = BLOCKS[2].splitlines()
    assert "400 documents" in call(line).stderr


def test_a_model_that_is_updated(folder):
    january, february, report, forget = BLOCKS[3].splitlines()
    assert "250 documents" in call(january).stderr
    assert "150 documents added, 0 new words" in call(february).stderr
    call(report)
    assert "20 documents taken out" in call(forget).stderr
    assert load("news-2.cotopics").fit_.sums.n_documents == 380


def test_documents_that_come_and_go(folder):
    january, february, forget, again = BLOCKS[4].splitlines()
    assert "250 documents" in call(january).stderr
    assert "250 documents in news.statistics, 150 documents" in call(february).stderr
    assert "20 documents taken out, 380 left" in call(forget).stderr
    assert "380 documents in news.statistics" in call(again).stderr
    assert (folder / "news.cotopics").exists()


def test_on_a_cluster(folder, monkeypatch):
    """One of threads here; tests/distributed has processes."""
    monkeypatch.setattr("cotopics.distributed.connected", lambda address: nullcontext())
    (folder / "shards").mkdir()
    for name in ("january", "february"):
        (folder / f"{name}.jsonl").rename(folder / "shards" / f"{name}.jsonl")
    for line in BLOCKS[5].splitlines():
        call(line)
    assert (folder / "mixtures.parquet").stat().st_size > 0


def test_every_command_and_every_option():
    """Every command has its row, and whatever looks like an option is one of a command on the same line, or of any."""
    group = click.Context(main)
    options = {name: options_of(main.get_command(group, name)) for name in COMMANDS}
    every = set().union(*options.values()) | {"--help"}
    assert re.findall(r"^\| `(\w+)` \| .* `cotopics (\w+)\b", TEXT, re.MULTILINE) == [
        (name, name) for name in re.findall(r"^\| `(\w+)` \|", TEXT.partition("## More")[0], re.MULTILINE)
    ]
    assert set(re.findall(r"`cotopics ([a-z]+)\b", TEXT.partition("## More")[0])) == set(COMMANDS)
    for line in TEXT.partition("## Completion")[0].splitlines():
        named = re.search(r"cotopics ([a-z]+) ", line)
        known = options[named[1]] if named and named[1] in options else every
        for option in OPTION.findall(line.partition("  #")[0]):
            assert option in known | {"--help", "-9"}, f"{option}: {line}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    assert f"_COTOPICS_COMPLETE={shell}_source cotopics" in TEXT
    environment = {"_COTOPICS_COMPLETE": f"{shell}_source"}
    result = CliRunner().invoke(main, [], prog_name="cotopics", env=environment)
    assert result.exit_code == 0
    assert f"_COTOPICS_COMPLETE={shell}_complete" in result.output


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target
