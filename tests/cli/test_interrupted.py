"""A command that is stopped, politely or not: files on disk are the old ones or the new ones, whole."""

import os
import signal
import subprocess
import sys

import pytest

from cotopics import load
from cotopics.cooccur import load_statistics
from planted import TEXTS, write_jsonl
from platforms import needs_fork, needs_signals

MAIN = [sys.executable, "-c", "from cotopics.cli.main import main; main(prog_name='cotopics')"]
pytestmark = pytest.mark.usefixtures("signals_are_heard")


@pytest.fixture
def old(run, tmp_path):
    """A model, to be fitted anew from other texts."""
    write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    write_jsonl(tmp_path / "others.jsonl", TEXTS[:90])
    assert run("fit", tmp_path / "texts.jsonl", "-k", 3, "-o", tmp_path / "m.cotopics").exit_code == 0
    return tmp_path / "m.cotopics"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@needs_signals
def test_an_interrupted_fit(old):
    """In the middle of as many steps as would take minutes."""
    before, listed = old.read_bytes(), names(old.parent)
    command = [*MAIN, "fit", old.parent / "others.jsonl", "-k", "4", "--refine", "10000000", "-o", old]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline().startswith("90 documents")
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "cotopics: interrupted; all files are as they were\n"
    assert shown == ""
    assert old.read_bytes() == before
    assert names(old.parent) == listed


def interrupt(*args, **options):
    signal.raise_signal(signal.SIGINT)
    raise AssertionError("nobody heard the signal")


WROTE = "cotopics.cli.fit.wrote"  # the first moment at which the new file is there
MOMENTS = ["cotopics.corpus.read_corpus", "cotopics.models.TopicModel.fit", "os.fsync", "os.replace", WROTE]


@pytest.mark.parametrize("moment", MOMENTS)
def test_moments_of_a_fit(run, old, monkeypatch, moment):
    before, listed = old.read_bytes(), names(old.parent)
    monkeypatch.setattr(moment, interrupt)
    result = run("fit", old.parent / "others.jsonl", "-k", 3, "-o", old)
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "cotopics: interrupted; all files are as they were" or moment == WROTE
    assert "Traceback" not in result.output
    assert names(old.parent) == listed
    if moment == WROTE:
        assert load(old).provenance_["input"] == "others.jsonl"
    else:
        assert old.read_bytes() == before


def test_a_model_is_written_before_the_statistics_and_is_named(run, old, monkeypatch):
    """So that whoever runs the same command again adds the documents once."""
    before, statistics = old.read_bytes(), old.with_name("news.statistics")
    command = ("fit", old.parent / "others.jsonl", "-k", 3, "--stream", "--statistics", statistics, "-o", old)
    for moment, kept in (
        ("models.AnchorWords.save", "all"),
        ("cooccur.CooccurrenceSketch.save", f"{old} written before, other"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"cotopics.{moment}", interrupt)
            result = run(*command)
        assert result.exit_code == 130
        assert result.stderr.splitlines()[-1] == f"cotopics: interrupted; {kept} files are as they were"
        assert not statistics.exists()
        assert (old.read_bytes() == before) == (kept == "all")
    assert run(*command).exit_code == 0
    assert load_statistics(statistics).sums.n_documents == 90


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from cotopics import load
from cotopics.cli.main import main

folder = Path(sys.argv[1])
target, files = folder / "m.cotopics", [folder / "others.jsonl", folder / "texts.jsonl"]
sys.stdout = open(os.devnull, "w")


def fit(file):
    main(["fit", str(file), "-k", "3", "-q", "-o", str(target)], standalone_mode=False)
    return target.read_bytes()


fit(files[0])  # compiles, so that no fork has to
start = time.perf_counter()
contents = [fit(file) for file in files]
took = time.perf_counter() - start
for moment in random.Random(0).sample(range(1000), 6):
    child = os.fork()
    while child == 0:
        list(map(fit, files))
    time.sleep(moment / 500 * took)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert target.read_bytes() in contents
    load(target)
fit(files[0])
print(sorted(path.name for path in folder.iterdir()), file=sys.__stdout__)
"""


@needs_fork
def test_killed_at_six_moments_the_model_is_whole(old):
    """A fork that fits one model over another is killed within its first fits; the next fit removes what it left."""
    command = [sys.executable, "-c", KILLED, old.parent]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=one_thread)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{names(old.parent)}\n"


UPDATED = """
import os, random, signal, sys, time
from pathlib import Path
from cotopics import load
from cotopics.cli.main import main

folder = Path(sys.argv[1])
model, target, other = (str(folder / name) for name in ("m.cotopics", "n.cotopics", "others.jsonl"))
sys.stdout = open(os.devnull, "w")


def run(*arguments):
    main([*arguments, "-q"], standalone_mode=False)
    return Path(target).read_bytes()


def update():
    return run("update", model, other, "-o", target)


def forget():
    return run("forget", target, other)


contents = [update(), forget()]  # compiles, so that no fork has to
start = time.perf_counter()
assert [update(), forget()] == contents
took = time.perf_counter() - start
for moment in random.Random(0).sample(range(1000), 8):
    child = os.fork()
    while child == 0:
        update(), forget()
    time.sleep(moment / 500 * took)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert Path(target).read_bytes() in contents
    load(target)
update()
print(sorted(path.name for path in folder.iterdir()), file=sys.__stdout__)
"""


@needs_fork
def test_killed_during_update_and_forget_the_model_is_the_old_one_or_the_new_one(old):
    """At eight moments; the next command removes what the killed one left."""
    before = old.read_bytes()
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", UPDATED, old.parent], capture_output=True, text=True, env=one_thread)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{names(old.parent)}\n"
    assert old.read_bytes() == before
    assert not [name for name in names(old.parent) if name.endswith(".part")]
