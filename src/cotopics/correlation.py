"""Topic × topic matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.cooccur import as_cooccurrence
from cotopics.records import Anchors, Array, Topics

LEAST = 1e-6  # of a topic's prevalence: a row of A that sums to less was estimated from nothing
MAX_STEPS = 500
TOLERANCE = 1e-6  # of a step, relative to the largest entry


@dataclass(frozen=True)
class Correlation:
    """A (n_topics, n_topics), symmetric and non-negative.

    `unmet` are the topics whose anchors hardly ever meet an anchor, themselves included: their rows of A are nothing.
    Where that is all topics, A is that of all words instead.
    """

    A: Array
    unmet: tuple[int, ...] = ()


def topic_correlation(C: Any, anchors: Anchors, topics: Topics) -> Correlation:
    """A of the anchors (`anchor_correlation`); of all words (`fitted_correlation`) where no anchor tells.

    The anchors' A is made of K² entries of C, and a word in a few documents has seen hardly another anchor. Some rows
    of nothing stay, as in 001 (footnote 12). Of rows that all are, or are not finite, there is nothing to keep.
    """
    C = as_cooccurrence(C)
    return supported_correlation(anchor_correlation(C, anchors, topics.B), C, topics)


def supported_correlation(A: Array, C: Any, topics: Topics) -> Correlation:
    """The same where the anchors' A is known already."""
    C = as_cooccurrence(C)
    finite = np.isfinite(A).all(axis=1)
    with np.errstate(invalid="ignore"):
        enough = A.sum(axis=1) > LEAST * topics.prevalence * C.row_sums().sum()
    unmet = tuple(np.flatnonzero(~(enough & finite)).tolist())
    if len(unmet) < len(A) and finite.all():
        return Correlation(A, unmet)
    return Correlation(fitted_correlation(C, topics.B, topics.prevalence), unmet)


def anchor_correlation(C: Any, anchors: Anchors, B: Array) -> Array:
    """A = D⁻¹ C_SS D⁻¹ with D the anchors' rows of B (n_words, n_topics); 001, Eq. 6.

    Non-negative always, and positive semidefinite where C is non-negative too, because a principal submatrix inherits
    both. Its entries sum to one only in the limit. A group of anchors acts as one merged word. Not finite where a
    topic's anchors have no probability in it.
    """
    return rows_correlation(anchors.merged_rows(as_cooccurrence(C).nonnegative_rows(anchors.all_words)), anchors, B)


def rows_correlation(rows: Array, anchors: Anchors, B: Array) -> Array:
    """The same from the anchors' merged rows of C (n_topics, n_words)."""
    C_SS = anchors.merge_columns(rows)
    d = np.array([B[group, k].sum() for k, group in enumerate(anchors.groups)])
    with np.errstate(divide="ignore", invalid="ignore"):
        A = C_SS / np.outer(d, d)
    return (A + A.T) / 2


def fitted_correlation(C: Any, B: Array, prevalence: Array) -> Array:
    """min ‖C − BABᵀ‖ over non-negative A, entries summing to those of C; B (n_words, n_topics).

    Multiplicative steps (Lee and Seung 2001) from independent topics, on K × K products: after BᵀCB, C is not asked.
    """
    C = as_cooccurrence(C)
    G, F = B.T @ B, np.maximum(B.T @ (C @ B), 0)
    A = np.outer(prevalence, prevalence)
    for _ in range(MAX_STEPS):
        GAG = G @ A @ G
        new = A * np.divide(F, GAG, out=np.zeros_like(F), where=GAG > 0)
        if not new.sum() > 0:
            break
        new /= new.sum()
        small = np.abs(new - A).max() <= TOLERANCE * new.max()
        A = new
        if small:
            break
    A *= float(C.row_sums().sum()) / A.sum()
    return (A + A.T) / 2
