"""George: Anchor Free Correlated Topic Modelling (report, 2019)."""

from __future__ import annotations

from printed import NOTHING, Item, claims, number, rows, table

TITLE = "003: Anchor Free Correlated Topic Modelling"
SECONDS = {"AnchorFree": 24.23, "Gibbs": 134.32}  # section IV; 1,000 iterations of Gibbs sampling
TOPICS = {  # Table 1, hyphens of the typesetting removed
    "entertainment": "film award best star music game year nomination actor oscar won include festival new actress "
    "band play people number director album tv uk prize",
    "politics": "brown tax govern minister prime howard people plan chancellor lord campaign told new public leader mp "
    "claim conserve",
    "tech": "game mobile people phone music technology service year new digit user firm like player compute make "
    "software microsoft uk broadband device video",
    "business": "year economic growth rate govern bank market economy price companies rise sale firm tax new people "
    "oil spend 2004 month uk dollar figure",
}
LDA_TOPICS = {  # Table 2
    "entertainment": "film number show including top music won UK years British director TV made BBC star US films New "
    "band",
    "politics": "government Labour Blair public people plans election minister party BBC spokesman Howard Brown made "
    "general make prime Lord",
    "tech": "people make technology mobile music games users digital net phone million service game software video "
    "security information work computer",
    "business": "US year company sales market growth chief economic deal economy expected firm business rise oil "
    "figures cut money European",
}


VARIANTS = {  # as the benchmark names them, and what they are
    "default": "tf-idf, balanced; lemmas",
    "term frequency": "term frequency; digits, stems",
    "as 003": "the same, pairs of a word with itself too, all words constrained",
}


def words_of(what: str, about: str) -> list[list[object]]:
    return [
        [row["class"], about, row["paper's words"], row["our words"], row["in both"]]
        for row in rows("anchor_free_bbc_words", what=what)
    ]


def table_1() -> list[str]:
    lines = [line for what, about in VARIANTS.items() for line in words_of(what, about)]
    first = {what: rows("anchor_free_bbc_words", what=what)[0] for what in VARIANTS}
    accuracy = ", ".join(f"{VARIANTS[what]}: {row['ClustAcc']:.1%}" for what, row in first.items())
    seconds = [row["processor seconds"] for row in first.values()]
    found = rows("anchor_free_bbc_words", what="default")
    return [
        table(["class", "ours by", "paper's words", "our fifteen", "in both, by stems"], lines),
        f"Articles in the topic of their class, by k-means of their shares: {accuracy}.\n\n",
        claims(
            [
                (
                    "the four topics are the four classes",
                    f"with the defaults {found[0]['ClustAcc']:.1%} of articles are in theirs",
                    found[0]["ClustAcc"] > 0.9,
                ),
                (
                    f"it takes {SECONDS['AnchorFree']} s",
                    f"{number(min(seconds))} to {number(max(seconds))} s, the counts given",
                    max(seconds) < SECONDS["AnchorFree"],
                ),
            ]
        ),
    ]


def table_2() -> list[str]:
    found = rows("anchor_free_bbc_words", what="LDA")
    default = rows("anchor_free_bbc_words", what="default")[0]
    times = found[0]["processor seconds"] / default["processor seconds"]
    paper = SECONDS["Gibbs"] / SECONDS["AnchorFree"]
    return [
        table(
            ["class", "ours by", "paper's words", "our fifteen", "in both, by stems"],
            words_of("LDA", "tomotopy, 1,000 sweeps; words as they are"),
        ),
        claims(
            [
                (
                    f"Gibbs sampling takes {paper:.1f} times as long as AnchorFree",
                    f"{times:.0f} times ({number(found[0]['processor seconds'])} processor seconds)",
                    times >= 1,
                ),
                (
                    "AnchorFree's topics are better",
                    f"{default['ClustAcc']:.1%} of articles in the topic of their class, "
                    f"by LDA {found[0]['ClustAcc']:.1%}",
                    default["ClustAcc"] > found[0]["ClustAcc"],
                ),
            ]
        ),
    ]


ITEMS = [
    Item("Figure 1", "Latent Dirichlet allocation", why="a diagram", state=NOTHING),
    Item("Figure 2", "Correlated topic modelling", why="a diagram", state=NOTHING),
    Item(
        "Table 1", "Four topics of BBC news in words", ("anchor_free_bbc_words", "anchor_free_bbc"), table_1,
        apart="the paper kept 1,440 articles and does not say which; ours are all 1,714 of the four classes",
    ),
    Item(
        "Table 2", "The same by LDA and Gibbs sampling, 134.32 s", ("anchor_free_bbc_words",), table_2,
        apart="the same articles as in Table 1",
    ),
]  # fmt: skip
