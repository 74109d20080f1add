"""000's Tables 13 to 16 (whole corpora, many topics), and splitting against plain linear programs as in its Figure 2.

    python benchmarks/anchor_free_whole.py tdt2 [largest F]

The plain linear programs are Algorithm 1 as printed: every word a constraint, each program solved cold by
scipy.optimize.linprog (HiGHS). A whole run takes many minutes, so one sweep is timed on `SAMPLED` of its 2F programs.

Words in 1 % of the documents are constrained, as by default. "words of norm 1" is tf-idf with every word scaled to unit
norm over the documents and all words constrained: that has similarity counts like the paper's. The last column says
in how many documents the median leading word is: there, topics are small groups of rare words.
"""

import sys
import time
import warnings

import numpy as np
from scipy.optimize import linprog

from anchor_free_corpora import ENOUGH, balanced, cluster, load
from common import keep
from cotopics import AnchorFree, AnchorWords
from cotopics.anchor_free import LinearPrograms, PenaltyDualSplitting
from cotopics.anchor_free.problem import determinant_problem
from cotopics.metrics import clustering_accuracy, coherence, similarity_count
from printed.paper_000 import WHOLE
from printed.paper_000 import WHOLE_SIZES as SIZES

SAMPLED = 4


def seconds_of_plain_programs(C, n_topics, n_sweeps):
    """What `n_sweeps` sweeps of cold programs over all words take, from a few of them."""
    problem = determinant_problem(C, n_topics)
    rng = np.random.default_rng(0)
    spent = []
    for _ in range(SAMPLED):
        started = time.perf_counter()
        linprog(
            rng.standard_normal(n_topics),
            A_ub=-problem.R,
            b_ub=np.zeros(len(problem.R)),
            A_eq=problem.b[None],
            b_eq=[1.0],
            bounds=(None, None),
        )
        spent.append(time.perf_counter() - started)
    return float(np.mean(spent) * 2 * n_topics * n_sweeps)


def main() -> None:
    name = sys.argv[1]
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    warnings.simplefilter("ignore")
    X, labels, idf = load(name)
    C = balanced(X, idf)
    rows = []

    frequency = np.bincount(X.indices, minlength=X.shape[1])

    def report(n_topics, method, model, paper=("", ""), matrix=C):
        started = time.perf_counter()
        model.fit_cooccurrence(matrix)
        seconds = round(time.perf_counter() - started, 2)
        leading = np.argsort(-model.components_, axis=1, kind="stable")[:, :20]
        found = [round(coherence(model, X, ordered=True), 1), similarity_count(model), seconds]
        rows.append([n_topics, method, *paper, *found, float(np.median(frequency[leading]))])
        columns = [
            "F",
            "method",
            "paper's Coh",
            "paper's SimCount",
            "Coh",
            "SimCount",
            "seconds",
            "documents of a word",
        ]
        keep("anchor_free_whole", columns, rows, notes, argument=name)

    notes = headline(name, X, labels, C)
    for column, n_topics in enumerate(SIZES):
        if n_topics <= largest:
            paper = tuple(WHOLE[name][measure]["AnchorFree"][column] for measure in ("Coh", "SimCount"))
            if n_topics <= 100:  # full convergence at 200 topics takes many minutes
                report(n_topics, "AnchorFree, pds", AnchorFree(n_topics, solver="pds"), paper)
            if n_topics >= 100:
                soft = PenaltyDualSplitting(clipped=0.01)
                report(n_topics, "AnchorFree, pds, clipped=0.01", AnchorFree(n_topics, solver=soft), paper)
            if n_topics <= 100:
                report(n_topics, "SPA", AnchorWords(n_topics, rectifier=None, selector="spa"))
                common = AnchorWords(n_topics, rectifier=None, selector="spa", min_anchor_documents=ENOUGH)
                report(n_topics, f"SPA, anchors in {ENOUGH}", common)
            if n_topics <= 50:
                even = AnchorFree(n_topics, solver="pds", min_constraint_documents=0)
                report(n_topics, "AnchorFree, pds, words of norm 1", even, paper, balanced(X, idf, 0, word_power=1))


def headline(name, X, labels, C, n_topics=25):
    """Splitting, our linear programs and plain ones at F = 25, on the documents of the 25 largest categories."""
    names, counts = np.unique(labels, return_counts=True)
    chosen = np.isin(labels, names[np.argsort(-counts)[:n_topics]])
    found = {}
    for solver, step in (("pds", PenaltyDualSplitting()), ("lp", LinearPrograms())):
        started = time.perf_counter()
        model = AnchorFree(n_topics, solver=step).fit_cooccurrence(C)
        W = model.transform(X[chosen], method="nnls")
        accuracy = clustering_accuracy(labels[chosen], cluster(W, n_topics))
        found[solver] = model.diagnostics_["seconds"]["topics"], accuracy, model.diagnostics_["topics"]["n_iter"]
        print(solver, found[solver], time.perf_counter() - started, flush=True)
    plain = seconds_of_plain_programs(C, n_topics, found["lp"][2])
    (pds, pds_accuracy, _), (lp, lp_accuracy, sweeps) = found["pds"], found["lp"]
    return (
        f"{name}, whole. F = {n_topics}: splitting {pds:.2f} s (ClustAcc {pds_accuracy:.3f}), our linear programs "
        f"{lp:.2f} s (ClustAcc {lp_accuracy:.3f}), plain linear programs about {plain:.0f} s for as many sweeps "
        f"({sweeps}; from {SAMPLED} programs): splitting is {plain / pds:.0f} times faster. Seconds include eigenpairs."
    )


if __name__ == "__main__":
    main()
