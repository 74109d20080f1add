"""Documents that a fit looks at again: here in memory. `cotopics.distributed` has the same for those on a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, cooccurrence
from cotopics.cooccur.weighting import rows_where, tfidf_cooccurrence
from cotopics.linalg.columns import column_counts
from cotopics.records import Array, WordIds
from cotopics.refine import ExpectationMaximisation, Refined
from cotopics.refine.em import token_idf, word_shares
from cotopics.refine.pieces import Tokens


def is_on_dask(X: Any) -> bool:
    """Whether X is a Dask collection, or partitions made of one; nothing is imported to find out."""
    return type(X).__module__.startswith(("dask.", "cotopics.distributed."))


@dataclass(frozen=True)
class InMemory:
    """Counts (documents × words, CSR)."""

    counts: sp.csr_array
    _tokens: dict[ExpectationMaximisation, Tokens] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def used(self) -> tuple[WordIds, InMemory]:
        """Words that are in some document, and the documents that have words over these alone."""
        counts, frequency = rows_where(self.counts, np.diff(self.counts.indptr) > 0), column_counts(self.counts)
        words = np.flatnonzero(frequency)
        if len(words) == len(frequency):
            return words, InMemory(counts)
        place = (np.cumsum(frequency > 0) - 1).astype(counts.indices.dtype)  # every number stays, under another column
        shape = (counts.shape[0], len(words))
        return words, InMemory(sp.csr_array((counts.data, place[counts.indices], counts.indptr), shape=shape))

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Cooccurrence:
        """C of these documents, for as long as they stay as they are; `dtype` is that of tf-idf weights."""
        if weighting == "counts":
            return cooccurrence(self.counts, representation="implicit")
        return tfidf_cooccurrence(self.counts, weighting, dtype)

    def shares(self, weighting: str = "counts") -> Array:
        """p(word) (n_words,), in tokens weighed as EM weighs them."""
        return word_shares(self.counts, None if weighting == "counts" else token_idf(self.counts))

    def refine(self, step: Any, B: Array, prevalence: Array) -> Refined:
        """What a refinement makes of topics B (n_words, n_topics) on these documents."""
        documents = self._ready(step) if isinstance(step, ExpectationMaximisation) else self.counts
        refined: Refined = step(documents, B, prevalence)
        return refined

    def _ready(self, step: ExpectationMaximisation) -> Tokens:
        """The counts made ready for such steps, once for any number of them."""
        key = replace(step, steps=1)
        if key not in self._tokens:
            self._tokens[key] = step.tokens(self.counts)
        return self._tokens[key]
