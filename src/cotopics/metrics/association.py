"""How strongly topics go together, in units that do not depend on how prevalent they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.metrics.inputs import correlation_matrix
from cotopics.records import Array


@dataclass(frozen=True)
class Association:
    """Three symmetric matrices (n_topics, n_topics); NaN where they are not defined.

    joint: p(z₁, z₂), the topics of two tokens of a document; sums to one. lift: p(z₁, z₂) / (p(z₁) p(z₂)), 1 where
    topics know nothing of one another. correlation: Pearson's coefficient of the two topics' shares over documents.
    """

    joint: Array
    lift: Array
    correlation: Array


def association(model: Any) -> Association:
    """What A says of each pair of topics, of a fitted model or of A (n_topics, n_topics) itself.

    A is the second moment of the documents' shares w up to a factor, so with P = A/ΣA and p its row sums, P − ppᵀ is
    the covariance of w. Where A is positive semidefinite so is the covariance, and coefficients are from −1 to 1; an
    estimate of A that is not can overshoot, and is cut there. Shares of a document sum to one, so of K topics that
    know nothing more of one another two correlate by −1/(K − 1) or so.

    Shares of two topics that exclude one another, half and half: they are never in one document.

    >>> found = association(np.diag([0.5, 0.5]))
    >>> found.lift.tolist(), found.correlation.tolist()
    ([[2.0, 0.0], [0.0, 2.0]], [[1.0, -1.0], [-1.0, 1.0]])
    """
    A = correlation_matrix(model)
    with np.errstate(divide="ignore", invalid="ignore"):
        joint = A / A.sum()
        p = joint.sum(axis=1)
        p = np.where(p > 0, p, np.nan)  # noise can make the share of a rare topic negative
        independent = np.outer(p, p)
        covariance = joint - independent
        variance = np.diag(covariance)
        # a variance that is rounding is none: the topic has the same share of every document
        spread = np.sqrt(np.where(variance > 1e-14 * p, variance, np.nan))
        correlation = np.clip(covariance / np.outer(spread, spread), -1, 1)
        np.fill_diagonal(correlation, np.where(np.isnan(spread), np.nan, 1))
        return Association(joint, joint / independent, correlation)
