"""Statistics that are sums over documents, from all partitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import scipy.sparse as sp

from cotopics.cooccur import CooccurrenceAccumulator, CooccurrenceSketch, DocumentSums
from cotopics.cooccur.sketch import leading_words
from cotopics.cooccur.weighting import scaled_documents
from cotopics.distributed.tasks import ClusterPieces, compute, held, in_order, task
from cotopics.linalg.changes import SQUARED
from cotopics.linalg.sparse_matrices import column_sums
from cotopics.records import Array

MIN_NUMBERS = 250_000  # non-zeros of a part that is worth a task, or
MIN_NUMBERS_PER_WORD = (
    32  # for every word, where that is more: adding up what is made of fewer costs more than making it
)


def add_up(parts: Sequence[Any], n_words: int, empty: DocumentSums) -> Any:
    """The statistics of all documents, from those of none: an accumulator, or a sketch.

    A sketch is as large as words × columns however few documents it is of, so small neighbours share one; and it has
    the landmarks that it would choose with all documents in one piece. Both take one more pass over the documents.
    """
    groups = [[part] for part in parts]
    if isinstance(empty, CooccurrenceSketch):
        squares, sizes = ClusterPieces(tuple(parts)).sum(_squares)
        if empty.landmarks is None:
            empty = CooccurrenceSketch(empty.n_columns, landmarks=leading_words(squares, empty.n_columns))
        groups = [list(parts[first:last]) for first, last in join_neighbours(sizes, n_words)]
    elif isinstance(empty, CooccurrenceAccumulator):
        empty = CooccurrenceAccumulator()  # documents stay where they are
    start = held(empty)
    return compute(in_order([task(_added, some, start) for some in groups], _merged_sums))


def join_neighbours(sizes: Sequence[int], n_words: int) -> Iterator[tuple[int, int]]:
    """(first, last) of consecutive parts that have enough non-zeros (`sizes`) together."""
    enough, first, so_far = max(MIN_NUMBERS, MIN_NUMBERS_PER_WORD * n_words), 0, 0
    for number, size in enumerate(sizes, 1):
        so_far += size
        if so_far >= enough or number == len(sizes):
            yield first, number
            first, so_far = number, 0


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
    squares = column_sums(H_t, SQUARED)
    return squares, [int(counts.nnz)]
