"""--dask: the same work on a cluster."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from cotopics.cli.display import InputProblem, say

HERE = "this machine"


def dask_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --dask, with or without an address."""
    return click.option(
        "--dask", is_flag=False, flag_value=HERE, default=None, metavar="[ADDRESS]", callback=_address,
        help="Work on a Dask cluster, a file at a time: that of a scheduler such as tcp://10.0.0.1:8786, or without an "
        "address worker processes on this machine, one a core.",
    )(command)  # fmt: skip


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and value != HERE and "://" not in value:
        raise click.BadParameter(
            f"{value!r} is no address of a scheduler, such as tcp://10.0.0.1:8786; without one, type --dask last"
        )
    return value


@contextmanager
def cluster(dask: str | None, input: str, *, quiet: bool) -> Iterator[None]:
    """Within the block, work goes to the cluster that --dask names; None: to nobody but this process."""
    if dask is None:
        yield
        return
    if input == "-":
        raise InputProblem("--dask reads files that all workers can see, and - is standard input; name a folder")
    from cotopics.distributed import connected
    from cotopics.distributed.cluster import watched

    with _without_logs("distributed"), ExitStack() as work:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            client = work.enter_context(connected(None if dask == HERE else dask))
        for warning in told:  # before the work: it may be what the work waits for
            say(f"warning: {warning.message}", quiet=quiet)
        if dask != HERE:  # where workers that die are started anew
            work.enter_context(watched(client, lambda message: say(f"warning: {message}", quiet=quiet)))
        try:
            yield
        except KeyboardInterrupt:
            logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # which tells of answers that nobody waits for
            raise


@contextmanager
def _without_logs(library: str) -> Iterator[None]:
    """What fails is an error of ours in one line; the library logs it, with tracebacks, before that."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == library]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
