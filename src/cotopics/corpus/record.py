"""A corpus ready for the estimators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import scipy.sparse as sp

from cotopics.errors import CorpusError


@dataclass(frozen=True)
class Corpus:
    """Counts (documents × words, CSR) with the words of the columns, and a label per document where there is one.

    `notes` says in plain words what was left out on the way and why.
    """

    counts: sp.csr_array
    vocabulary: list[str]
    labels: list[Any] | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", canonical(sp.csr_array(self.counts)))
        if self.counts.shape[1] != len(self.vocabulary):
            raise CorpusError(f"the counts have {self.counts.shape[1]} words and the vocabulary {len(self.vocabulary)}")
        if self.labels is not None and len(self.labels) != self.counts.shape[0]:
            raise CorpusError(f"there are {self.counts.shape[0]} documents and {len(self.labels)} labels")


def canonical(counts: sp.csr_array) -> sp.csr_array:
    """The counts with sorted words and no stored zeros, which are no occurrences; a copy where that is a change."""
    if not counts.has_canonical_format or (counts.data == 0).any():
        counts = counts.copy()
        counts.sum_duplicates()
        counts.eliminate_zeros()
    return counts
