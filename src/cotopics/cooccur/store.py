"""Sums over documents ↔ a file: what was saved and opened goes on, bit for bit, as if it had never been away."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics import __version__
from cotopics.cooccur.accumulate import CooccurrenceAccumulator, _Documents
from cotopics.cooccur.checks import check_columns, check_documents, check_frequency, check_sums
from cotopics.cooccur.sketch import CooccurrenceSketch
from cotopics.cooccur.sums import DocumentSums
from cotopics.errors import ModelFileError, ParameterError
from cotopics.persistence import (
    STATISTICS,
    Record,
    about,
    check_arrays,
    check_rows,
    pack_texts,
    plain,
    read_record,
    unpack_texts,
    write_record,
)

INDEX = ("int32", "int64")

Arrays = dict[str, np.ndarray[Any, Any]]


class Statistics(NamedTuple):
    """What a statistics file holds: an accumulator or a sketch, the words of its columns, where it came from."""

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
    with about(path):
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
    """The accumulator or sketch that `to_record` described; every part is checked before it is used."""
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
    check_sums("correction", correction)
    sums = _FORMS[name][1](manifest, arrays, n)
    sums.n_words = n_words
    sums._correction, sums._frequency, sums._n_used, sums._n_left_out = correction, frequency, n_used, n_left_out
    if isinstance(sums, CooccurrenceSketch):
        _check_signs(sums, arrays)
    elif isinstance(sums, CooccurrenceAccumulator) and sums._pairs is None:
        check_frequency([(kept.sign, kept.H_t) for kept in sums._documents], frequency, n_used)
    if arrays:
        raise ModelFileError(f"it holds an array that is none of its parts: {min(arrays)!r}")
    return sums


def _accumulator_record(sums: Any) -> Record:
    """Pairs as they lie in memory, and documents piece by piece: sums depend, in their last bits, on their order."""
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
        taken = _take(arrays, {"pairs.data": ("float64", (None,)), **_sparse("pairs", n_words)})
        sums._pairs = _matrix(taken, "pairs", (n_words, n_words))
        check_sums("pairs", sums._pairs.data)
    elif form is not None:
        pairs = _take(arrays, {"pairs": ("float64", (n_words, n_words))})["pairs"]
        check_sums("pairs", pairs)
        sums._pairs = pairs.T if form == "columns" else pairs
    if "documents.pieces" in arrays:
        sums._documents = _unpack_documents(arrays, n_words)
    return sums


def _pack_documents(documents: Sequence[_Documents]) -> Arrays:
    """All documents as one sparse matrix; pieces (n_pieces, 3): how many are in it, how many words wide, sign."""
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


def _unpack_documents(arrays: Arrays, n_words: int) -> list[_Documents]:
    numbers = {f"documents.{part}": ("float64", (None,)) for part in ("data", "lengths")}
    n_documents = arrays["documents.lengths"].size if "documents.lengths" in arrays else 0
    expected = {**numbers, "documents.pieces": ("int64", (None, 3)), **_sparse("documents", n_documents)}
    taken = _take(arrays, expected)
    H_t = _matrix(taken, "documents", (n_documents, n_words))
    lengths, pieces = taken["documents.lengths"], taken["documents.pieces"]
    widths, signs, bounds = pieces[:, 1], pieces[:, 2], np.cumsum(np.concatenate([[0], pieces[:, 0]]))
    if (
        not ((pieces[:, 0] >= 0) & (pieces[:, 0] <= n_documents)).all()
        or bounds[-1] != n_documents
        or not ((widths >= 0) & (widths <= n_words) & (np.abs(signs) == 1)).all()
        or (lengths < 2).any()
    ):
        raise ModelFileError("its documents are not cut into pieces")
    documents = []
    for first, last, width, sign in zip(bounds[:-1], bounds[1:], widths, signs, strict=True):
        start, end = H_t.indptr[first], H_t.indptr[last]
        rows = H_t.data[start:end], H_t.indices[start:end], H_t.indptr[first : last + 1] - start
        check_rows(rows[2], rows[1], width, "documents")
        piece = sp.csr_array(rows, shape=(int(last - first), int(width)))
        check_documents(piece, lengths[first:last])
        documents.append(_Documents(int(sign), piece, lengths[first:last]))
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
        raise ModelFileError("its landmarks are not different words in order")
    check_columns(taken["columns"], taken["squares"], taken["row_sums"])
    sums._columns, sums._squares, sums._sums = taken["columns"], taken["squares"], taken["row_sums"]
    return sums


def _check_signs(sums: CooccurrenceSketch, arrays: Arrays) -> None:
    """The random signs are drawn anew, and must be those that the columns were made with."""
    if sums.landmarks is None:
        return
    shape = len(sums._frequency), sums.n_columns - len(sums.landmarks)
    signs = _take(arrays, {"signs": ("int8", shape)})["signs"]
    sums._draw()
    if not np.array_equal(sums._signs, signs):
        raise ModelFileError(
            "its random signs are not those that this version of numpy draws; use the one it came from"
        )


def _take(arrays: Arrays, expected: Any) -> Arrays:
    """These arrays, checked, and taken out of `arrays`."""
    taken = {name: arrays.pop(name) for name in expected if name in arrays}
    check_arrays(taken, expected)
    return taken


def _sparse(name: str, n_rows: int) -> dict[str, Any]:
    return {f"{name}.indices": (INDEX, (None,)), f"{name}.indptr": (INDEX, (n_rows + 1,))}


def _matrix(taken: Arrays, name: str, shape: tuple[int, int]) -> sp.csr_array:
    data, indices, indptr = (taken[f"{name}.{part}"] for part in ("data", "indices", "indptr"))
    check_rows(indptr, indices, shape[1], name)
    if len(data) != len(indices):
        raise ModelFileError(f"{name} has {len(indices)} columns and {len(data)} numbers")
    return sp.csr_array((data, indices, indptr), shape=shape)


def _narrow(indices: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The indices in the smaller type that holds them, which is the one scipy takes: equal sums are equal files."""
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
