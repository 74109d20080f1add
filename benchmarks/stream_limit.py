"""A stream whose counts do not fit under a limit of 1.5 GB of address space, fitted under it.

The stream repeats arXiv's documents, each time with other counts: PASSES times 250,000, from a folder of shards. One
process shows that the counts do not fit, another fits them through partial_fit with a sketch.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep

LIMIT = 1_500_000_000
PASSES = 8
CHUNK = 20_000
TOPICS = (10, 20)


def write_shards(folder: Path) -> None:
    X = sp.csr_array(sp.load_npz(data_folder() / "arxiv" / "counts.npz"))
    for first in range(0, X.shape[0], CHUNK):
        sp.save_npz(folder / f"{first:07d}.npz", X[first : first + CHUNK])


def chunks(folder: str) -> Iterator[Any]:
    """The documents of the shards, PASSES times, each time with other counts: one chunk and one shard in memory."""
    from cotopics.corpus import open_stream

    rng = np.random.default_rng(0)
    for _ in range(PASSES):
        for chunk in open_stream(folder, chunk_documents=CHUNK):
            chunk.data = np.maximum(rng.poisson(chunk.data), 1).astype(np.float64)
            yield chunk


def all_at_once(folder: str) -> dict[str, Any]:
    try:
        counts = sp.vstack(list(chunks(folder)), format="csr")
        return {"what": "all counts in memory", "fitted": f"yes, {counts.nnz} non-zeros"}
    except MemoryError:
        return {"what": "all counts in memory", "fitted": "no: MemoryError"}


def streamed(folder: str, n_topics: int) -> dict[str, Any]:
    from cotopics import AnchorWords

    model = AnchorWords(n_topics, rectifier="enn", representation="sketch", min_anchor_documents=0.005)
    what = f"partial_fit, representation='sketch', {n_topics} topics"
    n_documents = non_zeros = 0
    started = time.perf_counter()
    try:
        for chunk in chunks(folder):
            model.partial_fit(chunk)
            n_documents += chunk.shape[0]
            non_zeros += chunk.nnz
        read = time.perf_counter() - started
        assert model.n_topics_ == n_topics  # sets the fit going
    except MemoryError:
        return {"what": what, "fitted": f"no: MemoryError after {n_documents:,} documents"}
    return {
        "what": what,
        "fitted": f"yes: {n_documents:,} documents, {non_zeros:,} non-zeros, {12 * non_zeros / 1e9:.1f} GB as CSR",
        "seconds to read": round(read, 1),
        "seconds to fit": round(time.perf_counter() - started - read, 1),
        "peak MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
    }


def main() -> None:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_shards(Path(folder))
        for n_topics in (0, *TOPICS):  # 0: all at once
            command = [sys.executable, __file__, folder, str(n_topics)]
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            found.append(json.loads(run.stdout.splitlines()[-1]))
            print(found[-1], flush=True)
    columns = max((list(row) for row in found), key=len)
    notes = f"Address space limited to {LIMIT / 1e9} GB (RLIMIT_AS). arXiv's documents {PASSES} times, counts redrawn."
    keep("stream_limit", columns, [[row.get(name, "–") for name in columns] for row in found], notes)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        folder, n_topics = sys.argv[1], int(sys.argv[2])
        print(json.dumps(streamed(folder, n_topics) if n_topics else all_at_once(folder)))
    else:
        main()
