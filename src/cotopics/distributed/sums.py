"""Statistics that are sums over documents, from all partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import CooccurrenceSketch, DocumentSums
from cotopics.cooccur.sketch import leading_words
from cotopics.cooccur.weighting import weigh
from cotopics.distributed.pieces import Pieces
from cotopics.distributed.tasks import held
from cotopics.records import Array


def add_up(documents: Pieces, empty: DocumentSums) -> Any:
    """The statistics of all documents, from those of none: an accumulator, or a sketch.

    A sketch of all partitions has the landmarks that it would choose with all documents in one piece, for which one
    pass over the documents more is made."""
    if isinstance(empty, CooccurrenceSketch) and empty.landmarks is None:
        landmarks = leading_words(documents.sum(_squares), empty.n_columns)
        empty = CooccurrenceSketch(empty.n_columns, empty.n_words, landmarks=landmarks)
    return documents.sum(_added, held(empty), merge=_merged)


def _added(counts: sp.csr_array, empty: DocumentSums) -> DocumentSums:
    return empty.copy().update(counts) if counts.shape[0] else empty


def _merged(left: DocumentSums, right: DocumentSums) -> DocumentSums:
    """What both have seen, as new sums: a worker may be asked for the old ones again."""
    return left.copy().merge(right)


def _squares(counts: sp.csr_array) -> Array:
    """G_ii (n_words,), what a sketch chooses its landmarks by."""
    H_t = weigh(counts, "counts").H_t
    return np.bincount(H_t.indices, weights=H_t.data**2, minlength=counts.shape[1]).astype(np.float64)
