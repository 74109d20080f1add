"""Topic correlations A (topics × topics), C ≈ BABᵀ: from the anchors, or from all words if no anchor is usable.

The anchors give A from K² entries of C (Lee et al. 2015, Eq. 6). If an anchor is a word of one or two documents, its
row of A is zero. Some zero rows are kept, as in that paper (footnote 12), and mixtures then take their prior from the
prevalence. If all rows are zero, A is the best non-negative fit to C ≈ BABᵀ, with K × K work. A warning and
`diagnostics_["correlation"]["without_anchors"]` say so. In 13 of 200 planted corpora (150 short documents) alternating
projection leaves such a row; there the words of documents have an L1 error of 0.29 (prevalence) or 0.27 (fit) instead
of 0.60, or NaN.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.cooccur import as_cooccurrence
from cotopics.errors import ParameterError
from cotopics.records import Anchors, Array, Topics

MIN_SUM_OF_A = 1e-6  # of a row of A, relative to the topic's prevalence: with less, nothing was observed
MAX_FIT_STEPS = 500
MIN_CONCENTRATION = 1e-6  # α₀ where every document has a single topic
FIT_TOLERANCE = 1e-6  # change of a step of the fit, relative to the largest entry


@dataclass(frozen=True)
class Correlation:
    """A (n_topics, n_topics), symmetric and non-negative.

    `isolated` are the topics whose anchors hardly ever co-occur with an anchor, not even with themselves: their rows of
    A are zero. If that is all topics, A is the fit to all words instead.
    """

    A: Array
    isolated: tuple[int, ...] = ()


def topic_correlation(C: Any, anchors: Anchors, topics: Topics, *, rows: Array | None = None) -> Correlation:
    """A from the anchors (`anchor_correlation`), or from all words (`fitted_correlation`) if none is usable.

    `rows`: the anchors' merged rows of C (n_topics, n_words), if they are known already.
    """
    C = as_cooccurrence(C)
    A = anchor_correlation(C, anchors, topics.B) if rows is None else _from_rows(rows, anchors, topics.B)
    finite = np.isfinite(A).all(axis=1)
    with np.errstate(invalid="ignore"):
        enough = A.sum(axis=1) > MIN_SUM_OF_A * topics.prevalence * C.row_sums().sum()
    isolated = tuple(np.flatnonzero(~(enough & finite)).tolist())
    if len(isolated) < len(A) and finite.all():
        return Correlation(A, isolated)
    return Correlation(fitted_correlation(C, topics.B, topics.prevalence), isolated)


def anchor_correlation(C: Any, anchors: Anchors, B: Array) -> Array:
    """A = D⁻¹ C_SS D⁻¹, D the anchors' rows of B (n_words, n_topics); Lee et al. 2015, Eq. 6.

    Always non-negative, and positive semidefinite if C is non-negative too, because principal submatrices inherit both.
    Its entries sum to one only in the limit. A group of anchors acts as one merged word. Not finite if a topic's
    anchors have no probability in it.
    """
    rows = anchors.merged_rows(as_cooccurrence(C).nonnegative_rows(anchors.all_words))
    return _from_rows(rows, anchors, B)


def _from_rows(rows: Array, anchors: Anchors, B: Array) -> Array:
    C_SS = anchors.merge_columns(rows)
    d = np.array([B[group, k].sum() for k, group in enumerate(anchors.groups)])
    with np.errstate(divide="ignore", invalid="ignore"):
        A = C_SS / np.outer(d, d)
    return (A + A.T) / 2


def fitted_correlation(C: Any, B: Array, prevalence: Array) -> Array:
    """min ‖C − BABᵀ‖ over non-negative A whose entries have the same sum as those of C; B (n_words, n_topics).

    Multiplicative steps (Lee and Seung 2001) from independent topics, on K × K matrices: C is used for BᵀCB only.
    """
    C = as_cooccurrence(C)
    G, F = B.T @ B, np.maximum(B.T @ (C @ B), 0)
    A = np.outer(prevalence, prevalence)
    for _ in range(MAX_FIT_STEPS):
        GAG = G @ A @ G
        new = A * np.divide(F, GAG, out=np.zeros_like(F), where=GAG > 0)
        if not new.sum() > 0:
            break
        new /= new.sum()
        small = np.abs(new - A).max() <= FIT_TOLERANCE * new.max()
        A = new
        if small:
            break
    A *= float(C.row_sums().sum()) / A.sum()
    return (A + A.T) / 2


def dirichlet_parameters(A: Array) -> Array:
    """α (n_topics,) of the Dirichlet distribution of mixtures w whose E[wwᵀ] is nearest to A; Lee et al. 2015, sec. 2.

    E[wwᵀ] = (ααᵀ + diag(α))/(α₀(α₀ + 1)) with α₀ = Σα, so the row sums of A, divided by their total, are α/α₀. What A
    has beyond independent topics is in proportion 1/(α₀ + 1) to diag(m) − mmᵀ, m = α/α₀: the least-squares fit of this
    one number. A Dirichlet has no other correlations: topics that avoid each other more than by chance are the sign
    that it does not describe the documents. An error if topics vary less than independent words would, α₀ = ∞.

    >>> alpha = np.array([0.2, 0.5, 0.1])
    >>> A = (np.outer(alpha, alpha) + np.diag(alpha)) / (0.8 * 1.8)
    >>> np.round(dirichlet_parameters(A), 9).tolist()
    [0.2, 0.5, 0.1]
    """
    A = np.asarray(A, dtype=float) / np.sum(A)
    mean = A.sum(axis=1)
    spread = np.diag(mean) - np.outer(mean, mean)
    share = float(np.vdot(spread, A - np.outer(mean, mean)) / max(np.vdot(spread, spread), np.finfo(float).tiny))
    if not share > 0 or not (mean >= 0).all():
        raise ParameterError(
            "no Dirichlet distribution has such correlations: documents' topics vary less than by chance, or a topic "
            "has a negative share. Use the correlations themselves"
        )
    return np.asarray(mean * max(1 / min(share, 1.0) - 1, MIN_CONCENTRATION))
