"""Names that are not UTF-8, pipes and devices, streams that are closed: said before the work, and no work is lost."""

import os
import signal
import subprocess
import sys

import pytest

from cotopics import load
from planted import TEXTS, write_jsonl
from platforms import needs_any_bytes, needs_full_device, needs_pipes, needs_signals

MAIN = f"{sys.executable} -c \"from cotopics.cli.main import main; main(prog_name='cotopics')\""
ODD = os.fsdecode(b"caf\xe9")

pytestmark = [needs_pipes, needs_signals]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "texts.jsonl", TEXTS)
    return tmp_path


@pytest.fixture
def model(run, folder):
    assert run("fit", "texts.jsonl", "-k", 3, "-q", "-o", "m.cotopics").exit_code == 0
    return folder / "m.cotopics"


@pytest.fixture
def soon():
    """An error for what waits."""

    def late(number, frame):
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def stopped(monkeypatch):
    """No command comes to its work."""

    def work(*args, **kwargs):
        raise AssertionError("this should be said before the work")

    for name in ("cotopics.corpus.read_corpus", "cotopics.corpus.open_stream", "cotopics.models.load"):
        monkeypatch.setattr(name, work)


@needs_any_bytes
def test_names_that_are_not_utf_8(run, folder):
    """Everywhere: of what is read, and of what is written."""
    write_jsonl(folder / f"{ODD}.jsonl", ["", *TEXTS])
    (folder / f"{ODD}.jsonl").write_text((folder / f"{ODD}.jsonl").read_text().replace('""', "3", 1))
    (folder / ODD).mkdir()
    for number, text in enumerate(TEXTS[:40]):
        (folder / ODD / f"{ODD}{number}.txt").write_text(text)
    (folder / f"{ODD}.toml").write_text("[fit]\ntopics = 3\n")
    model, choice, config = f"{ODD}.cotopics", f"{ODD}.json", ("--config", f"{ODD}.toml")
    statistics = ("--stream", "--statistics", f"{ODD}.statistics")
    for command in (
        ("fit", f"{ODD}.jsonl", *config, "--on-error", "skip", "-o", model),
        ("fit", f"{ODD}.jsonl", *config, "--on-error", "skip", *statistics),
        ("fit", ODD, *config, "-o", f"other{ODD}.cotopics"),
        ("fit", f"{ODD}.statistics", "-k", 3, "-o", f"third{ODD}.cotopics"),
        ("choose", "texts.jsonl", "--candidates", "2,3", "-o", choice),
        ("report", model, ODD, "--choice", choice, "--compare", f"other{ODD}.cotopics", "-o", f"{ODD}.html"),
        ("transform", model, ODD, "-o", f"{ODD}.csv"),
        ("transform", model, ODD, "-o", f"{ODD}.parquet"),
        ("export", model, "--to", "topics", "-o", f"{ODD}.jsonl.gz"),
        ("evaluate", model, ODD),
        ("topics", model),
    ):
        result = run(*command)
        assert result.exit_code == 0, (command, result.output)
    provenance = load(folder / model).provenance_
    assert provenance["input"] == r"caf\udce9.jsonl"
    assert r"cannot be read: caf\udce9.jsonl, line 1" in provenance["notes"][0]
    assert r"caf\udce90.txt" in (folder / f"{ODD}.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["pipe", "/dev/null", "link", "circle", "nowhere"])
def test_places_that_no_file_can_be_written_to(run, folder, soon, stopped, place):
    os.mkfifo("pipe")
    os.symlink("pipe", "link")
    os.symlink("circle", "circle")
    os.symlink("no/folder", "nowhere")
    (folder / "s.statistics").touch()
    for command in (
        ("fit", "texts.jsonl", "-k", 3, "-o", place),
        ("fit", "texts.jsonl", "-k", 3, "--stream", "--statistics", place),
        ("choose", "texts.jsonl", "-o", place),
        ("transform", "m.cotopics", "texts.jsonl", "-o", place),
        ("export", "m.cotopics", "--to", "topics", "-o", place),
        ("report", "m.cotopics", "-o", place),
        ("forget", "s.statistics", "texts.jsonl", "-o", place),
        ("forget", place, "texts.jsonl"),
    ):
        result = run(*command)
        assert result.exit_code == 2, command
        assert result.stderr.count("\n") == 1
        assert place in result.stderr


@pytest.mark.parametrize("place", ["pipe", "/dev/null"])
def test_what_is_not_a_file_is_not_waited_for(run, model, soon, place):
    os.mkfifo("pipe")
    for command in (
        ("fit", "texts.jsonl", "--config", place),
        ("fit", place),
        ("topics", model, "--tags", place),
        ("topics", place),
        ("report", model, "--choice", place),
        ("report", model, "--compare", place),
        ("report", model, place),
        ("transform", model, place),
        ("evaluate", place, "texts.jsonl"),
        ("forget", place, "texts.jsonl"),
    ):
        result = run(*command)
        assert result.exit_code == 2, command
        assert result.stderr.count("\n") == 1
        assert place in result.stderr


@pytest.mark.parametrize("name", ["cotopics-demo", "cotopics-demo/model.cotopics", "cotopics-demo/report.html"])
def test_the_demo_sees_what_is_in_its_way(run, folder, monkeypatch, name):
    monkeypatch.setattr("cotopics.datasets.load_demo", lambda: pytest.fail("this should be said before the work"))
    (folder / name).parent.mkdir(exist_ok=True)
    os.mkfifo(name)
    result = run("demo", "-q")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"cotopics: {name} is not a ")


def test_a_null_character_in_a_config_file(run, folder):
    (folder / "c.toml").write_text('[fit]\noutput = "a\\u0000b"\n')
    result = run("fit", "texts.jsonl", "--config", "c.toml")
    assert result.exit_code == 2
    assert "output holds a null character" in result.stderr


def shell(command):
    return subprocess.run(["bash", "-c", f"{MAIN} {command}"], capture_output=True, text=True, timeout=120)


FIT = "fit texts.jsonl -k 3 -o m.cotopics"


@pytest.mark.parametrize(
    "streams", ["2>&-", ">&-", ">&- 2>&- <&-", pytest.param("2>/dev/full", marks=needs_full_device), "2> >(true)"]
)
def test_a_model_is_saved_whoever_listens(folder, streams):
    done = shell(f"{FIT} {streams}")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert load(folder / "m.cotopics").n_topics_ == 3


def test_a_result_that_nobody_can_see_is_an_error_before_the_work(folder, run, stopped, monkeypatch):
    for command in (
        ("fit", "texts.jsonl", "-k", 3),
        ("choose", "texts.jsonl"),
        ("topics", "m.cotopics"),
        ("transform", "m.cotopics", "texts.jsonl"),
        ("export", "m.cotopics", "--to", "topics"),
        ("evaluate", "m.cotopics", "texts.jsonl"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr("cotopics.cli.main.open_streams", lambda patch=patch: _close_stdout(patch))
            result = run(*command)
        assert result.exit_code == 2, command
        assert result.stderr.startswith("cotopics: standard output is closed")


def _close_stdout(patch):
    patch.setattr("cotopics.cli.display._closed_stdout", sys.stdout)


def test_closed_stdout_is_one_line(model):
    done = shell("topics m.cotopics >&-")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert shell("topics nothing.cotopics 2>&-").returncode == 2
