"""TOP's anchor words with 20,000 words: seconds, and the most memory that was taken.

python benchmarks/top_memory.py [n_words]
"""

import resource
import sys
import time

import numpy as np

from common import data_folder, keep
from cotopics.cooccur import cooccurrence
from cotopics.corpus import read_corpus
from cotopics.top import anchor_groups

GRID = (0.275, 0.55, 1.1, 2.2, 4.4)


def main(n_words: int = 20_000) -> None:
    X = read_corpus(data_folder() / "newsgroups20" / "docs.jsonl.gz").counts
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    X = X[:, np.sort(np.argsort(-frequency, kind="stable")[:n_words])]
    C = cooccurrence(X, representation="implicit")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    started = time.perf_counter()
    groups = anchor_groups(C, GRID)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    found = ", ".join(f"{len(g)} at {c:g}" for c, g in zip(GRID, groups, strict=True))
    row = [X.shape[1], X.shape[0], float(8 * X.shape[1] ** 2 / 1e9), before, peak, seconds, found]
    columns = ["words", "documents", "GB of one full matrix", "peak GB before", "peak GB", "seconds", "groups by c1"]
    keep("top_memory", columns, [row], "20 Newsgroups, no word left out: R, its tolerances and five values of c1.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
