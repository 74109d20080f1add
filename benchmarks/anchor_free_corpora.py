"""000's Tables 4 to 9: draws of F categories of TDT2 and Reuters-21578, judged by Coh, SimCount and ClustAcc.

    python benchmarks/anchor_free_corpora.py tdt2 [draws] [draws of the slower methods] [counts]

As the paper does, tf-idf is that of the whole corpus and each draw forms its own co-occurrence, here the balanced one
(and once with documents divided by degree^¾, which keeps large categories together even more). With `counts`, it is the
unbiased co-occurrence of plain counts: Table 17.
Documents' proportions are non-negative least squares on raw frequencies, grouped by k-means in the correlation metric,
started from the topics (the paper does not say how it starts). Coherence sums over ordered pairs, as the paper's does.
"one cluster" puts all documents into one: what ClustAcc is worth where categories are uneven. Anchor methods also run
with anchors in 50 documents or more (in 5 % of small draws), as without a floor they take words of one or two.
"""

import math
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from common import data_folder, keep
from cotopics import AnchorFree, AnchorWords, cooccurrence
from cotopics.cooccur import Balanced, DocumentSummary, Implicit
from cotopics.metrics import clustering_accuracy, coherence, similarity_count
from printed.paper_000 import CLUST_ACC, TABLE_17

ENOUGH, SHARE = 50, 0.05  # documents that an anchor is in; of small draws, the share
ONE = "one cluster"
SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25)
METHODS = {  # name → (model, draws only as many as for slower methods, largest F)
    "AnchorFree, pds": (lambda k, least: AnchorFree(k, solver="pds"), False, 25),
    "AnchorFree, pds, degree^¾": (lambda k, least: AnchorFree(k, solver="pds"), False, 25),
    "AnchorFree, lp": (lambda k, least: AnchorFree(k, solver="lp"), True, 10),
    "FastAnchor": (lambda k, least: AnchorWords(k, rectifier=None, selector="fast"), True, 25),
    "SPA": (lambda k, least: AnchorWords(k, rectifier=None, selector="spa"), True, 25),
    "SNPA": (lambda k, least: AnchorWords(k, rectifier=None, selector="snpa"), True, 25),
    "XRAY": (lambda k, least: AnchorWords(k, rectifier=None, selector="xray"), True, 25),
    f"SPA, anchors in {ENOUGH}": (
        lambda k, least: AnchorWords(k, rectifier=None, selector="spa", min_anchor_documents=least), True, 25),
    f"XRAY, anchors in {ENOUGH}": (
        lambda k, least: AnchorWords(k, rectifier=None, selector="xray", min_anchor_documents=least), True, 25),
    f"ENN, anchors in {ENOUGH}": (
        lambda k, least: AnchorWords(k, rectifier="enn", min_anchor_documents=least), True, 25),
}  # fmt: skip


def balanced(X, idf, power=0.5, floor=Balanced.floor, word_power=0.0):
    """The co-occurrence of X by `Balanced`, with a given idf: documents by degree^power, words by norm^word_power."""
    D = sp.csr_array(((1 + np.log(X.data)) * idf[X.indices], X.indices, X.indptr), shape=X.shape)
    D = sp.csr_array(sp.diags_array(1 / np.sqrt(D.multiply(D).sum(axis=1))) @ D)
    degree = D @ D.sum(axis=0)
    D = sp.csr_array(sp.diags_array(np.maximum(degree, floor * degree.mean()) ** -power) @ D)
    if word_power:
        squares = np.asarray(D.multiply(D).sum(axis=0)).ravel()
        D = sp.csr_array(D @ sp.diags_array(np.where(squares > 0, squares, 1) ** (-word_power / 2)))
    total = float((D.sum(axis=1) ** 2).sum())
    summary = DocumentSummary(X.shape[0], 0, np.bincount(X.indices, minlength=X.shape[1]))
    return Implicit(D / np.sqrt(total), np.zeros(X.shape[1]), summary)


def cluster(W, n_clusters):
    """k-means in the correlation metric (rows centred and of unit length), started from the topics themselves."""
    return KMeans(n_clusters, init=correlation_rows(np.eye(n_clusters)), n_init=1).fit_predict(correlation_rows(W))


def correlation_rows(W):
    Z = W - W.mean(axis=1, keepdims=True)
    norms = np.linalg.norm(Z, axis=1, keepdims=True)
    return Z / np.where(norms > 0, norms, 1)


def load(name):
    folder = data_folder() / name
    X = sp.csr_array(sp.load_npz(folder / "counts.npz"), dtype=np.float64)
    labels = np.array((folder / "labels.txt").read_text().split())
    return X, labels, np.log((1 + X.shape[0]) / np.bincount(X.indices, minlength=X.shape[1]).clip(1))


def main() -> None:
    name = sys.argv[1]
    draws = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    fewer = int(sys.argv[3]) if len(sys.argv) > 3 else draws
    counts = sys.argv[4:] == ["counts"]
    table = TABLE_17["ClustAcc"] if counts else CLUST_ACC[name]
    warnings.simplefilter("ignore")
    X, labels, idf = load(name)
    categories = np.unique(labels)
    rows = []
    for column, n_topics in enumerate(SIZES):
        results = {method: [] for method, (_, _, largest) in METHODS.items() if n_topics <= largest}
        if counts:
            results = {method: [] for method in table}
        alone = []
        for draw in range(draws):
            rng = np.random.default_rng([n_topics, draw])
            chosen = np.isin(labels, rng.choice(categories, n_topics, replace=False))
            part = X[chosen]
            words = np.bincount(part.indices, minlength=X.shape[1]) > 0
            part, truth = part[:, words], labels[chosen]
            least = min(ENOUGH, math.ceil(SHARE * len(truth)))
            if counts:
                matrices = {0.5: cooccurrence(part, representation="implicit")}
            else:
                matrices = {power: balanced(part, idf[words], power) for power in (0.5, 0.75)}
            for method in results:
                if METHODS[method][1] and draw >= fewer:
                    continue
                C = matrices[0.75 if "¾" in method else 0.5]
                started = time.perf_counter()
                model = METHODS[method][0](n_topics, least).fit_cooccurrence(C)
                seconds = time.perf_counter() - started
                clusters = cluster(model.transform(part, method="nnls"), n_topics)
                found = [clustering_accuracy(truth, clusters), normalized_mutual_info_score(truth, clusters)]
                found += [coherence(model, part, ordered=True), similarity_count(model), seconds]
                results[method].append(found)
            largest = np.unique(truth, return_counts=True)[1].max() / len(truth)
            alone.append([largest, 0.0, np.nan, np.nan, np.nan])
        for method, values in {**results, ONE: alone}.items():
            paper = table[method][column] if method in table else None
            mean = [None if np.isnan(x) else float(round(x, 3)) for x in np.mean(values, axis=0)]
            rows.append([n_topics, method, len(values), paper, *mean])
        print(rows[-len(results) :], flush=True)
        columns = ["F", "method", "draws", "paper's ClustAcc", "ClustAcc", "NMI", "Coh", "SimCount", "seconds"]
        keep(
            "anchor_free_corpora",
            columns,
            rows,
            f"{name}; means over draws of F categories.",
            argument=f"{name}_counts" if counts else name,
        )


if __name__ == "__main__":
    main()
