"""Lee, Bindel, Mimno: Robust Spectral Inference for Joint Stochastic Matrix Factorization (NIPS 2015)."""

from __future__ import annotations

from printed import CANNOT, LINK, NOTHING, Item, claims, number, one, rows, table, words_beside

TITLE = "001: Robust Spectral Inference for Joint Stochastic Matrix Factorization"
NIPS_DOCUMENTS = 1348
STATISTICS = {  # Table 2: M, N, mean length
    "NIPS": (1348, 5000, 380.5),
    "NYTimes": (269325, 15000, 204.9),
    "Movies": (63041, 10000, 142.8),
    "Songs": (14653, 10000, 119.2),
}
TOPICS = {  # Table 3
    "Baseline": [
        "neuron layer hidden recognition signal cell noise",
        "neuron layer hidden cell signal representation noise",
        "neuron layer cell hidden signal noise dynamic",
        "neuron layer cell hidden control signal noise",
        "neuron layer hidden cell signal recognition noise",
    ],
    "AP": [
        "neuron circuit cell synaptic signal layer activity",
        "control action dynamic optimal policy controller reinforcement",
        "recognition layer hidden word speech image net",
        "cell field visual direction image motion object orientation",
        "gaussian noise hidden approximation matrix bound examples",
    ],
}
CORPORA = {"nips": "NIPS", "movielens": "Movies", "playlists": "Songs"}
MEASURES = {"Recovery": 4, "Approximation": 5, "Dominancy": 3, "Specificity": 3, "Dissimilarity": 2, "Coherence": 1}


def statistics() -> list[str]:
    lines = []
    for row in rows("corpora_statistics"):
        values = list(row.values())
        lines.append([values[0], *(f"{number(p)} / {number(o)}" for p, o in zip(values[1:4], values[4:], strict=True))])
    return [table(["paper / here", "M", "N", "mean length"], lines)]


def figure_1() -> list[str]:
    without, with_ap = (
        one("rectifiers_nips", K=5, method=method)["RelativeRecovery"] for method in ("Baseline", "AP+AW")
    )
    said = "rectified anchors cover the words better, in the space before rectification too"
    text = (
        f"distance of words to their hull there, RelativeRecovery: {number(without)} without, {number(with_ap)} with AP"
    )
    return [f"![words and anchors]({LINK}/nips_topics.svg)\n", claims([(said, text, with_ap < without)])]


def figure_3() -> list[str]:
    found = {row["rectifier"]: row for row in rows("rectification", K=5)}
    none, ap = found["none"], found["ap (default)"]
    return [
        claims(
            [
                (
                    "without rectification the correlations do not sum to one",
                    f"they sum to {number(none['ΣA'])}",
                    abs(none["ΣA"] - 1) > 0.05,
                ),
                (
                    "after rectification they are a joint distribution: no negative entry, sum one",
                    f"least entry {number(ap['min A'])}, sum {number(ap['ΣA'])}",
                    ap["min A"] >= 0 and abs(ap["ΣA"] - 1) < 0.01,
                ),
                (
                    "and positive semidefinite",
                    f"least eigenvalue {number(ap['λmin(A)'])}",
                    ap["λmin(A)"] >= -1e-12,
                ),
            ]
        )
    ]


def table_3() -> list[str]:
    lines = [words_beside(row) for row in rows("nips_topics", table="001, Table 3")]
    found = {row["rectifier"]: row["dissimilarity"] for row in rows("rectification", K=5)}
    said = "without rectification the five topics repeat the same words; with AP they are themes"
    own = found["none"], found["ap (default)"]
    text = f"{number(own[0])} and {number(own[1])} of 20 leading words are a topic's own"
    return [
        table(["", "paper's words", "ours", "in both"], lines),
        claims([(said, text, own[1] > 2 * own[0])]),
    ]


def figure_4() -> list[str]:
    parts = []
    for corpus, title in CORPORA.items():
        found = rows(f"rectification_quality_{corpus}")
        if not found:
            parts.append(f"{title}: not made yet (`python benchmarks/rectification_quality.py {corpus}`).\n")
            continue
        by = {(row["K"], row["method"]): row for row in found}
        topics = sorted({k for k, _ in by})
        shown = [k for k in topics if k in (5, 25, 50, 100)]
        lines = [
            [k, m, *(number(by[k, m][x], d) for x, d in MEASURES.items())]
            for k in shown
            for m in ("Baseline", "DC", "AP")
        ]
        parts.append(f"{title} ([all K]({LINK}/rectification_quality_{corpus}.md)):\n\n")
        parts.append(table(["K", "method", *MEASURES], lines))

        def said(text: str, measure: str, sign: int, than: str, almost: int = 0, by=by, topics=topics):
            good = [k for k in topics if sign * by[k, "AP"][measure] > sign * by[k, than][measure]]
            return text, f"at {len(good)} of {len(topics)} K", len(good) >= len(topics) - almost

        undefined = [k for k in topics if by[k, "AP"]["Dominancy"] is None]
        parts.append(
            claims(
                [
                    said("AP reduces Recovery error in almost all cases", "Recovery", -1, "Baseline", 1),
                    said("and is more effective than DC", "Recovery", -1, "DC", 1),
                    said("AP's Approximation error is below the Baseline's", "Approximation", -1, "Baseline"),
                    said("AP's topics are more specific than the Baseline's", "Specificity", 1, "Baseline"),
                    said("and share fewer leading words", "Dissimilarity", 1, "Baseline"),
                    (
                        "AP's Dominancy is defined at every K",
                        f"not at {', '.join(map(str, undefined))}" if undefined else "it is",
                        not undefined,
                    ),
                ]
            )
        )
    return parts


ITEMS = [
    Item("Figure 1", "NIPS in two dimensions with the hulls of anchors, K = 5", ("nips_topics",), figure_1),
    Item("Table 1", "Fields to which the factorisation applies", why="a list, no measurement", state=NOTHING),
    Item("Figure 2", "The event space of the model", why="a diagram", state=NOTHING),
    Item(
        "Table 2", "Sizes of four corpora", ("corpora_statistics",), statistics,
        lacks="NYTimes is not at hand, movies are those of MovieLens 100K and not 10M, playlists are shorter",
    ),
    Item("Figure 3", "Topic correlations of NIPS, K = 5, before and after", ("rectification",), figure_3),
    Item("Table 3", "Five topics of NIPS in words", ("nips_topics",), table_3, lacks="the topics of a Gibbs sampler"),
    Item(
        "Figure 4", "Six measures against K on four corpora, Baseline, DC, AP and Gibbs",
        [f"rectification_quality_{name}" for name in CORPORA], figure_4,
        lacks="NYTimes is not at hand, NIPS goes to K = 50; no Gibbs sampler (LDA: see [the peers](side-by-side.md))",
    ),
    Item("Appendix", "Semi-synthetic data, rates of convergence", why="the appendix is not at hand", state=CANNOT),
]  # fmt: skip
