"""A corpus ↔ one file: written chunk by chunk if it is larger than memory, and mapped when it is opened."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from cotopics import __version__
from cotopics.arrays import AnyArray
from cotopics.corpus.corpus import Corpus
from cotopics.corpus.preparation import Preparation
from cotopics.errors import CorpusError, ModelFileError
from cotopics.persistence import (
    CORPUS,
    Source,
    check_arrays,
    check_rows,
    check_texts,
    errors_about,
    from_json,
    pack_texts,
    plain,
    read_record,
    source_of,
    to_json,
    unpack_texts,
    write_sources,
)

INDEX_TYPES = ("int32", "int64")
COUNT_TYPES = ("uint8", "uint16", "uint32", "float32", "float64")
TEXT_COLUMNS = ("ids", "dates")  # labels and metadata hold any plain values


def save_corpus(corpus: Corpus, path: str | os.PathLike[str]) -> None:
    """Write a corpus to one file (usually with suffix .corpus) that `load_corpus` opens; no pickle.

    >>> from cotopics.corpus import counts_from_baskets
    >>> path = tempfile.mkdtemp() + "/baskets.corpus"
    >>> save_corpus(counts_from_baskets([["tea", "milk"], ["milk"]]), path)
    >>> load_corpus(path).vocabulary
    ['milk', 'tea']
    """
    writer = CorpusWriter(path, corpus.vocabulary, _in_memory=True)
    writer.append(corpus.counts, corpus.labels, corpus.ids, corpus.dates, corpus.metadata)
    writer.finish(corpus.notes, corpus.preparation)


def load_corpus(path: str | os.PathLike[str], *, mmap: bool = True, verify: bool | None = None) -> Corpus:
    """Open what `save_corpus` or a CorpusWriter wrote.

    With `mmap` the counts are read-only views of the file, which the system reads when they are used and drops when
    memory is short: the file may be larger than memory. They have the smallest type that holds them, uint8 for most
    texts. Estimators convert them; convert them for your own products too (`counts.astype(float)`), or these overflow.
    The counts are checked once when the file is opened, because a product with a damaged index would crash. `verify`
    also compares all checksums (None: only without `mmap`).

    >>> from cotopics.corpus import counts_from_baskets
    >>> path = tempfile.mkdtemp() + "/baskets.corpus"
    >>> save_corpus(counts_from_baskets([["tea", "milk"], ["milk"]]), path)
    >>> load_corpus(path).counts.astype(float).toarray()
    array([[1., 1.],
           [1., 0.]])
    """
    record = read_record(path, CORPUS, mmap=mmap, verify=not mmap if verify is None else verify)
    with errors_about(path):
        manifest, arrays = record.manifest, dict(record.arrays)
        n_documents = arrays["indptr"].size - 1 if "indptr" in arrays else 0
        vocabulary = unpack_texts(arrays, "vocabulary", arrays.get("vocabulary.offsets", np.zeros(1)).size - 1)
        if vocabulary is None:
            raise ModelFileError("it has no vocabulary")
        ids, dates = (unpack_texts(arrays, name, n_documents) for name in TEXT_COLUMNS)
        labels = _unpack_values(arrays, "labels", n_documents)
        metadata = _unpack_metadata(arrays, manifest.get("metadata"), n_documents)
        notes = manifest.get("notes")
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise ModelFileError("its notes are not a list of texts")
        prepared = manifest.get("preparation")
        known = (labels, notes, ids, dates, metadata, None if prepared is None else Preparation.from_json(prepared))
        return Corpus(_counts(arrays, len(vocabulary)), vocabulary, *known)


class CorpusWriter:
    """Writes a corpus, which need not fit into memory, a chunk of documents at a time.

    Chunks are first kept in files without a name, in the folder of the target. The corpus is written by `finish`, or at
    the end of the block; a writer that fails or is killed before leaves nothing. All chunks have the columns of
    `vocabulary`, and the same of labels, ids, dates and metadata. The file does not depend on the size of the chunks.

    >>> path = tempfile.mkdtemp() + "/songs.corpus"
    >>> with CorpusWriter(path, ["sun", "moon", "star"]) as writer:
    ...     for chunk in ([[2, 1, 0]], [[0, 1, 1], [0, 0, 3]]):
    ...         _ = writer.append(chunk)
    >>> load_corpus(path).counts.toarray()
    array([[2, 1, 0],
           [0, 1, 1],
           [0, 0, 3]], dtype=uint8)
    """

    def __init__(self, path: str | os.PathLike[str], vocabulary: Sequence[str], *, _in_memory: bool = False) -> None:
        self.path = Path(path)
        self.vocabulary = list(vocabulary)
        self.n_documents = 0
        check_texts("vocabulary", self.vocabulary)
        self._folder = None if _in_memory else Path(os.path.realpath(self.path)).parent
        self._parts: defaultdict[str, _Part] = defaultdict(lambda: _Part(self._folder))
        self._metadata: list[str] | None = None  # names of its columns
        self._dtype = np.dtype(np.uint8)
        self._open = True

    def append(
        self,
        counts: Any,
        labels: Sequence[Any] | None = None,
        ids: Sequence[str] | None = None,
        dates: Sequence[str] | None = None,
        metadata: dict[str, list[Any]] | None = None,
    ) -> Self:
        """Add documents: counts (documents × words), and what else is known of them, as in `Corpus`."""
        if not self._open:
            raise CorpusError("this writer has finished; open a new one for another file")
        chunk = Corpus(sp.csr_array(counts), self.vocabulary, labels, [], ids, dates, metadata)  # type: ignore[arg-type]
        names = self._metadata if self._parts else None if metadata is None else list(metadata)
        if set(names or ()) != set(metadata or ()) or (names is None) != (metadata is None):
            raise CorpusError(f"the metadata of the first chunk are {names}; every chunk needs the same")
        pieces = _parts_of(chunk, names)
        if self._parts and set(pieces) != set(self._parts):
            raise CorpusError("every chunk needs the same of labels, ids and dates as the first one")
        self._metadata = names
        try:
            for name, array in pieces.items():
                self._parts[name].append(array)
        except BaseException:
            self.close()  # only some parts have the chunk
            raise
        self._dtype = np.result_type(self._dtype, pieces["data"].dtype)
        self.n_documents += chunk.counts.shape[0]
        return self

    def finish(self, notes: Iterable[str] = (), preparation: Preparation | None = None) -> None:
        """Write the file; `notes` say what was left out and why, `preparation` how texts became words."""
        manifest = {"cotopics": __version__, "notes": plain(list(notes), "notes"), "metadata": self._metadata}
        if preparation is not None:
            manifest["preparation"] = preparation.to_json()
        try:
            write_sources(self.path, manifest, self._sources(), CORPUS)
        finally:
            self.close()

    def close(self) -> None:
        """Stop; what is not finished is lost."""
        self._open = False
        for part in self._parts.values():
            part.close()
        self._parts.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._open and kind is None:
            self.finish()
        self.close()

    def _sources(self) -> dict[str, Source]:
        """Every array of the file, made from the parts."""
        rows, indices, data = (self._parts[name] for name in ("rows", "indices", "data"))
        small = max(indices.size, len(self.vocabulary)) <= np.iinfo(np.int32).max
        index = np.dtype(np.int32 if small else np.int64)  # in scipy both have the same type
        sources = {
            "indptr": Source(index, (self.n_documents + 1,), rows.running_sum),
            "indices": Source(index, (indices.size,), lambda: indices),
            "data": Source(self._dtype, (data.size,), lambda: data),
        }
        for name, array in pack_texts("vocabulary", self.vocabulary).items():
            sources[name] = source_of(name, array)
        for name, part in self._parts.items():
            column, _, form = name.rpartition(".")
            if form == "text":
                sources[name] = Source(np.dtype(np.uint8), (part.size,), part.__iter__)
            elif form == "sizes":
                sources[f"{column}.offsets"] = Source(np.dtype(np.int64), (part.size + 1,), part.running_sum)
            elif form == "json":
                sources[name] = Source(np.dtype(np.uint8), (part.listed_size,), part.listed)
        return sources


class _Part:
    """Arrays one after the other, in memory or in a file without a name, which disappears when it is closed."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - kept open
        self._arrays: list[AnyArray] = []  # in memory
        self._runs: list[tuple[np.dtype[Any], int]] = []  # in the file
        self.size = 0

    def append(self, array: AnyArray) -> None:
        if self._file is None:
            self._arrays.append(array)
        else:
            self._file.write(np.ascontiguousarray(array).data)
        self._runs.append((array.dtype, len(array)))
        self.size += len(array)

    def __iter__(self) -> Iterator[AnyArray]:
        if self._file is None:
            yield from self._arrays
            return
        self._file.seek(0)
        for dtype, n in self._runs:
            yield np.frombuffer(self._file.read(n * dtype.itemsize), dtype)

    def running_sum(self) -> Iterator[AnyArray]:
        """0, and the sum up to each entry."""
        total = np.zeros(1, dtype=np.int64)
        yield total
        for piece in self:
            sums = total[-1] + np.cumsum(piece, dtype=np.int64)
            total = sums if len(sums) else total
            yield sums

    def listed(self) -> Iterator[AnyArray]:
        """The entries of all JSON lists as one list."""
        between = b"["
        for piece in self:
            if len(piece):
                yield np.frombuffer(between, np.uint8)
                yield piece
                between = b", "
        yield np.frombuffer(b"[]" if between == b"[" else b"]", np.uint8)

    @property
    def listed_size(self) -> int:
        return self.size + 2 * max(sum(n > 0 for _, n in self._runs), 1)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _parts_of(chunk: Corpus, metadata: list[str] | None) -> dict[str, AnyArray]:
    """What a chunk adds to each part of the file, by name."""
    counts = chunk.counts
    pieces = {"rows": np.diff(counts.indptr), "indices": counts.indices, "data": _smallest(counts.data)}
    for name, texts in zip(TEXT_COLUMNS, (chunk.ids, chunk.dates), strict=True):
        if texts is not None:
            packed = pack_texts(name, list(texts))
            pieces |= {f"{name}.text": packed[f"{name}.text"], f"{name}.sizes": np.diff(packed[f"{name}.offsets"])}
    check_texts("metadata", metadata or [])
    for i, name in enumerate(metadata or []):
        pieces[f"metadata.{i}.json"] = _entries((chunk.metadata or {})[name], f"metadata {name!r}")
    if chunk.labels is not None:
        pieces["labels.json"] = _entries(chunk.labels, "labels")
    return pieces


def _entries(values: Sequence[Any], name: str) -> AnyArray:
    """The content of a JSON list, without the brackets."""
    return np.frombuffer(to_json(plain(list(values), name))[1:-1].encode(), np.uint8)


def _smallest(data: AnyArray) -> AnyArray:
    """Counts in the smallest type that holds them exactly."""
    if data.dtype.kind not in "biuf":
        raise CorpusError(f"the counts are of type {data.dtype}; give real numbers")
    if len(data) == 0:
        return data.astype(np.uint8)
    least, most = float(data.min()), float(data.max())
    if not (np.isfinite(least) and np.isfinite(most)):
        raise CorpusError("the counts contain NaN or infinity; replace it by the count, 0 if the word is absent")
    whole = data.dtype.kind != "f"
    if whole and max(-least, most) > 2**53:
        raise CorpusError("there is a count above 2^53, which is not exact as a floating-point number")
    if least >= 0 and most <= np.iinfo(np.uint32).max and (whole or (data == np.floor(data)).all()):
        return data.astype(np.min_scalar_type(int(most)))
    narrow = data.astype(np.float32) if max(-least, most) <= float(np.finfo(np.float32).max) else data
    return narrow if (narrow == data).all() else data.astype(np.float64)


def _counts(arrays: dict[str, AnyArray], n_words: int) -> sp.csr_array:
    check_arrays(
        arrays, {"indptr": (INDEX_TYPES, (None,)), "indices": (INDEX_TYPES, (None,)), "data": (COUNT_TYPES, (None,))}
    )
    indptr, indices, data = (arrays[name] for name in ("indptr", "indices", "data"))
    check_rows(indptr, indices, n_words, "counts")
    if len(indices) != len(data) or np.count_nonzero(data) < len(data):
        raise ModelFileError("its documents do not have exactly one count, above 0, for each of their words")
    counts = sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_words))
    if not counts.has_canonical_format:
        raise ModelFileError("the words of its documents are not in order")
    return counts


def _unpack_values(arrays: dict[str, AnyArray], name: str, n_documents: int) -> list[Any] | None:
    """A column of plain values, stored as a JSON list; it is removed from `arrays`."""
    key = f"{name}.json"
    if key not in arrays:
        return None
    content = arrays.pop(key)
    check_arrays({key: content}, {key: ("uint8", (None,))})
    try:
        values = from_json(content.tobytes().decode())
    except ValueError as error:
        raise ModelFileError(f"{name} is not JSON that cotopics writes ({error})") from None
    if not isinstance(values, list) or len(values) != n_documents:
        raise ModelFileError(f"{name} is not a list of {n_documents} values")
    return values


def _unpack_metadata(arrays: dict[str, AnyArray], names: Any, n_documents: int) -> dict[str, list[Any]] | None:
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names) or len(set(names)) < len(names):
        raise ModelFileError("the names of its metadata are not a list of texts, or not all different")
    metadata = {}
    for i, name in enumerate(names):
        values = _unpack_values(arrays, f"metadata.{i}", n_documents)
        if values is None:
            raise ModelFileError(f"its metadata {name!r} is missing")
        metadata[name] = values
    return metadata
