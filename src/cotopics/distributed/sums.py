"""Statistics that are sums over documents, from all partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import CooccurrenceSketch, DocumentSums
from cotopics.cooccur.sketch import leading_words
from cotopics.cooccur.weighting import scaled_documents
from cotopics.distributed.pieces import Pieces, neighbours
from cotopics.distributed.tasks import compute, held, in_order, task
from cotopics.linalg.columns import column_sums
from cotopics.records import Array


def add_up(documents: Pieces, empty: DocumentSums) -> Any:
    """The statistics of all documents, from those of none: an accumulator, or a sketch.

    A sketch is as large as words × columns however few documents it is of, so small neighbours share one; and it has
    the landmarks that it would choose with all documents in one piece. Both take one pass over the documents more."""
    pieces = [[piece] for piece in documents.pieces]
    if isinstance(empty, CooccurrenceSketch):
        squares, sizes = documents.sum(_squares)
        if empty.landmarks is None:
            empty = CooccurrenceSketch(empty.n_columns, landmarks=leading_words(squares, empty.n_columns))
        shared = neighbours(sizes, documents.n_words)
        pieces = [list(documents.pieces[first:last]) for first, last in shared]
    start = held(empty)
    return compute(in_order([task(_added, some, start) for some in pieces], _merged_sums))


def _added(pieces: list[sp.csr_array], empty: DocumentSums) -> DocumentSums:
    sums = empty.copy()
    for counts in pieces:
        if counts.shape[0]:
            sums.update(counts)
    return sums


def _merged_sums(left: DocumentSums, right: DocumentSums) -> DocumentSums:
    """What both have seen, as new sums: a worker may be asked for the old ones again."""
    return left.copy().merge(right)


def _squares(counts: sp.csr_array) -> tuple[Array, list[int]]:
    """G_ii (n_words,), what a sketch chooses its landmarks by, and how many non-zeros there are."""
    H_t = scaled_documents(counts).H_t
    squares = column_sums(H_t, np.square)
    return squares, [int(counts.nnz)]
