"""Topics' prevalence over time and in groups, without a formula: means of documents' shares, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from cotopics.effects.metadata import entries, read_column
from cotopics.effects.record import Estimates
from cotopics.effects.shares import SCALE_ERROR, document_shares
from cotopics.errors import ParameterError
from cotopics.layout import periods_of
from cotopics.records import Array


def prevalence_over(
    model: Any,
    X: Any,
    dates: Sequence[Any] | None = None,
    by: str | None = None,
    *,
    groups: Sequence[Any] | None = None,
    shares: str = "unbiased",
    topics: str = "estimated",
    level: float = 0.95,
) -> Estimates:
    """The mean share of every topic in each period, in each group, or in each group of each period.

    Parameters
    ----------
    model : a fitted model
    X : documents as its `transform` takes them, (n_documents, n_words)
    dates : one per document: ISO 8601 texts, dates or numpy's datetime64; "" and None are unknown
    by : "year", "month" or "day"; None: the finest that all dates have and that gives 40 periods or fewer
    groups : one per document
    shares, topics, level : as of `estimate_effects`

    Returns
    -------
    Estimates, with columns topic, name, period, group, documents, estimate, low, high. Periods and groups without
    documents are left out, and one document has no interval. Where dates or groups are not given, so is their column.

    >>> from cotopics import AnchorWords
    >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8)
    >>> X = [[3, 0, 1, 0], [4, 4, 0, 2], [1, 0, 1, 2], [0, 2, 4, 4]]
    >>> found = prevalence_over(model, X, ["2008-01-03", "2008-01-29", "2008-02-02", "2008-02-14"], topics="known")
    >>> for row in found.where(topic=0):
    ...     print(row["period"], row["documents"], round(row["estimate"], 3))
    2008-01 2 0.775
    2008-02 2 0.225
    """
    if dates is None and groups is None:
        raise ParameterError("give dates, groups or both: the prevalence in all documents is topic_prevalence_")
    if not (isinstance(level, float) and 0 < level < 1):
        raise ParameterError(f"level={level!r} must be between 0 and 1, such as 0.95")
    found = document_shares(model, X, shares, topics)
    n = len(found.W)
    at, cells, kept = cells_of(n, dates, by, groups)
    kept &= found.known
    if not kept.any():
        raise ParameterError("no document has a word that the topics know and a date or group")
    W, at = found.W[kept], at[kept]
    variance = None if found.variance is None else found.variance[kept]
    scale = SCALE_ERROR if topics == "estimated" else 0.0
    rows = [_mean(W[at == i], None if variance is None else variance[at == i], level) for i in range(len(cells))]
    there = [i for i, row in enumerate(rows) if row is not None]
    estimate, half, number = (np.array([rows[i][j] for i in there]) for j in range(3))  # type: ignore[index]
    half = np.hypot(half, scale * stats.norm.ppf((1 + level) / 2) * (estimate - W.mean(axis=0)))
    K = W.shape[1]
    columns = {name: [cells[i][j] for i in there] for j, name in enumerate(("period", "group"))}
    given = {"period": dates is not None, "group": groups is not None}
    return Estimates(
        {
            "topic": np.repeat(np.arange(K), len(there)),
            "name": [name for name in model.topic_names_ for _ in there],
            **{name: values * K for name, values in columns.items() if given[name]},
            "documents": np.tile(number, K),
            "estimate": estimate.T.ravel(),
            "low": (estimate - half).T.ravel(),
            "high": (estimate + half).T.ravel(),
        }
    )


def cells_of(
    n: int, dates: Sequence[Any] | None, by: str | None, groups: Sequence[Any] | None
) -> tuple[Any, list[tuple[str, str]], Any]:
    """Which cell each of n documents is in (n,), the (period, group) of the cells, and which documents have one."""
    periods, when = [""], np.zeros(n, dtype=int)
    names, which = [""], np.zeros(n, dtype=int)
    if dates is not None:
        periods, when = periods_of(entries("dates", dates, n), by)
    elif by is not None:
        raise ParameterError(f"by={by!r} needs dates")
    if groups is not None:
        column = read_column("groups", entries("groups", groups, n), "group")
        names, which = column.levels or [], column.values
    kept = (when >= 0) & (which >= 0)
    return when * len(names) + which, [(period, name) for period in periods for name in names], kept


def _mean(W: Array, variance: Array | None, level: float) -> tuple[Array, Array, int] | None:
    """The mean of documents' shares, half the length of its interval, and how many documents there are."""
    n = len(W)
    if n == 0:
        return None
    if n == 1:
        return W[0], np.full(W.shape[1], np.nan), 1
    own = W.var(axis=0, ddof=1) + (0 if variance is None else variance.mean(axis=0))
    return W.mean(axis=0), stats.t.ppf((1 + level) / 2, n - 1) * np.sqrt(own / n), n
