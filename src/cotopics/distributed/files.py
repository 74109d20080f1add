"""Documents' topics from files that workers read, with the ids and labels of the documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.documents import DocumentDetails, Documents, Fields
from cotopics.corpus.formats import COUNTS
from cotopics.corpus.inputs import Paths, find_files
from cotopics.corpus.preparation import saved_preparation
from cotopics.corpus.stream import DocumentLists
from cotopics.distributed.inputs import open_partitions
from cotopics.distributed.tasks import compute, held, persist, task
from cotopics.distributed.transform import bare, proportions
from cotopics.distributed.vocabulary import count
from cotopics.errors import ParameterError

AT_ONCE = 16  # partitions whose topics are here at a time


@dataclass(frozen=True)
class FileMixtures:
    """ids and labels of all documents, None where there are none; `blocks` are their topics, partition by partition.

    n_unknown documents have no word that the topics know, and `notes` say which could not be read."""

    n_documents: int
    n_unknown: int
    ids: list[str] | None
    labels: list[Any] | None
    notes: list[str]
    blocks: Iterator[Any]


class _Read(NamedTuple):
    counts: sp.csr_array
    about: DocumentDetails
    notes: list[str]


def transform_files(
    model: Any,
    path: Paths,
    *,
    method: Any = None,
    fields: Fields | None = None,
    on_error: str = "raise",
    encoding: str = "utf-8",
    kind: str | None = None,
    delimiter: str | None = None,
) -> FileMixtures:
    """The topics of documents in files, a partition each. Texts become words as the model's did."""
    paths, found = find_files(path, kind)
    paths = [file.absolute() for file in paths]
    fitted, words = held(bare(model)), model.vocabulary_
    if found in COUNTS:
        documents = open_partitions(paths, kind=found, min_documents=0) if words is None else None
        documents = open_partitions(paths, kind=found, vocabulary=words) if documents is None else documents
        read = persist(task(_Read, piece, DocumentDetails(), []) for piece in documents.parts)
        if documents.n_words != model.n_features_in_:
            raise ParameterError(f"{path} has {documents.n_words} words and the model {model.n_features_in_}")
    elif words is None:
        raise ParameterError("the model does not know its words; give counts, with a column for each of them")
    else:
        options = {"fields": fields or Fields(), "on_error": on_error, "encoding": encoding, "delimiter": delimiter}
        prepare, words = saved_preparation(model.provenance_), held(list(words))
        read = persist(task(_read, file, found, options, prepare, words) for file in paths)
    known = held(model.components_.sum(axis=0) > 0)
    told = compute([task(_told, one, known) for one in read])
    about = DocumentDetails()
    for _, _, one, _ in told:
        about.extend(one)
    n_documents = sum(n for n, *_ in told)
    if found in COUNTS:
        about = DocumentLists(paths).details(0, n_documents)
    columns = about.columns()
    notes = [note for *_, lines in told for note in lines]
    tasks = [task(_mixtures, one, fitted, method) for one in read]
    n_unknown = sum(n for _, n, *_ in told)
    return FileMixtures(n_documents, n_unknown, columns["ids"], columns["labels"], notes, _in_turn(tasks))


def _in_turn(tasks: list[Any]) -> Iterator[Any]:
    for start in range(0, len(tasks), AT_ONCE):
        yield from compute(tasks[start : start + AT_ONCE])


class _Noting:
    """Documents, of which all but the text is noted on the way."""

    def __init__(self, documents: Documents) -> None:
        self._documents, self.about = documents, DocumentDetails()

    @property
    def skipped(self) -> Any:
        return self._documents.skipped

    def __iter__(self) -> Iterator[Any]:
        for document in self._documents:
            self.about.add(document)
            yield document


def _read(path: Path, kind: str, options: dict[str, Any], prepare: Any, words: list[str]) -> _Read:
    documents = _Noting(Documents([path], kind, **options))
    counted = count(documents, prepare, words, str(path))
    return _Read(counted.counts, documents.about, counted.notes)


def _told(read: _Read, known: Any) -> tuple[int, int, DocumentDetails, list[str]]:
    n_unknown = int(np.count_nonzero(read.counts @ known.astype(np.float64) == 0))
    return read.counts.shape[0], n_unknown, read.about, read.notes


def _mixtures(read: _Read, model: Any, method: Any) -> Any:
    return proportions(read.counts, model, method)
