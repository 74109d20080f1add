"""cotopics --dask, called as a user would."""

import json
import os
import signal
import socketserver
import subprocess
import sys
import threading

import dask
import numpy as np
import pyarrow.parquet as pq
import pytest

from cotopics import load
from cotopics.cli.main import main
from planted import TEXTS, write_jsonl
from platforms import needs_signals
from runner import CliRunner

FIT = ("-k", 4, "--min-documents", 2, "-q")


@pytest.fixture
def run():
    runner = CliRunner()
    return lambda *args: runner.invoke(main, [str(arg) for arg in args])


@pytest.fixture
def shards(tmp_path):
    """TEXTS in five files of a folder."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for number, some in enumerate(np.array_split(np.arange(len(TEXTS)), 5)):
        records = [{"text": TEXTS[i], "id": f"d{i}", "label": f"l{i % 3}"} for i in some]
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"part{number}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def ok(result):
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    "options",
    [(), ("--method", "anchor-words", "--weighting", "counts"), ("--stream",)],
    ids=["topic-model", "anchor-words", "stream"],
)
def test_fit_and_transform_on_a_cluster_are_those_of_one_process(run, client, shards, tmp_path, options):
    address = client.scheduler.address
    here, there = tmp_path / "here.cotopics", tmp_path / "there.cotopics"
    ok(run("fit", shards, *FIT, *options, "-o", here))
    ok(run("fit", shards, *FIT, *options, "-o", there, "--dask", address))
    one, other = load(here), load(there)
    order = [one.vocabulary_.tolist().index(word) for word in other.vocabulary_]  # streams number words as they come
    matched = np.abs(one.components_[:, None, order] - other.components_[None]).max(axis=2).min(axis=0)
    assert matched.max() < 1e-6
    assert one.provenance_ == other.provenance_
    ok(run("transform", here, shards, "-q", "-o", tmp_path / "here.parquet"))
    ok(run("transform", here, shards, "-q", "-o", tmp_path / "there.parquet", "--dask", address))
    assert pq.read_table(tmp_path / "here.parquet").equals(pq.read_table(tmp_path / "there.parquet"))


def test_a_number_of_topics_from_a_cluster_is_that_of_one_process(run, client, shards, tmp_path):
    options, cluster = ("--min-documents", 2, "-q"), ("--dask", client.scheduler.address)
    here = json.loads(ok(run("choose", shards, *options, "--json")).stdout)
    there = json.loads(ok(run("choose", shards, *options, "--json", *cluster)).stdout)
    assert (there["n_topics"], there["sample"]) == (here["n_topics"], None)
    for where in (cluster, ("--stream",), ("--stream", *cluster)):
        ok(run("fit", shards, "-k", "auto", *options, *where, "-o", tmp_path / "m.cotopics"))
        assert load(tmp_path / "m.cotopics").diagnostics_["choice"]["n_topics"] == here["n_topics"]


@needs_signals
@pytest.mark.usefixtures("signals_are_heard")
def test_ctrl_c_is_one_line(shards, tmp_path):
    """A terminal sends it to the workers too, which say nothing and end with the command."""
    program = "from cotopics.cli.main import main; main(prog_name='cotopics')"
    options = ("-k", "3", "--refine", "10000000", "-o", tmp_path / "m.cotopics", "--dask")
    command = [sys.executable, "-c", program, "fit", shards, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, **pipes, start_new_session=True)
    try:
        assert process.stderr.readline().startswith("5 partitions")
        os.killpg(process.pid, signal.SIGINT)
        shown, errors = process.communicate(timeout=60)  # until no worker can write to them any more
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert (process.returncode, shown) == (130, "")
    assert errors == "cotopics: interrupted; all files are as they were\n"


def test_a_cluster_of_its_own(run, shards, tmp_path, capfd):
    options = ("-k", 4, "--min-documents", 2, "--method", "anchor-words", "--weighting", "counts")
    result = ok(run("fit", shards, *options, "-o", tmp_path / "m.cotopics", "--dask"))
    assert "5 partitions" in result.stderr
    assert load(tmp_path / "m.cotopics").n_topics_ == 4
    (shards / "part3.jsonl").write_text('{"text": "one"}\n{"text": 2}\n')
    result = run("fit", shards, *options, "--dask")
    assert "part3.jsonl, line 2: field 'text' holds int" in result.stderr
    assert "Traceback" not in capfd.readouterr().err  # of a worker


def test_statistics_grow_on_a_cluster(run, client, shards, tmp_path):
    address, file = client.scheduler.address, tmp_path / "news.statistics"
    write_jsonl(tmp_path / "more.jsonl", TEXTS[:40])
    fit = ("-k", 4, "--min-documents", 2, "--stream", "--statistics", file, "--dask", address)
    ok(run("fit", shards, *fit))
    assert f"{len(TEXTS)} documents in {file}, 40 documents" in ok(run("fit", tmp_path / "more.jsonl", *fit)).stderr
    for again in (fit, fit[:-2]):  # there or here, they are the same documents
        assert "already holds the documents of" in run("fit", tmp_path / "more.jsonl", *again).stderr


def test_somebody_else_at_the_address_is_one_line(run, shards, monkeypatch):
    """A web server, whose first words Dask takes for the length of a message."""
    monkeypatch.setattr("cotopics.distributed.cluster.CONNECT", 2)
    with socketserver.TCPServer(("127.0.0.1", 0), WebServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        result = run("fit", shards, "--dask", address)
        server.shutdown()
    assert result.exit_code == 2
    assert dask.compute(dask.delayed(int)(3)) == (3,)  # without a cluster, as before
    assert result.stderr.startswith(f"cotopics: there is no Dask scheduler at {address}: ")
    assert result.stderr.count("\n") == 1


class WebServer(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_files_of_models_have_no_paths(run, client, shards, monkeypatch):
    """Workers are told whole paths, also of a folder that the user named from where he was."""
    with (shards / "part3.jsonl").open("a") as file:
        file.write('{"text": 2}\n')
    monkeypatch.chdir(shards.parent)
    for where in ((), ("--dask", client.scheduler.address)):
        ok(run("fit", shards.name, "-k", 3, "-q", "--on-error", "skip", "-o", "m.cotopics", *where))
        note, *others = load("m.cotopics").provenance_["notes"]
        assert str(shards.parent) not in " ".join(others)
        assert note.startswith("1 document left out that cannot be read: shards/part3.jsonl, line ")


def test_what_is_wrong_is_one_line(run, client, shards, tmp_path, monkeypatch):
    monkeypatch.setattr("cotopics.distributed.cluster.CONNECT", 0.5)
    address = client.scheduler.address
    for arguments, message in (
        (("fit", "-", "--dask", address), "- is standard input"),
        (("fit", shards, "--dask", "here"), "'here' is not the address of a scheduler"),
        (("fit", shards, "--dask", "tcp://127.0.0.1:9"), "there is no Dask scheduler at tcp://127.0.0.1:9"),
        (("fit", shards, "--min-length", 3, "--dask", address), "--min-length needs all documents at once"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
    (shards / "part3.jsonl").write_text('{"text": "one"}\n{"text": 2}\n')
    result = run("fit", shards, "--dask", address)
    assert result.exit_code == 2
    assert "part3.jsonl, line 2: field 'text' holds int" in result.stderr
    ok(run("fit", shards, "-q", "--on-error", "skip", "-o", tmp_path / "m.cotopics", "--dask", address))
    result = run("transform", tmp_path / "m.cotopics", shards, "--dask", address)
    assert "part3.jsonl, line 2" in result.stderr
