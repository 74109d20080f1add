"""George: Anchor Free Correlated Topic Modelling (report, 2019)."""

from __future__ import annotations

import re

from common import RESULTS
from printed import NOT_YET, NOTHING, Item, claims, number, one, table

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


def ours() -> dict[str, list[str]]:
    """The words of our topics by class, which the results keep in their notes."""
    text = (RESULTS / "anchor_free_bbc.md").read_text(encoding="utf-8")
    return {name: words.split() for name, words in re.findall(r"^- (\w+): (.*)$", text, flags=re.MULTILINE)}


def table_1() -> list[str]:
    found, lines = ours(), []
    for name, words in TOPICS.items():
        common = [word for word in found.get(name, []) if word in words.split()]
        lines.append([name, words, " ".join(found.get(name, ["–"])), len(common)])
    default = one("anchor_free_bbc", solver="pds", min_constraint_documents=0.01)
    seconds = default["seconds"]
    classes = f"{len(found)} topics, each mostly of another class; {default['ClustAcc']:.1%} of articles in theirs"
    return [
        table(["class", "paper's words", "our fifteen", "in both"], lines),
        claims(
            [
                ("the four topics are the four classes", classes, set(found) == set(TOPICS)),
                (
                    f"it takes {SECONDS['AnchorFree']} s",
                    f"{number(seconds)} s, the counts given",
                    seconds < SECONDS["AnchorFree"],
                ),
            ]
        ),
    ]


ITEMS = [
    Item("Figure 1", "Latent Dirichlet allocation", why="a diagram", state=NOTHING),
    Item("Figure 2", "Correlated topic modelling", why="a diagram", state=NOTHING),
    Item(
        "Table 1", "Four topics of BBC news in words", ("anchor_free_bbc",), table_1,
        lacks="the paper kept 1,440 articles and does not say which; ours are all of the four classes, with lemmas "
        "instead of its stems",
    ),
    Item(
        "Table 2", "The same by LDA and Gibbs sampling, 134.32 s", state=NOT_YET,
        why="no Gibbs sampler here; tomotopy's LDA on all five classes is on the page of [the peers](side-by-side.md)",
    ),
]  # fmt: skip
