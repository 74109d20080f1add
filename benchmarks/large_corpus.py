"""arXiv whole (250,000 documents, 64,363 words), K = 50: counts to topics, where the time goes, and the peers.

    python benchmarks/large_corpus.py [interpreter with anchortopics and tomotopy]

Every method runs in a process of its own and gives its topics back in a file; all are measured by the same functions.
tomotopy runs SWEEPS sweeps, and its time is scaled to 500, which is what its users run.
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

N_TOPICS = 50
SWEEPS = 10  # of 500: a sweep takes the same time from the first on


def load(folder: Path) -> sp.csr_array:
    return sp.csr_array(sp.load_npz(folder / "arxiv" / "counts.npz"))


def cotopics(X: sp.csr_array, **options: Any) -> tuple[Any, Any, dict[str, Any]]:
    from cotopics import AnchorWords

    model = AnchorWords(N_TOPICS, rectifier="enn", representation="implicit", **options).fit(X)
    found = model.diagnostics_
    return model.components_, model.topic_correlation_, {
        "steps": found["rectification"]["n_iter"],
        "negative mass": found["rectification"]["history"]["negative_mass"][-1],
        **found["seconds"],
    }  # fmt: skip


def cotopics_frequent(X: sp.csr_array) -> tuple[Any, Any, dict[str, Any]]:
    return cotopics(X, min_anchor_documents=0.005)


def anchortopics(X: sp.csr_array) -> tuple[Any, Any, dict[str, Any]]:
    from anchortopics import OTFR

    model = OTFR(n_topics=N_TOPICS, random_state=0).fit(X.astype(np.float64))
    return model.components_, model.topic_correlation_, {}


def tomotopy(X: sp.csr_array) -> tuple[Any, Any, dict[str, Any]]:
    import tomotopy as tp

    model = tp.LDAModel(k=N_TOPICS, seed=0)
    for m in range(X.shape[0]):
        words, counts = X.indices[X.indptr[m] : X.indptr[m + 1]], X.data[X.indptr[m] : X.indptr[m + 1]]
        if len(words):
            model.add_doc([str(word) for word in np.repeat(words, counts)])
    started = time.perf_counter()
    model.train(0, workers=2)
    model.train(SWEEPS, workers=2)
    sweeps = time.perf_counter() - started
    B = np.zeros((N_TOPICS, X.shape[1]))
    B[:, [int(word) for word in model.used_vocabs]] = [model.get_topic_word_dist(k) for k in range(N_TOPICS)]
    return B, None, {"500 sweeps": 500 / SWEEPS * sweeps}


METHODS = {f.__name__: f for f in (cotopics, cotopics_frequent, anchortopics, tomotopy)}


def run(method: str, data: str, target: str) -> None:
    X = load(Path(data))
    if method.startswith("cotopics"):
        METHODS[method](X[:2000])  # compile before the clock starts
    started = time.perf_counter()
    B, A, details = METHODS[method](X)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    np.savez(target, B=B, A=np.zeros((0, 0)) if A is None else A)
    print(json.dumps({"seconds": seconds, "peak MB": peak, **details}))


def limits(X: sp.csr_array) -> str:
    """What reading the non-zeros and doing the matrix products would take at this machine's speed."""
    from cotopics.linalg.gram import gram_times

    A = np.random.default_rng(0).random((3000, 3000)).astype(np.float32)
    started = time.perf_counter()
    A @ A
    flops = 2 * 3000**3 / (time.perf_counter() - started)
    words, width, rows = X.shape[1], N_TOPICS + N_TOPICS // 4, 10 * N_TOPICS + 1000
    step = 2 * words * rows * (N_TOPICS + 2 * (width + 1)) / flops
    H = sp.csr_array(X, dtype=np.float64)
    gram_times(H[:1000], np.ones((words, 1)))
    started = time.perf_counter()
    H.sum()
    read = time.perf_counter() - started
    started = time.perf_counter()
    gram_times(H, np.ones((words, width)))
    product = time.perf_counter() - started
    return (
        f"Limits here: {flops / 1e9:.0f} Gflop/s in single precision, so a step of ENN takes {step:.2f} s or more "
        f"(2 · {words} · {rows} · ({N_TOPICS} + 2 · {width + 1}) operations); reading the {X.nnz / 1e6:.0f} million "
        f"non-zeros once takes {read:.3f} s, and a product of the documents with {width} vectors {product:.2f} s where "
        "words are not in the order of their frequency, as they are within a fit."
    )


def main(peers: str | None) -> None:
    from common import data_folder, keep
    from cotopics import cooccurrence
    from cotopics.metrics import npmi, specificity, topic_diversity

    folder = data_folder()
    X = load(folder)
    C = cooccurrence(X)
    rows, details = [], []
    for method in METHODS:
        interpreter = sys.executable if method.startswith("cotopics") else peers
        if interpreter is None:
            print(f"{method}: left out, no interpreter given")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            target = Path(scratch) / "topics.npz"
            command = [interpreter, __file__, "--run", method, str(folder), str(target)]
            print(f"{method} ...", flush=True)
            told = json.loads(
                subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")[-2]
            )
            with np.load(target) as file:
                B, A = file["B"].T, file["A"]
        B = B / B.sum(axis=0)
        seconds = told.get("500 sweeps", told["seconds"])
        quality = [specificity(B, C), npmi(B, X), topic_diversity(B)]
        rows.append([method, round(seconds, 1), round(told["peak MB"]), *quality, float(A.min()) if A.size else "–"])
        told = {name: value for name, value in told.items() if name not in ("seconds", "peak MB")}
        details.append(f"{method}: " + ", ".join(f"{name} {value:.3g}" for name, value in told.items()))
        print(*rows[-1], details[-1], flush=True)
    columns = ["method", "seconds", "peak MB", "Specificity (bits)", "NPMI", "diversity", "least entry of A"]
    notes = (
        f"arXiv, {X.shape[0]:,} documents, {X.shape[1]:,} words, K = {N_TOPICS}, each method with its defaults; "
        "cotopics is AnchorWords(rectifier='enn', representation='implicit'), cotopics_frequent adds "
        f"min_anchor_documents=0.005. tomotopy's time is {SWEEPS} sweeps scaled to 500, with 2 workers; its topics are "
        f"those of {SWEEPS} sweeps, so its quality is not to be compared. Seconds from counts in memory to topics.\n\n"
        + "\n".join(f"- {line}" for line in details)
        + f"\n\n{limits(X)}"
    )
    sys.argv[1:] = ["PEERS"]  # the table names its command, not this machine's folders
    keep("large_corpus", columns, rows, notes)


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "--run":
        run(*sys.argv[2:])
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else None)
