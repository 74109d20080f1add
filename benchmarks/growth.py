"""002's Figure 4: time and memory of LR-JSMF against the vocabulary, arXiv with N = 8,000 to 64,000 words, K = 50.

Each size runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import numpy as np

from common import data_folder, keep

SIZES = (8_000, 16_000, 32_000, 64_000)
N_TOPICS = 50


def measure(n_words: int) -> dict[str, float]:
    from cotopics import AnchorWords, cooccurrence
    from cotopics.corpus import keep_words, read_corpus
    from cotopics.metrics import log_relative_volume, mst_incoherence

    corpus = keep_words(read_corpus(data_folder() / "arxiv" / "counts.npz", min_documents=1), vocabulary_size=n_words)
    X = corpus.counts
    AnchorWords(2, rectifier="enn").fit(X[:2000])  # compile before the clock starts
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    model = AnchorWords(N_TOPICS, rectifier="enn", representation="implicit").fit(X)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    C = cooccurrence(X)
    diagnostics = model.diagnostics_
    return {
        "words": X.shape[1],
        "non-zeros": X.nnz / 1e6,
        "seconds": seconds,
        "rectification": diagnostics["seconds"]["rectification"],
        "steps": diagnostics["rectification"]["n_iter"],
        "anchors": diagnostics["seconds"]["anchors"],
        "recovery": diagnostics["seconds"]["recovery"],
        "MB for the fit": (peak - before) / 1e3,
        "MB expected": diagnostics["expected_bytes"] / 1e6,
        "MB peak": peak / 1e3,
        "log relative volume": log_relative_volume(model, C),
        "MST-incoherence": mst_incoherence(model, C),
    }


def main() -> None:
    found = []
    for size in SIZES:
        run = subprocess.run([sys.executable, __file__, str(size)], check=True, capture_output=True, text=True)
        found.append(json.loads(run.stdout.splitlines()[-1]))
        print(found[-1], flush=True)
    logs = [np.log([row[name] for row in found]) for name in ("words", "seconds", "MB peak")]
    time_exponent, memory_exponent = (float(np.polyfit(logs[0], y, 1)[0]) for y in logs[1:])
    rows = [[float(f"{value:.4g}") if isinstance(value, float) else value for value in row.values()] for row in found]
    notes = (
        f"arXiv, 250,000 documents, K = {N_TOPICS}, AnchorWords(rectifier='enn', representation='implicit'), words by "
        f"tf-idf. Fitted exponents: time ~ N^{time_exponent:.2f}, peak memory ~ N^{memory_exponent:.2f}. The non-zeros "
        "of the counts grow with N as well."
    )
    keep("growth", list(found[0]), rows, notes)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]))))
    else:
        main()
