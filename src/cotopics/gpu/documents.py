"""Documents in memory whose work is done on a device, and the table of what is done there instead of what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import in_pieces
from cotopics.cooccur import Balanced, Cooccurrence
from cotopics.cooccur.weighting import TfidfCooccurrence, TfidfWeights
from cotopics.documents import InMemory
from cotopics.gpu import one_topic, shares, tokens, weights
from cotopics.gpu.device import Device
from cotopics.gpu.matrices import DeviceMatrix, on_device
from cotopics.in_pieces import Facts, partitioned
from cotopics.infer import prior
from cotopics.records import WordIds
from cotopics.refine import em
from cotopics.refine import one_topic as of_one_topic
from cotopics.refine.tokens import Tokens

BYTES_OF_ENTRY = 64  # on the device, at most, for every word of every document,
BYTES_OF_SHARE = 36  # for every topic of every document,
BYTES_OF_WORD = 300  # and for every topic of every word: one-topic documents are fitted to three times as many at first

# What a fit maps over documents → what is done on the device; the first argument is there already
MAPPED: Mapping[Any, Callable[..., Any]] = {
    Tokens: tokens.DeviceTokens,
    Tokens.of_counts: tokens.DeviceTokens.of_counts,
    Tokens.totals: tokens.DeviceTokens.totals,
    Tokens.first_topics: tokens.DeviceTokens.first_topics,
    Tokens.update_documents: tokens.DeviceTokens.update_documents,
    Tokens.step: tokens.DeviceTokens.step,
    em.in_double: tokens.unchanged,
    em.moments: tokens.moments,
    em.moments_of: one_topic.moments_of,
    em.word_totals: weights.word_totals,
    em.occurrences_and_damped: weights.occurrences_and_damped,
    of_one_topic.nothing_known: one_topic.nothing_known,
    of_one_topic.document_step: one_topic.document_step,
    prior.first_shares: shares.first_shares,
    prior.better_shares: shares.better_shares,
    in_pieces.unit_weights: weights.DeviceWeights.of_unit_length,
    TfidfWeights.column_sums: weights.DeviceWeights.column_sums,
    TfidfWeights.column_squares: weights.DeviceWeights.column_squares,
    TfidfWeights.balanced: weights.DeviceWeights.balanced,
    TfidfWeights.words_divided: weights.DeviceWeights.words_divided,
    in_pieces.total_of: weights.DeviceWeights.total,
    TfidfCooccurrence: weights.WeightedCooccurrence,
    in_pieces.restricted: weights.restricted,
    in_pieces.times: weights.times,
    in_pieces.rows_of: weights.rows_of,
    in_pieces.diagonal_of: weights.diagonal_of,
    in_pieces.row_sums_of: weights.row_sums_of,
}
# The same of what is done once with results; the first argument is the device
ONCE: Mapping[Any, Callable[..., Any]] = {
    em.next_topics: tokens.next_topics,
    em.told_of: tokens.told_of,
    of_one_topic.topics_from: one_topic.topics_from,
    of_one_topic.likelihood_and_change: one_topic.likelihood_and_change,
}


@dataclass(frozen=True)
class DevicePieces:
    """`cotopics.documents.Pieces` of one value, which is on a device; so are results, until they are fetched."""

    device: Device
    value: Any

    def map(self, function: Callable[..., Any], *arguments: Any) -> DevicePieces:
        return DevicePieces(self.device, MAPPED[function](self.value, *arguments))

    def keep(self) -> DevicePieces:
        return self

    def sum(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.fetch(MAPPED[function](self.value, *arguments))

    def update(self, state: DevicePieces, function: Callable[..., Any], *arguments: Any) -> tuple[DevicePieces, Any]:
        return state, MAPPED[function](self.value, state.value, *arguments)

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return ONCE[function](self.device, *arguments)

    def now(self, *results: Any) -> tuple[Any, ...]:
        return results

    def fetch(self, result: Any) -> Any:
        if isinstance(result, tuple):
            fetched = [self.fetch(one) for one in result]
            return type(result)(*fetched) if hasattr(result, "_fields") else tuple(fetched)
        return self.device.get(result)

    def rows(self, n_columns: int) -> DevicePieces:
        """The same: all rows could be more than the memory of the processor should hold unasked."""
        return self


@dataclass(frozen=True)
class OnDevice(InMemory):
    """Counts (documents × words, CSR) in memory, and what a fit makes of them on a device.

    They are copied there when they are first needed."""

    device: Device = field(repr=False)

    @cached_property
    def matrix(self) -> DeviceMatrix:
        return on_device(self.device, self.counts)

    @property
    def pieces(self) -> Any:
        return DevicePieces(self.device, self.matrix)

    @cached_property
    def facts(self) -> Facts:
        has_words = np.count_nonzero(np.diff(self.counts.indptr))
        return Facts(self.n_documents, int(has_words), self.frequency, self.pieces.sum(em.word_totals))

    @cached_property
    def frequency(self) -> WordIds:
        indptr, *_ = self.matrix.transpose
        return np.diff(self.device.get(indptr))

    @cached_property
    def used(self) -> tuple[WordIds, OnDevice]:
        words = np.flatnonzero(self.frequency)
        if len(words) == self.n_words and self.facts.n_with_words == self.n_documents:
            return words, self
        words, some = InMemory(self.counts).used
        return words, OnDevice(some.counts, self.device)

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Cooccurrence:
        return partitioned(self, weighting, dtype) if weighting != "counts" else super().cooccurrence(weighting, dtype)


def bytes_on_device(counts: sp.csr_array, n_topics: int) -> int:
    """Memory of the device that a fit takes at its fullest."""
    n_documents, n_words = counts.shape
    return BYTES_OF_ENTRY * counts.nnz + n_topics * (BYTES_OF_SHARE * n_documents + BYTES_OF_WORD * n_words)
