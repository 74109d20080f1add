"""Expectation-maximisation over partitions: every one keeps its own documents' topics, and topics are summed up."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur.weighting import inverse_frequency
from cotopics.distributed.pieces import Pieces
from cotopics.distributed.tasks import add, as_array, compute, held, in_order, persist, task
from cotopics.errors import ParameterError
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation, Refined
from cotopics.refine.em import (
    CLOSE,
    EVERY,
    UNSEEN,
    WARM_UP,
    columns_to_one,
    damped,
    in_double,
    in_type,
    next_topics,
    same_for_all,
    word_totals,
)
from cotopics.refine.pieces import Piece


def refine(step: Any, documents: Pieces, B: Array, prevalence: Array) -> Refined:
    """What `step`, an ExpectationMaximisation, makes of topics B (n_words, n_topics) on all documents.

    A step is a map, in which every piece takes its documents' topics W on, and a sum of the tokens of every word
    in every topic. B and W stay on the workers. A piece that is lost is made again from the start, step by step.
    """
    if not isinstance(step, ExpectationMaximisation) or step.n_pieces > 1 or step.held_out:
        raise ParameterError(
            "on a cluster refine is a number of steps or an ExpectationMaximisation without n_pieces and held_out"
        )
    documents = documents.keep()
    idf = _idf(documents, step.weighting)
    totals = documents.sum(word_totals, idf)
    tokens, common = float(totals.sum()) or 1.0, held(step.background * totals / (totals.sum() or 1.0))
    pieces = persist(documents.map(_piece, idf, common, step.document_smoothing, step.dtype))
    W = [task(_start, piece, held(prevalence)) for piece in pieces]
    topics = held(columns_to_one(B + UNSEEN / B.shape[0]))
    for _ in range(WARM_UP - step.over_relax):
        W = [task(_documents_alone, piece, topics, w, step.over_relax) for piece, w in zip(pieces, W, strict=True)]
    history: dict[str, list[float]] = {"step": [], "likelihood": [], "held_out": []}
    for number in range(1, step.steps + 1):
        asked = number % EVERY == 1 or number > step.steps - 2
        relax = step.over_relax and number < step.steps
        taken = [task(_step, piece, topics, w, asked, relax, nout=2) for piece, w in zip(pieces, W, strict=True)]
        W = [w for w, _ in taken]
        total = in_order([gained for _, gained in taken], add)
        moved = task(_topics, total, topics, step.topic_smoothing, relax)
        *W, topics, likelihood = persist([*W, moved, task(_likelihood, total)])
        gained = float(compute(likelihood))  # wait for it: one step after another is on the cluster
        if asked:
            history["step"].append(number)
            history["likelihood"].append(gained / tokens)
        progress.tell("refining", number, step.steps)
    WW, sums, n_documents = compute(in_order([task(_squares, w) for w in W], add))
    change = abs(np.diff(history["likelihood"][-2:]))
    converged = bool((change < CLOSE * abs(history["likelihood"][-1])).any())
    A, mean = WW / max(n_documents, 1), sums / max(n_documents, 1)
    topics_of_documents = as_array([task(in_double, w) for w in W], len(sums))
    return Refined(compute(topics), topics_of_documents, mean, A, step.steps, converged, history)


def shares(documents: Pieces, weighting: str) -> Array:
    """p(word) (n_words,) in the documents as `weigh_tokens` weighs them."""
    totals = documents.sum(word_totals, _idf(documents, weighting))
    return np.asarray(totals / (totals.sum() or 1.0))


def _idf(documents: Pieces, weighting: str) -> Any:
    """What counts are damped and multiplied by; None: they are taken as they are."""
    if weighting == "counts":
        return None
    return held(inverse_frequency(documents.facts.frequency, documents.facts.n_documents))


def _piece(counts: sp.csr_array, idf: Array | None, common: Array, smoothing: float, dtype: Any) -> Piece:
    tokens = in_type(counts, dtype) if idf is None else damped(counts, idf, dtype)
    return Piece(tokens, 0, counts.shape[0], common, smoothing)


def _start(piece: Piece, prevalence: Array) -> Array:
    return same_for_all(prevalence, piece.X)


def _documents_alone(piece: Piece, B: Array, W: Array, relax: bool) -> Array:
    W = W.copy()
    piece.documents_step(B, W, False, relax)
    return W


def _step(piece: Piece, B: Array, W: Array, asked: bool, relax: bool) -> tuple[Array, tuple[Array, float]]:
    """The documents' new topics; tokens of every word in every topic, and the likelihood before."""
    W = W.copy()
    return W, piece.step(B, W, asked, relax)


def _topics(total: tuple[Array, float], old: Array, smoothing: float, relax: bool) -> Array:
    return next_topics(total[0], smoothing, old if relax else None)


def _likelihood(total: tuple[Array, float]) -> float:
    return total[1]


def _squares(W: Array) -> tuple[Array, Array, int]:
    W = in_double(W)
    return W.T @ W, W.sum(axis=0), len(W)
