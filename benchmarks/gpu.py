"""TopicModel on a GPU beside the same on the processor, and a corpus of PubMed's size.

    python benchmarks/gpu.py corpora [NAME ...] [--topics 20,50,100]
    python benchmarks/gpu.py large [DOCUMENTS ...] [--cpu] [--from NAME]   # planted: 100 topics, 141,000 words

Some documents are fitted first, which compiles. `large` draws documents from topics fitted to NAME (arxiv), so that
what is found can be measured against the truth; seconds are from counts in memory to topics and all documents' shares.
"""

from __future__ import annotations

import argparse
import importlib
import resource
import time
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from common import keep
from planted_large import planted

CORPORA = ("bbc_news", "nips", "newsgroups20", "arxiv")
DOCUMENTS, WORDS, LENGTH, N_TOPICS = 8_200_000, 141_000, 66, 100


def run(X: Any, K: int, device: str) -> tuple[Any, Any, float, float]:
    """The model, documents' shares, and seconds of fit and transform."""
    from cotopics import TopicModel

    started = time.perf_counter()
    model = TopicModel(K, device=device).fit(X)
    fitted = time.perf_counter()
    W = model.transform(X)
    return model, W, fitted - started, time.perf_counter() - fitted


def corpora(names: list[str], topics: list[int]) -> None:
    rows = []
    for name in names:
        X = importlib.import_module(f"problems.{name}").load().X
        for K in topics:
            for device in ("cuda", "cpu"):
                run(X[:2000], K, device)  # compiles
            there, W, *gpu = run(X, K, "cuda")
            here, V, *cpu = run(X, K, "cpu")
            again = run(X, K, "cuda")[0]
            rows.append([
                name, K, *gpu, *cpu, round(sum(cpu) / sum(gpu), 1),
                bool(np.array_equal(there.anchors_, here.anchors_)),
                float(np.abs(there.components_ - here.components_).sum(axis=1).max()),
                float(np.abs(W - V).sum(axis=1).mean()),
                bool(np.array_equal(there.components_, again.components_)),
            ])  # fmt: skip
            print(rows[-1], flush=True)
    columns = ["corpus", "topics", "GPU: fit, s", "transform, s", "processor: fit, s", "transform, s", "times as fast",
               "same anchors", "L1 of topics, at most", "L1 of shares, mean", "same bits again"]  # fmt: skip
    keep("gpu", columns, rows, device_note(), argument="corpora")


def large(sizes: list[int], source: str, with_cpu: bool) -> None:
    from cotopics import TopicModel
    from cotopics.gpu import find_device

    found = find_device("auto")
    real = TopicModel(N_TOPICS, device="auto").fit(importlib.import_module(f"problems.{source}").load().X)
    rows = []
    for n in sizes:
        options = {"n_documents": n, "n_words": WORDS, "length": LENGTH}
        truth = planted(real.components_, real.topic_prevalence_, **options, xp=np if found is None else found.xp)
        free()
        for device in (["cuda"] if found else []) + (["cpu"] if with_cpu or not found else []):
            model, W, *seconds = run(truth.X, N_TOPICS, device)
            alike = np.sqrt(model.components_) @ np.sqrt(truth.B)  # Bhattacharyya's coefficient
            _, true_topic = linear_sum_assignment(-alike)
            error = np.abs(model.components_ - truth.B.T[true_topic]).sum(axis=1)
            right = float((true_topic[W[:1_000_000].argmax(axis=1)] == truth.largest[:1_000_000]).mean())
            pool = found.xp.get_default_memory_pool().total_bytes() / 2**30 if device == "cuda" else None
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            rows.append([n, truth.X.nnz, device, *seconds, sum(seconds), pool, peak, float(np.median(error)), right])
            print(rows[-1], {k: round(v, 2) for k, v in model.diagnostics_["seconds"].items()}, flush=True)
            del model, W
            free()
    columns = ["documents", "non-zeros", "device", "fit, s", "transform, s", "together, s", "GPU memory, GiB",
               "peak memory, GiB", "L1 of topics, median", "largest topic right"]  # fmt: skip
    keep("gpu", columns, rows, device_note(), argument="large")


def free() -> None:
    from cotopics.gpu import find_device

    device = find_device("auto")
    if device is not None:
        device.xp.get_default_memory_pool().free_all_blocks()


def device_note() -> str:
    from cotopics.gpu import find_device

    device = find_device("auto")
    return "No GPU." if device is None else f"{device.name}, CuPy {device.xp.__version__}."


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["corpora", "large"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--topics", default="20,50,100")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--from", dest="source", default="arxiv")
    given = parser.parse_args()
    if given.what == "corpora":
        corpora(given.names or list(CORPORA), [int(K) for K in given.topics.split(",")])
    else:
        large([int(n) for n in given.names] or [DOCUMENTS], given.source, given.cpu)
