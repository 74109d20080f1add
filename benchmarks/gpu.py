"""TopicModel on a GPU beside the same on the processor, and a corpus of PubMed's size.

    python benchmarks/gpu.py corpora [NAME ...]                     # both, at 20, 50 and 100 topics
    python benchmarks/gpu.py large [DOCUMENTS ...] [--cpu] [--from NAME]   # planted: 100 topics, 141,000 words

The second run of two counts: the first compiles. `large` draws documents from topics fitted to NAME (arxiv), so that
what is found can be measured against the truth; seconds are from counts in memory to topics and all documents' shares.
"""

from __future__ import annotations

import argparse
import importlib
import resource
import time
from typing import Any

import numpy as np

from common import keep
from planted_large import planted

CORPORA = ("bbc_news", "nips", "newsgroups20", "arxiv")
TOPICS = (20, 50, 100)
DOCUMENTS, WORDS, LENGTH, N_TOPICS = 8_200_000, 141_000, 90, 100


def run(X: Any, K: int, device: str) -> tuple[Any, Any, float, float]:
    """The model, documents' shares, and seconds of fit and transform."""
    from cotopics import TopicModel

    started = time.perf_counter()
    model = TopicModel(K, device=device).fit(X)
    fitted = time.perf_counter()
    W = model.transform(X)
    return model, W, fitted - started, time.perf_counter() - fitted


def corpora(names: list[str]) -> None:
    rows = []
    for name in names:
        X = importlib.import_module(f"problems.{name}").load().X
        for K in TOPICS:
            for device in ("cuda", "cpu"):
                run(X, K, device)  # compiles
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
    keep("gpu_corpora", columns, rows, device_note())


def large(sizes: list[int], source: str, with_cpu: bool) -> None:
    from cotopics import TopicModel, metrics
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
            order = metrics.match_topics(model.components_.T, truth.B)
            error = np.abs(model.components_[order] - truth.B.T).sum(axis=1)
            place = np.argsort(order)  # of a topic that was found among the true ones
            right = float((place[W[:1_000_000].argmax(axis=1)] == truth.largest[:1_000_000]).mean())
            pool = found.xp.get_default_memory_pool().total_bytes() / 2**30 if device == "cuda" else None
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            rows.append([n, truth.X.nnz, device, *seconds, sum(seconds), pool, peak, float(np.median(error)), right])
            print(rows[-1], {k: round(v, 2) for k, v in model.diagnostics_["seconds"].items()}, flush=True)
            del model, W
            free()
    columns = ["documents", "non-zeros", "device", "fit, s", "transform, s", "together, s", "GPU memory, GiB",
               "peak memory, GiB", "L1 of topics, median", "largest topic right"]  # fmt: skip
    keep("gpu_large", columns, rows, device_note())


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
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--from", dest="source", default="arxiv")
    given = parser.parse_args()
    if given.what == "corpora":
        corpora(given.names or list(CORPORA))
    else:
        large([int(n) for n in given.names] or [DOCUMENTS], given.source, given.cpu)
