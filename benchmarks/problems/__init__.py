"""Problems: a file each, with TITLE, USUAL (a fitting number of topics) and load() → a Problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

LEAST_DOCUMENTS = 5  # that a word is in


@dataclass(frozen=True)
class Problem:
    """Counts X (documents × words, CSR of integers), and a label for each document, or None."""

    X: Any
    labels: Any


def corpus(name: str, *, labelled: bool = True) -> Problem:
    """Counts of a folder of corpora without words in fewer than five documents and without empty documents."""
    from common import data_folder
    from cotopics.corpus import read_corpus

    folder = data_folder() / name
    if (folder / "docs.jsonl.gz").exists():
        found = read_corpus(folder / "docs.jsonl.gz", min_documents=LEAST_DOCUMENTS)
        X, labels = sp.csr_matrix(found.counts), np.array(found.labels).astype(str)
    else:
        X = sp.csr_matrix(sp.load_npz(folder / "counts.npz"))
        names = (folder / "labels.txt").read_text(encoding="utf-8").splitlines() if labelled else [""] * X.shape[0]
        labels = np.array(names[: X.shape[0]])
    X = X[:, np.bincount(X.indices, minlength=X.shape[1]) >= LEAST_DOCUMENTS]
    filled = np.diff(X.indptr) > 0
    return Problem(X[filled].astype(np.int64), labels[filled] if labelled else None)
