"""Counts as users have them → counts as we use them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import CorpusError
from cotopics.linalg.sparse_matrices import fault_of, row_sums

LARGEST = 1e100  # tokens of a document; pairs of them are still finite
SMALLEST = 1e-100  # a count: pairs of smaller ones are no longer above zero, so such counts are zero
WHOLE = ("int32", "int64")  # types of whole counts that need not become floats: their logarithms are double
LARGEST_WHOLE = 1 << 31  # and a document's counts still add up


def check_counts(X: Any, *, first: int = 0, may_be_whole: bool = False) -> sp.csr_array:
    """X (documents × words) as canonical float64 CSR, or a CorpusError that says what is wrong with it.

    Takes CSR and every other scipy format, arrays, nested lists, pandas and polars frames. X itself is never changed,
    and its arrays are used where they are as they should be. Counts below 1e-100 are taken as zero. With
    `may_be_whole`, arrays of whole numbers are used too, which saves their copy. `first` is the number that messages
    give to its first document.
    """
    if hasattr(X, "columns") and hasattr(X, "sparse"):  # a pandas frame all of whose columns are sparse
        X = X.sparse.to_coo()
    check_structure(X)
    if sp.issparse(X):
        counts = _canonical(X, may_be_whole)
    else:
        counts = sp.csr_array(_as_table(X))
    if counts.shape[0] == 0 or counts.shape[1] == 0:
        raise CorpusError(
            f"X has shape {counts.shape}: no documents or no words. Give counts, documents × words; "
            "if a vocabulary filter removed everything, loosen it"
        )
    bad = ~np.isfinite(counts.data)
    if bad.any():
        where = _first(counts, bad, first)
        raise CorpusError(
            f"X contains NaN or infinity, first in {where}. Replace it by the count, 0 if the word is absent"
        )
    bad = counts.data < 0
    if bad.any():
        where = _first(counts, bad, first)
        raise CorpusError(f"Negative values in data: X has a negative count, first in {where}. Counts are 0 or more")
    lengths = row_sums(counts)
    too_large = lengths > LARGEST
    if too_large.any():
        m = int(np.argmax(too_large))
        raise CorpusError(
            f"the counts of document {first + m} are too large to be multiplied (sum {lengths[m]:.3g}). Check its units"
        )
    return _without_traces(counts)


def check_structure(X: Any) -> None:
    """A CorpusError where X is a sparse matrix whose arrays do not fit together."""
    fault = fault_of(X) if sp.issparse(X) else None
    if fault is not None:
        raise CorpusError(f"X is a damaged sparse matrix: {fault}. Make it anew from its documents")


def contents(X: sp.csr_array) -> list[bytes]:
    """What each row of canonical X holds: equal for rows that are equal, and for no others."""
    bounds = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in bounds]


def _canonical(X: Any, may_be_whole: bool) -> sp.csr_array:
    if X.ndim != 2:
        raise CorpusError(f"X has {X.ndim} dimensions; give counts as a table, documents × words")
    if X.dtype.kind not in "biuf":
        raise CorpusError(f"X has entries of type {X.dtype}; give real numbers, documents × words")
    counts = sp.csr_array(X)
    if not counts.has_canonical_format or (counts.data == 0).any():
        counts = counts.astype(np.float64)  # a copy
        counts.sum_duplicates()
        counts.eliminate_zeros()
    elif not (may_be_whole and counts.dtype in WHOLE and counts.nnz and counts.data.max() < LARGEST_WHOLE):
        data = counts.data.astype(np.float64, copy=False)
        counts = sp.csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
    return counts


def _without_traces(counts: sp.csr_array) -> sp.csr_array:
    """The same counts without those that are next to nothing, which would be divided by; a copy where there are any."""
    if counts.dtype.kind != "f" or not (counts.data < SMALLEST).any():
        return counts
    counts = counts.copy()
    counts.data[counts.data < SMALLEST] = 0
    counts.eliminate_zeros()
    return counts


def _as_table(X: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        table = np.asarray(X)
        if table.dtype.kind == "c":
            raise CorpusError("Complex data not supported: X has complex entries; give real numbers, documents × words")
        table = table.astype(np.float64)
    except (TypeError, ValueError) as error:
        if isinstance(error, CorpusError):
            raise
        raise CorpusError(
            f"X is not a table of numbers ({error}). Give counts, documents × words; "
            "to count words in texts, use `cotopics.corpus.count_words` or scikit-learn's CountVectorizer"
        ) from None
    if table.ndim != 2:
        raise CorpusError(f"X has {table.ndim} dimensions; give counts as a table, documents × words")
    return table


def _first(counts: sp.csr_array, bad: Any, first: int) -> str:
    entry = int(np.argmax(bad))
    document = int(np.searchsorted(counts.indptr, entry, side="right")) - 1
    return f"document {first + document}, word {int(counts.indices[entry])} (value {counts.data[entry]})"
