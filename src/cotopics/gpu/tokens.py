"""Expectation-maximisation on a device: what `refine/tokens.py` and `refine/em.py` do, function by function.

The pass over words comes first: it reads documents' topics, which the pass over documents then changes in place. Both
make x/q anew, which takes less time than keeping it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cotopics.gpu.kernels import COUNTS, LOG_ONE_PLUS, padded
from cotopics.gpu.matrices import DeviceMatrix, row_blocks
from cotopics.records import Array
from cotopics.refine.tokens import Mixture


class DeviceShares(NamedTuple):
    """Documents' topics on a device: rows (n_documents, ·) in single precision, of which the first n_topics columns."""

    device: Any
    rows: Any
    n_topics: int


@dataclass(frozen=True)
class DeviceTokens:
    """Weighted tokens of documents on a device."""

    matrix: DeviceMatrix

    @classmethod
    def of_counts(cls, counts: DeviceMatrix, idf: Array | None = None, dtype: Any = None) -> DeviceTokens:
        """Counts as they are, or log(1 + count) · idf where an idf (n_words,) is given; single precision."""
        if idf is None:
            return cls(counts)
        idf, kernels = counts.device.put(idf), counts.device.kernels
        data = kernels.formed(counts.by_document, own=None, other=idf, how=LOG_ONE_PLUS)
        turned = kernels.formed(counts.by_word, own=idf, other=None, how=LOG_ONE_PLUS)
        return cls(counts.with_data(data, turned))

    @cached_property
    def totals_by_word(self) -> Any:
        matrix = self.matrix
        return matrix.device.kernels.sums(matrix.by_word, matrix.shape[1], own=None, other=None, how=COUNTS)

    def totals(self) -> tuple[Any, float]:
        return self.totals_by_word, float(self.totals_by_word.sum())

    def first_topics(self, prevalence: Array) -> DeviceShares:
        xp, n_topics = self.matrix.device.xp, len(prevalence)
        row = np.zeros((1, n_topics), np.float32)
        row[:] = prevalence / prevalence.sum()
        W = xp.zeros((self.matrix.shape[0], -(-n_topics // 4) * 4), np.float32)
        W[:, :n_topics] = self.matrix.device.put(row)
        return DeviceShares(self.matrix.device, W, n_topics)

    def update_documents(self, W: DeviceShares, B: Any, model: Mixture, relax: bool) -> float:
        self._documents(W, self._readable(B), model, relax, False)
        return 0.0

    def step(self, W: DeviceShares, B: Any, model: Mixture, with_likelihood: bool, relax: bool) -> tuple[Any, float]:
        device, read = self.matrix.device, self._readable(B)
        common = device.put(model.common, np.float32)
        tokens = device.kernels.word_pass(self.matrix.by_word, W.rows, read, common, model.share, W.n_topics)
        tokens *= read[:, : W.n_topics]
        return tokens, self._documents(W, read, model, relax, with_likelihood)

    def _documents(self, W: DeviceShares, read: Any, model: Mixture, relax: bool, likely: bool) -> float:
        device = self.matrix.device
        common = device.put(model.common, np.float32)
        likelihood: float = device.kernels.document_pass(
            self.matrix.by_document, read, W.rows, common, model.share, model.smoothing, W.n_topics,
            relax=relax, likely=likely,
        )  # fmt: skip
        return likelihood

    def _readable(self, B: Any) -> Any:
        return padded(self.matrix.device.xp, self.matrix.device.put(B))


def next_topics(
    device: Any, sums: tuple[Any, float], old: Any, smoothing: float, relax: bool, kept: Array | None = None
) -> Any:
    """`cotopics.refine.em.next_topics`: B (n_words, n_topics), double, stays on the device."""
    xp = device.xp
    B = sums[0] + smoothing if kept is None else sums[0] + device.put(kept) + smoothing
    columns_to_one(xp, B)
    if relax:
        from cotopics.refine.kernels import FARTHEST, TINY

        factor = xp.clip(B / xp.maximum(device.put(old), TINY), 1.0 / FARTHEST, FARTHEST)
        B *= xp.sqrt(factor) * xp.sqrt(xp.sqrt(factor))
        columns_to_one(xp, B)
    return B


def told_of(device: Any, sums: tuple[Any, float], others: Any) -> tuple[float, Any]:
    """The likelihood, and the tokens of each topic (n_topics,) with those of others; None where these are."""
    return sums[1], None if others is None else sums[0].sum(axis=0) + device.put(others)


def columns_to_one(xp: Any, B: Any) -> None:
    totals = B.sum(axis=0)
    B /= xp.where(totals > 0, totals, 1.0)


def unchanged(W: DeviceShares) -> DeviceShares:
    """Documents' topics stay in single precision: `moments` makes them double, some at a time."""
    return W


def moments(W: DeviceShares) -> tuple[Any, Any, int]:
    """WᵀW, the sum of W, and how many documents there are, of rows made to sum to one in double precision."""
    xp, n, k = W.device.xp, len(W.rows), W.n_topics
    squares, total = xp.zeros((k, k)), xp.zeros(k)
    for some in row_blocks(n, k):
        rows = W.rows[some, :k].astype(np.float64)
        rows /= rows.sum(axis=1, keepdims=True)
        squares += rows.T @ rows
        total += rows.sum(axis=0)
    return squares, total, n
