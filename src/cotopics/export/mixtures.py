"""Documents' topic proportions as a table, or as blocks of one."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from cotopics import progress
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.errors import ParameterError
from cotopics.export.tables import Column, Table, as_column

BLOCK_DOCUMENTS = 4096  # whose proportions are in memory at a time


def mixtures_table(
    W: Any,
    ids: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    dates: Sequence[Any] | None = None,
    metadata: Mapping[str, Sequence[Any]] | None = None,
    threshold: float | None = None,
    first: int = 0,
    names: Sequence[str] | None = None,
) -> Table:
    """W (n_documents, n_topics) as a table: document, id, label, date and metadata if given, then a column per topic.

    With a threshold, or if W is sparse, there is a row for each document and topic instead: document, id, ..., topic,
    share. Shares of zero or below the threshold are left out, so a document may have no row. `first` is the number of
    the first document. names: of the topics, for the headers of their columns, or in a column of their own.

    >>> mixtures_table(np.array([[0.75, 0.25], [0.0, 1.0]]), ids=["a", "b"]).names
    ('document', 'id', 'topic_0', 'topic_1')
    >>> long = mixtures_table(np.array([[0.75, 0.25], [0.0, 1.0]]), threshold=0.5)
    >>> [column.tolist() for column in long.columns]  # document, topic, share
    [[0, 1], [0, 1], [0.75, 1.0]]
    """
    W = sp.csr_array(W) if sp.issparse(W) else np.asarray(W)
    if W.ndim != 2 or W.dtype.kind not in "iuf":
        raise ParameterError(f"W must be numbers, documents × topics; it is {W.dtype} of shape {W.shape}")
    number: dict[str, Column] = {"document": np.arange(first, first + W.shape[0])}
    columns = number | _documents(ids, labels, dates, metadata, W.shape[0])
    if threshold is None and not sp.issparse(W):
        columns |= dict(zip(_headers(names, columns, W.shape[1]), W.T, strict=True))
        return Table(tuple(columns), tuple(columns.values()))
    document, topic, share = _pairs(W, threshold or 0)
    columns = {name: _take(column, document) for name, column in columns.items()}
    columns |= {"topic": topic, **({} if names is None else {"name": [names[k] for k in topic]}), "share": share}
    return Table(tuple(columns), tuple(columns.values()))


def mixture_blocks(
    model: Any,
    X: Any,
    ids: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    dates: Sequence[Any] | None = None,
    metadata: Mapping[str, Sequence[Any]] | None = None,
    method: Any = None,
    threshold: float | None = None,
    block: int = BLOCK_DOCUMENTS,
    names: Sequence[str] | None = None,
) -> Iterator[Table]:
    """`mixtures_table` of counts X, one block of documents after the other; `write_table` writes them as one table.

    Only the proportions of one block are in memory, however many documents there are.

    Parameters
    ----------
    model : a fitted model.
    X : counts (documents × words).
    ids, labels, dates : of the documents, or None.
    metadata : other columns, by name.
    method : see `transform`.
    threshold, names : see `mixtures_table`.
    block : number of documents in a block.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> blocks = mixture_blocks(model, np.diag([2, 2, 2, 2]), block=2)
    >>> [table.as_dict()["topic_0"].round(2).tolist() for table in blocks]
    [[1.0, 1.0], [0.0, 0.0]]
    """
    counts = counts_for(model, X)
    n_documents = counts.shape[0]
    blocks = (shares(model, counts[start : start + block], method) for start in range(0, n_documents, block))
    known: dict[str, Any] = {"dates": dates, "metadata": metadata, "threshold": threshold, "names": names}
    return mixtures_of(blocks, n_documents, ids, labels, **known)


def mixtures_of(
    blocks: Iterable[Any],
    n_documents: int,
    ids: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    dates: Sequence[Any] | None = None,
    metadata: Mapping[str, Sequence[Any]] | None = None,
    threshold: float | None = None,
    names: Sequence[str] | None = None,
) -> Iterator[Table]:
    """The same for proportions in blocks (·, n_topics), of n_documents in all."""
    columns = _documents(ids, labels, dates, metadata, n_documents)  # whole, so that all blocks have the same types
    named = [name for name in columns if name in (metadata or {})]

    def tables() -> Iterator[Table]:
        first = 0
        for W in blocks:
            last = first + W.shape[0]
            rows = {name: column[first:last] for name, column in columns.items()}
            some: dict[str, Any] = {f"{name}s": rows[name] for name in rows if name not in named}
            others: dict[str, Any] = {name: rows[name] for name in named}
            yield mixtures_table(W, **some, metadata=others, threshold=threshold, first=first, names=names)
            progress.tell("documents", last, n_documents)
            first = last

    return tables()


def counts_for(model: Any, X: Any) -> sp.csr_array:
    """X as counts over the words of a fitted model."""
    check_is_fitted(model, "components_")
    return counts_over_words_of(model, X)


def shares(model: Any, counts: sp.csr_array, method: Any = None) -> Any:
    """W (n_documents, n_topics) by the model's own transform."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*does not have valid feature names")  # already checked
        return np.asarray(model.transform(counts, method=method), dtype=np.float64)


def _headers(names: Sequence[str] | None, columns: dict[str, Column], n_topics: int) -> list[str]:
    """The headers of the topics' columns: topic_0, topic_1, ..., or their names, with a number where one is taken."""
    if names is None:
        return [f"topic_{k}" for k in range(n_topics)]
    if len(names) != n_topics:
        raise ParameterError(f"there are {n_topics} topics and {len(names)} names; give one for each")
    headers: list[str] = []
    for k, name in enumerate(names):
        headers.append(f"{name} (topic {k})" if name in columns or name in headers else str(name))
    return headers


def _documents(
    ids: Sequence[Any] | None,
    labels: Sequence[Any] | None,
    dates: Sequence[Any] | None,
    metadata: Mapping[str, Sequence[Any]] | None,
    n_documents: int,
) -> dict[str, Column]:
    """The columns that say which document a row is of, and what is known of it."""
    given = {"id": ids, "label": labels, "date": dates, **(metadata or {})}
    columns = {name: as_column(values) for name, values in given.items() if values is not None}
    for name, column in columns.items():
        if len(column) != n_documents:
            raise ParameterError(f"there are {n_documents} documents and {len(column)} {name}s; give one for each")
    return columns


def _pairs(W: Any, threshold: float) -> tuple[Any, Any, Any]:
    """(document, topic, share) of the shares above zero and not below the threshold, document by document."""
    if not 0 <= threshold <= 1:
        raise ParameterError(f"threshold={threshold} must be a share of a document, from 0 to 1")
    pairs = sp.coo_array(W)
    document, topic = (index.astype(np.int64) for index in pairs.coords)
    kept = (pairs.data > 0) & (pairs.data >= threshold)
    order = np.lexsort((topic[kept], document[kept]))
    return document[kept][order], topic[kept][order], pairs.data[kept][order]


def _take(column: Column, rows: Any) -> Column:
    return column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows]
