"""How uneven the degrees of documents are: whether that could choose the power of `Balanced`.

    python benchmarks/balance_degrees.py

A power of ¾ raises ClustAcc on draws of Reuters-21578 and lowers it on search snippets and 20 Newsgroups (balance.md,
anchor_free_corpora_reuters21578.md). A rule would need degrees that tell them apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from anchor_free_corpora import load
from common import data_folder, keep
from cotopics.corpus import read_corpus

DRAWS = 5


def degrees(X: Any) -> Any:
    """Of documents by tf-idf of unit length, relative to their mean."""
    X = sp.csr_array(X[X.sum(axis=1) > 0], dtype=float)
    idf = np.log((1 + X.shape[0]) / np.bincount(X.indices, minlength=X.shape[1]).clip(1))
    D = sp.csr_array(((1 + np.log(X.data)) * idf[X.indices], X.indices, X.indptr), shape=X.shape)
    D = sp.csr_array(sp.diags_array(1 / np.sqrt(D.multiply(D).sum(axis=1))) @ D)
    degree = D @ D.sum(axis=0)
    return degree / degree.mean()


def main() -> None:
    rows = []

    def add(name: str, found: Any, helps: str) -> None:
        low, middle, high = np.quantile(found, (0.05, 0.5, 0.95))
        rows.append([name, len(found), float(found.std()), float(middle), float(high / low), helps])

    for name, helps in (("bbc_news", "lowers"), ("searchsnippets", "lowers"), ("newsgroups20", "lowers")):
        add(name, degrees(read_corpus(data_folder() / name / "docs.jsonl.gz").counts), helps)
    for name, helps in (("tdt2", "keeps"), ("reuters21578", "raises")):
        X, labels, _ = load(name)
        for draw in range(DRAWS):
            rng = np.random.default_rng([10, draw])
            chosen = np.isin(labels, rng.choice(np.unique(labels), 10, replace=False))
            add(f"{name}, 10 categories, draw {draw}", degrees(X[chosen]), helps)
    columns = ["corpus", "documents", "standard deviation", "median", "95 % over 5 %", "power ¾ and ClustAcc"]
    keep("balance_degrees", columns, rows, "Degrees of documents relative to their mean.")


if __name__ == "__main__":
    main()
