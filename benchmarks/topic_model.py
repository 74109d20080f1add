"""TopicModel beside its peers: same counts, two threads, one process each.

    python benchmarks/topic_model.py PEERS                 the corpora with as many topics as labels, or 20
    python benchmarks/topic_model.py PEERS seconds         the same with the fast methods alone, on a quiet machine
    python benchmarks/topic_model.py PEERS ctm             three of them with tomotopy's CTM, which takes long
    python benchmarks/topic_model.py PEERS odd             too few and too many topics, few words, short texts

PEERS is an interpreter with scikit-learn, gensim and tomotopy. Every method gets the counts in a file and gives back
ten words a topic, the topic of every document and its seconds; all are measured by the same functions. NMI and accuracy
need labels, which NIPS has not.
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

CORPORA = {"bbc_news": 5, "searchsnippets": 8, "reuters21578": 20, "newsgroups20": 20, "tdt2": 30, "nips": 20}
Problem = tuple[str, int, int | None]  # corpus, number of topics, most frequent words that are kept
USUAL: list[Problem] = [(name, K, None) for name, K in CORPORA.items()]
ODD: list[Problem] = [
    ("bbc_news", 2, None), ("bbc_news", 10, None), ("bbc_news", 30, None), ("bbc_news", 5, 100),
    ("searchsnippets", 3, None), ("searchsnippets", 30, None), ("searchsnippets", 8, 500),
]  # fmt: skip
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
FAST = ("topic_model", "nmf", "tomotopy")


def leading(components: Any) -> Any:
    return np.argsort(-np.asarray(components), axis=1)[:, :N_WORDS].tolist()


def run(method: str, file: str, K: int, target: str) -> None:
    """In a process of its own: fit, and write words, documents and seconds."""
    X = sp.csr_matrix(sp.load_npz(file))
    METHODS[method](X[:500], 2)  # import and compile before the clock starts
    started = time.perf_counter()
    words, W = METHODS[method](X, K)
    seconds = time.perf_counter() - started
    answer = {"words": np.asarray(words).tolist(), "topics": np.argmax(W, axis=1).tolist(), "seconds": seconds}
    Path(target).write_text(json.dumps(answer), encoding="utf-8")


def corpus(name: str, n_words: int | None = None) -> tuple[Any, Any]:
    """Counts without rare words and empty documents, and a label for each document, or None."""
    from common import data_folder
    from cotopics.corpus import read_corpus

    folder = data_folder() / name
    if (folder / "docs.jsonl.gz").exists():
        found = read_corpus(folder / "docs.jsonl.gz", min_documents=LEAST_DOCUMENTS)
        X, labels = sp.csr_matrix(found.counts), np.array(found.labels).astype(str)
    else:
        X = sp.csr_matrix(sp.load_npz(folder / "counts.npz"))
        labels = np.array((folder / "labels.txt").read_text(encoding="utf-8").splitlines()[: X.shape[0]])
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    kept = np.flatnonzero(frequency >= LEAST_DOCUMENTS)
    X = X[:, np.sort(kept[np.argsort(-frequency[kept], kind="stable")[:n_words]])]
    filled = np.diff(X.indptr) > 0
    return X[filled], None if name == "nips" else labels[filled]


def measure(X: Any, labels: Any, answer: dict[str, Any]) -> list[Any]:
    from cotopics import metrics

    shown, topics = np.array(answer["words"]), answer["topics"]
    B = np.zeros((X.shape[1], len(shown)))
    for k, words in enumerate(shown):
        B[words, k] = np.arange(len(words), 0, -1)
    clusters = (metrics.nmi, metrics.clustering_accuracy)
    return [
        *(None if labels is None else round(f(labels, topics), 4) for f in clusters),
        round(metrics.npmi(B / B.sum(axis=0), X, n_words=N_WORDS), 4),
        round(len(np.unique(shown)) / shown.size, 4),
        round(answer["seconds"], 2),
    ]


def compare(peers: str, problem: Problem, methods: Any, folder: str) -> dict[str, list[Any]]:
    """What every method reaches on one problem; one that fails is left out, with a word."""
    name, K, n_words = problem
    X, labels = corpus(name, n_words)
    found = {}
    sp.save_npz(f"{folder}/X.npz", X.astype(np.int64))
    for method in methods:
        interpreter, target = sys.executable if method in OURS else peers, f"{folder}/{method}.json"
        command = [interpreter, __file__, "--run", method, f"{folder}/X.npz", str(K), target]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(name, method, "failed:", done.stderr[-500:], file=sys.stderr)
            continue
        found[method] = measure(X, labels, json.loads(Path(target).read_text(encoding="utf-8")))
        print(f"{name}, {X.shape[0]} × {X.shape[1]}, K = {K}", method, found[method], file=sys.stderr, flush=True)
    return found


def behind(problem: Problem, found: dict[str, list[Any]]) -> list[str]:
    """Where TopicModel is worse than the best peer, or slower than the goal."""
    ours, lines = found["topic_model"], []
    name = f"{problem[0]}, K = {problem[1]}" + (f", {problem[2]} words" if problem[2] else "")
    for i, measured in enumerate(("NMI", "accuracy", "NPMI", "diversity")):
        best = max(((v[i], m) for m, v in found.items() if m not in OURS and v[i] is not None), default=(-1, ""))
        if ours[i] is not None and best[0] > ours[i] + 5e-4:
            lines.append(f"{name}: {measured} {ours[i]:.3f} against {best[0]:.3f} of {best[1]}")
    for method, goal in (("tomotopy", 0.1), ("nmf", 1.0)):
        if method in found and ours[4] > goal * found[method][4]:
            lines.append(f"{name}: {ours[4] / found[method][4]:.2g} of the seconds of {method}, goal {goal}")
    return lines


def main(peers: str, which: str = "") -> None:
    from common import keep

    problems = ODD if which == "odd" else USUAL[:3] if which == "ctm" else USUAL
    most = [m for m in METHODS if m != "tomotopy_ctm"]
    methods = {"": most, "seconds": FAST, "ctm": ["topic_model", "tomotopy_ctm"], "odd": FAST}
    rows, lines = [], []
    for problem in problems:
        with tempfile.TemporaryDirectory() as folder:
            found = compare(peers, problem, methods[which], folder)
        rows += [[problem[0], problem[1], problem[2], method, *values] for method, values in found.items()]
        lines += behind(problem, found)
    notes = "Behind a peer or a goal: " + ("; ".join(lines) if lines else "nowhere") + "."
    columns = ["corpus", "K", "words kept", "method", "NMI", "accuracy", "NPMI", "diversity", "seconds"]
    sys.argv[1] = "PEERS"
    keep("topic_model", columns, rows, notes, argument=which)


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        main(*sys.argv[1:])
