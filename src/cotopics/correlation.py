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
    """A (n_topics, n_topics), symmetric and non-negative, and where it comes from.

    `unmet` are the topics whose anchors say nothing of it: they hardly ever meet an anchor, themselves included. Where
    there are any, A is that of all words.
    """

    A: Array
    unmet: tuple[int, ...] = ()


def topic_correlation(C: Any, anchors: Anchors, topics: Topics) -> Correlation:
    """A of the anchors (`anchor_correlation`) where they tell, else of all words (`fitted_correlation`).

    The anchors' A is made of K² entries of C, and a word in a few documents has seen hardly another anchor. Rows of A
    sum to the topics' prevalence; one that sums to nothing would make every use of A divide by zero.
    """
    C = as_cooccurrence(C)
    return supported_correlation(anchor_correlation(C, anchors, topics.B), C, topics)


def supported_correlation(A: Array, C: Any, topics: Topics) -> Correlation:
    """The same where the anchors' A is known already."""
    C = as_cooccurrence(C)
    with np.errstate(invalid="ignore"):
        enough = A.sum(axis=1) > LEAST * topics.prevalence * C.row_sums().sum()
    unmet = np.flatnonzero(~(enough & np.isfinite(A).all(axis=1)))
    if len(unmet) == 0:
        return Correlation(A)
    return Correlation(fitted_correlation(C, topics.B, topics.prevalence), tuple(unmet.tolist()))


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
