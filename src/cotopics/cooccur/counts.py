"""Counts as users have them → counts as we use them: checked, and over the words of a fitted model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.sparse_matrices import fault_of, row_sums
from cotopics.word_matching import counts_over

MAX_LENGTH = 1e100  # tokens of a document; products of two such numbers are still finite
MIN_COUNT = 1e-100  # products of two smaller counts are rounded to zero, so such counts are taken as zero
WHOLE_TYPES = ("int32", "int64")  # whole counts of these types need not become floats
MAX_WHOLE = 1 << 31  # the sum of a document's counts below this still fits into int64
FINGERPRINT_SEEDS = (0x243F6A8885A308D3, 0x13198A2E03707344)  # 64 bits each; the first digits of π

Bits = np.ndarray[Any, np.dtype[np.uint64]]


def check_counts(X: Any, *, first: int = 0, may_be_whole: bool = False) -> sp.csr_array:
    """X (documents × words) as canonical float64 CSR, or a CorpusError that says what is wrong with it.

    Takes CSR and every other scipy format, arrays, nested lists, pandas and polars frames. X itself is never changed.
    The result shares the arrays of X where these are canonical already. Counts below 1e-100 are taken as zero. With
    `may_be_whole`, whole numbers stay whole numbers, which saves a copy. `first` is the number that messages give to
    the first document of X.
    """
    if hasattr(X, "columns") and hasattr(X, "sparse"):  # a pandas frame all of whose columns are sparse
        X = X.sparse.to_coo()
    check_structure(X)
    counts = _canonical(X, may_be_whole) if sp.issparse(X) else sp.csr_array(_as_table(X))
    if counts.shape[0] == 0 or counts.shape[1] == 0:
        raise CorpusError(
            f"X has shape {counts.shape}: no documents or no words. Give counts, documents × words; "
            "if a vocabulary filter removed everything, loosen it"
        )
    if (bad := ~np.isfinite(counts.data)).any():
        where = _first(counts, bad, first)
        raise CorpusError(
            f"X contains NaN or infinity, first in {where}. Replace it by the count, 0 if the word is absent"
        )
    if (bad := counts.data < 0).any():
        where = _first(counts, bad, first)
        raise CorpusError(f"Negative values in data: X has a negative count, first in {where}. Counts are 0 or more")
    lengths = row_sums(counts)
    too_large = lengths > MAX_LENGTH
    if too_large.any():
        m = int(np.argmax(too_large))
        raise CorpusError(
            f"the counts of document {first + m} are too large to be multiplied (sum {lengths[m]:.3g}). Check its units"
        )
    return _without_traces(counts)


def check_structure(X: Any) -> None:
    """A CorpusError if X is a sparse matrix whose arrays do not fit together."""
    fault = fault_of(X) if sp.issparse(X) else None
    if fault is not None:
        raise CorpusError(f"X is a damaged sparse matrix: {fault}. Build it again from its documents")


def contents(X: sp.csr_array) -> list[bytes]:
    """The content of each row of canonical X as bytes: equal for equal rows, different for different ones."""
    bounds = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in bounds]


def names_of(X: Any, feature_names: Sequence[str] | None) -> Sequence[str] | None:
    """The words of X's columns: as given, or those of a data frame."""
    if feature_names is not None:
        return feature_names
    columns = getattr(X, "columns", None)
    return None if columns is None or not all(isinstance(c, str) for c in columns) else list(columns)


def known_names(X: Any, vocabulary: Sequence[str] | None) -> Sequence[str] | None:
    """The names of a data frame's columns, if at least one is a word of the vocabulary; else None."""
    names = names_of(X, None)
    if names is None or vocabulary is None or set(names).isdisjoint(map(str, vocabulary)):
        return None
    return names


def counts_over_words_of(model: Any, X: Any) -> sp.csr_array:
    """X as counts over the words of a fitted model, in their order.

    The columns of a data frame are matched by name. Words without a column get zeros; other columns are left out. If
    the model was fitted on a data frame, the columns must be the same, as in scikit-learn.
    """
    if hasattr(model, "_counts_of"):  # a model of ours, which makes counts of texts
        X = model._counts_of(X)
    counts, n_words, vocabulary = check_counts(X), model.components_.shape[1], getattr(model, "vocabulary_", None)
    fitted = getattr(model, "feature_names_in_", None)
    if fitted is not None:
        names = names_of(X, None)
        if names is not None and list(names) != list(fitted):
            raise ParameterError("the columns of X are not those that the model was fitted on, or in another order")
    else:
        names = known_names(X, vocabulary)
        if names is not None and vocabulary is not None:
            counts, _ = counts_over(counts, names, vocabulary)
    if counts.shape[1] != n_words:
        raise ParameterError(f"the model is over {n_words} words and X has {counts.shape[1]}; give the same columns")
    return counts


def fingerprint(X: sp.csr_array) -> Bits:
    """A number of 128 bits (2,) that identifies the documents of X (documents × words), in any order.

    The fingerprints of pieces add up to that of the whole, so the way documents are cut does not matter. It finds
    documents that are added twice by mistake; it does not protect against an attacker.

    >>> X = sp.csr_array([[2, 1, 0], [0, 0, 0], [0, 1, 1]])
    >>> whole = fingerprint(X)
    >>> (fingerprint(X[[2, 0]]) + fingerprint(X[[1]]) == whole).all().item()
    True
    >>> (fingerprint(X[:, [1, 0, 2]]) == whole).any().item()
    False
    """
    counts = _mixed(X.data.astype(np.float64).view(np.uint64))
    found = np.zeros(len(FINGERPRINT_SEEDS), np.uint64)
    for lane, seed in enumerate(FINGERPRINT_SEEDS):
        entries = _mixed(_mixed(X.indices.astype(np.uint64) + np.uint64(seed)) ^ counts)
        until = np.concatenate([np.zeros(1, np.uint64), np.cumsum(entries, dtype=np.uint64)])
        documents = until[X.indptr[1:]] - until[X.indptr[:-1]]  # modulo 2⁶⁴, like the sums
        found[lane] = _mixed(documents + np.uint64(seed)).sum(dtype=np.uint64)
    return found


def _mixed(numbers: Bits) -> Bits:
    """The numbers with their bits mixed: Steele, Lea and Flood 2014, the last step of SplitMix64."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


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
    elif not (may_be_whole and counts.dtype in WHOLE_TYPES and counts.nnz and counts.data.max() < MAX_WHOLE):
        data = counts.data.astype(np.float64, copy=False)
        counts = sp.csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
    return counts


def _without_traces(counts: sp.csr_array) -> sp.csr_array:
    """The same counts without tiny ones, because we divide by counts; a copy if there are any."""
    if counts.dtype.kind != "f" or not (counts.data < MIN_COUNT).any():
        return counts
    counts = counts.copy()
    counts.data[counts.data < MIN_COUNT] = 0
    counts.eliminate_zeros()
    return counts


def _as_table(X: Any) -> Array:
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
