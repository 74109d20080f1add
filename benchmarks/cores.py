"""Seconds of TopicModel by the number of threads, measured.

    python benchmarks/cores.py [NAME ...] [--threads 1,2,4,8,16] [--topics 50]

For every corpus, fits and transforms on 1, 2, 4, ... threads of the cores that there are, the least of a few runs each.
"""

from __future__ import annotations

import argparse
import importlib
import os
import time

from common import keep

CORPORA = ("newsgroups20", "nips", "arxiv")
RUNS = {"arxiv": 1}  # of others, 2


def main(names: list[str], threads: list[int], n_topics: int) -> None:
    from cotopics import TopicModel

    rows = []
    for name in names:
        X = importlib.import_module(f"problems.{name}").load().X
        TopicModel(n_topics).fit(X[: min(X.shape[0], 3000)]).transform(X[:2000])  # compiles
        first, bits = {}, set()
        for n in threads:
            os.environ["OMP_NUM_THREADS"] = str(n)  # read at every loop
            fits, transforms = [], []
            for _ in range(RUNS.get(name, 2)):
                started = time.perf_counter()
                model = TopicModel(n_topics).fit(X)
                fitted = time.perf_counter()
                model.transform(X)
                fits.append(fitted - started)
                transforms.append(time.perf_counter() - fitted)
            first = first or {"fit": min(fits), "transform": min(transforms)}
            bits.add(model.components_.tobytes())
            gains = (first["fit"] / min(fits), first["transform"] / min(transforms))
            rows.append([name, n, min(fits), round(gains[0], 1), min(transforms), round(gains[1], 1), len(bits) == 1])
            print(rows[-1], {k: round(v, 2) for k, v in model.diagnostics_["seconds"].items()}, flush=True)
    columns = ["corpus", "threads", "fit, s", "times as fast", "transform, s", "times as fast", "same bits"]
    keep("cores", columns, rows, f"TopicModel, K = {n_topics}; times as fast as on {threads[0]} thread.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=list(CORPORA))
    parser.add_argument("--threads", default=",".join(str(2**i) for i in range(8) if 2**i <= (os.cpu_count() or 1)))
    parser.add_argument("--topics", type=int, default=50)
    given = parser.parse_args()
    main(given.names, [int(n) for n in given.threads.split(",")], given.topics)
