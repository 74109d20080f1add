"""000's Tables 4 to 9: draws of F categories of TDT2 and Reuters-21578, judged by Coh, SimCount and ClustAcc.

    python benchmarks/anchor_free_corpora.py tdt2 50 10               # 50 draws, 10 of the slower methods
    python benchmarks/anchor_free_corpora.py tdt2 50 10 --counts      # Table 17: unbiased, from plain counts
    python benchmarks/anchor_free_corpora.py tdt2 50 --peers PEERS    # LDA too, by the interpreter that has tomotopy
    python benchmarks/anchor_free_corpora.py tdt2 50 --jobs 16        # draws shared out over 16 processes

Draws that are there already (results/anchor_free_draws_*.jsonl) are not made again: a run that is stopped, or asked for
more, goes on. As the paper does, tf-idf is that of the whole corpus and each draw forms its own co-occurrence, here the
balanced one (and once with documents divided by degree^¾, which keeps large categories together even more).
Documents' proportions are non-negative least squares on raw frequencies, grouped by k-means in the correlation metric,
started from the topics (the paper does not say how it starts). Coherence sums over ordered pairs, as the paper's does.
"one cluster" puts all documents into one: what ClustAcc is worth where categories are uneven. Anchor methods also run
with anchors in 50 documents or more (in 5 % of small draws), as without a floor they take words of one or two.
"""

import argparse
import math
import time
import warnings
from functools import partial

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from cells import about_seconds, machine_of, machines, put, read, timed_on
from common import RESULTS, data_folder, keep
from cotopics import AnchorFree, AnchorWords, cooccurrence
from cotopics.cooccur import Balanced, DocumentSummary, Implicit
from cotopics.infer import NNLS
from cotopics.metrics import clustering_accuracy, coherence, similarity_count
from gibbs import gibbs_topics
from jobs import add_option, origin, share_out
from printed.tables_000 import CLUST_ACC, TABLE_17

ENOUGH, SHARE = 50, 0.05  # documents that an anchor is in; of small draws, the share
ONE = "one cluster"
SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25)
LDA = "LDA"
KEY = ("F", "draw")
COLUMNS = ["F", "method", "draws", "paper's ClustAcc", "ClustAcc", "NMI", "Coh", "SimCount", "processor seconds"]


def anchors(selector, rectifier=None):
    """Anchor words as a function of the number of topics and the documents that an anchor must be in."""
    return lambda k, least: AnchorWords(k, rectifier=rectifier, selector=selector, min_anchor_documents=least)


def free(solver):
    return lambda k, least: AnchorFree(k, solver=solver)


METHODS = {  # name → (model, whether anchors have a floor)
    "AnchorFree, pds": (free("pds"), False),
    "AnchorFree, pds, degree^¾": (free("pds"), False),
    "AnchorFree, lp": (free("lp"), False),
    "FastAnchor": (anchors("fast"), False),
    "SPA": (anchors("spa"), False),
    "SNPA": (anchors("snpa"), False),
    "XRAY": (anchors("xray"), False),
    f"SPA, anchors in {ENOUGH}": (anchors("spa"), True),
    f"XRAY, anchors in {ENOUGH}": (anchors("xray"), True),
    f"ENN, anchors in {ENOUGH}": (anchors("qr", "enn"), True),
}
SLOWER = f"ENN, anchors in {ENOUGH}"  # of which fewer draws are made


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


class Draws:
    """The draws of a corpus: documents of F categories that a seed chooses."""

    def __init__(self, name, counts):
        self.X, self.labels, self.idf = load(name)
        self.counts, self.categories = counts, np.unique(self.labels)

    def draw(self, n_topics, number):
        """Counts of the words that occur, the documents' categories, and co-occurrences by power of the degree."""
        rng = np.random.default_rng([n_topics, number])
        chosen = np.isin(self.labels, rng.choice(self.categories, n_topics, replace=False))
        part = self.X[chosen]
        words = np.bincount(part.indices, minlength=part.shape[1]) > 0
        part = part[:, words]
        if self.counts:
            return part, self.labels[chosen], {0.5: cooccurrence(part, representation="implicit")}
        return part, self.labels[chosen], {power: balanced(part, self.idf[words], power) for power in (0.5, 0.75)}


def judged(B, X, truth, seconds):
    """ClustAcc, NMI, Coh, SimCount and seconds of topics B (n_words, n_topics)."""
    n_topics = B.shape[1]
    clusters = cluster(NNLS()(X, B, np.ones(n_topics), np.eye(n_topics)), n_topics)
    found = [clustering_accuracy(truth, clusters), normalized_mutual_info_score(truth, clusters)]
    found += [coherence(B, X, ordered=True), similarity_count(B), seconds]
    return [float(f"{x:.5g}") for x in found]


def measure(method, n_topics, drawn, peers):
    X, truth, matrices = drawn
    if method == ONE:
        return [float(np.unique(truth, return_counts=True)[1].max() / len(truth)), 0.0, None, None, None]
    if method == LDA:
        sampled = gibbs_topics(peers, X, n_topics)
        return judged(sampled.B, X, truth, sampled.seconds)
    make, floor = METHODS[method]
    least = min(ENOUGH, math.ceil(SHARE * len(truth))) if floor else 0
    started = time.process_time()
    model = make(n_topics, least).fit_cooccurrence(matrices[0.75 if "¾" in method else 0.5])
    return judged(model.components_.T, X, truth, time.process_time() - started)


def table(path, methods, paper):
    """A row for each F and method: means over the draws that there are; seconds over those of one machine, if any."""
    cells, rows = read(path, KEY), []
    timed = timed_on(cells.values())
    for column, n_topics in enumerate(SIZES):
        found = [cell for (size, _), cell in cells.items() if size == n_topics]
        for method in methods:
            having = [cell for cell in found if method in cell["measures"]]
            values = [cell["measures"][method] for cell in having]
            if values:
                mean = [None if None in x else float(np.mean(x)) for x in zip(*values, strict=True)]
                spent = [x[-1] for x, cell in zip(values, having, strict=True) if machine_of(cell, method) == timed]
                mean[-1] = None if None in spent or not spent else float(np.mean(spent))
                printed = paper[method][column] if method in paper else None
                rows.append([n_topics, method, len(values), printed, *mean])
    return rows


def prepared(corpus, counts, methods):
    """The draws; every method has run once, so that nothing is compiled while the clock runs."""
    warnings.simplefilter("ignore")
    draws = Draws(corpus, counts)
    for method in methods:
        measure(method, 3, draws.draw(3, 0), None)
    return draws


def work(draws, case, path, peers):
    """Measure methods on a draw and keep them."""
    number, n_topics, methods = case
    drawn = draws.draw(n_topics, number)
    found = {method: measure(method, n_topics, drawn, peers) for method in methods}
    put(path, KEY, {"F": n_topics, "draw": number, "measures": found, **origin()}, add=True)


def left(path, wanted):
    """Draws by number, with the methods that they lack; large ones first, so that no process waits for the last."""
    there = read(path, KEY)
    for number, methods in enumerate(wanted):
        for n_topics in reversed(SIZES):
            known = there.get((n_topics, number), {"measures": {}})["measures"]
            lacking = [method for method in methods if method not in known]
            if lacking:
                yield number, n_topics, lacking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=list(CLUST_ACC))
    parser.add_argument("draws", type=int, nargs="?", default=50)
    parser.add_argument("fewer", type=int, nargs="?", default=10, help=f"draws of {SLOWER}")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--peers", help="an interpreter with tomotopy")
    add_option(parser)
    options = parser.parse_args()
    paper = TABLE_17["ClustAcc"] if options.counts else CLUST_ACC[options.corpus]
    ours = [method for method in paper if method != LDA] if options.counts else list(METHODS)
    argument = f"{options.corpus}_counts" if options.counts else options.corpus
    path = RESULTS / f"anchor_free_draws_{argument}.jsonl"
    often = [method for method in [*ours, ONE] if method != SLOWER]
    wanted = [[*often, SLOWER] if SLOWER in ours and i < options.fewer else often for i in range(options.draws)]
    cases = [*left(path, wanted), *left(path, [[LDA]] * options.draws if options.peers else [])]
    prepare = partial(prepared, options.corpus, options.counts, ours)
    share_out(prepare, partial(work, path=path, peers=options.peers), cases, options.jobs)
    cells = read(path, KEY).values()
    notes = f"{argument}; means over draws of F categories, processor seconds of one thread." + about_seconds(cells)
    rows, measured_on = table(path, [*ours, ONE, LDA], paper), machines(cells)
    keep("anchor_free_corpora", COLUMNS, rows, notes, argument=argument, measured_on=measured_on)


if __name__ == "__main__":
    main()
