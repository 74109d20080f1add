"""004's Figures 1 and 2 and Table 1: how the topics follow C0, the anchors follow C1, and the anchors that come back.

python benchmarks/top_tuning.py [n_datasets]
"""

import sys

import numpy as np

from common import keep
from cotopics.cooccur import cooccurrence
from cotopics.metrics import anchor_recovery, topic_error
from cotopics.top import DecoupledPrograms, FindAnchorWords, anchor_groups
from cotopics.top.error_bounds import error_bounds
from printed.paper_004 import ANCHORS
from top_common import BENCHMARK, draw, recover

K, P = BENCHMARK["K"], BENCHMARK["p"]
C0, C1 = 0.01, 1.1
C0_GRID = np.arange(1, 100, 2) / 1000
C1_GRID = np.arange(1, 121) / 10
SIZES = (2, 4, 6, 8, 10)


def errors_by_c0(bounds, B):
    """L1/K for every C0 from one set of anchors, or None where there are fewer topics than planted."""
    anchors = FindAnchorWords(C1)(bounds)
    if len(anchors.groups) < K:
        return None
    return [topic_error(DecoupledPrograms(c0, 1)(bounds, anchors).B, B) for c0 in C0_GRID]


def anchors_by_c1(bounds, true):
    """K̂, sensitivity and specificity for every C1: (n_grid, 3)."""
    return [(len(groups), *anchor_recovery(groups, true, P)) for groups in anchor_groups(bounds, C1_GRID)]


def run_around(grid, good, at):
    """The stretch of the grid around a value on which something is so, in words."""
    i = int(np.argmin(np.abs(grid - at)))
    if not good[i]:
        return f"not at {at:g}"
    bad = np.flatnonzero(~np.asarray(good))
    first, last = max(bad[bad < i], default=-1) + 1, min(bad[bad > i], default=len(grid)) - 1
    return f"{grid[first]:g} to {grid[last]:g}"


def keep_c0(found, n_datasets):
    used = [e for e in found if e is not None]
    means, spread = np.mean(used, axis=0), np.std(used, axis=0)
    rows = [[float(c), float(m), float(s)] for c, m, s in zip(C0_GRID, means, spread, strict=True)]
    at = means[int(np.argmin(np.abs(C0_GRID - C0)))]
    notes = (
        f"Figure 1: C1 = {C1}, T = 1, {n_datasets} data sets, of which {len(used)} have {K} topics or more. The mean "
        f"error is {means.min():.4g} to {means.max():.4g}, smallest at C0 = {C0_GRID[means.argmin()]:g}, and {at:.4g} "
        f"at the grid's nearest to {C0}."
    )
    keep("top_tuning", ["C0", "L1/K", "its standard deviation"], rows, notes, argument="c0")


def keep_c1(found, n_datasets):
    found = np.asarray(found)  # (n_datasets, n_grid, 3)
    right = found[:, :, 0] == K
    rows = [
        [float(c), *(float(x) for x in mean), float(share)]
        for c, mean, share in zip(C1_GRID, found.mean(axis=0), right.mean(axis=0), strict=True)
    ]
    all_found = (found[:, :, 1] == 1).all(axis=0)
    notes = (
        f"Figure 2: means over {n_datasets} data sets. On all of them K̂ = {K} for C1 of "
        f"{run_around(C1_GRID, right.all(axis=0), C1)} (in the paper 0.2 to 10), and all anchors are found for "
        f"{run_around(C1_GRID, all_found, C1)} (1 to 10)."
    )
    keep("top_tuning", ["C1", "K̂", "sensitivity", "specificity", f"K̂ = {K}"], rows, notes, argument="c1")


def keep_anchors(found, n_datasets):
    rows = []
    for column, size in enumerate(SIZES):
        for method in ANCHORS:
            sensitivity, specificity, right = 100 * np.mean(found[size, method], axis=0)
            shown = "told" if method == "RECOVER" else float(right)
            rows.append([size, method, ANCHORS[method][column], float(sensitivity), float(specificity), shown])
    columns = ["I_k", "method", "paper's sensitivity, %", "sensitivity, %", "specificity, %", f"K̂ = {K}, %"]
    notes = f"Table 1: {n_datasets} data sets for each |I_k|. In the paper every specificity and every K̂ = K is 100 %."
    keep("top_tuning", columns, rows, notes, argument="anchors")


def main(n_datasets: int = 50) -> None:
    by_c0, by_c1 = [], []
    recovered = {(size, method): [] for size in SIZES for method in ANCHORS}
    for trial in range(n_datasets):
        for size in SIZES:
            X, B, true = draw(trial, **{"|I_k|": size})
            bounds = error_bounds(cooccurrence(X, representation="implicit"))
            (groups,) = anchor_groups(bounds, [C1])
            recovered[size, "TOP"].append((*anchor_recovery(groups, true, P), len(groups) == K))
            given = recover("l2")(X, K)
            recovered[size, "RECOVER"].append((*anchor_recovery(given, true, P), True))
            if size == P // 100:  # the benchmark setting
                by_c0.append(errors_by_c0(bounds, B))
                by_c1.append(anchors_by_c1(bounds, true))
        print(f"data set {trial + 1} of {n_datasets}", file=sys.stderr, flush=True)
    keep_c0(by_c0, n_datasets)
    keep_c1(by_c1, n_datasets)
    keep_anchors(recovered, n_datasets)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
