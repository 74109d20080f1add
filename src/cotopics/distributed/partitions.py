"""What a model asks of documents, answered by partitions."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from cotopics.cooccur import Balanced, DocumentSums
from cotopics.distributed.cooccurrence import Partitioned, partitioned
from cotopics.distributed.pieces import Pieces
from cotopics.distributed.refine import refine, shares
from cotopics.distributed.sums import add_up
from cotopics.records import Array, WordIds
from cotopics.refine import Refined


class Partitions(Pieces):
    """Documents on a cluster; `cotopics.models.documents.InMemory` answers the same for those in memory."""

    @cached_property
    def used(self) -> tuple[WordIds, Partitions]:
        """Words that are in some document, and the documents that have words over these alone."""
        words = np.flatnonzero(self.facts.frequency)
        return words, self.with_words().columns(words)

    def add_up(self, empty: DocumentSums) -> Any:
        """The statistics of all documents, from those of none."""
        return add_up(self, empty)

    def cooccurrence(self, weighting: str | Balanced, dtype: Any = np.float64) -> Partitioned:
        """C of all documents, which stay where they are; `dtype` is that of tf-idf weights."""
        return partitioned(self, weighting, dtype)

    def shares(self, weighting: str = "counts") -> Array:
        """p(word) (n_words,), in tokens weighed as EM weighs them."""
        return shares(self, weighting)

    def refine(self, step: Any, B: Array, prevalence: Array) -> Refined:
        """What a refinement makes of topics B (n_words, n_topics) on all documents."""
        return refine(step, self, B, prevalence)

    def provenance(self) -> dict[str, Any] | None:
        """What a model keeps of where its words came from; None for counts."""
        if not hasattr(self.preparation, "to_json"):
            return None
        return {"preparation": self.preparation.to_json(), "notes": self.notes}
