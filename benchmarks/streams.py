"""arXiv whole, K = 50: one fit, 50 chunks through partial_fit, shuffled chunks, merged halves, documents forgotten, and
the single-pass sketch."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

from common import data_folder, keep
from cotopics import AnchorWords, CooccurrenceAccumulator
from cotopics.corpus import read_corpus
from cotopics.metrics import npmi, topic_diversity, topic_error

N_TOPICS, N_CHUNKS, FORGOTTEN = 50, 50, 10_000


def main(name: str) -> None:
    warnings.simplefilter("ignore")
    X = read_corpus(data_folder() / name / "counts.npz", min_documents=1).counts
    chunks = np.array_split(np.arange(X.shape[0]), N_CHUNKS)
    shuffled = np.random.default_rng(0).permutation(X.shape[0])
    half = X.shape[0] // 2

    def model(**options: Any) -> AnchorWords:
        return AnchorWords(N_TOPICS, rectifier="enn", min_anchor_documents=0.005, **options)

    def chunked(order: Any, **options: Any) -> AnchorWords:
        fitted = model(**options)
        for chunk in np.array_split(order, N_CHUNKS):
            fitted.partial_fit(X[chunk])
        return fitted

    def merged() -> AnchorWords:
        first = CooccurrenceAccumulator().update(X[:half])
        return model().fit_cooccurrence(first.merge(CooccurrenceAccumulator().update(X[half:])))

    def forgetful() -> AnchorWords:
        return model().fit(X).forget(X[-FORGOTTEN:])

    runs = {
        "one fit": (lambda: model().fit(X), None),
        f"{N_CHUNKS} chunks": (lambda: chunked(np.arange(X.shape[0])), "one fit"),
        f"{N_CHUNKS} chunks, shuffled documents": (lambda: chunked(shuffled), "one fit"),
        "two merged halves": (merged, "one fit"),
        f"without the last {FORGOTTEN:,}": (lambda: model().fit(X[:-FORGOTTEN]), None),
        f"the last {FORGOTTEN:,} forgotten": (forgetful, f"without the last {FORGOTTEN:,}"),
        "sketch, 50 chunks": (lambda: chunked(np.arange(X.shape[0]), representation="sketch"), "one fit"),
        "sketch, shuffled documents": (lambda: chunked(shuffled, representation="sketch"), "one fit"),
    }
    fitted: dict[str, AnchorWords] = {}
    rows = []
    for label, (run, against) in runs.items():
        started = time.perf_counter()
        fitted[label] = found = run()
        B = found.components_.T  # asked for: the fit is done
        seconds = time.perf_counter() - started
        truth = fitted[against] if against else found
        largest = float(np.abs(found.components_ - truth.components_).max())
        same = len(set(found.anchors_) & set(truth.anchors_))
        row = [label, round(seconds, 1), against or "–", same, largest, topic_error(found, truth)]
        rows.append([*row, npmi(B, X), topic_diversity(B)])
        print(*rows[-1], flush=True)
    assert len(chunks) == N_CHUNKS
    columns = ["documents came as", "seconds", "compared with", "same anchors", "largest difference", "L1", "NPMI",
               "diversity"]  # fmt: skip
    notes = (
        f"{name}, {X.shape[0]:,} documents, {X.shape[1]:,} words; AnchorWords({N_TOPICS}, rectifier='enn', "
        "min_anchor_documents=0.005). The largest difference is between entries of components_, topic by topic; L1 is "
        "the mean over matched topics. partial_fit fits once, when the topics are asked for. A sketch takes its "
        "landmarks from the first chunk, so those of shuffled documents differ."
    )
    keep("streams", columns, rows, notes, argument=name)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "arxiv")
