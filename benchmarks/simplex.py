"""Simplex least squares for 10,000 words against a loop over scipy.optimize.nnls, on the same problems in one run.

The problems are those of RecoverL2 on arXiv (10,000 words by tf-idf), with and without a low-rank rectification: long
and short supports. nnls gets the smallest equivalent problem, K + 1 rows with a heavy one that holds the sum at one.
"""

import time

import numpy as np
from scipy.optimize import nnls

from common import data_folder, keep
from cotopics.anchors import PivotedQR
from cotopics.cooccur import Dense, LowRank, cooccurrence
from cotopics.corpus import keep_words, read_corpus
from cotopics.linalg import simplex_least_squares, top_eigenpairs


def problems(C, n_topics):
    """G and F of min ½ yᵀGy − fᵀy for every word."""
    anchors = PivotedQR()(C, n_topics)
    X = anchors.merged_rows(C)
    X /= X.sum(axis=1, keepdims=True)
    return X @ X.T, (C @ X.T) / C.row_sums()[:, None]


def by_nnls(G, F):
    R = np.linalg.cholesky(G).T
    weight = 1e4 * np.sqrt(np.abs(G).max())
    A = np.vstack([R, np.full(len(G), weight)])
    targets = np.column_stack([np.linalg.solve(R.T, F.T).T, np.full(len(F), weight)])
    started = time.perf_counter()
    Y = np.array([nnls(A, b)[0] for b in targets])
    return Y / Y.sum(axis=1, keepdims=True), time.perf_counter() - started


def objective(G, F, Y):
    return np.einsum("ij,jk,ik->i", Y, G, Y) / 2 - np.einsum("ij,ij->i", F, Y)


def main() -> None:
    corpus = read_corpus(data_folder() / "arxiv" / "counts.npz", min_documents=20)
    X = keep_words(corpus, vocabulary_size=10_000).counts[:20_000]
    C = cooccurrence(X, representation="implicit")
    used = np.flatnonzero(C.row_sums() > 0)
    C = C.restrict(used)
    rows = []
    for n_topics in (20, 50, 100):
        pairs = top_eigenpairs(C, n_topics)
        Y = pairs.vectors * np.sqrt(np.maximum(pairs.values, 0))
        rectified = LowRank(Y).toarray()
        for name, matrix in (("plain", C), ("low rank", Dense(np.maximum(rectified, 0)))):
            G, F = problems(matrix, n_topics)
            simplex_least_squares(G, F[:10])  # compile before the clock starts
            started = time.perf_counter()
            solution = simplex_least_squares(G, F)
            ours = time.perf_counter() - started
            peer, theirs = by_nnls(G, F)
            difference = np.abs(objective(G, F, solution.Y) - objective(G, F, peer)).max() / np.abs(G).max()
            support = float((solution.Y > 0).sum(axis=1).mean())
            rows.append([len(F), n_topics, name, support, ours, theirs, theirs / ours, difference])
    columns = [
        "words",
        "K",
        "co-occurrence",
        "mean support",
        "ours, s",
        "nnls loop, s",
        "ratio",
        "objective difference",
    ]
    keep("simplex", columns, rows, "The difference of objectives is the largest of all words, relative to max |G|.")


if __name__ == "__main__":
    main()
