"""Fu, Huang, Sidiropoulos, Shi, Hong: Anchor-Free Correlated Topic Modeling (TPAMI 2019)."""

from __future__ import annotations

from typing import Any

from printed import CANNOT, LINK, NOTHING, Item, beside, claims, number, one, rows, table
from printed.tables_000 import CLUST_ACC, COH, SIM_COUNT, SIZES, SYNTHETIC, TABLE_17, WHOLE, WHOLE_SIZES

TITLE = "000: Anchor-Free Correlated Topic Modeling"
METHODS = ("AnchorFree, pds", "AnchorFree, lp", "FastAnchor", "SPA", "SNPA", "XRAY")
ANCHORS = ("FastAnchor", "SPA", "SNPA", "XRAY")
SAID = {  # what the paper says of AnchorFree beside the anchor methods, and the F that it leaves out
    ("tdt2", "Coh"): ("AnchorFree's coherence is the highest at every F", set()),
    ("tdt2", "SimCount"): ("its topics share the fewest words but for F = 20 and 25", {20, 25}),
    ("tdt2", "ClustAcc"): ("its ClustAcc is the highest at every F", set()),
    ("reuters21578", "ClustAcc"): ("AnchorFree's ClustAcc is the highest at every F", set()),
}
FLOOR = ("SPA, anchors in 50", "XRAY, anchors in 50", "ENN, anchors in 50")  # what AnchorFree must be better than
ONE = "one cluster"
DEVIATIONS = (
    "Coherence sums over ordered pairs, as the paper's formula does. k-means of ClustAcc starts from the topics, where "
    "the paper does not say how it starts. Documents' proportions are non-negative least squares on raw frequencies. "
    "In splitting, multipliers and penalty are both updated after each round, where Algorithm 2 updates one of them; "
    '`solver="printed"` is the algorithm as printed.\n\n'
)
CAUSES = {
    "Coh": "Bold: the paper does not say how words of a topic are ranked or which documents count; with ordered pairs, "
    "small draws are of the paper's size, and with many topics ours have rarer leading words.",
    "SimCount": "Bold: every method shares more words here than there, the paper's baselines most, so that the "
    "vocabulary or the weighting must differ; Tables 14 and 16 show a weighting that has the paper's counts.",
    "ClustAcc": "Bold: a few huge categories are split where categories are uneven (`Balanced(power=0.75)` keeps them "
    "together), and draws of categories differ from the paper's.",
}
GIBBS = "our LDA: a Gibbs sampler for each draw; LDA on whole corpora is on the page of [the peers](side-by-side.md)"
NO_RCV1 = "RCV1 (550,410 documents) is not at hand"


def synthetic(test: int) -> Any:
    def body() -> list[str]:
        sizes = sorted({row["F"] for row in rows("anchor_free_synthetic", test=test)})
        lines = []
        for method in (*ANCHORS, "AnchorFree, lp", "AnchorFree, pds"):
            paper = SYNTHETIC[test]["anchors" if method in ANCHORS else "AnchorFree"]
            ours = [one("anchor_free_synthetic", test=test, F=F, method=method)["recovered, %"] for F in sizes]
            # the anchor methods are what should fail: only AnchorFree can fall short
            good = None if method in ANCHORS else True
            lines.append(
                [
                    method,
                    *(
                        beside(p, o, more_is_better=True, digits=0) if good else f"{p} / {number(o, 0)}"
                        for p, o in zip(paper, ours, strict=True)
                    ),
                ]
            )
        return [table(["paper / here, %", *(f"F = {F}" for F in sizes)], lines)]

    return body


def figure_2() -> list[str]:
    found = rows("anchor_free_synthetic")
    seconds = {(row["test"], row["F"], row["method"]): row["seconds a trial"] for row in found}
    settings = sorted({(test, F) for test, F, _ in seconds})
    lines = [
        [test, F, *(number(seconds[test, F, m]) for m in ("AnchorFree, pds", "AnchorFree, lp", "SPA", "XRAY"))]
        for test, F in settings
    ]
    fastest = sum(all(seconds[(*s, METHODS[0])] <= seconds[(*s, m)] for m in (*ANCHORS, METHODS[1])) for s in settings)
    slowest = sum(all(seconds[(*s, METHODS[1])] >= seconds[(*s, m)] for m in (*ANCHORS, METHODS[0])) for s in settings)
    return [
        table(["test", "F", "AnchorFree, pds, s", "AnchorFree, lp, s", "SPA, s", "XRAY, s"], lines),
        claims(
            [
                (
                    "splitting is much faster than the others, SPA included",
                    f"the fastest in {fastest} of {len(settings)} settings: our anchor methods are compiled",
                    fastest == len(settings),
                ),
                ("AnchorFree-LP is the slowest", f"in {slowest} of {len(settings)}", slowest >= len(settings) - 1),
            ]
        ),
    ]


def figure_3() -> list[str]:
    error = {
        (row["test"], row["F"], row["method"]): row["largest squared error"] for row in rows("anchor_free_synthetic")
    }
    settings = sorted({(test, F) for test, F, _ in error})
    better = sum(error[(*s, "AnchorFree, lp")] < error[(*s, "AnchorFree, pds")] for s in settings)
    worst = {m: max(error[(*s, m)] for s in settings) for m in ("AnchorFree, lp", "AnchorFree, pds")}
    return [
        claims(
            [
                (
                    "errors of both are below the 1e-8 that counts as recovered",
                    f"at most {worst['AnchorFree, lp']:.1e} (lp) and {worst['AnchorFree, pds']:.1e} (pds)",
                    max(worst.values()) < 1e-8,
                ),
                (
                    "the linear programs are more accurate than splitting",
                    f"in {better} of {len(settings)} settings",
                    better == len(settings),
                ),
            ]
        )
    ]


def draws(corpus: str, measure: str) -> Any:
    def body() -> list[str]:
        paper = {"Coh": COH, "SimCount": SIM_COUNT, "ClustAcc": CLUST_ACC}[measure][corpus]
        by = {(row["F"], row["method"]): row for row in rows(f"anchor_free_corpora_{corpus}")}
        lines = []
        for i, F in enumerate(SIZES):
            cells = []
            for method in (*METHODS, "LDA"):
                row = by.get((F, method))
                printed, ours = paper[method][i], None if row is None else row[measure]
                digits = 1 if measure == "Coh" else 2
                if method in METHODS[:2]:
                    cells.append(beside(printed, ours, more_is_better=measure != "SimCount", digits=digits))
                else:  # what AnchorFree is compared with
                    cells.append(f"{number(printed, digits)} / {number(ours, digits)}")
            lines.append([F, *cells])
        head = [DEVIATIONS] if measure == "Coh" else []
        parts = [*head, table(["paper / here, F", *METHODS, "LDA"], lines)]
        if any("**" in cell for line in lines for cell in line[1:]):
            parts.append(CAUSES[measure] + "\n\n")
        parts += floors(by, measure)
        if (corpus, measure) in SAID:
            text, but = SAID[corpus, measure]
            for others, among in ((ANCHORS, "the paper's baselines"), (FLOOR, "baselines with a floor for anchors")):
                made = [F for F in SIZES if any((F, m) in by for m in others)]
                best = [F for F in made if leads(by, F, measure, others)]
                found = f"among {among}: at {len(best)} of {len(made)} F"
                parts.append(claims([(text, found, set(made) - set(best) <= but)]))
        return parts

    return body


def leads(by: dict[Any, Any], F: int, measure: str, others: Any) -> bool:
    sign = -1 if measure == "SimCount" else 1
    ours = sign * by[F, "AnchorFree, pds"][measure]
    return all(ours >= sign * by[F, m][measure] for m in others if (F, m) in by)


def floors(by: dict[Any, Any], measure: str) -> list[str]:
    """Baselines whose anchors are in 50 documents or more, beside AnchorFree; of clusters also NMI, and one cluster."""
    methods = ("AnchorFree, pds", "AnchorFree, pds, degree^¾", *FLOOR)
    made = [F for F in SIZES if (F, FLOOR[0]) in by]
    if not made:
        return []
    digits = {"Coh": 1, "SimCount": 1, "ClustAcc": 2}[measure]
    columns, lines = ["here, F", "draws", *methods], []
    for F in made:
        found = [by[F, m] for m in methods]
        line = [F, found[2]["draws"], *(number(row[measure], digits) for row in found)]
        if measure == "ClustAcc":
            line[2:] = [f"{number(row[measure], 2)} ({number(row['NMI'], 2)})" for row in found]
            line.append(number(by[F, ONE][measure], 2))
        lines.append(line)
    if measure == "ClustAcc":
        columns.append(ONE)
    about = "Anchors in 50 documents or more (5 % of small draws)"
    nmi = (
        ", and NMI in parentheses; the last column puts all documents into one cluster" if measure == "ClustAcc" else ""
    )
    return [f"{about}{nmi}:\n\n" + table(columns, lines)]


def figure_4() -> list[str]:
    parts = []
    for corpus, title in (("tdt2", "TDT2"), ("reuters21578", "Reuters-21578")):
        by = {(row["F"], row["method"]): row["seconds"] for row in rows(f"anchor_free_corpora_{corpus}")}
        made = [F for F in SIZES if (F, METHODS[0]) in by]
        lines = [[F, *(number(by.get((F, m)), None) for m in METHODS)] for F in made]
        second = [F for F in made if sum(by[F, m] < by[F, METHODS[0]] for m in ANCHORS) <= 1]
        parts.append(f"{title}, seconds:\n\n" + table(["F", *METHODS], lines))
        found = [("splitting is the fastest or second to SPA in almost all cases",
                  f"at {len(second)} of {len(made)} F", len(second) >= len(made) - 2)]  # fmt: skip
        if corpus == "tdt2":
            slow = ("FastAnchor", "SNPA", "XRAY")
            ratio = [min(by[F, m] for m in slow) / by[F, METHODS[0]] for F in made]
            text = f"{min(ratio):.1f} to {max(ratio):.1f} times faster than the fastest of FastAnchor, SNPA and XRAY"
            found.append(("an order faster than the three slower anchor methods", text, min(ratio) >= 10))
        parts.append(claims(found))
    return parts


def whole(corpus: str, measure: str) -> Any:
    def body() -> list[str]:
        digits, more = (1, True) if measure == "Coh" else (0, False)
        lines: list[Any] = []
        norms: list[Any] = []
        for i, F in enumerate(WHOLE_SIZES):
            ours = rows(f"anchor_free_whole_{corpus}", F=F)
            free = next((row for row in ours if row["method"].startswith("AnchorFree")), None)
            spa = next((row for row in ours if row["method"] == "SPA"), None)
            printed = WHOLE[corpus][measure]
            lines.append(
                [
                    F,
                    beside(printed["AnchorFree"][i], free and free[measure], more_is_better=more, digits=digits),
                    f"{number(printed['SPA'][i], digits)} / {number(spa and spa[measure], digits)}",
                    free["method"].removeprefix("AnchorFree, pds").lstrip(", ") or "–" if free else "–",
                ]
            )
            even = next((row for row in ours if row["method"].endswith("words of norm 1")), None)
            if even is not None:
                cell = beside(printed["AnchorFree"][i], even[measure], more_is_better=more, digits=digits)
                norms.append([F, cell, number(even["documents of a word"], 0), number(free["documents of a word"], 0)])
        columns = ["F", "words of norm 1, paper / here", "documents of a leading word", "of the default's"]
        return [
            table(["paper / here, F", "AnchorFree, pds", "SPA", "options"], lines),
            "Words in 1 % of the documents are constrained, and words keep their norms. With every word of tf-idf "
            "scaled to unit norm, documents as they are and all words constrained (`Balanced(power=0, word_power=1)`, "
            "`min_constraint_documents=0`) counts are of the paper's size. The median "
            "leading word is then in a handful of documents: topics are small groups of rare words, which share few "
            "because they are many, and the low counts say nothing of the corpus' themes.\n\n",
            table(columns, norms),
        ]

    return body


def table_17() -> list[str]:
    lines = []
    for i, F in enumerate(SIZES):
        row = one("anchor_free_corpora_tdt2_counts", F=F, method="AnchorFree, pds")
        lines.append(
            [
                F,
                beside(TABLE_17["Coh"][i], row["Coh"] if "NMI" in row else None, more_is_better=True, digits=1),
                beside(TABLE_17["SimCount"][i], row["SimCount"], more_is_better=False, digits=2),
                beside(TABLE_17["ClustAcc"]["AnchorFree, pds"][i], row["ClustAcc"], more_is_better=True, digits=2),
            ]
        )
    tfidf = {row["F"]: row["ClustAcc"] for row in rows("anchor_free_corpora_tdt2", method="AnchorFree, pds")}
    made = [F for F in SIZES if F in tfidf]
    worse = sum(
        one("anchor_free_corpora_tdt2_counts", F=F, method="AnchorFree, pds")["ClustAcc"] < tfidf[F] for F in made
    )
    return [
        table(["paper / here, F", "Coh", "SimCount", "ClustAcc"], lines),
        claims([("plain counts do worse than tf-idf", f"at {worse} of {len(made)} F", worse == len(made))]),
    ]


def not_again(corpus: str) -> str:
    """The F that have not been run since anchors have floors."""
    again = {row["F"] for row in rows(f"anchor_free_corpora_{corpus}") if "NMI" in row}
    left = [str(F) for F in SIZES if F not in again]
    draws = max((row["draws"] for row in rows(f"anchor_free_corpora_{corpus}")), default=0)
    text = f"; {draws} draws instead of 50" if draws < 50 else ""
    return text + (f"; F = {', '.join(left)} with floors and ordered pairs" if left else "")


def _draws(first: int, corpus: str, title: str) -> list[Item]:
    result = (f"anchor_free_corpora_{corpus}",)
    return [
        Item(
            f"Table {first + i}",
            f"{measure} on {title}, draws of F categories",
            result,
            draws(corpus, measure),
            lacks=(GIBBS if i == 0 else "our LDA, as above") + not_again(corpus),
        )
        for i, measure in enumerate(("Coh", "SimCount", "ClustAcc"))
    ]


ITEMS = [
    Item(
        "Table 1", "Five topics of TDT2 in words, FastAnchor and AnchorFree", state=CANNOT,
        why="the TDT2 at hand has no list of words",
    ),
    Item("Figure 1", "Rows of C and cones in three dimensions", why="a diagram", state=NOTHING),
    Item("Table 2", "Planted topics recovered, no anchors", ("anchor_free_synthetic",), synthetic(1)),
    Item("Table 3", "Planted topics recovered, at most 15 with anchors", ("anchor_free_synthetic",), synthetic(2)),
    Item("Figure 2", "Seconds on planted topics", ("anchor_free_synthetic",), figure_2),
    Item("Figure 3", "Errors of the two solvers on planted topics", ("anchor_free_synthetic",), figure_3),
    *_draws(4, "tdt2", "TDT2"),
    *_draws(7, "reuters21578", "Reuters-21578"),
    *(
        Item(f"Table {i}", f"{measure} on RCV1", why=NO_RCV1, state=CANNOT)
        for i, measure in ((10, "Coh"), (11, "SimCount"), (12, "ClustAcc"))
    ),
    Item(
        "Figure 4", "Seconds on TDT2, Reuters-21578 and RCV1",
        ("anchor_free_corpora_tdt2", "anchor_free_corpora_reuters21578"), figure_4, lacks=NO_RCV1,
    ),
    *(
        Item(
            f"Table {i}", f"{measure} on the whole of {title}, F = 10 to 200", (f"anchor_free_whole_{corpus}",),
            whole(corpus, measure), lacks="baselines but SPA; with ordered pairs, F = 200, and 100 of TDT2",
        )
        for i, measure, corpus, title in (
            (13, "Coh", "tdt2", "TDT2"), (14, "SimCount", "tdt2", "TDT2"),
            (15, "Coh", "reuters21578", "Reuters-21578"), (16, "SimCount", "reuters21578", "Reuters-21578"),
        )
    ),
    Item(
        "Table 17", "TDT2 from plain counts", ("anchor_free_corpora_tdt2_counts",), table_17,
        lacks="coherence over ordered pairs; 12 draws of AnchorFree, 3 of others "
        f"([their rows]({LINK}/anchor_free_corpora_tdt2_counts.md))",
    ),
]  # fmt: skip
