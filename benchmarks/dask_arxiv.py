"""arXiv in 50 parquet shards of texts: two worker processes against the single-process stream, bytes moved, growth.

    python benchmarks/dask_arxiv.py [documents]

The texts are the words of the counts, so both ways read, tokenise, count and sieve as they do with any texts. Shards
are made in a temporary folder. Every way runs twice, and the faster run counts: compiled code is loaded by then.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from dask.distributed import get_task_stream

from common import RESULTS, data_folder, keep, machine
from cotopics import AnchorWords, CooccurrenceSketch
from cotopics.corpus import keep_frequent, open_stream, read_corpus
from cotopics.distributed import connected, open_partitions
from cotopics.distributed.tasks import nbytes
from cotopics.models.anchor_words import sketch_columns
from cotopics.models.recommended import steps_worth

N_TOPICS, N_SHARDS, GROWTH = 50, 50, (1, 2, 4, 8)
STEPS = 5  # of refinement


def write_shards(folder: Path, n_documents: int | None) -> tuple[int, int]:
    """The texts of arXiv as parquet; documents and bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = data_folder() / "arxiv"
    X = sp.csr_array(sp.load_npz(source / "counts.npz"))[:n_documents]
    words = np.array((source / "vocab.txt").read_text(encoding="utf-8").split("\n")[: X.shape[1]], dtype=object)
    size = 0
    for number, rows in enumerate(np.array_split(np.arange(X.shape[0]), N_SHARDS)):
        part = X[rows]
        tokens = np.repeat(words[part.indices], part.data)
        ends = np.concatenate([[0], np.cumsum(part.data)])[part.indptr]
        texts = [" ".join(tokens[a:b]) for a, b in pairwise(ends)]
        size += sum(map(len, texts))
        pq.write_table(pa.table({"text": texts}), folder / f"part{number:02}.parquet")
    return X.shape[0], size


def stream(files: list[Path]) -> tuple[Any, dict[str, float]]:
    """The single process: vocabulary in a first pass, sums in a second, then the fit."""
    seconds = {}
    with clock(seconds, "vocabulary"):
        found = keep_frequent(open_stream(files))
    with clock(seconds, "sums"):
        sums = CooccurrenceSketch(sketch_columns(N_TOPICS))
        for chunk in found:
            sums.update(chunk)
    return sums, seconds


class clock:
    def __init__(self, seconds: dict[str, float], name: str) -> None:
        self.seconds, self.name = seconds, name

    def __enter__(self) -> None:
        self.start = time.perf_counter()

    def __exit__(self, *error: Any) -> None:
        self.seconds[self.name] = time.perf_counter() - self.start


def distributed(client: Any, files: list[Path]) -> tuple[Any, dict[str, float], dict[str, float]]:
    """The cluster: the same, and what it took in worker seconds by task, in bytes between workers and to the client."""
    seconds: dict[str, float] = {}
    before = moved(client)
    with get_task_stream(client) as tasks:
        with clock(seconds, "vocabulary"):
            documents = open_partitions(files)
        with clock(seconds, "sums"):
            sums = documents.add_up(CooccurrenceSketch(sketch_columns(N_TOPICS)))
    work: dict[str, float] = {"sketches": 0.0}
    for done in tasks.data:
        name = str(done["key"]).partition("-")[0]
        work["sketches"] += name == "added"
        spent = sum(part["stop"] - part["start"] for part in done["startstops"] if part["action"] == "compute")
        work[name] = work.get(name, 0.0) + spent
    work["bytes between workers"] = float(moved(client) - before)
    work["bytes to the client"] = float(nbytes(sums))
    return sums, seconds, work


def moved(client: Any) -> int:
    return sum(client.run(lambda dask_worker: sum(e["total"] for e in dask_worker.transfer_incoming_log)).values())


def peaks(client: Any) -> int:
    """Bytes of the worker that held most."""
    import resource

    return max(client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10).values())


def fitted(sums: Any) -> tuple[Any, float]:
    seconds: dict[str, float] = {}
    model = AnchorWords(N_TOPICS, rectifier="enn", representation="sketch", min_anchor_documents=0.005)
    with clock(seconds, "fit"):
        model.fit_cooccurrence(sums)
    return model, seconds["fit"]


def faster(run: Any) -> Any:
    """Of two runs, that of fewer seconds."""
    return min((run() for _ in range(2)), key=lambda found: sum(found[1].values()))


def main(n_documents: int | None) -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        n, n_bytes = write_shards(folder, n_documents)
        files = sorted(folder.iterdir())
        print(f"{n:,} documents, {n_bytes / 1e6:.0f} MB of text in {len(files)} shards", flush=True)
        sums, alone = faster(lambda: stream(files))
        print("stream", alone, flush=True)
        model, fit = fitted(CooccurrenceSketch(sketch_columns(N_TOPICS)).update(read_corpus(files).counts))
        rows: list[list[Any]] = [["stream, one process", n, alone["vocabulary"], alone["sums"], None, None, None]]
        growth: list[dict[str, Any]] = []
        for workers in (1, 2):
            with connected(n_workers=workers) as client:
                distributed(client, files[:2])  # compiled code
                cluster_sums, seconds, work = faster(lambda: distributed(client, files))
                found, _ = fitted(cluster_sums)
                row = [f"Dask, {workers} worker{'s' if workers > 1 else ''}", n, seconds["vocabulary"], seconds["sums"]]
                rows.append(
                    [*row, work["bytes between workers"] / n, work["bytes to the client"] / n, peaks(client) / 1e6]
                )
                print(*rows[-1], flush=True)
                if workers == 2:
                    same = float(np.abs(found.components_ - model.components_).max())
                    whole = {"seconds": seconds, "work": work}
                    for shards in GROWTH:
                        _, s, w = faster(lambda: distributed(client, files[:shards]))  # noqa: B023
                        documents = shards * n // N_SHARDS
                        growth.append({"shards": shards, "documents": documents, "seconds": s, "work": w})
                        row = [f"Dask, 2 workers, {shards} of {N_SHARDS} shards", documents, s["vocabulary"], s["sums"]]
                        rows.append([*row, w["bytes between workers"] / documents,
                                     w["bytes to the client"] / documents, None])  # fmt: skip
                        print(*rows[-1], flush=True)
                    refining = refinement(client, files)
    columns = ["documents came through", "documents", "vocabulary (s)", "sums (s)", "bytes between workers a document",
               "bytes to the client a document", "peak of a worker (MB)"]  # fmt: skip
    notes = (
        f"arXiv, {n:,} documents, {n_bytes / 1e6:.0f} MB of text in {N_SHARDS} parquet shards, K = {N_TOPICS}: a "
        f"sketch of {sketch_columns(N_TOPICS)} columns over {len(sums._frequency):,} words. Both ways find words in a "
        "first pass and add up statistics in a second; Dask keeps what it counted in the first. The faster of two "
        f"runs. The fit from the sketch takes {fit:.1f} s on the client either way. Topics of two workers differ from "
        f"those of the same sketch made of all counts in memory by {same:.1g} at most."
    )
    keep("dask_arxiv", columns, rows, notes)
    record = {
        "machine": machine(), "documents": n, "text bytes": n_bytes, "words": len(sums._frequency),
        "topics": N_TOPICS, "columns": sketch_columns(N_TOPICS), "shards": N_SHARDS, "sketch bytes": nbytes(sums),
        "stream": alone, "fit seconds": fit, "two workers": whole, "growth": growth, "refinement": refining,
        "largest difference": same,
    }  # fmt: skip
    (RESULTS / "dask.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def refinement(client: Any, files: list[Path]) -> dict[str, float]:
    """Seconds and bytes of a step of TopicModel's refinement, and of a product with its co-occurrence."""
    documents = open_partitions(files).keep()
    facts = documents.facts
    nnz = int(facts.frequency.sum())
    rng, before = np.random.default_rng(0), moved(client)
    seconds: dict[str, float] = {}
    C = documents.cooccurrence("tfidf")
    width = N_TOPICS + N_TOPICS // 4
    V = rng.normal(size=(documents.n_words, width))
    C @ V
    with clock(seconds, "product"):
        C @ V
    product_bytes = moved(client) - before
    B = rng.dirichlet(np.ones(documents.n_words), size=N_TOPICS).T
    step = steps_worth(STEPS)
    step(documents, B, np.full(N_TOPICS, 1 / N_TOPICS))
    before = moved(client)
    with clock(seconds, "refinement"):
        step(documents, B, np.full(N_TOPICS, 1 / N_TOPICS))
    return {
        "non-zeros": nnz, "pieces": len(documents.parts), "width": width, "product seconds": seconds["product"],
        "product bytes": product_bytes / 2, "step seconds": seconds["refinement"] / (STEPS + 3),
        "step bytes": (moved(client) - before) / (STEPS + 3), "depth": math.ceil(math.log2(len(documents.parts) or 1)),
    }  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
