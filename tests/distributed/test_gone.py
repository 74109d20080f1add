"""A scheduler that dies, and workers that do: one line says it."""

import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from dask.distributed import LocalCluster

from cotopics.distributed import connected
from cotopics.distributed.cluster import watched
from cotopics.distributed.tasks import compute, persist
from cotopics.errors import CorpusError
from planted import TEXTS, write_jsonl

SCHEDULER = """
import time
from dask.distributed import LocalCluster
with LocalCluster(1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
    print(cluster.scheduler_address, flush=True)
    time.sleep(600)
"""
MAIN = """
from cotopics.cli.main import main
from cotopics.distributed import cluster
cluster.CONNECT = 2
main(prog_name="cotopics")
"""


def start(program, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_scheduler_that_dies_is_one_line(tmp_path):
    """Dask would say it in 36."""
    for number in range(3):
        write_jsonl(tmp_path / f"part{number}.jsonl", TEXTS[number::3])
    scheduler = start(SCHEDULER)
    address = scheduler.stdout.readline().strip()
    options = ("-k", "3", "--refine", "10000000", "-o", tmp_path / "m.cotopics", "--dask", address)
    process = start(MAIN, "fit", tmp_path, *options)
    try:
        assert process.stderr.readline().startswith("3 partitions")
        scheduler.kill()
        shown, errors = process.communicate(timeout=100)
    finally:
        for one in (process, scheduler):
            one.kill()
            one.communicate()
    assert (process.returncode, shown) == (2, "")
    assert errors.startswith("cotopics: the cluster is gone")
    assert errors.count("\n") == 1


def test_tasks_sent_to_a_cluster_that_is_gone_say_so(monkeypatch):
    """Dask raises errors of many kinds there, and which one depends on the moment."""

    def fail(*values):
        raise RuntimeError("Client is closed")

    monkeypatch.setattr("dask.persist", fail)
    monkeypatch.setattr("dask.compute", fail)
    for status, error in (("closed", CorpusError), ("connecting", CorpusError), ("running", RuntimeError)):
        monkeypatch.setattr("cotopics.distributed.tasks.default_client", lambda s=status: SimpleNamespace(status=s))
        for send in (lambda: compute(1), lambda: persist([1])):
            with pytest.raises(error, match="the cluster is gone" if error is CorpusError else "Client is closed"):
                send()


def test_workers_that_go_and_come_are_told_of_once(monkeypatch):
    monkeypatch.setattr("cotopics.distributed.cluster.LOOK", 0.05)
    told, heard = [], threading.Event()

    def tell(message):
        told.append(message)
        heard.set()

    with LocalCluster(1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        with connected(address) as client, watched(client, tell):
            for n_workers, message in ((0, "all workers of {} have gone"), (1, "{} has workers again")):
                heard.clear()
                cluster.scale(n_workers)
                assert heard.wait(30)
                assert told[-1].startswith(message.format(address))
    assert len(told) == 2
