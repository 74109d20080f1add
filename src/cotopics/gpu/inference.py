"""Documents' shares on a device: what `transform` of a model asks for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from cotopics.gpu.device import Device, room_on
from cotopics.gpu.kernels import check_topics
from cotopics.gpu.matrices import on_device
from cotopics.gpu.one_topic import one_topic_shares
from cotopics.gpu.shares import mean_shares
from cotopics.infer import OneTopic, PriorAware
from cotopics.infer.base import warn_of_unfinished
from cotopics.infer.prior import NAME
from cotopics.records import Array
from cotopics.refine.em import in_double

AT_ONCE = 1 << 27  # non-zeros, and shares, on the device at a time: some gigabytes


def infer_on(
    device: Device,
    infer: PriorAware | OneTopic,
    X: sp.csr_array,
    B: Array,
    prevalence: Array,
    A: Array,
    words: Array | None,
) -> Array:
    """W (n_documents, n_topics) of counts X, as infer(X, B, prevalence, A, words) has it up to single precision."""
    check_topics(len(prevalence))
    W, unfinished = np.empty((X.shape[0], len(prevalence))), 0
    if isinstance(infer, PriorAware):
        problem = infer.problem(B, prevalence, A, words)
    for rows in _blocks(X, len(prevalence)):
        with room_on(device, "transform"):
            counts = on_device(device, X, rows)
            if isinstance(infer, PriorAware):
                found, steps = mean_shares(counts, *problem, infer.tolerance, infer.max_iter)
                unfinished += int((steps < 0).sum())
            else:
                found = one_topic_shares(counts, infer, B, prevalence).rows
            in_double(device.get(found), W[rows])
    warn_of_unfinished(unfinished, X.shape[0], NAME)
    return W


def _blocks(X: sp.csr_array, n_topics: int) -> Iterator[slice]:
    """Rows that together have AT_ONCE non-zeros and shares at most, or are one."""
    first, n = 0, X.shape[0]
    while first < n:
        last = int(np.searchsorted(X.indptr, int(X.indptr[first]) + AT_ONCE, side="right")) - 1
        last = min(max(min(last, first + AT_ONCE // n_topics), first + 1), n)
        yield slice(first, last)
        first = last
