"""Documents' shares on a device: what `transform` of a model asks for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from cotopics.gpu.device import Device, room_on
from cotopics.gpu.matrices import on_device
from cotopics.gpu.one_topic import one_topic_shares
from cotopics.gpu.shares import mean_shares
from cotopics.infer import Inference, OneTopic, PriorAware
from cotopics.infer.base import warn_of_unfinished
from cotopics.infer.prior import NAME
from cotopics.records import Array
from cotopics.refine.em import in_double

AT_ONCE = 1 << 27  # non-zeros on the device at a time
BYTES_OF_ENTRY, BYTES_OF_SHARE = 16, 8  # there, for every word and for every topic of every document


def infer_on(
    device: Device, infer: Inference, X: sp.csr_array, B: Array, prevalence: Array, A: Array, words: Array | None
) -> Array:
    """W (n_documents, n_topics) of counts X, as infer(X, B, prevalence, A, words) has it up to single precision.

    `PriorAware` and `OneTopic` are worked out on the device; others on the processor."""
    W, unfinished = np.empty((X.shape[0], len(prevalence))), 0
    if isinstance(infer, PriorAware):
        problem = infer.problem(B, prevalence, A, words)
    elif not isinstance(infer, OneTopic):
        return infer(X, B, prevalence, A, words)
    for rows in _blocks(X):
        n_entries = int(X.indptr[rows.stop] - X.indptr[rows.start])
        with room_on(device, BYTES_OF_ENTRY * n_entries + BYTES_OF_SHARE * W[rows].size, "transform"):
            counts = on_device(device, X, rows)
            if isinstance(infer, PriorAware):
                found, steps = mean_shares(counts, *problem, infer.tolerance, infer.max_iter)
                unfinished += int((steps < 0).sum())
            else:
                found = one_topic_shares(counts, infer, B, prevalence).rows
            in_double(device.get(found), W[rows])
    warn_of_unfinished(unfinished, X.shape[0], NAME)
    return W


def _blocks(X: sp.csr_array) -> Iterator[slice]:
    """Rows that together have AT_ONCE non-zeros at most, or are one."""
    first, n = 0, X.shape[0]
    while first < n:
        last = int(np.searchsorted(X.indptr, int(X.indptr[first]) + AT_ONCE, side="right")) - 1
        yield slice(first, min(max(last, first + 1), n))
        first = min(max(last, first + 1), n)
