"""Sums over documents ↔ a file. Saved and opened again, they continue with the same bits.

Statistics have files of their own because they are not topics: one file serves any number of topics, documents can be
removed from it exactly, and its provenance says how texts became words. Everything in a file is checked before it is
used; sums only up to rounding, as documents may have been removed again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics import __version__
from cotopics.arrays import AnyArray
from cotopics.cooccur.accumulate import CooccurrenceAccumulator, KeptDocuments
from cotopics.cooccur.counts import MAX_LENGTH, MIN_COUNT
from cotopics.cooccur.sketch import CooccurrenceSketch
from cotopics.cooccur.sums import DocumentSums
from cotopics.errors import ModelFileError, ParameterError
from cotopics.linalg.sparse_matrices import column_counts
from cotopics.persistence import (
    STATISTICS,
    Record,
    check_arrays,
    check_rows,
    errors_about,
    pack_texts,
    plain,
    read_record,
    unpack_texts,
    write_record,
)

INDEX_TYPES = ("int32", "int64")
SUM_TOLERANCE = 1e-6  # relative to the largest number of its kind

Arrays = dict[str, AnyArray]


class Statistics(NamedTuple):
    """What a statistics file holds: an accumulator or a sketch, the words of its columns, and its provenance."""

    sums: Any
    vocabulary: list[str] | None
    provenance: dict[str, Any] | None


def save_statistics(
    sums: DocumentSums,
    path: str | os.PathLike[str],
    vocabulary: Sequence[str] | None = None,
    provenance: dict[str, Any] | None = None,
) -> None:
    """Write an accumulator or a sketch to one file that `load_statistics` opens; see `DocumentSums.save`."""
    record = to_record(sums)
    arrays = dict(record.arrays)
    if vocabulary is not None:
        n_words = len(sums._frequency)
        if len(vocabulary) != n_words:
            raise ParameterError(f"vocabulary has {len(vocabulary)} words, the statistics have {n_words}")
        arrays |= pack_texts("vocabulary", list(vocabulary))
    manifest = {**record.manifest, "cotopics": __version__, "provenance": plain(provenance, "provenance")}
    write_record(path, Record(manifest, arrays), STATISTICS)


def load_statistics(path: str | os.PathLike[str]) -> Statistics:
    """Open what `CooccurrenceAccumulator.save` or `CooccurrenceSketch.save` wrote: (sums, vocabulary, provenance).

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/early.statistics"
    >>> CooccurrenceAccumulator().update([[2, 1, 0]]).save(path, ["sun", "moon", "star"])
    >>> sums, vocabulary, provenance = load_statistics(path)
    >>> sums.update([[0, 1, 1]]).n_documents, vocabulary
    (2, ['sun', 'moon', 'star'])
    """
    record = read_record(path, STATISTICS)
    with errors_about(path):
        arrays = dict(record.arrays)
        words = {key: arrays.pop(key) for key in list(arrays) if key.startswith("vocabulary.")}
        sums = from_record(Record(record.manifest, arrays))
        provenance = record.manifest.get("provenance")
        if not isinstance(provenance, dict | None):
            raise ModelFileError("its provenance is not an object")
        return Statistics(sums, unpack_texts(words, "vocabulary", len(sums._frequency)), provenance)


def to_record(sums: DocumentSums) -> Record:
    """Everything that an accumulator or a sketch keeps."""
    name = type(sums).__name__
    if name not in _FORMS:
        raise ParameterError(f"{name} cannot be saved; {' and '.join(_FORMS)} can")
    own = _FORMS[name][0](sums)
    manifest = {
        "class": name,
        "n_words": None if sums.n_words is None else int(sums.n_words),
        "n_used": int(sums._n_used),
        "n_left_out": int(sums._n_left_out),
        **own.manifest,
    }
    return Record(manifest, {"correction": sums._correction, "frequency": sums._frequency, **own.arrays})


def from_record(record: Record) -> DocumentSums:
    """The accumulator or sketch of a record that `to_record` made."""
    manifest, arrays = record.manifest, dict(record.arrays)
    name = manifest.get("class")
    if not isinstance(name, str) or name not in _FORMS:
        raise ModelFileError(
            f"it holds statistics of unknown class {name!r:.80}; this cotopics knows {', '.join(_FORMS)}"
        )
    common = _take(arrays, {"correction": ("float64", (None,)), "frequency": ("int64", (None,))})
    correction, frequency = common["correction"], common["frequency"]
    n_used, n_left_out = _whole_number(manifest, "n_used"), _whole_number(manifest, "n_left_out")
    n, n_words = len(frequency), manifest.get("n_words")
    if len(correction) != n or (n_words is not None and (type(n_words) is not int or n_words != n)):
        raise ModelFileError("its sums are not over its number of words")
    if n and not 0 <= frequency.min() <= frequency.max() <= n_used:
        raise ModelFileError("it has words in more documents than there are")
    _check_sums("correction", correction)
    sums = _FORMS[name][1](manifest, arrays, n)
    sums.n_words = n_words
    sums._correction, sums._frequency, sums._n_used, sums._n_left_out = correction, frequency, n_used, n_left_out
    if isinstance(sums, CooccurrenceSketch):
        _check_signs(sums, arrays)
    elif isinstance(sums, CooccurrenceAccumulator) and sums._pairs is None:
        _check_frequency(sums._documents, frequency, n_used)
    if arrays:
        raise ModelFileError(f"it holds an array that does not belong to it: {min(arrays)!r}")
    return sums


def _accumulator_record(sums: Any) -> Record:
    """Pairs in the order of memory, and documents piece by piece: the last bits of sums depend on the order."""
    pairs, arrays = sums._pairs, {}
    if sp.issparse(pairs):
        form = "sparse"
        arrays = {
            "pairs.data": pairs.data,
            "pairs.indices": _narrow(pairs.indices),
            "pairs.indptr": _narrow(pairs.indptr),
        }
    elif pairs is not None:
        form = "columns" if pairs.flags.f_contiguous and not pairs.flags.c_contiguous else "rows"
        arrays = {"pairs": pairs.T if form == "columns" else pairs}
    else:
        form = None
    if sums._documents:
        arrays |= {f"documents.{part}": array for part, array in _pack_documents(sums._documents).items()}
    return Record({"keep_documents": bool(sums.keep_documents), "pairs": form}, arrays)


def _accumulator(manifest: dict[str, Any], arrays: Arrays, n_words: int) -> CooccurrenceAccumulator:
    keep, form = manifest.get("keep_documents"), manifest.get("pairs")
    if not isinstance(keep, bool) or form not in (None, "sparse", "rows", "columns"):
        raise ModelFileError("it does not say how pairs and documents are kept")
    sums = CooccurrenceAccumulator(keep_documents=keep)
    if form == "sparse":
        sums._pairs = _take_matrix(arrays, "pairs", (n_words, n_words))
        _check_sums("pairs", sums._pairs.data)
    elif form is not None:
        pairs = _take(arrays, {"pairs": ("float64", (n_words, n_words))})["pairs"]
        _check_sums("pairs", pairs)
        sums._pairs = pairs.T if form == "columns" else pairs
    if "documents.pieces" in arrays:
        sums._documents = _unpack_documents(arrays, n_words)
    return sums


def _pack_documents(documents: Sequence[KeptDocuments]) -> Arrays:
    """All documents as one sparse matrix; pieces (n_pieces, 3): number of documents, number of words, sign."""
    H = [kept.H_t for kept in documents]
    ends = np.cumsum([0, *(h.nnz for h in H)])
    starts = [h.indptr[:-1] + np.int64(end) for h, end in zip(H, ends[:-1], strict=True)]
    return {
        "data": np.concatenate([h.data for h in H]),
        "indices": _narrow(np.concatenate([h.indices for h in H])),
        "indptr": _narrow(np.concatenate([*starts, ends[-1:]])),
        "lengths": np.concatenate([kept.lengths for kept in documents]),
        "pieces": np.array([(*kept.H_t.shape, kept.sign) for kept in documents], dtype=np.int64),
    }


def _unpack_documents(arrays: Arrays, n_words: int) -> list[KeptDocuments]:
    taken = _take(arrays, {"documents.lengths": ("float64", (None,)), "documents.pieces": ("int64", (None, 3))})
    lengths, pieces = taken["documents.lengths"], taken["documents.pieces"]
    n_documents = len(lengths)
    H_t = _take_matrix(arrays, "documents", (n_documents, n_words))
    widths, signs, bounds = pieces[:, 1], pieces[:, 2], np.cumsum(np.concatenate([[0], pieces[:, 0]]))
    if (
        not ((pieces[:, 0] >= 0) & (pieces[:, 0] <= n_documents)).all()
        or bounds[-1] != n_documents
        or not ((widths >= 0) & (widths <= n_words) & (np.abs(signs) == 1)).all()
        or (lengths < 2).any()
    ):
        raise ModelFileError("the pieces of its documents do not fit its documents")
    documents = []
    for first, last, width, sign in zip(bounds[:-1], bounds[1:], widths, signs, strict=True):
        start, end = H_t.indptr[first], H_t.indptr[last]
        rows = H_t.data[start:end], H_t.indices[start:end], H_t.indptr[first : last + 1] - start
        check_rows(rows[2], rows[1], width, "documents")
        piece = sp.csr_array(rows, shape=(int(last - first), int(width)))
        _check_documents(piece, lengths[first:last])
        documents.append(KeptDocuments(int(sign), piece, lengths[first:last]))
    return documents


def _sketch_record(sums: Any) -> Record:
    arrays = {"columns": sums._columns, "squares": sums._squares, "row_sums": sums._sums}
    if sums.landmarks is not None:
        sums._draw()
        arrays |= {"landmarks": sums.landmarks, "signs": sums._signs}
    return Record({"n_columns": int(sums.n_columns)}, arrays)


def _sketch(manifest: dict[str, Any], arrays: Arrays, n_words: int) -> CooccurrenceSketch:
    n_columns = _whole_number(manifest, "n_columns")
    vectors = dict.fromkeys(("squares", "row_sums"), ("float64", (n_words,)))
    taken = _take(arrays, {**vectors, "columns": ("float64", (n_words, n_columns))})
    landmarks = _take(arrays, {"landmarks": ("int64", (None,))})["landmarks"] if "landmarks" in arrays else None
    try:
        sums = CooccurrenceSketch(n_columns, landmarks=landmarks)
    except ParameterError as error:
        raise ModelFileError(f"its columns are not those of a sketch: {error}") from None
    if landmarks is not None and landmarks.tolist() != sorted(set(landmarks.tolist())):
        raise ModelFileError("its landmarks are not in order, or not all different")
    _check_columns(taken["columns"], taken["squares"], taken["row_sums"])
    sums._columns, sums._squares, sums._sums = taken["columns"], taken["squares"], taken["row_sums"]
    return sums


def _check_signs(sums: CooccurrenceSketch, arrays: Arrays) -> None:
    """The random signs are drawn again. They must be the ones that the columns were computed with."""
    if sums.landmarks is None:
        return
    shape = len(sums._frequency), sums.n_columns - len(sums.landmarks)
    signs = _take(arrays, {"signs": ("int8", shape)})["signs"]
    sums._draw()
    if not np.array_equal(sums._signs, signs):
        raise ModelFileError(
            "this version of numpy draws other random signs; use the version that the file was written with"
        )


def _check_sums(name: str, sums: AnyArray) -> None:
    """A ModelFileError if these cannot be sums of numbers that are 0 or more."""
    least, most = float(sums.min(initial=0)), float(sums.max(initial=0))
    if not (most < MAX_LENGTH and least >= -SUM_TOLERANCE * max(most, 1)) or 0 < most < MIN_COUNT:
        raise ModelFileError(f"its {name} are not sums over documents: they are from {least:.3g} to {most:.3g}")


def _check_documents(H_t: sp.csr_array, lengths: AnyArray) -> None:
    """A ModelFileError unless the rows are h/√(n(n−1)) of documents with n tokens, with each word at most once."""
    if not H_t.has_canonical_format:
        raise ModelFileError("the words of its documents are not in order")
    if not (lengths < MAX_LENGTH).all() or not ((H_t.data > 0) & (H_t.data < MAX_LENGTH)).all():
        raise ModelFileError("its documents hold counts that are not above zero, or too large")
    tokens = H_t.sum(axis=1) * np.sqrt(lengths * (lengths - 1))
    if not (np.abs(tokens - lengths) <= SUM_TOLERANCE * lengths).all():
        raise ModelFileError("its documents do not have as many words as it says")


def _check_frequency(documents: Iterable[KeptDocuments], frequency: AnyArray, n_used: int) -> None:
    """A ModelFileError unless n_used and frequency are those of these documents."""
    left, found = n_used, np.zeros_like(frequency)
    for kept in documents:
        left -= kept.sign * kept.H_t.shape[0]
        found[: kept.H_t.shape[1]] += kept.sign * column_counts(kept.H_t)
    if left != 0 or not np.array_equal(found, frequency):
        raise ModelFileError("the numbers of documents, in all and with each word, are not those of its documents")


def _check_columns(columns: AnyArray, squares: AnyArray, row_sums: AnyArray) -> None:
    """A ModelFileError unless these can be GΩ, G_ii and G1 of a G without negative entries and an Ω of 0 and ±1."""
    _check_sums("squares", squares)
    _check_sums("row_sums", row_sums)
    if 0 < np.abs(columns).max(initial=0) < MIN_COUNT:
        raise ModelFileError("the numbers in its columns are too small")
    tolerance = SUM_TOLERANCE * max(float(row_sums.max(initial=0)), 1)
    largest = np.maximum(columns.max(axis=1), -columns.min(axis=1)) if columns.size else squares
    if (np.maximum(largest, squares) > row_sums + tolerance).any():
        raise ModelFileError("its columns or squares are larger than the sums of its rows")


def _take(arrays: Arrays, expected: Any) -> Arrays:
    """The expected arrays, checked, and removed from `arrays`."""
    taken = {name: arrays.pop(name) for name in expected if name in arrays}
    check_arrays(taken, expected)
    return taken


def _take_matrix(arrays: Arrays, name: str, shape: tuple[int, int]) -> sp.csr_array:
    types = ("float64", (None,)), (INDEX_TYPES, (None,)), (INDEX_TYPES, (shape[0] + 1,))
    names = [f"{name}.{part}" for part in ("data", "indices", "indptr")]
    data, indices, indptr = _take(arrays, dict(zip(names, types, strict=True))).values()
    check_rows(indptr, indices, shape[1], name)
    if len(data) != len(indices):
        raise ModelFileError(f"{name} has {len(indices)} columns and {len(data)} numbers")
    return sp.csr_array((data, indices, indptr), shape=shape)


def _narrow(indices: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The indices in the smallest type that holds them, as in scipy: so equal sums are equal files."""
    small = len(indices) == 0 or indices.max() <= np.iinfo(np.int32).max
    return indices.astype(np.int32 if small else np.int64, copy=False)


def _whole_number(manifest: dict[str, Any], name: str) -> int:
    value = manifest.get(name)
    if type(value) is not int or not 0 <= value < 2**63:
        raise ModelFileError(f"its {name} is {value!r:.80}, not a number")
    return value


_FORMS: dict[str, tuple[Callable[[Any], Record], Callable[[dict[str, Any], Arrays, int], DocumentSums]]] = {
    "CooccurrenceAccumulator": (_accumulator_record, _accumulator),
    "CooccurrenceSketch": (_sketch_record, _sketch),
}
