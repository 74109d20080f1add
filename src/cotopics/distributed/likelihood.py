"""How well topics foretell words of documents on a cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.distributed.tasks import compute, held, in_order, persist, task
from cotopics.distributed.transform import bare, documents_for
from cotopics.documents import add_all
from cotopics.errors import CorpusError
from cotopics.metrics.likelihood import NONE_HELD_OUT, SMOOTHING, document_topics, log_likelihood, split_tokens
from cotopics.records import Array


def held_out_likelihood(model: Any, X: Any, *, random_state: int = 0, smoothing: float = SMOOTHING) -> float:
    """`metrics.held_out_likelihood` of documents X on Dask; texts are counted over the model's words.

    Every partition divides its documents' tokens with a seed of its own, made of `random_state` and its number: the
    same partitions give the same figure, bit for bit, and others another draw of the halves."""
    documents = documents_for(model, X)
    B = document_topics(model, documents.n_words, smoothing)
    halves = persist(task(_token_halves, piece, random_state, number) for number, piece in enumerate(documents.parts))
    seen, n_held_out = compute(in_order([task(_seen, half) for half in halves], add_all))
    if n_held_out == 0:
        raise CorpusError(NONE_HELD_OUT)
    f = seen + 1
    common = held(smoothing * f / f.sum())
    fitted, topics = held(bare(model)), held(B)
    scores = [task(_log_likelihood, half, fitted, topics, common) for half in halves]
    return float(compute(in_order(scores, add_all)) / n_held_out)


def _token_halves(counts: sp.csr_array, seed: int, number: int) -> tuple[sp.csr_array, sp.csr_array]:
    return split_tokens(counts, np.random.default_rng([seed, number]))


def _seen(halves: tuple[sp.csr_array, sp.csr_array]) -> tuple[Array, float]:
    return halves[0].sum(axis=0), float(halves[1].sum())


def _log_likelihood(halves: tuple[sp.csr_array, sp.csr_array], model: Any, B: Array, common: Array) -> float:
    return log_likelihood(model, B, *halves, common)
