"""The cluster that work goes to: one that is there, or one of this machine's cores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask
from dask.distributed import Client, LocalCluster, default_client

from cotopics.errors import ParameterError

FAILURES = 100  # workers that may die over one task before it is given up: a machine that is taken away is no bug
START = {"distributed.scheduler.allowed-failures": FAILURES, "distributed.worker.daemon": True}


def has_cluster() -> bool:
    """Whether work goes to workers of their own, and not to threads of this process."""
    try:
        default_client()
    except ValueError:
        return False
    return True


@contextmanager
def connected(address: str | None = None, *, n_workers: int | None = None, **options: Any) -> Iterator[Any]:
    """Within the block, documents on Dask are worked on by the cluster at `address`, such as tcp://10.0.0.1:8786.

    Without an address, by worker processes on this machine, one a core, which end with the block; `options` are those
    of `distributed.LocalCluster`, such as memory_limit="4GiB". Nothing but this machine can reach them.
    """
    if address is not None:
        try:
            with Client(address, timeout=options.pop("timeout", 10)) as client:
                yield client
        except (OSError, ValueError) as error:
            if "client" in locals():
                raise
            raise ParameterError(f"there is no Dask scheduler at {address}: {error}") from None
        return
    with dask.config.set(START):
        local = {
            "host": "127.0.0.1",
            "dashboard_address": "127.0.0.1:0",
            "threads_per_worker": 1,
            "processes": True,
            **options,
        }
        workers = n_workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        with LocalCluster(n_workers=workers, **local) as cluster, Client(cluster) as client:
            yield client
