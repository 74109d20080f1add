"""Documents are counted once, whatever a run with --statistics comes to: a full disk, a kill, another run."""

import os
import signal
import subprocess
import sys

import pytest

from cotopics import load
from cotopics.cooccur import load_statistics
from planted import TEXTS, WORDS, write_jsonl
from platforms import needs_limits, needs_signals

N = len(TEXTS) // 2
MAIN = "from cotopics.cli.main import main; main(prog_name='cotopics')"


@pytest.fixture
def folder(run, tmp_path):
    """January in the statistics, and february to come."""
    write_jsonl(tmp_path / "january.jsonl", [" ".join(WORDS), *TEXTS[: N - 1]])
    write_jsonl(tmp_path / "february.jsonl", TEXTS[N:])
    assert run(*fit(tmp_path, "january")).exit_code == 0
    return tmp_path


def fit(folder, month):
    files = ("--statistics", folder / "news.statistics", "-o", folder / "news.cotopics")
    return ("fit", folder / f"{month}.jsonl", "-k", 4, "--min-documents", 1, "--stream", "-q", *files)


def forget(folder, month):
    return ("forget", folder / "news.statistics", folder / f"{month}.jsonl", "-q")


def start(command, program=MAIN):
    command = [sys.executable, "-c", program, *map(str, command)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def n_documents(folder):
    return load_statistics(folder / "news.statistics").sums.n_documents


AT = """
import os, signal
import {module} as module
calls = []
def stop(*arguments, **options):
    calls.append(arguments)
    if len(calls) == {call}:
        os.kill(os.getpid(), signal.{signal})
module.{name} = stop
"""


@needs_signals
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM"])
@pytest.mark.parametrize("call", [1, 2])
def test_killed_after_the_model_or_after_both(run, folder, how, call):
    program = AT.format(module="cotopics.cli.fit", name="wrote", call=call, signal=how) + MAIN
    process = start(fit(folder, "february"), program)
    process.communicate()
    assert process.returncode == -getattr(signal, how)
    assert n_documents(folder) == N * call
    again = run(*fit(folder, "february"))
    assert n_documents(folder) == 2 * N
    assert again.exit_code == {1: 0, 2: 2}[call]
    assert load(folder / "news.cotopics").provenance_["input"] == "january.jsonl, february.jsonl"
    assert sorted(path.name for path in folder.glob(".*")) == []


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
"""


@needs_limits
def test_a_full_disk(run, folder):
    """That has no room for the model, or for the statistics."""
    sizes = [(folder / name).stat().st_size for name in ("news.cotopics", "news.statistics")]
    for size in (min(sizes), max(sizes)):
        process = start((size - 1, *fit(folder, "february")), FULL + MAIN)
        errors = process.communicate()[1]
        assert process.returncode == 2
        assert "File too large" in errors
        assert n_documents(folder) == N
    assert run(*fit(folder, "february")).exit_code == 0
    assert n_documents(folder) == 2 * N


def test_a_failure_after_the_model_says_that_it_was_written(run, folder, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device", "news.statistics")

    monkeypatch.setattr("cotopics.cooccur.CooccurrenceSketch.save", full)
    said = f"No space left on device; {folder / 'news.cotopics'} written before, other files are as they were"
    assert run(*fit(folder, "february")).stderr == f"cotopics: news.statistics: {said}\n"


def test_the_same_documents_are_refused_and_added_again_on_request(run, folder):
    write_jsonl(folder / "renamed.jsonl", TEXTS[N:][::-1])
    assert run(*fit(folder, "february")).exit_code == 0
    for month in ("january", "february", "renamed"):
        before = (folder / "news.statistics").read_bytes()
        refused = run(*fit(folder, month))
        assert refused.exit_code == 2
        assert "already holds the documents of" in refused.stderr
        assert refused.stderr.count("\n") == 1
        assert (folder / "news.statistics").read_bytes() == before
    assert run(*fit(folder, "renamed"), "--again").exit_code == 0
    assert n_documents(folder) == 3 * N


def test_documents_that_were_taken_out_are_not_taken_out_twice(run, folder):
    """Others may be the same, so that there would be enough of them."""
    assert run(*fit(folder, "january"), "--again").exit_code == 0
    assert run(*forget(folder, "january")).exit_code == 0
    refused = run(*forget(folder, "january"))
    assert refused.exit_code == 2
    assert "already taken out of" in refused.stderr
    assert n_documents(folder) == N
    assert run(*forget(folder, "january"), "--again").exit_code == 0
    assert n_documents(folder) == 0
    assert run(*fit(folder, "january")).exit_code == 0
    assert run(*forget(folder, "february")).exit_code == 2


def test_what_was_taken_out_may_come_back(run, folder):
    for _ in range(2):
        assert run(*fit(folder, "february")).exit_code == 0
        assert run(*forget(folder, "february")).exit_code == 0
    assert n_documents(folder) == N


def test_what_the_statistics_remember_is_not_in_a_model(run, folder):
    assert set(load(folder / "news.cotopics").provenance_) == {"input", "notes", "preparation"}
    assert run("fit", folder / "news.statistics", "-k", 4, "-o", folder / "m").exit_code == 0
    assert (folder / "m").read_bytes() == (folder / "news.cotopics").read_bytes()


def test_again_is_for_statistics(run, folder):
    result = run("fit", folder / "january.jsonl", "--stream", "--again")
    assert result.exit_code == 2
    assert "--again is for --statistics" in result.stderr


def test_runs_at_once_lose_nothing(run, folder):
    """Two add documents to one file, two more take some out."""
    parts = [TEXTS[N::2], TEXTS[N + 1 :: 2], TEXTS[0 : N - 1 : 10], TEXTS[1 : N - 1 : 10]]
    for number, texts in enumerate(parts):
        write_jsonl(folder / f"part{number}.jsonl", texts)
    processes = [start((fit, fit, forget, forget)[number](folder, f"part{number}")) for number in range(4)]
    for process in processes:
        errors = process.communicate()[1]
        assert (process.returncode, errors) == (0, "")
    added = [len(texts) for texts in parts]
    assert n_documents(folder) == N + sum(added[:2]) - sum(added[2:])
    assert not list(folder.glob(".*"))


@needs_signals
def test_who_waits_says_so(folder):
    """And is not kept from the file by one that was killed."""
    stopped = AT.format(module="cotopics.cli.fit", name="fit_sums", call=1, signal="SIGSTOP") + MAIN
    first = start(fit(folder, "february"), stopped)
    assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
    second = start([argument for argument in fit(folder, "february") if argument != "-q"])
    statistics = folder / "news.statistics"
    assert second.stderr.readline() == f"waiting for another cotopics that is changing {statistics} ...\n"
    first.kill()
    first.communicate()
    assert second.communicate()[1].startswith(f"{N} documents in {statistics}, {len(TEXTS[N:])} documents")
    assert second.returncode == 0
    assert n_documents(folder) == N + len(TEXTS[N:])
