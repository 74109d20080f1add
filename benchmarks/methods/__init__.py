"""Methods: a file each, with TITLE, PACKAGE and fit(X, n_topics) → (ten words a topic, documents × topics).

X is CSR of integer counts. A new competitor is a new file. They run in a process of their own, with the interpreter
that has their package; what they share here imports nothing but numpy. A method that cannot say what documents are
about gives None for these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

N_WORDS = 10
THREADS = 2


def leading(components: Any) -> list[list[int]]:
    """The most probable words of topics (topics × words)."""
    return np.argsort(-np.asarray(components), axis=1, kind="stable")[:, :N_WORDS].tolist()


def token_lists(X: Any) -> list[list[str]]:
    """Documents as lists of words, which are the numbers of their columns."""
    ends, names = X.indptr, [str(i) for i in range(X.shape[1])]
    return [
        [names[i] for i in np.repeat(X.indices[ends[d] : ends[d + 1]], X.data[ends[d] : ends[d + 1]])]
        for d in range(X.shape[0])
    ]
