"""One method on one problem, in a process of its own; run.py starts it with the interpreter that has the package.

python benchmarks/one.py METHOD COUNTS.npz N_TOPICS ANSWER.json
"""

from __future__ import annotations

import contextlib
import importlib
import json
import resource
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import scipy.sparse as sp

QUICK, TURNS = 5.0, 3  # below so many seconds, so many turns are taken, and the median counts


def megabytes() -> float:
    """Peak of this process and of its largest child so far."""
    return sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1e3


def main(name: str, counts: str, n_topics: str, target: str) -> None:
    method = importlib.import_module(f"methods.{name}")
    X = sp.csr_matrix(sp.load_npz(counts))
    with contextlib.suppress(Exception):
        method.fit(X[:500], 2)  # import and compile before the clock starts; too few documents for some
    seconds: list[float] = []
    while not seconds or (max(seconds) < QUICK and len(seconds) < TURNS):
        started = time.perf_counter()
        words, W = method.fit(X, int(n_topics))
        seconds.append(time.perf_counter() - started)
    answer = {
        "words": [[int(word) for word in topic] for topic in words],
        "topics": None if W is None else np.argmax(np.asarray(W), axis=1).tolist(),
        "seconds": statistics.median(seconds),
        "MB": megabytes(),
        "version": version(method.PACKAGE),
    }
    Path(target).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
