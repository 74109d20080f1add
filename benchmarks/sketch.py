"""Single-pass sketches of co-occurrence: columns of landmark words against random combinations of words.

python benchmarks/sketch.py nips 25
python benchmarks/sketch.py arxiv 50
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import CooccurrenceSketch, cooccurrence
from cotopics.cooccur import Combined, LowRank, Sparse
from cotopics.corpus import keep_words, read_corpus
from cotopics.linalg import top_eigenpairs

SIZES = (4, 8, 16)  # columns a topic
SKETCHES = (  # which documents landmarks are chosen from, and what share of the columns they are
    ("landmarks of all documents, and signs", 1, 0.5),
    ("landmarks of the first tenth, and signs", 0.1, 0.5),
    ("landmarks of all documents only", 1, 1),
    ("landmarks of the first tenth only", 0.1, 1),
)


def leading_factor(C: Any, n_topics: int) -> Any:
    pairs = top_eigenpairs(C, n_topics, tolerance=1e-6)
    return pairs.vectors * np.sqrt(np.maximum(pairs.values, 0))


def halko(C: Any, Z: Any, Omega: Any, n_topics: int) -> Any:
    """The symmetric single-pass formula on C itself: range from the leading half of Z = CΩ, core by least squares."""
    Q = np.linalg.svd(Z, full_matrices=False)[0][:, : Z.shape[1] // 2]
    T = Q.T @ Z @ np.linalg.pinv(Q.T @ Omega)
    values, S = np.linalg.eigh((T + T.T) / 2)
    leading = np.argsort(-values)[:n_topics]
    return (Q @ S[:, leading]) * np.sqrt(np.maximum(values[leading], 0))


def gaussian_nystrom(C: Any, Z: Any, Omega: Any, n_topics: int) -> Any:
    """Nyström's formula on G = C + diag(c), with C's exact diagonal put back."""
    G = Z + C.correction[:, None] * Omega
    values, S = np.linalg.eigh(Omega.T @ G)
    kept = values > 1e-10 * values[-1]
    F = G @ (S[:, kept] / np.sqrt(values[kept]))
    error = C.diagonal() - np.einsum("ij,ij->i", F, F)
    return leading_factor(Combined([LowRank(F), Sparse(sp.diags_array(error))], [1, 1]), n_topics)


def distance(Y: Any, truth: Any) -> float:
    """‖YYᵀ − TTᵀ‖ / ‖TTᵀ‖ with the best common scale: topics do not depend on it."""
    YY, TT, YT = (float(np.vdot(G, G)) for G in (Y.T @ Y, truth.T @ truth, Y.T @ truth))
    return float(np.sqrt(max(1 - YT**2 / (YY * TT), 0)))


def main(name: str, n_topics: int) -> None:
    corpus = read_corpus(data_folder() / name / "counts.npz", min_documents=1)
    X = keep_words(corpus, vocabulary_size=5000).counts if name == "nips" else corpus.counts
    C = cooccurrence(X, representation="implicit")
    truth = leading_factor(C, n_topics)
    rng = np.random.default_rng(0)
    rows = []
    for size in SIZES:
        m = size * n_topics
        Omega = rng.standard_normal((X.shape[1], m))
        Z = C @ Omega
        for method, formula in (
            ("Gaussian, Halko's formula", halko),
            ("Gaussian, Nyström's formula", gaussian_nystrom),
        ):
            rows.append([method, m, distance(formula(C, Z, Omega, n_topics), truth), "–", "–"])
        for label, first, share in SKETCHES:
            documents = X[: round(first * X.shape[0])]
            landmarks = CooccurrenceSketch(round(2 * share * m)).update(documents).landmarks
            started = time.perf_counter()
            sketch = CooccurrenceSketch(m, landmarks=landmarks).update(X)
            seconds = time.perf_counter() - started
            found = distance(leading_factor(sketch.finish(), n_topics), truth)
            rows.append([label, m, found, sketch.residual(), round(seconds, 2)])
        print(*rows[-6:], sep="\n", flush=True)
    columns = ["sketch", "columns", f"error of the leading {n_topics}", "residual reported", "seconds to add"]
    notes = (
        f"{name}, {X.shape[0]:,} documents, {X.shape[1]:,} words. The error is ‖YYᵀ − TTᵀ‖/‖TTᵀ‖ at the best common "
        f"scale, TTᵀ the exact leading {n_topics} eigenpairs of the co-occurrence. The residual is what `residual()` "
        "says, without knowing the truth. A CooccurrenceSketch is half landmarks of the first documents it sees, half "
        "random signs. NIPS comes in the order of its years: its first tenth is another time."
    )
    keep("sketch", columns, rows, notes, argument=name)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "nips", int(sys.argv[2]) if len(sys.argv) > 2 else 25)
