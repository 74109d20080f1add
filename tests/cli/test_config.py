"""Options from a TOML file, threads, and completion by the shell."""

import os
import subprocess
import sys

import numpy as np
import pytest

from cotopics import load
from cotopics.cli.main import COMMANDS, main
from cotopics.cli.options import THREAD_LIMITS
from planted import TEXTS, write_jsonl
from runner import CliRunner


@pytest.fixture
def texts(tmp_path):
    return write_jsonl(tmp_path / "texts.jsonl", TEXTS, "body")


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "cotopics.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def limits(monkeypatch):
    """The limits on threads as a command leaves them; put back at the end."""
    for name in THREAD_LIMITS:
        monkeypatch.setenv(name, "1")
    return lambda: {os.environ[name] for name in THREAD_LIMITS}


FIT = """
[fit]
topics = 3
text-field = "body"
method = "anchor-words"
weighting = "counts"
min_documents = 1
min-anchor-documents = 0.01
quiet = true

[transform]
label-field = "section"
"""


def test_options_of_the_command_are_used(run, texts, config, tmp_path):
    result = run("fit", texts, "--config", config(FIT), "-o", tmp_path / "m")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    model = load(tmp_path / "m")
    assert type(model).__name__ == "AnchorWords"
    assert (model.n_topics_, model.weighting, model.min_anchor_documents) == (3, "counts", 0.01)


@pytest.mark.parametrize("first", [True, False])
def test_what_is_typed_comes_first(run, texts, config, tmp_path, first):
    typed = ["-k", 2, "--weighting", "tfidf"]
    both = [*typed, "--config", config(FIT)] if first else ["--config", config(FIT), *typed]
    assert run("fit", texts, *both, "-o", tmp_path / "m").exit_code == 0
    model = load(tmp_path / "m")
    assert (model.n_topics_, model.weighting, model.min_anchor_documents) == (2, "tfidf", 0.01)


def test_without_its_table_a_command_is_as_ever(run, texts, config, tmp_path):
    path = config('[choose]\nseed = 1\n[fit]\ntext-field = "body"')
    assert run("fit", texts, "--config", path, "-o", tmp_path / "m").exit_code == 0
    assert load(tmp_path / "m").n_topics_ == 10


def test_options_that_do_nothing_are_told(run, texts, config):
    result = run("fit", texts, "--config", config('[fit]\ntext-field = "body"\nc1 = 2'))
    assert result.exit_code == 2
    assert "--c1 is for --method top" in result.stderr


def test_every_option_may_be_in_the_file(run, config):
    """Each is refused by its value here, and not by its name."""
    for name in COMMANDS:
        command = main.get_command(None, name)
        if "config" not in {option.name for option in command.params}:
            continue
        flags = [flag for option in command.params for flag in option.opts if flag.startswith("--")]
        for flag in set(flags) - {"--config"}:
            refused = run(name, "a", "b", "--config", config(f"[{name}]\n{flag[2:]} = []"))
            assert f"{flag[2:]} is []; give" in refused.stderr


WRONG = {
    "topics = 5": "'topics' is not a table of a command; write [fit]",
    "fit = 5": "'fit' is not a table of a command",
    "[fti]\ntopics = 5": "'fti' is not a table of a command",
    "[fit]\nnumber = 5": "[fit] has 'number', which is not an option of this command",
    "[fit]\ninput = 'x'": "[fit] has 'input', which is not an option of this command",
    "[fit]\nconfig = 'x'": "[fit] has 'config', which is not an option of this command",
    "[fit]\nthreshold = 0.5": "[fit] has 'threshold', which is not an option of this command",
    "[fit]\ntopics = [5]": "topics is [5]; give a text or a number",
    "[fit]\ntopics = true": "topics is True; give a text or a number",
    "[fit]\ntopics = 'many'": "'many' is neither a number of topics nor 'auto'",
    "[fit]\ntopics = 2.5": "'2.5' is neither a number of topics",
    "[fit]\nphrases = 'yes'": "phrases is 'yes'; give true or false",
    "[fit]\nquiet = 1": "quiet is 1; give true or false",
    "[fit]\nmethod = 'magic'": "'magic'",
    "[fit]\nthreads = 0": "0 is not in the range",
    "[fit]\nthreads = 'all'": "'all' is not a valid integer",
    "[fit]\nvocabulary-size = 50.5": "'50.5' is not a valid integer",
    "[fit]\nmin-documents = nan": "nan is not a share of documents",
    "[fit]\nseed = 2020-01-01": "give a text or a number",
    "[fit]\ntopics = 5\ntopics = 6": "is not TOML",
    "[fit\ntopics = 5": "is not TOML",
    "topics: 5": "is not TOML",
    "x = " + "[" * 100_000: "is not TOML",
    "\ud800": "is not TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_file_is_one_clear_line(run, texts, tmp_path, text):
    path = tmp_path / "c.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    result = run("fit", texts, "--config", path)
    assert result.exit_code == 2
    assert WRONG[text] in result.stderr
    assert result.stderr.startswith("cotopics: ")
    assert len(result.stderr.splitlines()) == 1


def test_files_that_are_none(run, texts, tmp_path):
    for path, reason in ((tmp_path / "nothing.toml", "No such file"), (tmp_path, "Is a directory")):
        result = run("fit", texts, "--config", path)
        assert result.exit_code == 2
        assert f"{path}: {reason}" in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_threads_come_from_where_other_options_do(run, texts, config, limits):
    path = config('[fit]\ntext-field = "body"\nthreads = 3')
    run("fit", texts, "--config", path, "-k", 2)
    assert limits() == {"3"}
    for typed in (["--threads", 2, "--config", path], ["--config", path, "--threads", 2]):
        run("fit", texts, *typed, "-k", 2)
        assert limits() == {"2"}
    assert "0 is not in the range" in run("fit", texts, "--threads", 0).stderr


WATCHED = f"""
import os, sys

class Watch:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            print([os.environ.get(limit) for limit in {THREAD_LIMITS}])

sys.meta_path.insert(0, Watch())
from cotopics.cli.main import main
main(prog_name="cotopics")
"""


def test_threads_are_limited_before_numpy_is_there_and_change_nothing(texts, tmp_path):
    free = {name: value for name, value in os.environ.items() if name not in THREAD_LIMITS}
    fits = []
    for n in ("1", "2"):
        out = tmp_path / f"{n}.cotopics"
        command = [sys.executable, "-c", WATCHED, "fit", texts, "--text-field", "body", "-k", "4", "--threads", n]
        done = subprocess.run([*command, "-o", out], env=free, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[0] == str([n] * len(THREAD_LIMITS))
        fits.append(load(out))
    for name in ("components_", "topic_correlation_", "topic_prevalence_"):
        one, two = (getattr(model, name) for model in fits)
        assert np.abs(one - two).max() <= 1e-10


def completed(**words):
    return CliRunner().invoke(main, prog_name="cotopics", env={"_COTOPICS_COMPLETE": "bash_complete", **words}).stdout


def test_the_shell_completes():
    script = CliRunner().invoke(main, prog_name="cotopics", env={"_COTOPICS_COMPLETE": "bash_source"}).stdout
    assert "complete -o nosort -F _cotopics_completion cotopics" in script
    assert completed(COMP_WORDS="cotopics f", COMP_CWORD="1").split() == ["plain,fit", "plain,forget", "plain,find"]
    assert "plain,--text-field" in completed(COMP_WORDS="cotopics fit x --te", COMP_CWORD="3")
    offered = completed(COMP_WORDS="cotopics fit --method ", COMP_CWORD="3").split()
    assert offered == ["plain,topic-model", "plain,anchor-words", "plain,anchor-free", "plain,top"]
