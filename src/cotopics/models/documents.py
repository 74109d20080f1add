"""Documents that a fit looks at again: here in memory. `cotopics.distributed` has the same for those on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Balanced, Cooccurrence, cooccurrence
from cotopics.records import Array, WordIds
from cotopics.refine import Refined
from cotopics.refine.em import weigh_tokens, word_shares


def is_on_dask(X: Any) -> bool:
    """Whether X is a Dask collection, or partitions made of one; nothing is imported to find out."""
    return type(X).__module__.startswith(("dask.", "cotopics.distributed."))


@dataclass(frozen=True)
class InMemory:
    """Counts (documents × words, CSR)."""

    counts: sp.csr_array

    def with_words(self) -> InMemory:
        """Those documents that have words."""
        return InMemory(self.counts[np.diff(self.counts.indptr) > 0])

    def columns(self, words: WordIds) -> InMemory:
        """These words alone, which are in order."""
        return self if len(words) == self.counts.shape[1] else InMemory(self.counts[:, words])

    def used_words(self) -> WordIds:
        """Words that are in some document."""
        return np.flatnonzero(np.bincount(self.counts.indices, minlength=self.counts.shape[1]))

    def cooccurrence(self, weighting: str | Balanced) -> Cooccurrence:
        return cooccurrence(self.counts, weighting=weighting, representation="implicit")

    def shares(self, weighting: str = "counts") -> Array:
        """p(word) (n_words,), in tokens weighed as EM weighs them."""
        return word_shares(weigh_tokens(self.counts, weighting))

    def refine(self, step: Any, B: Array, prevalence: Array) -> Refined:
        """What a refinement makes of topics B (n_words, n_topics) on these documents."""
        refined: Refined = step(self.counts, B, prevalence)
        return refined
