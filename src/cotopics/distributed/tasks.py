"""Tasks for Dask: how work is handed out, and how what comes back is summed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any
from uuid import uuid4

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp
from dask.delayed import Delayed, delayed
from dask.sizeof import sizeof
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from cotopics.cooccur import Cooccurrence, DocumentSums
from cotopics.cooccur.weighting import TfidfWeights
from cotopics.errors import CorpusError
from cotopics.linalg.threads import alone
from cotopics.refine.pieces import Piece

_session, _numbers = uuid4().hex, count()
LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}  # topics and blocks of vectors go with the tasks


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
    try:
        with dask.config.set(LARGE):
            found = dask.compute(*values)
    except KilledWorker as error:
        raise CorpusError(
            f"workers died again and again over {error.task}, of memory most likely: give them more, or give the "
            "documents in more partitions, or keep fewer words"
        ) from error
    except FutureCancelledError as error:
        reason = "" if error.reason == "unknown" else f" ({error.reason})"
        raise CorpusError(f"the cluster is gone{reason}; see that its scheduler runs, and try again") from error
    return found[0] if len(values) == 1 else found


def persist(values: Iterable[Any]) -> list[Any]:
    """Set tasks going, and keep what they give where it is made."""
    with dask.config.set(LARGE):
        return list(dask.persist(*values))


def as_array(pieces: list[Any], n_columns: int, sizes: tuple[int, ...] | None = None) -> Any:
    """Delayed arrays (·, n_columns), one below the other, as one dask array; of `sizes` rows where that is known."""
    rows = [np.nan] * len(pieces) if sizes is None else list(sizes)
    blocks = [da.from_delayed(piece, (n, n_columns), np.float64) for piece, n in zip(pieces, rows, strict=True)]
    return da.concatenate(blocks, axis=0, allow_unknown_chunksizes=True)


def add(left: Any, right: Any) -> Any:
    """The sum of two arrays or numbers, or of two tuples of them, entry by entry. Neither is changed."""
    if isinstance(left, tuple):
        entries = (add(a, b) for a, b in zip(left, right, strict=True))
        return type(left)(*entries) if hasattr(left, "_fields") else tuple(entries)
    return left + right


def _alone(function: Callable[..., Any], *arguments: Any) -> Any:
    with alone():
        return function(*arguments)


@sizeof.register(sp.sparray)
@sizeof.register(Cooccurrence)
@sizeof.register(DocumentSums)
@sizeof.register(TfidfWeights)
def _bytes_within(thing: Any) -> int:
    """What Dask takes these for when it decides what to spill."""
    return nbytes(vars(thing))


@sizeof.register(Piece)
def _bytes_of_piece(piece: Piece) -> int:
    return nbytes(vars(piece.X)) + 6 * int(piece.X.nnz)  # blocks are views of X; which words are where is made later


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
