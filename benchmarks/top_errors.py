"""004's Figures 3 and 4: errors and seconds of TOP and RECOVER, with one number of the benchmark setting varied.

python benchmarks/top_errors.py [n_datasets] [name]     # name: of the results, such as `seconds` for a run of its own
"""

import sys
import warnings

import numpy as np

from common import keep
from top_common import BENCHMARK, draw, interleaved, measure, recover, summary, top

METHODS = {"TOP10": top(10), "TOP1": top(1), "RecoverL2": recover("l2"), "RecoverKL": recover("kl")}
PANELS = {
    "N": (500, 1000, 1500, 2000, 2500),
    "n": (500, 1000, 1500, 2000, 2500),
    "p": (500, 800, 1000, 1200, 1500),
    "K": (20, 25, 30, 35, 40),
    "|I_k|": (2, 4, 6, 8, 10),
}


def setting(panel, value):
    """All five numbers of a point of a panel, so that points of two panels that are the same are known to be."""
    numbers = {**BENCHMARK, panel: value}
    numbers.setdefault("|I_k|", numbers["p"] // 100)
    return tuple(numbers[name] for name in PANELS)


def run(n_datasets):
    """(seconds, K̂, L1/K, L1,∞) of every data set for each setting and method."""
    settings = list(dict.fromkeys(setting(panel, value) for panel in PANELS for value in PANELS[panel]))
    found = {(s, method): [] for s in settings for method in METHODS}
    X, B, _ = draw(n_datasets)
    for fit in METHODS.values():
        measure(fit, X, B)  # compile before the clock starts
    for trial in range(n_datasets):
        for s in settings:
            numbers = dict(zip(PANELS, s, strict=True))
            X, B, _ = draw(trial, **numbers)
            for method, fit in interleaved(METHODS, trial):
                found[s, method].append(measure(fit, X, B))
            print(f"data set {trial + 1} of {n_datasets}, {numbers}", file=sys.stderr, flush=True)
    return found


def verdict(panel, points):
    """What the paper says of its panels, of this one; points are (value, method -> (error, seconds))."""
    total, least, fastest, above = len(points), 0, 0, []
    for value, at in points:
        errors = {method: np.inf if error is None else error for method, (error, _) in at.items()}
        seconds = {method: s for method, (_, s) in at.items()}
        least += min(errors, key=errors.get) == "TOP10"
        fastest += min(seconds, key=seconds.get) == "TOP1"
        if errors["TOP1"] >= min(errors["RecoverL2"], errors["RecoverKL"]):
            above.append(f"{value}")
    better = "everywhere" if not above else f"except at {', '.join(above)}"
    return (
        f"- {panel.strip('|')}: TOP10 has the smallest error at {least} of {total} values; TOP1 is the fastest at "
        f"{fastest} of {total}, and more accurate than RecoverL2 and RecoverKL {better}."
    )


def main(n_datasets: int = 50, name: str = "") -> None:
    warnings.simplefilter("ignore")  # what TOP warns of, one topic, is in the table
    found = run(n_datasets)
    rows, verdicts = [], []
    for panel, values in PANELS.items():
        points = []
        for value in values:
            at = {}
            for method in METHODS:
                fits = found[setting(panel, value), method]
                seconds, topics, l1, l1inf = zip(*fits, strict=True)
                K = value if panel == "K" else BENCHMARK["K"]
                right = round(100 * np.mean([k == K for k in topics]), 1) if "TOP" in method else "told"
                error, time = summary(np.mean, l1), float(np.median(seconds))
                at[method] = (error, time)
                varied = panel.strip("|")  # a bar ends a cell
                rows.append([varied, value, method, error, summary(np.std, l1), summary(np.mean, l1inf), right, time])
            points.append((value, at))
        verdicts.append(verdict(panel, points))
    columns = ["varied", "value", "method", "L1/K", "its standard deviation", "L1,∞", "K̂ = K, %", "seconds"]
    notes = (
        f"{n_datasets} data sets a point: N = n = 1,500, p = 1,000, K = 30, |I_k| = p/100 and ξ = 1/p, but for what is "
        "varied. Errors are means over the data sets with K topics or more, matched with the best K of them; seconds "
        "are medians, from counts to topics. RecoverL2 and RecoverKL are told K.\n\n" + "\n".join(verdicts)
    )
    keep("top_errors", columns, rows, notes, argument=name)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])
