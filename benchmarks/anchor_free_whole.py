"""000's Tables 13 to 16 (whole corpora, many topics), and splitting against plain linear programs as in its Figure 2.

    python benchmarks/anchor_free_whole.py tdt2 [largest F]
    python benchmarks/anchor_free_whole.py tdt2 200 --peers PEERS     # LDA too, by an interpreter with tomotopy
    python benchmarks/anchor_free_whole.py tdt2 --jobs 16             # fits shared out over 16 processes

What is there already (results/anchor_free_whole.jsonl) is not measured again: a run that is stopped, or asked for more,
goes on. The plain linear programs are Algorithm 1 as printed: every word a constraint, each program solved cold by
scipy.optimize.linprog (HiGHS). A whole run takes many minutes, so one sweep is timed on `SAMPLED` of its 2F programs.

Words in 1 % of the documents are constrained, as by default. "words of norm 1" is tf-idf with every word scaled to unit
norm over the documents and all words constrained: that has similarity counts like the paper's. The last column says
in how many documents the median leading word is: there, topics are small groups of rare words.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
from scipy.optimize import linprog

from anchor_free_corpora import ENOUGH, LDA, anchors, balanced, cluster, free, load
from cells import EARLIER, about_seconds, machines, put, read, timed_on
from common import RESULTS, keep
from cotopics import AnchorFree
from cotopics.anchor_free import LinearPrograms, PenaltyDualSplitting
from cotopics.anchor_free.problem import determinant_problem
from cotopics.metrics import clustering_accuracy, coherence, similarity_count
from gibbs import gibbs_topics
from jobs import add_option, origin, share_out
from printed.tables_000 import WHOLE
from printed.tables_000 import WHOLE_SIZES as SIZES

CELLS = RESULTS / "anchor_free_whole.jsonl"
KEY = ("corpus", "F", "method")
SAMPLED = 4
EVEN = "AnchorFree, pds, words of norm 1"
HEADLINE = "headline"  # the method of the cell that has the sentence on plain linear programs
METHODS = {  # name → (model of the number of topics and the anchors' floor, floor, smallest and largest F)
    "AnchorFree, pds": (free("pds"), 0, 10, 100),  # full convergence at 200 topics takes many minutes
    "AnchorFree, pds, clipped=0.01": (free(PenaltyDualSplitting(clipped=0.01)), 0, 100, 200),
    EVEN: (lambda k, least: AnchorFree(k, solver="pds", min_constraint_documents=0), 0, 10, 50),
    "FastAnchor": (anchors("fast"), 0, 10, 200),
    "SPA": (anchors("spa"), 0, 10, 200),
    "SNPA": (anchors("snpa"), 0, 10, 200),
    "XRAY": (anchors("xray"), 0, 10, 200),
    f"SPA, anchors in {ENOUGH}": (anchors("spa"), ENOUGH, 10, 200),
}


def measure(method, n_topics, X, matrices, peers):
    """Coh, SimCount, processor seconds, and the documents of the median leading word."""
    if method == LDA:
        sampled = gibbs_topics(peers, X, n_topics)
        B, seconds = sampled.B, sampled.seconds
    else:
        make, floor, _, _ = METHODS[method]
        started = time.process_time()
        B = make(n_topics, floor).fit_cooccurrence(matrices[method == EVEN]).components_.T
        seconds = time.process_time() - started
    leading = np.argsort(-B, axis=0, kind="stable")[:20]
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    found = [coherence(B, X, ordered=True), similarity_count(B), seconds, float(np.median(frequency[leading]))]
    return [float(f"{x:.5g}") for x in found]


def seconds_of_plain_programs(C, n_topics, n_sweeps):
    """What `n_sweeps` sweeps of cold programs over all words take, from a few of them."""
    problem = determinant_problem(C, n_topics)
    rng = np.random.default_rng(0)
    spent = []
    for _ in range(SAMPLED):
        started = time.process_time()
        linprog(
            rng.standard_normal(n_topics),
            A_ub=-problem.R,
            b_ub=np.zeros(len(problem.R)),
            A_eq=problem.b[None],
            b_eq=[1.0],
            bounds=(None, None),
        )
        spent.append(time.process_time() - started)
    return float(np.mean(spent) * 2 * n_topics * n_sweeps)


def table(name):
    """A row for each F and method that has been measured; seconds are of one machine."""
    cells, rows = read(CELLS, KEY), []
    timed = timed_on(cell for key, cell in cells.items() if key[0] == name)
    for column, n_topics in enumerate(SIZES):
        for method in (*METHODS, LDA):
            cell = cells.get((name, n_topics, method))
            if cell is not None:
                printed = {m: WHOLE[name][m].get(method.split(", clipped")[0].split(", words")[0]) for m in WHOLE[name]}
                paper = [values[column] if values else None for values in printed.values()]
                coherent, shared, seconds, documents = cell["measures"]
                seconds = seconds if cell.get("machine", EARLIER) == timed else None
                rows.append([n_topics, method, *paper, coherent, shared, seconds, documents])
    return rows


def matrices_of(X, idf):
    """The co-occurrence that all methods but one are given, and under True that of words of norm 1."""
    return {False: balanced(X, idf), True: balanced(X, idf, 0, word_power=1)}


def prepared(name):
    """Counts, categories and co-occurrences; every method has run once, so that nothing is compiled later."""
    warnings.simplefilter("ignore")
    X, labels, idf = load(name)
    part = X[::10]
    words = np.bincount(part.indices, minlength=part.shape[1]) > 0
    part, matrices = part[:, words], matrices_of(part[:, words], idf[words])
    for method in METHODS:
        measure(method, 3, part, matrices, None)
    return X, labels, matrices_of(X, idf)


def work(shared, case, peers):
    """Measure one method at one F, or the sentence on plain linear programs, and keep it."""
    name, n_topics, method = case
    X, labels, matrices = shared
    if method == HEADLINE:
        found = {"text": headline(name, X, labels, matrices[False])}
    else:
        found = {"measures": measure(method, n_topics, X, matrices, peers)}
    put(CELLS, KEY, {**dict(zip(KEY, case, strict=True)), **found, **origin()})


def wanted(name, largest, peers):
    """All that the tables have, what takes longest first."""
    for n_topics in sorted((F for F in SIZES if largest >= F), reverse=True):
        for method in [*([LDA] if peers else []), *METHODS]:
            low, high = METHODS[method][2:] if method in METHODS else (10, 200)
            if low <= n_topics <= high:
                yield name, n_topics, method
    yield name, 25, HEADLINE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=list(WHOLE))
    parser.add_argument("largest", type=int, nargs="?", default=200)
    parser.add_argument("--peers", help="an interpreter with tomotopy")
    add_option(parser)
    options = parser.parse_args()
    name, there = options.corpus, read(CELLS, KEY)
    cases = [case for case in wanted(name, options.largest, options.peers) if case not in there]
    share_out(partial(prepared, name), partial(work, peers=options.peers), cases, options.jobs)
    columns = ["F", "method", "paper's Coh", "paper's SimCount", "Coh", "SimCount", "processor seconds"]
    cells = {key: cell for key, cell in read(CELLS, KEY).items() if key[0] == name}
    notes, measured_on = cells[name, 25, HEADLINE]["text"] + about_seconds(cells.values()), machines(cells.values())
    columns = [*columns, "documents of a word"]
    keep("anchor_free_whole", columns, table(name), notes, argument=name, measured_on=measured_on)


def headline(name, X, labels, C, n_topics=25):
    """Splitting, our linear programs and plain ones at F = 25, on the documents of the 25 largest categories."""
    names, counts = np.unique(labels, return_counts=True)
    chosen = np.isin(labels, names[np.argsort(-counts)[:n_topics]])
    found = {}
    for solver, step in (("pds", PenaltyDualSplitting()), ("lp", LinearPrograms())):
        started = time.process_time()
        model = AnchorFree(n_topics, solver=step).fit_cooccurrence(C)
        seconds = time.process_time() - started
        W = model.transform(X[chosen], method="nnls")
        accuracy = clustering_accuracy(labels[chosen], cluster(W, n_topics))
        found[solver] = seconds, accuracy, model.diagnostics_["topics"]["n_iter"]
    plain = seconds_of_plain_programs(C, n_topics, found["lp"][2])
    (pds, pds_accuracy, _), (lp, lp_accuracy, sweeps) = found["pds"], found["lp"]
    return (
        f"{name}, whole. F = {n_topics}: splitting {pds:.2f} s (ClustAcc {pds_accuracy:.3f}), our linear programs "
        f"{lp:.2f} s (ClustAcc {lp_accuracy:.3f}), plain linear programs about {plain:.0f} s for as many sweeps "
        f"({sweeps}; from {SAMPLED} programs): splitting is {plain / pds:.0f} times faster. Processor "
        "seconds, eigenpairs included."
    )


if __name__ == "__main__":
    main()
