"""arXiv from shards on disk, under a limit of address space, against the same fit in memory.

    python benchmarks/on_disk.py [DOCUMENTS] [TOPICS] [ROUNDS] [TIMES]

So many documents (0, the default: all) of so many topics (50), from JSON lines, in memory and on disk in turn, for so
many rounds (2); and a last row of TIMES (1: none) as many documents on disk, each a draw with other words (counts
become Poisson numbers of the same mean). Every fit is a process of its own. The limit is what the process has after its
imports and a small fit, and 1 GB. Processor time counts all threads of a process, whatever else the machine does.
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


def vocabulary() -> list[str]:
    return (data_folder() / "arxiv" / "vocab.txt").read_text(encoding="utf-8").splitlines()


def write_lines(X: sp.csr_array, folder: Path) -> None:
    """JSON lines, a document a line, as a list of its words."""
    words = np.array(vocabulary(), dtype=object)
    for first in range(0, X.shape[0], SHARD):
        part = X[first : first + SHARD]
        with (folder / f"{first:07d}.jsonl").open("w", encoding="utf-8") as file:
            for i in range(part.shape[0]):
                row = slice(part.indptr[i], part.indptr[i + 1])
                text = np.repeat(words[part.indices[row]], part.data[row]).tolist()
                file.write(json.dumps({"text": text}) + "\n")


def write_draws(X: sp.csr_array, folder: Path, times: int) -> None:
    """Shards of counts: every document so many times, with other words each time."""
    (folder / "vocab.txt").write_text("\n".join(vocabulary()), encoding="utf-8")
    for time_ in range(times):
        rng = np.random.default_rng(time_)
        for first in range(0, X.shape[0], SHARD):
            part = X[first : first + SHARD].copy()
            part.data = rng.poisson(part.data).astype(np.int32)
            part.eliminate_zeros()
            sp.save_npz(folder / f"{time_:02d}-{first:07d}.npz", part, compressed=False)


def small_fit() -> None:
    """Compiles what is to be compiled, and starts the threads."""
    from cotopics import TopicModel
    from cotopics.corpus import open_stream
    from cotopics.datasets import make_corpus
    from cotopics.on_disk import pack

    X = sp.csr_array(make_corpus(3000, 500, 3, length=60, anchors_per_topic=2, random_state=0)[0])
    for kind in ("one", "many"):
        TopicModel(3, refine=3, topics_per_document=kind).fit(X)
    with pack(open_stream(X)) as packed:
        TopicModel(3, refine=3, topics_per_document="many").fit(packed)


def fit(where: str, shards: str, n_documents: int, n_topics: int, model_file: str) -> dict[str, Any]:
    from cotopics import TopicModel
    from cotopics.corpus import open_stream
    from cotopics.on_disk import pack

    small_fit()
    words, X = vocabulary(), read(n_documents)[0] if where == "memory" else None
    if X is None:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
    started, worked = time.perf_counter(), time.process_time()
    if X is None:
        files = sorted(Path(shards).glob("*.jsonl")) or sorted(Path(shards).glob("*.npz"))
        stream = open_stream(files, chunk_documents=5000, vocabulary=words)
        with pack(stream, scratch=shards) as packed:
            packing = time.process_time() - worked
            model, size = TopicModel(n_topics).fit(packed), packed.n_documents
    else:
        packing, size = 0.0, X.shape[0]
        model = TopicModel(n_topics).fit(X, feature_names=words)
    seconds, processor = time.perf_counter() - started, time.process_time() - worked
    model.save(model_file)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    times = {"seconds": round(seconds), "processor seconds": round(processor), "of them to pack": round(packing)}
    return {"where": where, "documents": size, **times, "peak GB": round(peak, 2)}


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


def measured(where: str, shards: Path, n_documents: int, n_topics: int, known: dict[str, Any]) -> dict[str, Any]:
    """A fit in a process of its own, and how good it is."""
    X, labels = read(n_documents)
    file = str(shards / "model.cotopics")
    command = [sys.executable, __file__, "fit", where, str(shards), str(n_documents), str(n_topics), file]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    row = json.loads(run.stdout.splitlines()[-1])
    if row["documents"] != X.shape[0] or where not in known:  # the same fit has the same quality
        known[where] = quality(file, X, labels)
    row |= known[where]
    print(row, flush=True)
    return row


def main(n_documents: int, n_topics: int, rounds: int, times: int) -> None:
    rows: list[dict[str, Any]] = []
    known: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        write_lines(read(n_documents)[0], Path(folder))
        for _ in range(rounds):
            for where in ("memory", "disk"):
                rows.append(measured(where, Path(folder), n_documents, n_topics, known))
    least = {
        (where, name): min(row[name] for row in rows if row["where"] == where)
        for where in ("memory", "disk")
        for name in ("seconds", "processor seconds")
    }
    ratios = {name: least["disk", name] / least["memory", name] for name in ("seconds", "processor seconds")}
    if times > 1:
        with tempfile.TemporaryDirectory() as folder:
            write_draws(read(n_documents)[0], Path(folder), times)
            rows.append(measured("disk", Path(folder), n_documents, n_topics, {}))
    notes = (
        f"arXiv, K = {n_topics}. On disk: from JSON lines (the last row, if it has more documents, from npz shards), "
        f"under RLIMIT_AS of the interpreter and {ROOM / 1e9:.0f} GB; peak is resident memory, with the interpreter. "
        f"The least times from disk, packing included, are {ratios['seconds']:.2f} times those in memory on the clock "
        f"and {ratios['processor seconds']:.2f} times in processor time; other work was done on the machine "
        "meanwhile. NMI, NPMI and diversity are of the original documents, once each."
    )
    keep("on_disk", list(rows[0]), [list(row.values()) for row in rows], notes)


if __name__ == "__main__":
    if sys.argv[1:2] == ["fit"]:
        where, shards, *numbers, file = sys.argv[2:]
        n_documents, n_topics = map(int, numbers)
        print(json.dumps(fit(where, shards, n_documents, n_topics, file)))
    else:
        main(*(int(argument) for argument in [*sys.argv[1:], *(["0", "50", "2", "1"][len(sys.argv) - 1 :])]))
