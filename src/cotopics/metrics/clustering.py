"""How well topics find groups of documents that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from cotopics.errors import ParameterError


def clustering_accuracy(labels: Any, clusters: Any) -> float:
    """Share of documents whose cluster is their label's, under the best one-to-one matching; 000, section 6.2.

    labels and clusters (n_documents,), of any kind that can be compared. Clusters beyond the number of labels match
    nothing. Below, cluster 1 goes with "a" and 0 with "b", and one document of four is in neither's place:

    >>> clustering_accuracy(["a", "a", "b", "b"], [1, 1, 0, 1])
    0.75
    """
    labels, clusters = np.asarray(labels), np.asarray(clusters)
    if labels.shape != clusters.shape or labels.ndim != 1:
        raise ParameterError(f"labels {labels.shape} and clusters {clusters.shape} must be one list of documents each")
    if len(labels) == 0:
        raise ParameterError("there are no documents to compare")
    _, row = np.unique(labels, return_inverse=True)
    _, column = np.unique(clusters, return_inverse=True)
    together = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    np.add.at(together, (row, column), 1)
    matched = linear_sum_assignment(-together)
    return float(together[matched].sum() / len(labels))
