"""001's Table 3 and Figure 1, 002's Table 1: five topics of NIPS in words, beside the papers' words.

    python benchmarks/nips_topics.py [PEERS]      # with an interpreter that has tomotopy: Gibbs sampling too

Topics are paired with the paper's so that as many words as can be are in both; the unrectified baseline has no pairs
that mean anything, as in the paper, and is paired all the same.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import matplotlib
import numpy as np
from scipy.optimize import linear_sum_assignment

from common import RESULTS, data_folder, keep
from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import Corpus, keep_words, read_corpus
from cotopics.metrics import dissimilarity
from cotopics.rectify import AlternatingProjection
from gibbs import gibbs_topics
from printed import paper_001, paper_002

matplotlib.use("svg")
import matplotlib.pyplot as plt

from cotopics import plot

K = 5
LAST_YEAR = 1998  # about as many documents as the papers have
EARLIER = f", documents to {LAST_YEAR}"


def corpus(n_words: int, last_year: int) -> tuple[Any, Any]:
    folder = data_folder() / "nips"
    years = np.array([int(line[:4]) for line in (folder / "labels.txt").read_text(encoding="utf-8").splitlines()])
    whole = read_corpus(folder / "counts.npz", min_documents=1)
    found = keep_words(Corpus(whole.counts[years <= last_year], whole.vocabulary), vocabulary_size=n_words)
    return found.counts[found.counts.sum(axis=1) >= 5], found.vocabulary


def paired(table: str, method: str, ours: list[list[str]], printed: list[str]) -> list[list[Any]]:
    """A row for each topic of the paper: its words, ours, and how many are in both."""
    theirs = [words.split() for words in printed]
    common = np.array([[len(set(a) & set(b)) for b in ours] for a in theirs])
    _, match = linear_sum_assignment(-common)
    return [
        [table, method, printed[k], " ".join(ours[j]), int(common[k, j]), len(theirs[k])] for k, j in enumerate(match)
    ]


def draw(C: Any, rectified: Any, models: dict[str, Any]) -> None:
    """001's Figure 1: words in two dimensions; the baseline's anchors, and AP's before and after rectification."""
    plt.rcParams["svg.hashsalt"] = "cotopics"
    panels = (("Baseline", C, "anchors without rectification"), ("AP", C, "AP's anchors, before rectification"),
              ("AP", rectified, "AP's anchors, after rectification"))  # fmt: skip
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2))
    for ax, (method, space, title) in zip(axes, panels, strict=True):
        plot.cooccurrence_space(space, models[method], ax=ax)
        ax.set_title(title, fontsize=9)
    figure.tight_layout()
    figure.savefig(RESULTS / "nips_topics.svg", metadata={"Date": None}, dpi=100)


def main(peers: str | None = None) -> None:
    warnings.simplefilter("ignore")  # what does not converge still has its words
    rows, models, own, n_documents = [], {}, [], []
    for what, year in (("", 9999), (EARLIER, LAST_YEAR)):
        X, words = corpus(5000, year)
        for method, rectifier in (("Baseline", None), ("AP", "ap")):
            model = AnchorWords(K, rectifier=rectifier).fit(X, feature_names=words)
            theirs = paper_001.TOPICS[method]
            rows += paired("001, Table 3", method + what, model.top_words(len(theirs[0].split())), theirs)
            models[method] = model
        if peers:
            B, theirs = gibbs_topics(peers, X, K).B, paper_001.TOPICS["Gibbs"]
            leading = [[words[i] for i in np.argsort(-topic, kind="stable")[:7]] for topic in B.T]
            rows += paired("001, Table 3", f"Gibbs{what}", leading, theirs)
        own.append(", ".join(f"{name} {dissimilarity(models[name]):.1f}" for name in models))
        C, n_documents = cooccurrence(X), [*n_documents, X.shape[0]]
        X, words = corpus(10_000, year)
        model = AnchorWords(K, rectifier="enn", representation="implicit").fit(X, feature_names=words)
        rows += paired("002, Table 1", f"prominent words{what}", model.top_words(6), paper_002.PROMINENT)
        found = model.characteristic_words(6)
        rows += paired("002, Table 1", f"characteristic words{what}", found, paper_002.CHARACTERISTIC)
    draw(C, AlternatingProjection()(C, K).C, models)  # of the earlier documents: two later ones are all of the plane
    notes = (
        f"NIPS, {n_documents[0]} documents, and the {n_documents[1]} to {LAST_YEAR}, which the figure shows (001: "
        f"{paper_001.NIPS_DOCUMENTS} of another selection). K = {K}; 5,000 words for 001 and 10,000 for 002 (LR-JSMF). "
        f"Leading words of 20 that are a topic's own: {own[0]}; to {LAST_YEAR}: {own[1]}."
    )
    keep("nips_topics", ["table", "what", "paper's words", "our words", "in both", "of"], rows, notes)


if __name__ == "__main__":
    main(*sys.argv[1:])
