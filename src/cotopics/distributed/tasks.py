"""Tasks for Dask: how work is handed out, and how what comes back is summed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import uuid4

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp
from dask.delayed import Delayed, delayed
from dask.distributed import default_client
from dask.sizeof import sizeof
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from cotopics.cooccur import Cooccurrence, DocumentSums
from cotopics.cooccur.weighting import TfidfWeights
from cotopics.documents import add_all
from cotopics.errors import CorpusError
from cotopics.linalg.threads import single_threaded
from cotopics.refine.tokens import Tokens

_session, _numbers = uuid4().hex, count()
LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}  # topics and blocks of vectors go with the tasks
REMEDY = "see that its scheduler runs, and try again"


def task(function: Callable[..., Any], *arguments: Any, nout: int | None = None) -> Any:
    """function(*arguments), to be done by a worker on one thread: its sums are then the same on every machine."""
    name = getattr(function, "__name__", "task").strip("_")  # what Dask's dashboard calls it
    key = f"{name}-{_session}{os.getpid():x}-{next(_numbers):09}"  # tasks alike are done in this order
    return delayed(_alone, pure=False, nout=nout)(function, *arguments, dask_key_name=key)


def held(value: Any) -> Delayed:
    """A value that many tasks need: it is sent once, and workers pass it on to each other."""
    return delayed(value, pure=False, traverse=False)


def in_order(parts: Sequence[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """One of many by merging neighbours, then neighbours of these, and so on.

    Which are merged depends on their places alone, so the sum is the same, bit for bit, whoever was first and whatever
    was done twice. A worker that goes through its tasks in order holds at most one part of each level."""
    parts = list(parts)
    while len(parts) > 1:
        pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
        parts = [task(merge, *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def compute(*values: Any) -> Any:
    """The values, one or a tuple of them, of tasks."""
    with _clear_errors(), dask.config.set(LARGE):
        found = dask.compute(*values)
    return found[0] if len(values) == 1 else found


def persist(values: Iterable[Any]) -> list[Any]:
    """Set tasks going, and keep what they give where it is made."""
    with _clear_errors(), dask.config.set(LARGE):
        return list(dask.persist(*values))


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Say in one line that workers died of a task, or that the cluster is gone.

    A scheduler that dies is told by FutureCancelledError to those who wait for results. Those who send tasks at that
    moment hear of it in other ways, which differ between versions of Dask, so the client is asked."""
    try:
        yield
    except KilledWorker as error:
        raise CorpusError(
            f"workers died again and again over {error.task}, of memory most likely: give them more, or give the "
            "documents in more partitions, or keep fewer words"
        ) from error
    except FutureCancelledError as error:
        reason = "" if error.reason == "unknown" else f" ({error.reason})"
        raise CorpusError(f"the cluster is gone{reason}; {REMEDY}") from error
    except Exception as error:
        if not _is_gone():
            raise
        raise CorpusError(f"the cluster is gone; {REMEDY}") from error


def _is_gone() -> bool:
    """Whether there was a cluster, whose scheduler does not answer any more."""
    try:
        return str(default_client().status) != "running"
    except ValueError:  # threads of this process do the work
        return False


def as_array(pieces: list[Any], n_columns: int, sizes: tuple[int, ...] | None = None) -> Any:
    """Delayed arrays (·, n_columns), one below the other, as one dask array; of `sizes` rows where that is known."""
    rows = [np.nan] * len(pieces) if sizes is None else list(sizes)
    blocks = [da.from_delayed(piece, (n, n_columns), np.float64) for piece, n in zip(pieces, rows, strict=True)]
    return da.concatenate(blocks, axis=0, allow_unknown_chunksizes=True)


@dataclass(frozen=True)
class ClusterPieces:
    """`cotopics.documents.Pieces` whose values are on workers: delayed until somebody asks for them."""

    values: tuple[Any, ...]

    def map(self, function: Callable[..., Any], *arguments: Any) -> ClusterPieces:
        arguments = _sent_once(arguments)
        return ClusterPieces(tuple(task(function, value, *arguments) for value in self.values))

    def keep(self) -> ClusterPieces:
        return ClusterPieces(tuple(persist(self.values)))

    def sum(self, function: Callable[..., Any], *arguments: Any, merge: Callable[[Any, Any], Any] = add_all) -> Any:
        return compute(in_order(self.map(function, *arguments).values, merge))

    def update(self, state: ClusterPieces, function: Callable[..., Any], *arguments: Any) -> tuple[ClusterPieces, Any]:
        arguments, pairs = _sent_once(arguments), zip(self.values, state.values, strict=True)
        done = [task(_updated, function, value, one, *arguments, nout=2) for value, one in pairs]
        return ClusterPieces(tuple(new for new, _ in done)), in_order([result for _, result in done], add_all)

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return task(function, *_sent_once(arguments))

    def now(self, *results: Any) -> tuple[Any, ...]:
        listed = [one.values if isinstance(one, ClusterPieces) else (one,) for one in results]
        started = iter(persist([value for values in listed for value in values]))
        kept = [tuple(next(started) for _ in values) for values in listed]
        return tuple(
            ClusterPieces(values) if isinstance(one, ClusterPieces) else values[0]
            for one, values in zip(results, kept, strict=True)
        )

    def fetch(self, result: Any) -> Any:
        return compute(result)

    def rows(self, n_columns: int) -> Any:
        return as_array(list(self.values), n_columns)


def _sent_once(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(held(one) if isinstance(one, np.ndarray | tuple) else one for one in arguments)


def _updated(function: Callable[..., Any], value: Any, state: Any, *arguments: Any) -> tuple[Any, Any]:
    """The new state and the result; the old state stays, as a worker may be asked for it again."""
    state = state.copy()
    return state, function(value, state, *arguments)


def _alone(function: Callable[..., Any], *arguments: Any) -> Any:
    with single_threaded():
        return function(*arguments)


@sizeof.register(sp.sparray)
@sizeof.register(Cooccurrence)
@sizeof.register(DocumentSums)
@sizeof.register(TfidfWeights)
def _bytes_within(thing: Any) -> int:
    """What Dask takes these for when it decides what to spill."""
    return nbytes(vars(thing))


@sizeof.register(Tokens)
def _bytes_of_tokens(tokens: Tokens) -> int:
    return nbytes(vars(tokens.X)) + 6 * int(tokens.X.nnz)  # blocks are views of X; which words are where is made later


def nbytes(thing: Any) -> int:
    """Bytes of the arrays within dictionaries, lists, tuples and our own objects."""
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if isinstance(thing, dict):
        return sum(nbytes(entry) for entry in thing.values())
    if isinstance(thing, list | tuple):
        return sum(nbytes(entry) for entry in thing)
    if isinstance(thing, str):
        return 50 + len(thing)
    return sum(nbytes(entry) for entry in vars(thing).values()) if hasattr(thing, "__dict__") else 8
