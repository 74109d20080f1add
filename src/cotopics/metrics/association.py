"""How strongly topics go together, in units that do not depend on their prevalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.metrics.inputs import correlation_matrix
from cotopics.records import Array


@dataclass(frozen=True)
class Association:
    """Three symmetric matrices (n_topics, n_topics); NaN where they are not defined.

    joint: p(z₁, z₂), the topics of two tokens of a document; sums to one. lift: p(z₁, z₂) / (p(z₁) p(z₂)), 1 if topics
    are independent. correlation: Pearson's coefficient of the two topics' shares over documents.

    >>> association(np.diag([0.5, 0.5])).joint.tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """

    joint: Array
    lift: Array
    correlation: Array


def association(model: Any) -> Association:
    """What A says about each pair of topics; of a fitted model, or of A (n_topics, n_topics) itself.

    A is the second moment of the documents' shares w up to a factor. With P = A/ΣA and p its row sums, P − ppᵀ is the
    covariance of w. If A is positive semidefinite, so is the covariance, and coefficients are from −1 to 1; for other
    estimates of A they are clipped. The shares of a document sum to one, so two of K otherwise independent topics
    correlate by about −1/(K − 1).

    Two topics that are never in one document, each in half of the documents:

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
        # a tiny variance is a rounding error: the topic has the same share of every document
        spread = np.sqrt(np.where(variance > 1e-14 * p, variance, np.nan))
        correlation = np.clip(covariance / np.outer(spread, spread), -1, 1)
        np.fill_diagonal(correlation, np.where(np.isnan(spread), np.nan, 1))
        return Association(joint, joint / independent, correlation)
