"""Which inference to use: error against planted proportions, clusters of labelled corpora, and seconds.

    python benchmarks/infer.py [quick | planted]

Planted: documents of 20 topics that AnchorWords found in NIPS, with proportions of four kinds. The error is the share
of a document that is given to a wrong topic, ½‖w − ŵ‖₁, with the true topics, prevalence and A, and with those that
AnchorWords finds in 10,000 such documents. Quick does a part of everything and keeps no results; planted does this part
alone.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp

from anchor_free_corpora import load
from common import data_folder, keep
from cotopics import AnchorWords
from cotopics.corpus import read_corpus
from cotopics.datasets import sample_corpus
from cotopics.documents import InMemory
from cotopics.infer import EM, INFERENCES, PriorAware, estimate_prior
from cotopics.metrics import clustering_accuracy, match_topics

N_TOPICS, N_WORDS = 20, 2000
LENGTHS = (10, 30, 100, 300, 1000)
MIXTURES: dict[str, dict[str, Any]] = {
    "Dirichlet 0.03": {"concentration": 0.03},
    "Dirichlet 0.1": {"concentration": 0.1},
    "logistic-normal, ρ = 0.2": {"mixture": "logistic-normal", "correlation": 0.2, "n_blocks": 5},
    "correlated": {},  # below
}


def estimated_prior(X: Any, B: Any, prevalence: Any, A: Any, words: Any = None) -> Any:
    """Shares as TopicModel finds them, from these topics: prior and background are estimated from the documents."""
    X = sp.csr_array(X)
    words = X.sum(axis=0) / X.sum() if words is None else words
    prior = estimate_prior(InMemory(X), B, prevalence, A, words)
    return PriorAware(background=prior.background)(X, B, prior.prevalence, prior.A, words)


METHODS = {
    **{name: step() for name, step in INFERENCES.items()},
    "em, smoothing 0.05": EM(smoothing=0.05),
    "TopicModel's": estimated_prior,
}
ARXIV_TOPICS, ARXIV_DOCUMENTS = 50, 250_000


def real_topics() -> Any:
    """B (n_words, n_topics): topics of NIPS over its most frequent words."""
    X = read_corpus(data_folder() / "nips" / "counts.npz", min_documents=1).counts
    frequent = np.sort(np.argsort(-np.bincount(X.indices, minlength=X.shape[1]), kind="stable")[:N_WORDS])
    return AnchorWords(N_TOPICS, min_anchor_documents=0.005).fit(X[:, frequent]).components_.T


def documents(kind: str, B: Any, n: int, length: int, seed: int) -> tuple[Any, Any]:
    """n documents X and their proportions W."""
    if kind != "correlated":
        return sample_corpus(B, n, length=length, random_state=seed, **MIXTURES[kind])
    rng = np.random.default_rng(seed)
    shared = np.repeat(rng.normal(size=(n, 5)), N_TOPICS // 5, axis=1)  # five groups of four topics, ρ = 0.8
    logits = 2.5 * (np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.normal(size=(n, N_TOPICS)))
    W = np.exp(logits - logits.max(axis=1, keepdims=True))
    W /= W.sum(axis=1, keepdims=True)
    return sp.csr_array(rng.multinomial(length, W @ B.T).astype(np.float64)), W


def error(W: Any, truth: Any) -> float:
    return float(round(np.abs(W - truth).sum(axis=1).mean() / 2, 4))


def planted(lengths: Any, n_test: int, n_train: int, *, quick: bool) -> None:
    B = real_topics()
    rows = []
    for kind in MIXTURES:
        _, many = documents(kind, B, 20_000, 1, 1)
        prevalence, A = many.mean(axis=0), many.T @ many / len(many)
        for length in lengths:
            X, W = documents(kind, B, n_test, length, 2)
            known = [error(step(X, B, prevalence, A), W) for step in METHODS.values()]
            train, _ = documents(kind, B, n_train, length, 3)
            model = AnchorWords(N_TOPICS, rectifier="enn", min_anchor_documents=0.005).fit(train)
            order = match_topics(model, B)
            fitted = [error(model.transform(X, step)[:, order], W) for step in METHODS.values()]
            rows += [[kind, length, "true", *known], [kind, length, "fitted", *fitted]]
            print(rows[-2:], file=sys.stderr, flush=True)
    notes = f"½‖w − ŵ‖₁, mean over {n_test:,} documents; {len(B):,} words, {N_TOPICS} topics of NIPS. Lower is better."
    show("infer", ["proportions", "words a document", "topics", *METHODS], rows, notes, quick)


def labelled(name: str) -> tuple[Any, Any]:
    if name in ("reuters21578", "tdt2"):
        return load(name)[:2]
    corpus = read_corpus(data_folder() / name / "docs.jsonl.gz")
    has_words = corpus.counts.sum(axis=1) > 0
    return corpus.counts[has_words], np.array([str(label) for label in corpus.labels])[has_words]


def clusters(names: Any, *, quick: bool) -> None:
    rows = []
    for name in names:
        X, labels = labelled(name)
        k = len(np.unique(labels))
        model = AnchorWords(k, weighting="balanced", rectifier="enn", min_anchor_documents=0.005).fit(X)
        for method, step in METHODS.items():
            started = time.perf_counter()
            W = model.transform(X, step)
            seconds = time.perf_counter() - started
            zeros = float((W == 0).mean())
            accuracy = clustering_accuracy(labels, W.argmax(axis=1))
            rows.append([name, k, method, round(accuracy, 4), round(zeros, 3), round(seconds, 2)])
            print(rows[-1], file=sys.stderr, flush=True)
    notes = (
        "AnchorWords(weighting='balanced', rectifier='enn', min_anchor_documents=0.005) with a topic for each label; a "
        "document's cluster is its largest topic."
    )
    show("infer_clusters", ["corpus", "K", "method", "ClustAcc", "share of zeros", "seconds"], rows, notes, quick)


def arxiv(n_documents: int, *, quick: bool) -> None:
    X = read_corpus(data_folder() / "arxiv" / "counts.npz", min_documents=1).counts
    model = AnchorWords(ARXIV_TOPICS, rectifier="enn", min_anchor_documents=0.005).fit(X[::10])
    X = X[:n_documents]
    rows = []
    for method, step in METHODS.items():
        model.transform(X[:100], step)  # compiled
        started = time.perf_counter()
        W = model.transform(X, step)
        seconds = time.perf_counter() - started
        whole = seconds * ARXIV_DOCUMENTS / X.shape[0]
        rows.append([method, X.shape[0], round(seconds, 2), round(whole, 1), round(float((W == 0).mean()), 3)])
        print(rows[-1], file=sys.stderr, flush=True)
    columns = ["method", "documents", "seconds", f"seconds for {ARXIV_DOCUMENTS:,}", "share of zeros"]
    notes = f"arXiv, {X.shape[1]:,} words, K = {ARXIV_TOPICS}, topics of every tenth document."
    show("infer_seconds", columns, rows, notes, quick)


def show(name: str, columns: Any, rows: Any, notes: str, quick: bool) -> None:
    if quick:
        print(name, notes, columns, *rows, sep="\n", flush=True)
    else:
        keep("infer", columns, rows, notes, argument=name.removeprefix("infer").removeprefix("_"))


def main() -> None:
    warnings.simplefilter("ignore")
    quick = sys.argv[1:] == ["quick"]
    planted((10, 100) if quick else LENGTHS, 300 if quick else 2000, 2000 if quick else 10_000, quick=quick)
    if sys.argv[1:] == ["planted"]:
        return
    clusters(
        ["bbc_news", "reuters21578"] if quick else ["bbc_news", "newsgroups20", "reuters21578", "tdt2"], quick=quick
    )
    arxiv(20_000 if quick else ARXIV_DOCUMENTS, quick=quick)


if __name__ == "__main__":
    main()
