"""AnchorFree's solvers side by side, seconds and log|det M|: where the rule of solver="auto" comes from.

Also one linear program of ours against scipy's `linprog` (HiGHS), cold, on random problems.
"""

import time

import numpy as np
from scipy.optimize import linprog

from anchor_free_corpora import balanced, load
from common import keep
from cotopics.anchor_free import LinearPrograms, PenaltyDualSplitting
from cotopics.datasets import make_cooccurrence
from cotopics.linalg import solve_lp, top_eigenpairs

SIZES = {"planted": (5, 10, 30), "reuters21578": (3, 5, 10, 20), "tdt2": (3, 5, 10, 15, 25)}
PROGRAMS = ((500, 10), (2000, 20), (5000, 50))


def one_program(n, k, repeats=5):
    """Milliseconds of linprog and of ours for min cᵀx, Rx ≥ 0, bᵀx = 1; rows of R have unit length."""
    rng = np.random.default_rng(k)
    R = np.abs(rng.standard_normal((n, k)))
    R /= np.linalg.norm(R, axis=1, keepdims=True)
    b, spent = R.sum(axis=0), np.zeros(2)
    for _ in range(repeats):
        c = rng.standard_normal(k)
        started = time.perf_counter()
        peer = linprog(c, A_ub=-R, b_ub=np.zeros(n), A_eq=b[None], b_eq=[1.0], bounds=(None, None))
        middle = time.perf_counter()
        ours = solve_lp(c, R, b)
        spent += [middle - started, time.perf_counter() - middle]
        assert abs(c @ ours.x - peer.fun) <= 1e-6 * (1 + abs(peer.fun))
    return 1000 * spent / repeats


def main() -> None:
    rows = []
    for name, sizes in SIZES.items():
        for n_topics in sizes:
            if name == "planted":
                C = make_cooccurrence(1000, n_topics, random_state=n_topics)[0]
            else:
                X, _, idf = load(name)
                C = balanced(X, idf)
            started = time.perf_counter()
            top_eigenpairs(C, n_topics)
            eigenpairs = time.perf_counter() - started
            found = []
            for solver in (LinearPrograms(), PenaltyDualSplitting()):
                started = time.perf_counter()
                topics = solver(C, n_topics)
                seconds = max(time.perf_counter() - started - eigenpairs, 0.0)
                found.append((round(seconds, 2), round(topics.history["log_det"][-1], 3)))
            (lp, lp_det), (pds, pds_det) = found
            rows.append([C.shape[0], name, n_topics, lp, pds, lp_det, pds_det])
    programs = [f"{n:,} × {k}: {peer:.1f} and {ours:.1f}" for n, k in PROGRAMS for peer, ours in [one_program(n, k)]]
    columns = ["words", "corpus", "F", "lp, s", "pds, s", "log det M, lp", "log det M, pds"]
    notes = (
        "Seconds without eigenpairs, all words constrained. One program, ms of linprog and ours: "
        + "; ".join(programs)
        + "."
    )
    keep("anchor_free_solvers", columns, rows, notes)


if __name__ == "__main__":
    main()
