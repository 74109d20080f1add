"""A corpus, ready for the estimators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import CorpusError

if TYPE_CHECKING:
    from cotopics.corpus.preparation import Preparation

MAX_COUNT = 1e15  # whole numbers up to here are exact
MAX_UNNAMED = 10**7  # words for which names are made up


@dataclass(frozen=True, repr=False)
class Corpus:
    """Counts of words in documents, and what else is known of the documents.

    Parameters
    ----------
    counts : CSR array (documents × words)
    vocabulary : list of str
        The words of the columns.
    labels, ids, dates : list, optional
        One entry per document, or None if nothing is known. Dates are ISO 8601, as they were given. A missing id or
        date is "", a missing label None.
    notes : list of str
        What was left out on the way, and why.
    metadata : dict of lists, optional
        Other data by name, one entry per document; None where it is missing.
    preparation : Preparation, optional
        How its texts became words. A model that is fitted on the corpus remembers it; None if it is not known.

    >>> corpus = Corpus(sp.csr_array([[2, 1], [0, 3]]), ["sun", "moon"], labels=["day", "night"])
    >>> corpus.counts.shape, corpus.vocabulary
    ((2, 2), ['sun', 'moon'])
    """

    counts: sp.csr_array
    vocabulary: list[str]
    labels: list[Any] | None = None
    notes: list[str] = field(default_factory=list)
    ids: list[str] | None = None
    dates: list[str] | None = None
    metadata: dict[str, list[Any]] | None = None
    preparation: Preparation | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", canonical(sp.csr_array(self.counts)))
        n_documents, n_words = self.counts.shape
        if n_words != len(self.vocabulary):
            raise CorpusError(f"the counts have {n_words} words and the vocabulary {len(self.vocabulary)}")
        columns = {"labels": self.labels, "ids": self.ids, "dates": self.dates}
        for name, values in (columns | {f"values of {name!r}": v for name, v in (self.metadata or {}).items()}).items():
            if values is not None and len(values) != n_documents:
                raise CorpusError(f"there are {n_documents} documents and {len(values)} {name}")

    def __repr__(self) -> str:
        """Its size and what is known of its documents, in one line."""
        n_documents, n_words = self.counts.shape
        known = [name for name in ("ids", "labels", "dates") if getattr(self, name) is not None]
        known += [] if not self.metadata else [f"metadata: {', '.join(map(str, self.metadata))}"]
        return f"Corpus({n_documents:,} documents × {n_words:,} words{''.join(f', {name}' for name in known)})"


def numbered_words(n_words: int) -> list[str]:
    """Names for words that have none."""
    if n_words > MAX_UNNAMED:
        raise CorpusError(
            f"there are {n_words:,} words without names; put a list of them next to the counts, or keep fewer"
        )
    return [f"word{i}" for i in range(n_words)]


def canonical(counts: sp.csr_array) -> sp.csr_array:
    """The counts with sorted words, each once, and without stored zeros; a copy if that is a change."""
    if not counts.has_canonical_format or (counts.data == 0).any():
        counts = counts.copy()
        counts.sum_duplicates()
        counts.eliminate_zeros()
    return counts


def check_values(where: str, counts: sp.csr_array) -> None:
    """CorpusError for a number that is not a count: below 0, above MAX_COUNT, or NaN."""
    wrong = ~((counts.data >= 0) & (counts.data <= MAX_COUNT))
    if wrong.any():
        entry = int(np.argmax(wrong))
        document = int(np.searchsorted(counts.indptr, entry, side="right")) - 1
        raise CorpusError(
            f"{where}: the count of document {document}, word {counts.indices[entry]} is {counts.data[entry]}, not a "
            f"number from 0 to {MAX_COUNT:g}"
        )
