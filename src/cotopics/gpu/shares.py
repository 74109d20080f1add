"""Documents' shares with the topics' correlations as the prior, on a device: what `infer/prior.py` does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cotopics.gpu.kernels import COUNTS, padded
from cotopics.gpu.matrices import DeviceMatrix, row_blocks
from cotopics.linalg.mixture import ScaledRows, Spread, scaled_rows
from cotopics.records import Array


class DevicePrior(NamedTuple):
    """mean (K,), U (K, d) and its transpose, U² (d, K), what of 1 − mean lies elsewhere (K,), v (d,), rest."""

    mean: Any
    U: Any
    Ut: Any
    squares: Any
    beyond: Any
    v: Any
    rest: float


class ShareState(NamedTuple):
    """Documents' shares (n, K), and their words that belong to topics (n,); single precision, on the device."""

    shares: Any
    explained: Any


def prior_on(device: Any, mean: Array, spread: Spread) -> DevicePrior:
    beyond = np.maximum(1.0 - mean - (spread.U**2).sum(axis=1), 0.0)
    U, squares = spread.U, spread.U**2
    mean, U, Ut, squares, beyond, v = (
        device.put(array, np.float32) for array in (mean, U, U.T, squares.T, beyond, spread.v)
    )
    return DevicePrior(mean, U, Ut, squares, beyond, v, float(spread.rest))


def first_shares(counts: DeviceMatrix, mean: Array) -> ShareState:
    device, n = counts.device, counts.shape[0]
    Y = device.xp.empty((n, len(mean)), np.float32)
    Y[:] = device.put(mean, np.float32)
    lengths = device.kernels.sums(counts.by_document, n, own=None, other=None, how=COUNTS)
    return ShareState(Y, lengths.astype(np.float32))


def better_shares(
    counts: DeviceMatrix,
    state: ShareState,
    topics: Array | ScaledRows,
    common: Array,
    mean: Array,
    spread: Spread,
    steps: int,
) -> tuple[float, Any, Any]:
    """A few steps of documents' shares; sums over documents: how many, w, E[wwᵀ]."""
    xp, prior = counts.device.xp, prior_on(counts.device, mean, spread)
    _solve(counts, topics, common, prior, state, 0.0, steps)
    d, k = len(spread.v), len(mean)
    v = (spread.v.sum() + (k - 1 - d) * spread.rest) / max(k - 1, 1)
    total, second = xp.zeros(k), xp.zeros((k, k))
    for some in row_blocks(counts.shape[0], k):
        W = state.shares[some].astype(np.float64)
        uncertain = 1 / (1 / max(v, 1e-12) + state.explained[some].astype(np.float64))
        total += W.sum(axis=0)
        second += (W * (1 - uncertain)[:, None]).T @ W + xp.diag(uncertain @ W)
    return float(counts.shape[0]), total, second


def mean_shares(
    counts: DeviceMatrix, topics: ScaledRows, mean: Array, spread: Spread, common: Array, tolerance: float, most: int
) -> tuple[Any, Any]:
    """The shares (n, K) of each document, and the steps (n,) that it took, −1 where `most` were not enough."""
    state = first_shares(counts, mean)
    steps = _solve(counts, topics, common, prior_on(counts.device, mean, spread), state, tolerance, most)
    return state.shares, steps


def _solve(
    counts: DeviceMatrix,
    topics: Array | ScaledRows,
    common: Array,
    prior: DevicePrior,
    state: ShareState,
    tolerance: float,
    max_iter: int,
) -> Any:
    device = counts.device
    rows, largest = topics if isinstance(topics, ScaledRows) else scaled_rows(topics)
    P, offsets = padded(device.xp, device.put(rows, np.float32)), device.put(common / largest, np.float32)
    return device.kernels.linear_bayes(counts.by_document, P, offsets, prior, *state, tolerance, max_iter)
