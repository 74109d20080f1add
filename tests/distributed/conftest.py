"""A cluster of worker processes on this machine."""

import gc

import dask
import pytest
from dask.distributed import Client, LocalCluster

from cotopics.distributed.cluster import LOCAL, START


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """The tests' documents are few, and would all be joined to one piece: here every partition is worth a task."""
    monkeypatch.setattr("cotopics.distributed.sums.MIN_NUMBERS", 1)
    monkeypatch.setattr("cotopics.distributed.sums.MIN_NUMBERS_PER_WORD", 0)


@pytest.fixture(scope="session")
def cluster():
    with dask.config.set(START), LocalCluster(2, **LOCAL) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    gc.collect()  # clients that found no scheduler close themselves then; while another one starts, both would wait
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client
