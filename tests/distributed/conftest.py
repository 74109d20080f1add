"""A cluster of worker processes on this machine, and documents for it."""

import dask
import pytest
from dask.distributed import Client, LocalCluster

from cotopics.distributed.cluster import START


@pytest.fixture(scope="session")
def cluster():
    with (
        dask.config.set({**START, "distributed.scheduler.worker-ttl": "5 minutes"}),
        LocalCluster(
            2, host="127.0.0.1", dashboard_address="127.0.0.1:0", threads_per_worker=1, processes=True
        ) as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster):
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client
