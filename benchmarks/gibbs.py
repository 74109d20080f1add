"""The papers' Gibbs sampling: LDA by tomotopy, in a process of the interpreter that has it.

    PEERS benchmarks/gibbs.py COUNTS.npz N_TOPICS SWEEPS ANSWER.npz      # what `gibbs_topics` starts

One worker, so that a seed gives the same topics again. tomotopy starts with 0.1 for the documents' prior, fits it to
the documents, and has 0.01 for that of words.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

SWEEPS = 500


@dataclass(frozen=True)
class Sampled:
    """Topics B (n_words, n_topics), documents' shares W (n_documents, n_topics) and processor seconds."""

    B: Any
    W: Any
    seconds: float


def gibbs_topics(peers: str, X: Any, n_topics: int, *, sweeps: int = SWEEPS) -> Sampled:
    """Topics of counts X by the interpreter `peers`."""
    with tempfile.TemporaryDirectory() as folder:
        counts, answer = Path(folder, "counts.npz"), Path(folder, "answer.npz")
        sp.save_npz(counts, sp.csr_matrix(X))
        subprocess.run([peers, __file__, str(counts), str(n_topics), str(sweeps), str(answer)], check=True)
        with np.load(answer, allow_pickle=False) as found:
            return Sampled(found["B"], found["W"], float(found["seconds"]))


def main(counts: str, n_topics: str, sweeps: str, answer: str) -> None:
    import tomotopy

    from methods import token_lists

    X = sp.csr_matrix(sp.load_npz(counts)).astype(np.int64)
    K = int(n_topics)
    started = time.process_time()
    model = tomotopy.LDAModel(k=K, seed=1)
    for words in token_lists(X):
        model.add_doc(words)
    model.train(int(sweeps), workers=1)
    seconds = time.process_time() - started
    B = np.zeros((X.shape[1], K))
    B[[int(word) for word in model.used_vocabs]] = np.stack([model.get_topic_word_dist(k) for k in range(K)], axis=1)
    W = np.array([document.get_topic_dist() for document in model.docs], dtype=np.float64)
    np.savez(answer, B=B / B.sum(axis=0), W=W / W.sum(axis=1, keepdims=True), seconds=seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
