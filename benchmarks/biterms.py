"""The likelihood of word pairs (biterms; Yan et al. 2013) as a finish, from TopicModel's own start: what does it give?

    python benchmarks/biterms.py

Every pair of words of a document is drawn from one topic: p(i, j) = Σ_z θ_z B_iz B_jz. Expectation-maximisation over
all pairs that occur, from the balanced start; p(z | document) is the mean over its pairs of p(z | pair).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import keep
from cotopics import TopicModel, metrics
from short_texts import SHORT, load

STEPS, SMOOTHING = 30, 0.01
CORPORA = [name for name in SHORT if name != "arxiv_8_words"]


def pairs(X: Any) -> tuple[Any, Any, Any]:
    """Words i < j or i = j of every pair that occurs, and how often."""
    C = sp.triu(X.T @ X - sp.diags(np.asarray(X.sum(axis=0)).ravel()), format="coo")
    C.eliminate_zeros()
    return C.row, C.col, np.where(C.row == C.col, C.data / 2, C.data)


def biterm_topics(X: Any, B: Any, prevalence: Any) -> tuple[Any, Any]:
    i, j, n = pairs(X)
    B = (B + SMOOTHING / len(B)) / (1 + SMOOTHING)
    for _ in range(STEPS):
        R = prevalence * B[i] * B[j]
        R *= (n / R.sum(axis=1))[:, None]
        prevalence = R.sum(axis=0) / R.sum()
        tokens = sp.csr_array((np.ones(2 * len(i)), (np.concatenate([i, j]), np.arange(2 * len(i)))),
                              shape=(len(B), 2 * len(i))) @ np.concatenate([R, R])  # fmt: skip
        B = (tokens + SMOOTHING) / (tokens + SMOOTHING).sum(axis=0)
    return B, prevalence


def documents(X: Any, B: Any, prevalence: Any) -> Any:
    """The largest topic of every document, by its pairs."""
    found = np.zeros(X.shape[0], dtype=int)
    for d in range(X.shape[0]):
        words = np.repeat(X.indices[X.indptr[d] : X.indptr[d + 1]], X.data[X.indptr[d] : X.indptr[d + 1]])
        a, b = np.triu_indices(len(words), k=1)
        R = prevalence * B[words[a]] * B[words[b]]
        found[d] = np.argmax((R / R.sum(axis=1, keepdims=True)).sum(axis=0))
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    rows = []
    for name in CORPORA:
        problem, K = load(name), SHORT[name]
        start, ours = TopicModel(K, refine=0).fit(problem.X), TopicModel(K).fit(problem.X)
        B, prevalence = biterm_topics(problem.X, start.components_.T, start.topic_prevalence_)
        for kind, topics, npmi in (
            ("TopicModel", ours.transform(problem.X).argmax(axis=1), metrics.npmi(ours.components_.T, problem.X)),
            ("biterms from its start", documents(problem.X, B, prevalence), metrics.npmi(B, problem.X)),
        ):
            scores = metrics.nmi(problem.labels, topics), metrics.clustering_accuracy(problem.labels, topics)
            rows.append([name, K, kind, *(round(float(score), 3) for score in (*scores, npmi))])
            print(rows[-1], flush=True)
    keep("biterms", ["corpus", "topics", "finish", "NMI", "accuracy", "NPMI by probability"], rows)


if __name__ == "__main__":
    main()
