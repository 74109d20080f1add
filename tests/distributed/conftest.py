"""A cluster of worker processes on this machine."""

import dask
import pytest
from dask.distributed import Client, LocalCluster

from cotopics.distributed.cluster import LOCAL, START


@pytest.fixture(scope="session")
def cluster():
    with dask.config.set(START), LocalCluster(2, **LOCAL) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client
