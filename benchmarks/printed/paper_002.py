"""Lee, Cho, Dong, Mimno, Bindel: On-the-Fly Rectification for Robust Large-Vocabulary Topic Inference (ICML 2021)."""

from __future__ import annotations

from printed import LINK, NOTHING, Item, claims, number, rows, table, words_beside

TITLE = "002: On-the-Fly Rectification for Robust Large-Vocabulary Topic Inference"
PROMINENT = [  # Table 1, left
    "neuron cell circuit synaptic layer signal",
    "layer recognition hidden word speech net",
    "control action dynamic optimal policy reinforcement",
    "cell field visual image motion direction",
    "gaussian noise approximation bound hidden matrix",
]
CHARACTERISTIC = [  # Table 1, right
    "neuron synaptic potential cell biological circuit",
    "character samples kanji recognition radical layer",
    "tpdp control states optimal action dynamic",
    "motion cell direction contrast signal region",
    "conditional bound likelihood cem log gaussian",
]
CORPORA = {"nips": "NIPS", "movielens": "Movies", "playlists": "Songs"}
MEASURES = {  # higher is better? None: neither
    "RelativeRecovery": False, "RelativeApproximation": False, "RelativeDominancy": None, "Specificity": True,
    "Dissimilarity": True,
}  # fmt: skip
VISIBLE = 0.05  # relative difference that a figure of this size shows
MANY_TIMES = 10  # "1 to 2 orders of magnitude"


def figure_2() -> list[str]:
    found = {row["method"]: row for row in rows("rectifiers_nips", K=5)}
    grown = [row["log relative volume"] for row in rows("growth")]
    same = {method: found[method]["AP+AW's anchors"] for method in ("ENN+LAW", "LR-JSMF", "PALM+LAW")}
    own = {method: found[method]["Dissimilarity"] for method in ("PALM+LAW", "Baseline")}
    return [
        claims(
            [
                ("ENN finds AP's anchors", f"{same['ENN+LAW']} of 5", same["ENN+LAW"] == 5),
                ("so does LR-JSMF", f"{same['LR-JSMF']} of 5", same["LR-JSMF"] == 5),
                (
                    "PALM is off but better than no rectification",
                    f"{same['PALM+LAW']} of 5 anchors; {number(own['PALM+LAW'])} of 20 leading words are a topic's "
                    f"own, without rectification {number(own['Baseline'])}",
                    own["PALM+LAW"] > own["Baseline"],
                ),
                (
                    "the hull's relative volume grows with the vocabulary",
                    "its logarithm on arXiv: " + ", ".join(number(x) for x in grown),
                    grown == sorted(grown),
                ),
            ]
        )
    ]


def figure_3() -> list[str]:
    parts = []
    for corpus, title in CORPORA.items():
        found = rows(f"rectifiers_{corpus}")
        if not found:
            parts.append(f"{title}: not made yet (`python benchmarks/rectifiers.py {corpus}`).\n")
            continue
        lines = []
        for row in found:
            if row["method"] == "Baseline":
                continue
            ap = next(r for r in found if r["K"] == row["K"] and r["method"] == "AP+AW")
            cells = []
            for measure, more in MEASURES.items():
                if row.get(measure) is None or ap.get(measure) is None:
                    cells.append("–")
                    continue
                change = row[measure] / ap[measure] - 1
                worse = abs(change) > VISIBLE if more is None else (change < -VISIBLE) if more else (change > VISIBLE)
                text = number(row[measure])
                cells.append(f"**{text}**" if worse and row["method"] != "PALM+LAW" else text)
            times = row["times faster than AP+AW"]
            slow = times < MANY_TIMES and row["method"] in ("ENN+LAW", "LR-JSMF")
            cells.append(f"**{times:.1f}**" if slow else f"{times:.1f}")
            lines.append([row["K"], row["method"], *cells])
        parts.append(f"{title} ([more columns]({LINK}/rectifiers_{corpus}.md)):\n\n")
        parts.append(table(["K", "method", *MEASURES, "times faster than AP+AW"], lines))
    parts.append(
        "The paper: ENN and LR-JSMF agree with AP without visible loss, 1 to 2 orders of magnitude faster. Bold: worse "
        f"than AP by more than {VISIBLE:.0%} (another RelativeDominancy), or less than {MANY_TIMES} times as fast.\n"
    )
    return parts


def figure_4() -> list[str]:
    found = rows("growth")
    lines = [
        [row["words"], *(number(row[x]) for x in ("log relative volume", "MST-incoherence", "seconds", "MB peak"))]
        for row in found
    ]
    volume, tree, seconds = ([row[x] for row in found] for x in ("log relative volume", "MST-incoherence", "seconds"))
    words = found[-1]["words"] / found[0]["words"]
    return [
        table(["words", "log relative volume", "MST-incoherence", "seconds", "MB peak"], lines),
        claims(
            [
                ("the relative volume grows with the vocabulary", "it does", volume == sorted(volume)),
                (
                    "MST-incoherence decreases in general",
                    f"from {number(tree[0])} to {number(tree[-1])}, least {number(min(tree))}",
                    tree[-1] < tree[0],
                ),
                (
                    "runtimes are stable",
                    f"{seconds[-1] / seconds[0]:.1f} times as long for {words:.0f} times the words",
                    seconds[-1] < 2 * seconds[0],
                ),
            ]
        ),
    ]


def table_1() -> list[str]:
    lines = [words_beside(row) for row in rows("nips_topics", table="002, Table 1")]
    return [table(["", "paper's words", "ours", "in both"], lines)]


ITEMS = [
    Item("Figure 1", "The framework", why="a diagram", state=NOTHING),
    Item(
        "Figure 2", "NIPS in two dimensions by rectifier; hulls that grow with the vocabulary",
        ("rectifiers_nips", "growth"), figure_2, lacks="growing hulls are of arXiv, as numbers",
    ),
    Item(
        "Figure 3", "Five measures and seconds against K on four corpora: AP, ENN, LR-JSMF, PALM",
        [f"rectifiers_{name}" for name in CORPORA], figure_3,
        lacks="NYTimes is not at hand; NIPS with the present default and RelativeDominancy",
    ),
    Item(
        "Figure 4", "Volume, MST-incoherence and seconds against the vocabulary", ("growth",), figure_4,
        lacks="arXiv at K = 50 stands for the paper's corpora at K = 5 to 100",
    ),
    Item("Table 1", "Five topics of NIPS: prominent and characteristic words, 10,000 words", ("nips_topics",), table_1),
]  # fmt: skip
