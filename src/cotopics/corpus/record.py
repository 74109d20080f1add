"""A corpus ready for the estimators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import CorpusError

MOST_COUNT = 1e15  # whole numbers up to here are exact
MOST_UNNAMED = 10**7  # words for which names are made up


@dataclass(frozen=True)
class Corpus:
    """Counts (documents × words, CSR) with the words of the columns, and what else is known of the documents.

    `labels`, `ids` and `dates` (ISO 8601, as they were given) have one entry per document, as has every list of
    `metadata`, which is by the name of its column; each is None where nothing is known. An id or a date that only some
    documents lack is "", a label or another value is None. `notes` says in plain words what was left out on the way
    and why.
    """

    counts: sp.csr_array
    vocabulary: list[str]
    labels: list[Any] | None = None
    notes: list[str] = field(default_factory=list)
    ids: list[str] | None = None
    dates: list[str] | None = None
    metadata: dict[str, list[Any]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", canonical(sp.csr_array(self.counts)))
        n_documents, n_words = self.counts.shape
        if n_words != len(self.vocabulary):
            raise CorpusError(f"the counts have {n_words} words and the vocabulary {len(self.vocabulary)}")
        columns = {"labels": self.labels, "ids": self.ids, "dates": self.dates}
        for name, values in (columns | {f"values of {name!r}": v for name, v in (self.metadata or {}).items()}).items():
            if values is not None and len(values) != n_documents:
                raise CorpusError(f"there are {n_documents} documents and {len(values)} {name}")


def numbered_words(n_words: int) -> list[str]:
    """Names for words that have none."""
    if n_words > MOST_UNNAMED:
        raise CorpusError(f"there are {n_words:,} words without names; put their list beside the counts, or keep fewer")
    return [f"word{i}" for i in range(n_words)]


def canonical(counts: sp.csr_array) -> sp.csr_array:
    """The counts with sorted words and no stored zeros, which are no occurrences; a copy where that is a change."""
    if not counts.has_canonical_format or (counts.data == 0).any():
        counts = counts.copy()
        counts.sum_duplicates()
        counts.eliminate_zeros()
    return counts


def check_values(where: str, counts: sp.csr_array) -> None:
    """CorpusError for what is no count: below 0, above MOST_COUNT, or NaN."""
    wrong = ~((counts.data >= 0) & (counts.data <= MOST_COUNT))
    if wrong.any():
        entry = int(np.argmax(wrong))
        document = int(np.searchsorted(counts.indptr, entry, side="right")) - 1
        raise CorpusError(
            f"{where}: the count of document {document}, word {counts.indices[entry]} is {counts.data[entry]}, not a "
            f"number from 0 to {MOST_COUNT:g}"
        )
