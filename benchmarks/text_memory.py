"""Memory that texts take on their way to counts on disk: arXiv written out as jsonl, read twice in chunks.

    python benchmarks/text_memory.py

Each size runs in a process of its own: `open_stream`, `keep_frequent`, and `CorpusWriter` for the counts.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from common import data_folder, keep

SIZES = (10_000, 50_000, 250_000)


def write_texts(X: Any, words: list[str], path: Path) -> None:
    """Documents as texts, each word as often as it was counted."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for d in range(X.shape[0]):
            entries = slice(X.indptr[d], X.indptr[d + 1])
            tokens = np.repeat(X.indices[entries], X.data[entries].astype(int))
            file.write(json.dumps({"text": " ".join(words[w] for w in tokens), "id": str(d)}) + "\n")


def run(texts: str, target: str) -> None:
    from cotopics.corpus import CorpusWriter, keep_frequent, open_stream

    stream = keep_frequent(open_stream(texts, stop_words=None, chunk_documents=5000), min_documents=5)
    with CorpusWriter(target, stream.vocabulary) as writer:
        for corpus in stream.corpora():
            writer.append(corpus.counts, ids=corpus.ids)
        writer.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"words": stream.n_words, "peak": peak}))


def main() -> None:
    from cotopics.corpus import read_corpus

    corpus = read_corpus(data_folder() / "arxiv" / "counts.npz", min_documents=1)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        texts, target = Path(folder) / "texts.jsonl.gz", Path(folder) / "counts.corpus"
        for n in SIZES:
            write_texts(corpus.counts[:n], corpus.vocabulary, texts)
            started = time.perf_counter()
            command = [sys.executable, __file__, "--run", str(texts), str(target)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, found = time.perf_counter() - started, json.loads(done.stdout)
            tokens = int(corpus.counts[:n].sum())
            rows.append([n, tokens, found["words"], round(target.stat().st_size / 2**20, 1), found["peak"], seconds])
            print(rows[-1], file=sys.stderr, flush=True)
    columns = ["documents", "words in all", "words kept", "MB of counts on disk", "peak MB", "seconds"]
    keep("text_memory", columns, rows, "Two passes over the texts; peak of the whole process, libraries included.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
    else:
        main()
