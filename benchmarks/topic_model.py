"""TopicModel beside its peers on labelled corpora: same counts, two threads, one process each.

    python benchmarks/topic_model.py PEERS [corpus ...]

PEERS is an interpreter with scikit-learn, gensim and tomotopy. Every method gets the counts in a file and gives back
ten words a topic, the topic of every document and its seconds; all are measured by the same functions.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

CORPORA = {"bbc_news": 5, "searchsnippets": 8, "reuters21578": 20, "newsgroups20": 20, "tdt2": 30}
LEAST_DOCUMENTS = 5  # that a word is in
N_WORDS = 10


def topic_model(X: Any, K: int) -> tuple[Any, Any]:
    from cotopics import TopicModel

    model = TopicModel(K).fit(X)
    return model.top_words(N_WORDS), model.transform(X)


def nmf(X: Any, K: int) -> tuple[Any, Any]:
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfTransformer

    model = NMF(K, init="nndsvd", random_state=0)
    W = model.fit_transform(TfidfTransformer().fit_transform(X))
    return leading(model.components_), W


def lda(X: Any, K: int) -> tuple[Any, Any]:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(K, learning_method="online", random_state=0, n_jobs=2)
    W = model.fit_transform(X)
    return leading(model.components_), W


def gensim(X: Any, K: int) -> tuple[Any, Any]:
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaMulticore

    corpus = Sparse2Corpus(sp.csc_matrix(X), documents_columns=False)
    model = LdaMulticore(corpus, num_topics=K, passes=5, workers=2, random_state=0)
    W = np.zeros((X.shape[0], K))
    for d, found in enumerate(model.get_document_topics(corpus, minimum_probability=0)):
        for k, share in found:
            W[d, k] = share
    return leading(model.get_topics()), W


def tomotopy(X: Any, K: int, *, kind: str = "LDAModel") -> tuple[Any, Any]:
    import tomotopy as tp

    model = getattr(tp, kind)(k=K, seed=1)
    for d in range(X.shape[0]):
        entries = slice(X.indptr[d], X.indptr[d + 1])
        model.add_doc([str(word) for word in np.repeat(X.indices[entries], X.data[entries].astype(int))])
    model.train(500, workers=2)
    words = [[int(word) for word, _ in model.get_topic_words(k, N_WORDS)] for k in range(K)]
    return words, np.array([document.get_topic_dist() for document in model.docs])


def tomotopy_ctm(X: Any, K: int) -> tuple[Any, Any]:
    return tomotopy(X, K, kind="CTModel")


METHODS = {f.__name__: f for f in (topic_model, nmf, lda, gensim, tomotopy, tomotopy_ctm)}
OURS = ("topic_model",)


def leading(components: Any) -> Any:
    return np.argsort(-np.asarray(components), axis=1)[:, :N_WORDS].tolist()


def run(method: str, file: str, K: int, target: str) -> None:
    """In a process of its own: fit, and write words, documents and seconds."""
    X = sp.csr_matrix(sp.load_npz(file))
    if method in OURS:
        METHODS[method](X[:500], 2)  # compile before the clock starts
    started = time.perf_counter()
    words, W = METHODS[method](X, K)
    seconds = time.perf_counter() - started
    answer = {"words": np.asarray(words).tolist(), "topics": np.argmax(W, axis=1).tolist(), "seconds": seconds}
    Path(target).write_text(json.dumps(answer), encoding="utf-8")


def corpus(name: str) -> tuple[Any, Any]:
    from common import data_folder
    from cotopics.corpus import read_corpus

    folder = data_folder() / name
    if (folder / "docs.jsonl.gz").exists():
        found = read_corpus(folder / "docs.jsonl.gz", min_documents=LEAST_DOCUMENTS)
        X, labels = sp.csr_matrix(found.counts), np.array(found.labels).astype(str)
    else:
        X = sp.csr_matrix(sp.load_npz(folder / "counts.npz"))
        labels = np.array((folder / "labels.txt").read_text(encoding="utf-8").splitlines()[: X.shape[0]])
        X = X[:, np.bincount(X.indices, minlength=X.shape[1]) >= LEAST_DOCUMENTS]
    filled = np.diff(X.indptr) > 0
    return X[filled], labels[filled]


def measure(X: Any, labels: Any, answer: dict[str, Any]) -> list[float]:
    from cotopics import metrics

    shown = np.array(answer["words"])
    B = np.zeros((X.shape[1], len(shown)))
    for k, words in enumerate(shown):
        B[words, k] = np.arange(len(words), 0, -1)
    B /= B.sum(axis=0)
    topics = answer["topics"]
    return [
        metrics.nmi(labels, topics),
        metrics.clustering_accuracy(labels, topics),
        metrics.npmi(B, X, n_words=N_WORDS),
        len(np.unique(shown)) / shown.size,
        answer["seconds"],
    ]


def main(peers: str, *names: str) -> None:
    from common import keep

    rows, behind = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in names or CORPORA:
            X, labels = corpus(name)
            file, K, found = f"{folder}/X.npz", CORPORA[name], {}
            sp.save_npz(file, X.astype(np.int64))
            for method in METHODS:
                interpreter, target = sys.executable if method in OURS else peers, f"{folder}/{method}.json"
                command = [interpreter, __file__, "--run", method, file, str(K), target]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    print(name, method, "failed:", done.stderr[-500:], file=sys.stderr)
                    continue
                found[method] = measure(X, labels, json.loads(Path(target).read_text(encoding="utf-8")))
                print(name, method, np.round(found[method], 3), file=sys.stderr, flush=True)
                rows.append([f"{name}, {X.shape[0]} × {X.shape[1]}, K = {K}", method, *found[method]])
            ours = found["topic_model"]
            for i, measured in enumerate(("NMI", "accuracy", "NPMI", "diversity")):
                best = max((values[i], method) for method, values in found.items() if method not in OURS)
                if best[0] > ours[i] + 5e-4:
                    behind.append(f"{name}: {measured} {ours[i]:.3f} against {best[0]:.3f} of {best[1]}")
            behind += [
                f"{name}: {ours[4] / found[m][4]:.2g} of the seconds of {m}, goal {goal}"
                for m, goal in (("tomotopy", 0.1), ("nmf", 1.0))
                if m in found and ours[4] > goal * found[m][4]
            ]
    notes = "Behind a peer or a goal: " + ("; ".join(behind) if behind else "nowhere") + "."
    columns = ["corpus", "method", "NMI", "accuracy", "NPMI", "diversity", "seconds"]
    sys.argv[1] = "PEERS"
    keep("topic_model", columns, rows, notes)


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        main(*sys.argv[1:])
