"""000's Tables 4 to 9 and 17 and Figure 4: draws of F categories, whose results are kept draw by draw.

Methods that take longer have fewer draws. Wherever two methods are compared, it is over draws that both have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from common import RESULTS
from printed import beside, claims, number, table
from printed.tables_000 import CLUST_ACC, COH, SIM_COUNT, SIZES, TABLE_17

PDS, LDA, ONE = "AnchorFree, pds", "LDA", "one cluster"
METHODS = (PDS, "AnchorFree, lp", "FastAnchor", "SPA", "SNPA", "XRAY")
ANCHORS = ("FastAnchor", "SPA", "SNPA", "XRAY")
FLOOR = ("SPA, anchors in 50", "XRAY, anchors in 50", "ENN, anchors in 50")  # what AnchorFree must be better than
PLACES = {"ClustAcc": 0, "NMI": 1, "Coh": 2, "SimCount": 3, "seconds": 4}
DIGITS = {"ClustAcc": 2, "NMI": 2, "Coh": 1, "SimCount": 2}
PAPER_DRAWS = 50
SAID = {  # what the paper says of AnchorFree beside the anchor methods, and the F that it leaves out
    ("tdt2", "Coh"): ("AnchorFree's coherence is the highest at every F", set()),
    ("tdt2", "SimCount"): ("its topics share the fewest words but for F = 20 and 25", {20, 25}),
    ("tdt2", "ClustAcc"): ("its ClustAcc is the highest at every F", set()),
    ("reuters21578", "ClustAcc"): ("AnchorFree's ClustAcc is the highest at every F", set()),
}
DEVIATIONS = (
    "Coherence sums over ordered pairs, as the paper's formula does. k-means of ClustAcc starts from the topics, where "
    "the paper does not say how it starts. Documents' proportions are non-negative least squares on raw frequencies. "
    "In splitting, multipliers and penalty are both updated after each round, where Algorithm 2 updates one of them; "
    '`solver="printed"` is the algorithm as printed.\n\n'
)


@cache
def drawn(corpus: str) -> dict[int, list[dict[str, list[float]]]]:
    """The measures of methods in every draw, by F."""
    path = RESULTS / f"anchor_free_draws_{corpus}.jsonl"
    found: dict[int, list[dict[str, list[float]]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        cell = json.loads(line)
        found.setdefault(cell["F"], []).append(cell["measures"])
    return found


def means(corpus: str, F: int, methods: Sequence[str], measure: str) -> tuple[int, list[float | None]]:
    """How many draws have all of these methods, and each method's mean over them."""
    both = [cell for cell in drawn(corpus).get(F, []) if all(method in cell for method in methods)]
    if not both:
        return 0, [None] * len(methods)
    return len(both), [float(np.mean([cell[method][PLACES[measure]] for cell in both])) for method in methods]


def mean(corpus: str, F: int, method: str, measure: str) -> float | None:
    return means(corpus, F, [method], measure)[1][0]


def draws_of(corpus: str, method: str) -> int:
    """The least number of draws over the F."""
    return min(means(corpus, F, [method], "ClustAcc")[0] for F in SIZES)


def lacking(corpus: str, methods: Sequence[str] = (*METHODS, LDA)) -> str:
    """Which of the paper's methods have fewer draws than there."""
    fewer: dict[int, list[str]] = {}
    for method in methods:
        if draws_of(corpus, method) < PAPER_DRAWS:
            fewer.setdefault(draws_of(corpus, method), []).append(method)
    parts = []
    for n, names in fewer.items():
        whose = "" if len(names) > 2 else f" of {' and '.join(names)}"
        parts.append(f"{n or 'no'} draw{'s' * (n != 1)}{whose} instead of {PAPER_DRAWS}")
    return "; ".join(parts)


def leads(corpus: str, F: int, measure: str, others: Sequence[str]) -> bool | None:
    """Whether AnchorFree is at least as good as each of the others over the draws that it shares with it."""
    sign, verdicts = -1 if measure == "SimCount" else 1, []
    for other in others:
        n, (ours, theirs) = means(corpus, F, [PDS, other], measure)
        if n and ours is not None and theirs is not None:
            verdicts.append(sign * ours >= sign * theirs)
    return all(verdicts) if verdicts else None


def against(corpus: str, measure: str, paper: dict[str, tuple[float, ...]], methods: Sequence[str]) -> str:
    """`paper / here` for each F and method; only AnchorFree can fall short, the others are what it is compared with."""
    lines = []
    for i, F in enumerate(SIZES):
        cells = []
        for method in methods:
            ours, digits = mean(corpus, F, method, measure), DIGITS[measure]
            if method.startswith("AnchorFree"):
                more = measure != "SimCount"
                cells.append(beside(paper[method][i], ours, more_is_better=more, digits=digits))
            else:
                cells.append(f"{number(paper[method][i], digits)} / {number(ours, digits)}")
        if measure == "ClustAcc":
            cells.append(number(standard_error(corpus, F), 3))
        lines.append([F, *cells])
    columns = [f"{method} ({draws_of(corpus, method)} draws)" for method in methods]
    return table(["paper / here, F", *columns, *(["± of ours"] if measure == "ClustAcc" else [])], lines)


def standard_error(corpus: str, F: int) -> float | None:
    """Of the mean ClustAcc of AnchorFree over draws."""
    values = [cell[PDS][0] for cell in drawn(corpus).get(F, []) if PDS in cell]
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


def draws(corpus: str, measure: str) -> Callable[[], list[str]]:
    def body() -> list[str]:
        paper = {"Coh": COH, "SimCount": SIM_COUNT, "ClustAcc": CLUST_ACC}[measure][corpus]
        head = [DEVIATIONS] if measure == "Coh" else []
        parts = [*head, against(corpus, measure, paper, (*METHODS, LDA)), *floors(corpus, measure)]
        if measure == "ClustAcc":
            shown = (*METHODS, LDA)
            lines = [[F, *(number(mean(corpus, F, method, "NMI"), 2) for method in shown)] for F in SIZES]
            parts.append("NMI of the same clusters:\n\n" + table(["here, F", *shown], lines))
        if (corpus, measure) in SAID:
            text, but = SAID[corpus, measure]
            found = []
            for others, among in (
                (ANCHORS, "the paper's anchor methods"),
                ((LDA,), "and LDA, over its draws"),
                (FLOOR, "baselines with a floor for anchors"),
            ):
                verdicts = {F: leads(corpus, F, measure, others) for F in SIZES}
                made = [F for F in SIZES if verdicts[F] is not None]
                best = [F for F in made if verdicts[F]]
                if made:
                    sentence = f"among {among}: at {len(best)} of {len(made)} F"
                    found.append((text, sentence.replace("among and", "beside"), set(made) - set(best) <= but))
            parts.append(claims(found))
        return parts

    return body


def floors(corpus: str, measure: str) -> list[str]:
    """Baselines whose anchors are in 50 documents or more, beside AnchorFree, over the draws that all of them have."""
    methods = (PDS, "AnchorFree, pds, degree^¾", *FLOOR)
    columns, lines = ["here, F", "draws", *methods], []
    for F in SIZES:
        n, values = means(corpus, F, methods, measure)
        if not n:
            continue
        line = [F, n, *(number(x, min(DIGITS[measure], 2)) for x in values)]
        if measure == "ClustAcc":
            nmi = means(corpus, F, methods, "NMI")[1]
            line[2:] = [f"{number(x, 2)} ({number(y, 2)})" for x, y in zip(values, nmi, strict=True)]
            line.append(number(means(corpus, F, [*methods, ONE], measure)[1][-1], 2))
        lines.append(line)
    if not lines:
        return []
    about = "Anchors in 50 documents or more (5 % of small draws), over the draws that all have"
    if measure == "ClustAcc":
        columns.append(ONE)
        about += ", with NMI in parentheses; the last column puts all documents into one cluster"
    return [f"{about}:\n\n" + table(columns, lines)]


def figure_4() -> list[str]:
    parts = ["Processor seconds of one thread, so that what else the machine did does not count.\n\n"]
    for corpus, title in (("tdt2", "TDT2"), ("reuters21578", "Reuters-21578")):
        by = {(F, m): mean(corpus, F, m, "seconds") for F in SIZES for m in (*METHODS, LDA)}
        made = [F for F in SIZES if all(by[F, m] is not None for m in METHODS)]
        lines = [[F, *(number(by[F, m]) for m in (*METHODS, LDA))] for F in made]
        second = [F for F in made if sum(by[F, m] < by[F, PDS] for m in ANCHORS) <= 1]
        parts.append(f"{title}:\n\n" + table(["F", *METHODS, LDA], lines))
        found = [("splitting is the fastest or second to SPA in almost all cases",
                  f"at {len(second)} of {len(made)} F", len(second) >= len(made) - 2)]  # fmt: skip
        if corpus == "tdt2" and made:
            slow = ("FastAnchor", "SNPA", "XRAY")
            ratio = [min(by[F, m] for m in slow) / by[F, PDS] for F in made]
            text = f"{min(ratio):.1f} to {max(ratio):.1f} times as fast as the fastest of FastAnchor, SNPA and XRAY"
            found.append(("an order faster than the three slower anchor methods", text, min(ratio) >= 10))
        parts.append(claims(found))
    return parts


def plain_and_weighted(F: int) -> list[float]:
    """How much higher plain counts' ClustAcc on TDT2 is, in each draw of both; a draw is the same categories."""
    both = zip(drawn("tdt2").get(F, []), drawn("tdt2_counts").get(F, []), strict=False)
    return [plain[PDS][0] - weighted[PDS][0] for weighted, plain in both]


def table_17() -> list[str]:
    corpus, methods = "tdt2_counts", (PDS, *ANCHORS)
    parts = []
    for measure, paper in TABLE_17.items():
        parts.append(f"{measure}:\n\n" + against(corpus, measure, paper, methods))
    made = [F for F in SIZES if mean(corpus, F, PDS, "ClustAcc") is not None]
    best = [F for F in made if leads(corpus, F, "ClustAcc", ANCHORS)]
    higher = {F: plain_and_weighted(F) for F in made}
    worse = [F for F in made if sum(higher[F]) < 0]
    shared = min(map(len, higher.values()), default=0)
    found = [
        ("AnchorFree's ClustAcc is the highest", f"at {len(best)} of {len(made)} F", best == made),
        (
            "plain counts do worse than tf-idf",
            f"at {len(worse)} of {len(made)} F, over the {shared} draws that both have",
            worse == made,
        ),
    ]
    return [*parts, claims(found)]
