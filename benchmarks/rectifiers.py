"""002's Figures 2 and 3 in numbers: AP+AW, ENN+LAW, LR-JSMF and PALM+LAW on NIPS, movies and songs, K = 5 to 100.

python benchmarks/rectifiers.py nips          # 5,000 words by tf-idf
python benchmarks/rectifiers.py movielens     # 2 copies a star; movies in five lists or more
python benchmarks/rectifiers.py playlists     # lists of five songs or more, songs in five of them or more
python benchmarks/rectifiers.py nips 14036 50     # so many words and topics; a further number: stop at this change
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import counts_from_ratings, keep_words, read_corpus
from cotopics.errors import CotopicsError
from cotopics.metrics import approximation_error, dissimilarity, dominancy, recovery_error, specificity
from cotopics.rectify import AlternatingProjection, EpsilonNonNegative, ProximalMinimisation
from items import songs


def methods(tolerance: float | None) -> dict[str, tuple[Any, str]]:
    """Rectifier, and what it starts from."""
    return {
        "AP+AW": (AlternatingProjection(tolerance=tolerance), "dense"),
        "ENN+LAW": (EpsilonNonNegative(tolerance=tolerance), "dense"),
        "LR-JSMF": (EpsilonNonNegative(tolerance=tolerance), "implicit"),
        "PALM+LAW": (ProximalMinimisation(), "implicit"),
        "no rectification": (None, "implicit"),
    }


def corpus(name: str, n_words: int) -> sp.csr_array:
    folder = data_folder()
    if name == "nips":
        whole = read_corpus(folder / "nips" / "counts.npz", min_documents=1)
        counts = keep_words(whole, vocabulary_size=n_words).counts
    elif name == "playlists":
        counts = songs()[0].counts
    else:
        counts = counts_from_ratings(sp.load_npz(folder / "movielens100k" / "ratings.npz"))
        counts = counts[:, np.bincount(counts.indices, minlength=counts.shape[1]) >= 5]  # as 001 has it
    counts = counts[counts.sum(axis=1) >= 5]
    return counts[:, np.flatnonzero(counts.sum(axis=0) > 0)]


def relative_dominancy(model: Any) -> float | None:
    try:
        return dominancy(model, relative=True)
    except CotopicsError:  # an anchor that never meets itself: 001, footnote 12
        return None


def main(
    name: str, n_words: int = 5000, topics: tuple[int, ...] = (5, 10, 25, 50, 100), stop: float | None = None
) -> None:
    warnings.simplefilter("ignore")  # what does not converge is in the table
    X = corpus(name, n_words)
    C = cooccurrence(X, representation="implicit")
    AnchorWords(2, rectifier="enn").fit(X[:200])  # compile before the clock starts
    rows = []
    for n_topics in topics:
        reference: Any = None
        for method, (rectifier, representation) in methods(stop).items():
            full = cooccurrence(X, representation="dense") if representation == "dense" else None
            started = time.perf_counter()
            model = AnchorWords(n_topics, rectifier=rectifier, representation=representation)
            model = model.fit(X) if full is None else model.fit_cooccurrence(full)  # ENN+LAW is given the matrix
            seconds = time.perf_counter() - started
            reference = reference or (model, seconds)
            measures = [
                recovery_error(model, C, relative=True),
                approximation_error(model, C, relative=True),
                relative_dominancy(model),
                specificity(model, C),
                dissimilarity(model),
            ]
            same = len(set(model.anchors_) & set(reference[0].anchors_))
            steps = (model.diagnostics_["rectification"] or {"n_iter": 0})["n_iter"]
            A = float(model.topic_correlation_.min())
            rows.append([n_topics, method, steps, round(seconds, 2), reference[1] / seconds, *measures, A, same])
            print(*rows[-1], flush=True)
    columns = ["K", "method", "steps", "seconds", "times faster than AP+AW", "RelativeRecovery",
               "RelativeApproximation", "RelativeDominancy", "Specificity", "Dissimilarity", "min A",
               "AP+AW's anchors"]  # fmt: skip
    notes = (
        f"{name}, {X.shape[0]} documents, {X.shape[1]} words. AP and ENN stop "
        f"{'as by default' if stop is None else f'at a relative change of {stop:g}'}. "
        "Recovery and approximation are against the co-occurrence of the documents, before rectification. LR-JSMF "
        "starts from counts, AP+AW and ENN+LAW are given the full matrix, and its time is not counted."
    )
    keep("rectifiers", columns, rows, notes, argument=name if len(topics) > 1 else f"{name}_{X.shape[1]}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(sys.argv[1], int(sys.argv[2]), (int(sys.argv[3]),), *map(float, sys.argv[4:]))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else "nips")
