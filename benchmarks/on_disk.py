"""arXiv from shards on disk, under a limit of address space, against the same fit in memory.

`python benchmarks/on_disk.py [DOCUMENTS] [TOPICS] [TIMES]`: so many documents (0, the default: all), repeated so many
times on disk for a last row without a fit in memory. Every row is a process of its own. The limit is what the process
has after its imports and a small fit, and 1 GB.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep

ROOM = 1_000_000_000  # bytes of address space beyond the interpreter
SHARD = 25_000  # documents


def read(n_documents: int) -> tuple[sp.csr_array, Any]:
    folder = data_folder() / "arxiv"
    X = sp.csr_array(sp.load_npz(folder / "counts.npz"))
    labels = np.array((folder / "labels.txt").read_text(encoding="utf-8").splitlines())
    taken = np.random.default_rng(0).permutation(X.shape[0])[: n_documents or None]
    return X[np.sort(taken)], labels[np.sort(taken)]


def small_fit() -> None:
    """Compiles what is to be compiled, and starts the threads."""
    from cotopics import TopicModel
    from cotopics.datasets import make_corpus
    from cotopics.on_disk import pack

    X = sp.csr_array(make_corpus(3000, 500, 3, length=60, anchors_per_topic=2, random_state=0)[0])
    for kind in ("one", "many"):
        TopicModel(3, refine=3, topics_per_document=kind).fit(X)
    with pack(_stream(X)) as packed:
        TopicModel(3, refine=3, topics_per_document="many").fit(packed)


def _stream(data: Any) -> Any:
    from cotopics.corpus import open_stream

    return open_stream(data, chunk_documents=5000)


def fit(where: str, shards: str, n_documents: int, n_topics: int, repeated: int, model_file: str) -> dict[str, Any]:
    from cotopics import TopicModel
    from cotopics.on_disk import pack

    small_fit()
    if where == "disk":
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
        started = time.perf_counter()
        with pack(_stream(sorted(Path(shards).glob("*.npz")) * repeated), scratch=shards) as packed:
            read_in = time.perf_counter() - started
            model = TopicModel(n_topics).fit(packed)
            size = packed.n_documents
    else:
        X, _ = read(n_documents)
        started, read_in, size = time.perf_counter(), 0.0, X.shape[0]
        model = TopicModel(n_topics).fit(X)
    seconds = time.perf_counter() - started
    model.save(model_file)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    times = {"seconds": round(seconds, 1), "to pack": round(read_in, 1)}
    return {"where": where, "documents": size, **times, "peak MB": round(peak)}


def quality(file: str, X: sp.csr_array, labels: Any) -> dict[str, float]:
    from sklearn.metrics import normalized_mutual_info_score

    from cotopics import load, metrics

    model = load(file)
    has_words = np.diff(X.indptr) > 1
    found = model.transform(X[has_words]).argmax(axis=1)
    return {
        "NMI": round(float(normalized_mutual_info_score(labels[has_words], found)), 4),
        "NPMI": round(float(metrics.npmi(model, X)), 4),
        "diversity": round(float(metrics.topic_diversity(model, n_words=10)), 4),
    }


def main(n_documents: int, n_topics: int, times: int) -> None:
    X, labels = read(n_documents)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, X.shape[0], SHARD):
            sp.save_npz(Path(folder) / f"{first:07d}.npz", X[first : first + SHARD])
        for where, repeated in (("memory", 1), ("disk", 1), *([("disk", times)] if times > 1 else [])):
            file = str(Path(folder) / f"{where}.cotopics")
            numbers = [str(number) for number in (n_documents, n_topics, repeated)]
            command = [sys.executable, __file__, "fit", where, folder, *numbers, file]
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            row = json.loads(run.stdout.splitlines()[-1]) | quality(file, X, labels)
            rows.append(row)
            print(row, flush=True)
    notes = (
        f"arXiv, K = {n_topics}. On disk under RLIMIT_AS of the interpreter and {ROOM / 1e9:.0f} GB; peak is resident "
        "memory, with the interpreter. NMI, NPMI and diversity are of the same documents, once each."
    )
    keep("on_disk", list(rows[0]), [list(row.values()) for row in rows], notes)


if __name__ == "__main__":
    if sys.argv[1:2] == ["fit"]:
        where, shards, *numbers, file = sys.argv[2:]
        n_documents, n_topics, times = map(int, numbers)
        print(json.dumps(fit(where, shards, n_documents, n_topics, times, file)))
    else:
        main(*(int(argument) for argument in [*sys.argv[1:], *(["0", "50", "1"][len(sys.argv) - 1 :])]))
