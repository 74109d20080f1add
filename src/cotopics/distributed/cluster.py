"""The cluster that work goes to: one that is there, or one of this machine's cores."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dask
from dask.distributed import Client, LocalCluster, default_client

from cotopics.errors import ParameterError
from cotopics.linalg.threads import n_threads

CONNECT = 10  # seconds
LOOK, LOOKS = 2, 3  # seconds between two looks for workers; so many without any, and they have gone
FAILURES = 100  # workers that may die over one task before it is given up: a machine that is taken away is not a bug
START = {"distributed.scheduler.allowed-failures": FAILURES}
QUIET = """
import signal, threading
if threading.current_thread() is threading.main_thread():  # of a process of its own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the client, which ends its workers
"""
LOCAL: dict[str, Any] = {
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "threads_per_worker": 1,
    "processes": True,
    "silence_logs": logging.CRITICAL,  # what fails on a worker is raised here, without its traceback there
    "preload": [QUIET],
}


def has_cluster() -> bool:
    """Whether work goes to workers of their own, and not to threads of this process."""
    try:
        default_client()
    except ValueError:
        return False
    return True


@contextmanager
def connected(address: str | None = None, **options: Any) -> Iterator[Any]:
    """Within the block, documents on Dask are worked on by the cluster at `address`, such as tcp://10.0.0.1:8786.

    Without an address, by worker processes on this machine, one a core or as many as OMP_NUM_THREADS says, which end
    with the block; `options` are those of `dask.distributed.LocalCluster`, such as n_workers=4 or memory_limit="4GiB".
    No other machine can reach them.
    """
    if address is None:
        local = {**LOCAL, "n_workers": n_threads(), **options}
        if not local["processes"]:
            local["host"] = options.get("host")  # threads of this process have no address
        with dask.config.set(START), LocalCluster(**local) as cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)  # or one that fails would stay the default
    except Exception as error:  # whatever else answers there: a web server's first words are a message of 10¹⁸ bytes
        reason = str(error).partition("\n")[0] or f"{type(error).__name__} over what it answered"
        raise ParameterError(f"there is no Dask scheduler at {address}: {reason}") from None
    with client, client.as_current(), dask.config.set(scheduler="dask.distributed"):
        if not client.nthreads():
            warnings.warn(
                f"the scheduler at {address} has no workers yet: work waits until some come, or you interrupt it",
                stacklevel=3,
            )
        yield client


@contextmanager
def watched(client: Any, tell: Callable[[str], None]) -> Iterator[None]:
    """Within the block, tell in a line when all workers have gone, for whom work would wait in silence for ever."""
    address, ended = client.scheduler.address, threading.Event()

    def watch(n_looks: int = 0, told: bool = False) -> None:
        """`n_looks` of the last ones have found nobody."""
        while not ended.wait(LOOK):
            try:
                n_workers = len(client.nthreads())
            except Exception:  # the scheduler has gone too, which those who wait for results will hear
                return
            n_looks = 0 if n_workers else n_looks + 1
            if n_looks == LOOKS and not told:
                told = True
                tell(f"all workers of {address} have gone: work waits until others come, or you interrupt it (Ctrl-C)")
            elif told and n_workers:
                told = False
                tell(f"{address} has workers again: work goes on")

    watcher = threading.Thread(target=watch, args=(0, not client.nthreads()), daemon=True)  # none at first was said
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join(LOOK)
