"""--dask: the same work on a cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from cotopics.cli.display import InputProblem, say, warnings_as_messages

HERE = "this machine"


def dask_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --dask, with or without an address."""
    return click.option(
        "--dask", is_flag=False, flag_value=HERE, default=None, metavar="[ADDRESS]", callback=_address,
        help="Work on a Dask cluster, one file at a time. ADDRESS is a scheduler such as tcp://10.0.0.1:8786; without "
        "it, worker processes are started on this machine, one per core.",
    )(command)  # fmt: skip


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and value != HERE and "://" not in value:
        raise click.BadParameter(
            f"{value!r} is not the address of a scheduler, such as tcp://10.0.0.1:8786; without one, type --dask last"
        )
    return value


@contextmanager
def cluster(dask: str | None, input: str) -> Iterator[None]:
    """Within the block, work goes to the cluster that --dask names, or stays in this process if that is None."""
    if dask is None:
        yield
        return
    if input == "-":
        raise InputProblem("--dask reads files that all workers can see, and - is standard input; name a folder")
    from cotopics.distributed import connected
    from cotopics.distributed.cluster import watched

    with _without_logs("distributed"), ExitStack() as work:
        with warnings_as_messages():  # before the work, because the work may wait for what they say
            client = work.enter_context(connected(None if dask == HERE else dask))
        if dask != HERE:  # on this machine, dead workers are replaced
            work.enter_context(watched(client, lambda message: say(f"warning: {message}")))
        try:
            yield
        except KeyboardInterrupt:
            logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # it would log results that are no longer needed
            raise


@contextmanager
def _without_logs(library: str) -> Iterator[None]:
    """Silence the logs of a library, which has tracebacks of errors that we report in one line."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == library]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
