"""Least squares for many outcomes at once, with standard errors that allow for unequal noise and for clusters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.linalg

from cotopics.errors import ParameterError
from cotopics.records import Array

ALONE = 1e-9  # what a document leaves to others, if it decides a coefficient alone


@dataclass(frozen=True)
class Regression:
    """coefficients (p, k), their covariance (k, p, p) for each outcome, and the degrees of freedom of a t-test."""

    coefficients: Array
    covariance: Array
    degrees: float


def regress(Z: Array, Y: Array, clusters: Any = None, variance: Array | None = None, numbers: Any = None) -> Regression:
    """Y (n, k) on the columns of Z (n, p), of full rank.

    Errors are HC3 of MacKinnon and White (1985): a residual is divided by 1 − its leverage, so it is what the document
    would have if it had no part in the fit. With clusters (n,), whole numbers, it is the same with whole clusters
    left out (CR3, Bell and McCaffrey 2002); for clusters of one document both are equal. variance (n, k): that of Y
    itself, each entry drawn anew; the result is what very many such draws come to, added up as by the method of
    composition: the mean of their covariances, and the covariance of their coefficients. numbers (n,): of the
    documents, for messages.

    >>> Z = np.column_stack([np.ones(4), [0, 0, 1, 1]])
    >>> found = regress(Z, np.array([[1.0], [3.0], [5.0], [9.0]]))
    >>> found.coefficients.ravel().tolist(), found.degrees
    ([2.0, 5.0], 2.0)
    """
    Q, R = np.linalg.qr(Z)
    coefficients = scipy.linalg.solve_triangular(R, Q.T @ Y)
    residuals = Y - Z @ coefficients
    n, p = Z.shape
    left = 1 - np.square(Q).sum(axis=1)
    if clusters is None:
        if left.min(initial=1) < ALONE:
            alone = int(np.argmin(left)) if numbers is None else int(numbers[np.argmin(left)])
            raise ParameterError(
                f"document {alone} alone decides a term (it may be the only one of its group), so its "
                "error cannot be known; leave the document or the term out, or join groups"
            )
        noise = np.square(residuals / left[:, None])
        degrees = float(n - p)
    else:
        noise = np.zeros_like(residuals)
        degrees = float(len(np.unique(clusters)) - 1)
    if variance is not None:
        noise = noise + variance / np.square(np.maximum(left, ALONE))[:, None] + variance
    middle = np.stack([(Q * noise[:, [k]]).T @ Q for k in range(Y.shape[1])])
    if clusters is not None:
        scores = cluster_scores(Q, residuals, clusters)
        middle = middle + np.einsum("gpk,gqk->kpq", scores, scores)
    inverse = scipy.linalg.solve_triangular(R, np.eye(p))
    return Regression(coefficients, inverse @ middle @ inverse.T, degrees)


def cluster_scores(Q: Array, residuals: Array, clusters: Any) -> Array:
    """(I − Q_gᵀQ_g)⁻¹ Q_gᵀ e_g of every cluster g: (n_clusters, p, k), for Q (n, p) with orthonormal columns.

    This equals Q_gᵀ times the residuals that the cluster would have, had it no part in the fit."""
    names, at = np.unique(clusters, return_inverse=True)
    if len(names) < 2:
        raise ParameterError("all documents are of one cluster, so errors cannot be known; clusters must be several")
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(len(names)))
    Q, e = Q[order], residuals[order]
    bounds = [*starts.tolist(), len(at)]
    sums = np.stack([Q[a:b].T @ e[a:b] for a, b in pairwise(bounds)])
    left = np.eye(Q.shape[1]) - np.stack([Q[a:b].T @ Q[a:b] for a, b in pairwise(bounds)])
    if np.linalg.eigvalsh(left).min() < ALONE:
        raise ParameterError(
            "one cluster alone decides a term (its documents may be the only ones of a group), so the term's error "
            "cannot be known; leave the term out, or use smaller clusters"
        )
    return np.asarray(np.linalg.solve(left, sums))
