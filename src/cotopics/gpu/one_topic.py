"""Topics of which every document has one, on a device: what `refine/one_topic.py` and `infer/one_topic.py` do."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.gpu.kernels import padded
from cotopics.gpu.matrices import DeviceMatrix
from cotopics.gpu.tokens import DeviceShares, DeviceTokens, moments
from cotopics.infer.one_topic import MIN_PREVALENCE, MIN_PROBABILITY, OneTopic
from cotopics.records import Array
from cotopics.refine.one_topic import Topics


def nothing_known(tokens: DeviceTokens, n_topics: int) -> DeviceShares:
    device = tokens.matrix.device
    return DeviceShares(device, device.xp.zeros((tokens.matrix.shape[0], n_topics), np.float32), n_topics)


def document_step(
    tokens: DeviceTokens, P: DeviceShares, topics: Topics, smoothing: float, size: float, power: float
) -> tuple[Any, Any, float, float]:
    """P becomes the new p(topic | document).

    Returns tokens of every word in every topic (n_words, n_topics), documents in every topic (n_topics,), and
    Σ log p(document | others) and the change of P before."""
    matrix = tokens.matrix
    device, kernels = matrix.device, matrix.device.kernels
    given = tuple(device.put(array) for array in topics[:3])
    table = device.put(topics.table).astype(np.float64, copy=False)
    told = kernels.one_topic_pass(matrix.by_document, table, given, smoothing, size, power, P.rows)
    found = kernels.product(matrix.by_word, padded(device.xp, P.rows), P.n_topics)
    return found, P.rows.sum(axis=0, dtype=np.float64), *told


def topics_from(
    device: Any, sums: tuple[Any, Any, float, float], smoothing: float, kept: tuple[Array, Array] | None = None
) -> Topics:
    tokens, sizes = sums[:2]
    if kept is not None:
        tokens, sizes = tokens + device.put(kept[0]), sizes + device.put(kept[1])
    totals = tokens.sum(axis=0)
    table = device.xp.log(tokens + smoothing) - device.xp.log(totals + len(tokens) * smoothing)
    return Topics(tokens, totals, sizes, table, smoothing)


def likelihood_and_change(device: Any, sums: tuple[Any, Any, float, float]) -> tuple[float, float]:
    return sums[2], sums[3]


def one_topic_shares(counts: DeviceMatrix, infer: OneTopic, B: Array, prevalence: Array) -> DeviceShares:
    """`OneTopic` of documents, which are part of no topic: p(topic | document)."""
    device, k = counts.device, len(prevalence)
    P = nothing_known(DeviceTokens(counts), k)
    table = device.put(infer.sharpness * np.log(np.maximum(B, MIN_PROBABILITY)))
    sizes = device.put(np.maximum(prevalence, MIN_PREVALENCE))
    topics = (device.xp.zeros((1, k)), device.xp.zeros(k), sizes)  # no document's own words are in them
    device.kernels.one_topic_pass(counts.by_document, table, topics, 1.0, 0.0, 1.0, P.rows)
    return P


def moments_of(counts: DeviceMatrix, infer: OneTopic, B: Array, prevalence: Array) -> tuple[Any, Any, int]:
    """WᵀW, the sum of W, and how many documents there are, W as `OneTopic` has it."""
    return moments(one_topic_shares(counts, infer, B, prevalence))
