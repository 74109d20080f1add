"""004's Figure 5 and Table 2: documents drawn from the topics that TOP finds in NIPS, by three kinds of mixtures.

    python benchmarks/top_nips.py 20                         # 20 data sets of each of 2,000 to 6,000 documents
    python benchmarks/top_nips.py 20 --peers PEERS           # LDA of one data set each, by an interpreter with tomotopy
    python benchmarks/top_nips.py 20 --jobs 16               # data sets shared out over 16 processes

Data sets that are there already (results/top_nips.jsonl) are not made again: a run that is stopped, or asked for more,
goes on.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np

from cells import EARLIER, about_seconds, machines, put, read, timed_on
from common import RESULTS, data_folder, keep
from cotopics import TOP, datasets
from cotopics.cooccur import cooccurrence
from cotopics.corpus import read_corpus
from cotopics.metrics import topic_error
from cotopics.recover import SimplexLeastSquares
from cotopics.top import SplitHalves, anchor_groups
from gibbs import gibbs_topics
from jobs import add_option, origin, share_out
from printed.paper_004 import DOCUMENTS, OURS, SECONDS
from top_common import measure, recover, recover_on_groups, summary, top

CELLS = RESULTS / "top_nips.jsonl"
KEY = ("W", "n", "data set", "method")
CHOSEN, GRID = "C1", "K by C1"  # the methods of cells with what cross-validation chooses, and with K̂ for other C1
MIXTURES = {
    "dirichlet 0.03": {"mixture": "dirichlet", "concentration": 0.03},
    "logistic-normal 0.02": {"mixture": "logistic-normal", "correlation": 0.02, "n_blocks": 10},
    "logistic-normal 0.2": {"mixture": "logistic-normal", "correlation": 0.2, "n_blocks": 10},
}
LAST_YEAR = 1998  # about as many documents as the paper has
PRINTED, LDA = "RecoverL2, as printed", "LDA"
FEWER = 1  # data sets of LDA, which takes minutes
SWEEPS = 1000  # of LDA, as in the paper


def methods(c1):
    """A function from counts and K to a fitted model for each method."""
    return {
        "TOP": top(1, c1),
        "TOP, C0 = 0.001": top(1, c1, c0=0.001),
        "RecoverL2 on TOP's groups": recover_on_groups(c1),
        "RecoverL2": recover("l2"),
        "RecoverKL": recover("kl"),
        PRINTED: recover(SimplexLeastSquares(solver="exponentiated-gradient")),
    }


NAMES = (*methods(1.1), LDA)
C1_GRID = (0.1, 0.2, 0.3, 0.5, 0.8, 1.1, 2, 3, 4.5)


def topics():
    """A of the paper (n_words, n_topics) from NIPS, and what was found there, in words."""
    folder = data_folder() / "nips"
    years = np.array([int(line[:4]) for line in (folder / "labels.txt").read_text(encoding="utf-8").splitlines()])
    X = read_corpus(folder / "counts.npz", min_documents=1).counts[years <= LAST_YEAR]
    X = X[:, np.bincount(X.indices, minlength=X.shape[1]) >= 150]
    X = X[X.sum(axis=1) >= 150]
    c1 = 4.5 * np.sqrt(1000 / X.shape[1])  # the paper's, whose frequencies are multiplied by p and not by 1,000
    model = TOP(c1=c1).fit(X)
    words = sum(map(len, model.anchor_groups_))
    about = (
        f"NIPS to {LAST_YEAR}, words in 150 documents or more, documents of 150 words or more: n = {X.shape[0]}, "
        f"p = {X.shape[1]}, {X.sum(axis=1).mean():.0f} words a document (the paper's NIPS: 1480, 1253, 858). TOP with "
        f"the paper's C1 = 4.5 ({c1:.2f} in our unit) finds {model.n_topics_} topics and {words} anchor words there "
        "(120 and 178)."
    )
    return model.components_.T, about


def sample(B, n, mixture, trial):
    seed = [list(MIXTURES).index(mixture), n, trial]
    return datasets.sample_corpus(B, n, length=850, random_state=seed, **MIXTURES[mixture])[0]


def chosen_c1(B, mixture, n):
    """C1 by split halves on the first data set of each kind."""
    place = (mixture, n, 0, CHOSEN)
    known = read(CELLS, KEY).get(place)
    if known is None:
        c1 = SplitHalves(n_splits=5)(cooccurrence(sample(B, n, mixture, 0), representation="implicit"))
        known = {**dict(zip(KEY, place, strict=True)), "c1": float(c1), **origin()}
        put(CELLS, KEY, known)
    return known["c1"]


def by_lda(peers, X, B):
    found = gibbs_topics(peers, X, B.shape[1], sweeps=SWEEPS)
    return found.seconds, B.shape[1], topic_error(found.B, B), topic_error(found.B, B, norm="l1inf")


def prepared():
    """Topics and a sentence on them; every method has run once, so that nothing is compiled while the clock runs."""
    warnings.simplefilter("ignore")  # exponentiated gradient stops at its 500 steps, as printed
    B, about = topics()
    X = sample(B, 500, next(iter(MIXTURES)), 1000)
    for fit in methods(1.1).values():
        measure(fit, X, B)
    return B, about


def work(shared, case, peers):
    """Measure methods on a data set and keep each, LDA alone or the others; the first data set chooses C1."""
    mixture, n, trial, names = case
    B, _ = shared
    fits = {} if names == [LDA] else methods(chosen_c1(B, mixture, n))
    if fits and trial == 0:
        keep_grid(B, mixture, n)
    X = sample(B, n, mixture, trial)
    for name in names:
        found = by_lda(peers, X, B) if name == LDA else measure(fits[name], X, B, time.process_time)
        place = dict(zip(KEY, (mixture, n, trial, name), strict=True))
        put(CELLS, KEY, {**place, **dict(zip(("seconds", "K", "l1", "l1inf"), found, strict=True)), **origin()})


def wanted(n_repeats, documents, peers):
    """Data sets and the methods they lack; large ones first, LDA before all others, as it takes longest."""
    known = read(CELLS, KEY)
    parts = [(FEWER, [LDA])] if peers else []
    parts += [(n_repeats, list(methods(1.1)))]
    for repeats, names in parts:
        for trial in range(min(repeats, n_repeats)):
            for n in sorted(documents, reverse=True):
                for mixture in MIXTURES:
                    lacking = [name for name in names if (mixture, n, trial, name) not in known]
                    if lacking:
                        yield mixture, n, trial, lacking


def found_so_far():
    """The measured data sets by mixture, number of documents and method; seconds are of one machine."""
    cells, found = read(CELLS, KEY), {}
    timed = timed_on(cells.values())
    for (mixture, n, _, method), cell in cells.items():
        elsewhere = {"seconds": None} if cell.get("machine", EARLIER) != timed else {}
        found.setdefault((mixture, n, method), []).append(cell | elsewhere)
    return found


def keep_errors(found, K, about, measured_on):
    rows = []
    sizes = sorted({n for _, n, _ in found})
    for mixture, n, method in ((m, n, name) for m in MIXTURES for n in sizes for name in NAMES):
        cells = found.get((mixture, n, method), [])
        if not cells:
            continue
        k = [cell["K"] for cell in cells]
        told = method.startswith(("Recover", LDA)) and "TOP" not in method
        topics = "told" if told else f"{min(k)} to {max(k)}, C1 = {found[mixture, n, CHOSEN][0]['c1']:.2f}"
        fewer = sum(cell["l1"] is None for cell in cells)
        errors = [summary(s, [cell[e] for cell in cells]) for e in ("l1", "l1inf") for s in (np.mean, np.std)]
        seconds = summary(np.median, [cell["seconds"] for cell in cells])
        rows.append([mixture, n, method, topics, len(cells), fewer, *errors, seconds])
    columns = ["W", "n", "method", "K̂", "data sets", "K̂ < K", "L1/K", "L1/K ±", "L1,∞", "L1,∞ ±", "processor seconds"]
    notes = (
        f"{about} Figure 5: documents of 850 words drawn from these; K = {K}. Errors are means ± one standard "
        "deviation over the data sets where K topics or more were found, matched with the best K of them; the column "
        "K̂ < K counts those left out. TOP has T = 1, C0 = 0.01 unless said, and C1 by cross-validation on the first "
        f"data set of each kind. LDA: {SWEEPS} sweeps of tomotopy."
    ) + about_seconds(read(CELLS, KEY).values())
    keep("top_nips", columns, rows, notes, measured_on=measured_on)


def keep_seconds(found, measured_on):
    rows = []
    for n in sorted({n for _, n, _ in found}):
        whole = {
            (mixture, cell["data set"])
            for mixture in MIXTURES
            for cell in found.get((mixture, n, "TOP"), [])
            if cell["l1"] is not None
        }  # fewer topics are found faster
        medians = {}
        for method in NAMES:
            cells = [cell for mixture in MIXTURES for cell in found.get((mixture, n, method), [])]
            spent = [cell["seconds"] for cell in cells if (cell["W"], cell["data set"]) in whole]
            medians[method] = (sum(x is not None for x in spent), summary(np.median, spent))
        paper = {m: SECONDS[p][DOCUMENTS.index(n)] for p, m in OURS.items()} if n in DOCUMENTS else {}
        for method, (data_sets, seconds) in medians.items():
            if seconds is None:
                continue
            printed = f"{paper[method] / paper['TOP']:.3g}" if method in paper else ""
            rows.append([n, method, data_sets, seconds, seconds / medians["TOP"][1], paper.get(method, ""), printed])
    columns = ["n", "method", "data sets", "processor seconds", "times TOP's", "paper's seconds", "paper's times TOP's"]
    notes = (
        "Table 2: medians of processor seconds of one thread, from counts to topics, over the data sets of the three "
        "mixtures in which TOP finds K topics or more: with fewer it has less to do. TOP finds K, the others are told "
        "it; on TOP's groups, TOP's own time is in it. The paper's RECOVER-L2 is set beside exponentiated gradient, "
        "the solver of Arora et al. 2013."
    ) + about_seconds(read(CELLS, KEY).values())
    keep("top_nips", columns, rows, notes, argument="seconds", measured_on=measured_on)


def keep_grid(B, mixture, n):
    """K̂ for other C1, of the first data set."""
    place = (mixture, n, 0, GRID)
    if place not in read(CELLS, KEY):
        C = cooccurrence(sample(B, n, mixture, 0), representation="implicit")
        found = [len(groups) for groups in anchor_groups(C, C1_GRID)]
        put(CELLS, KEY, {**dict(zip(KEY, place, strict=True)), "topics": found, **origin()})


def keep_c1(n_topics):
    """C1 = 1.1 is a choice for the benchmark setting."""
    cells = {key: cell for key, cell in read(CELLS, KEY).items() if key[3] == GRID}
    grids = {key: cell["topics"] for key, cell in cells.items()}
    sizes = sorted({n for _, n, _, _ in grids})
    rows = [[m, n, *grids[m, n, 0, GRID]] for m in MIXTURES for n in sizes if (m, n, 0, GRID) in grids]
    notes = f"K̂ of the first data set of each kind; {n_topics} topics are planted."
    columns = ["W", "n", *(f"C1 = {c:g}" for c in C1_GRID)]
    keep("top_nips", columns, rows, notes, argument="c1", measured_on=machines(cells.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n_repeats", type=int, nargs="?", default=20)
    parser.add_argument("documents", type=int, nargs="*", default=list(DOCUMENTS))
    parser.add_argument("--peers", help="an interpreter with tomotopy")
    add_option(parser)
    options = parser.parse_args()
    cases = wanted(options.n_repeats, options.documents, options.peers)
    share_out(prepared, partial(work, peers=options.peers), cases, options.jobs)
    B, about = topics()
    found, measured_on = found_so_far(), machines(read(CELLS, KEY).values())
    keep_errors(found, B.shape[1], about, measured_on)
    keep_seconds(found, measured_on)
    keep_c1(B.shape[1])


if __name__ == "__main__":
    main()
