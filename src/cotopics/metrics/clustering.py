"""How well the documents' leading topics agree with known labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from cotopics.errors import ParameterError
from cotopics.metrics.measure import Measure

Ids = np.ndarray[Any, np.dtype[np.int64]]


def clustering_accuracy(labels: Any, clusters: Any) -> float:
    """Share of documents whose cluster matches their label, by the best one-to-one matching; Fu et al. 2019, 6.2.

    labels and clusters (n_documents,), of any comparable type. Clusters beyond the number of labels match nothing.
    Here cluster 1 belongs to "a" and 0 to "b", and one document of four is wrong:

    >>> clustering_accuracy(["a", "a", "b", "b"], [1, 1, 0, 1])
    0.75
    """
    row, column = _numbered(labels, clusters)
    together = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    np.add.at(together, (row, column), 1)
    matched = linear_sum_assignment(-together)
    return float(together[matched].sum() / len(row))


CLUSTERING_ACCURACY = Measure(
    "higher", "documents' leading topics against labels, matched", lambda g: clustering_accuracy(*g.labelled),
    needs=("documents", "labels"), good="1 is best: leading topics are the labels",
)  # fmt: skip


def nmi(labels: Any, clusters: Any) -> float:
    """Mutual information of labels and clusters divided by the mean of their entropies: 2 I / (H + H'). 1 is best.

    labels and clusters (n_documents,), of any comparable type; their names and order do not matter. This is
    scikit-learn's `normalized_mutual_info_score` with its arithmetic mean. One class and one cluster give 1; one class
    and several clusters, or the reverse, give 0. Unlike accuracy it also rewards a label that is split into several
    clusters, and by chance it grows with the number of clusters.

    Clusters 1 and 2 split the documents of "a" in halves, so that I is log 2, H is log 2 and H' is ¾ log 4:

    >>> round(nmi(["a", "a", "b", "b"], [1, 2, 0, 0]), 4), 2 / (1 + 3 / 2)
    (0.8, 0.8)
    """
    from sklearn.metrics import normalized_mutual_info_score

    return float(normalized_mutual_info_score(*_numbered(labels, clusters)))


NMI = Measure(
    "higher", "the same by mutual information, 0 to 1", lambda g: nmi(*g.labelled),
    needs=("documents", "labels"), good="0 is chance, 1 is best",
)  # fmt: skip


def _numbered(labels: Any, clusters: Any) -> tuple[Ids, Ids]:
    """Labels and clusters as numbers from 0, (n_documents,) each."""
    try:
        labels, clusters = np.asarray(labels), np.asarray(clusters)
        if labels.shape == clusters.shape and labels.ndim == 1 and len(labels):
            return np.unique(labels, return_inverse=True)[1], np.unique(clusters, return_inverse=True)[1]
    except (TypeError, ValueError):
        raise ParameterError("labels and clusters must each be one list of comparable values") from None
    if labels.shape != clusters.shape or labels.ndim != 1:
        raise ParameterError(f"labels {labels.shape} and clusters {clusters.shape} must be one list of documents each")
    raise ParameterError("there are no documents to compare")
