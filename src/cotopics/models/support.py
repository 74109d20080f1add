"""Whether documents are enough for so many topics: asked before the work, which may take minutes."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.documents import Documents, InMemory
from cotopics.errors import ParameterError, warn_caller
from cotopics.linalg.sparse_matrices import row_sums

LEAST_DOCUMENTS = 5  # for each topic
MANY_DOCUMENTS = 100  # of fewer, a fit takes no time


def check_support(model: Any, documents: Documents) -> None:
    """An error if there are fewer documents of two tokens than topics, and a warning if they are hardly more.

    Of documents on a cluster nothing is known before the work, and a method that finds the number has none to check.
    """
    n_topics = getattr(model, "n_topics", None)
    if not isinstance(documents, InMemory) or not isinstance(n_topics, int | np.integer):
        return
    n_documents = int(np.count_nonzero(row_sums(documents.counts) > 1))
    if n_topics > n_documents > 0:
        raise ParameterError(
            f"n_topics={n_topics} is more than the {n_documents} documents of two words or more. Ask for fewer (-k)"
        )
    if n_documents >= MANY_DOCUMENTS and n_topics * LEAST_DOCUMENTS > n_documents:
        warn_caller(
            f"n_topics={n_topics} is many for {n_documents} documents, less than {LEAST_DOCUMENTS} for each: topics "
            "will be those of single documents, and the fit may take minutes. Ask for fewer, or let `choose_n_topics` "
            "find how many there are"
        )
