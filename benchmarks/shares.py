"""Are documents' shares calibrated? Planted mixtures of 5 to 200 topics, and real text beside a sampler's.

    python benchmarks/shares.py planted          error of every inference, topics known
    python benchmarks/shares.py largest PEERS    20 Newsgroups: the mean largest share, ours, likelihood's, tomotopy's
    python benchmarks/shares.py years PEERS      arXiv: how much topics grew from before 2000 to after 2022

PEERS is an interpreter with tomotopy.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import TopicModel, datasets
from cotopics.infer import INFERENCES
from infer import estimated_prior
from problems import corpus

TOPICS, LENGTHS, CONCENTRATIONS = (5, 20, 50, 200), (10, 50, 300), (0.3, 3.0)  # Σα: one topic mostly, or several
N_WORDS, N_DOCUMENTS = 3000, 2000
SWEEPS = 1000
LEADING = 5  # words of topics that are named


def planted() -> None:
    """The first guess of the prior is that of documents of one topic mostly, whatever the truth."""
    methods = {**{name: step() for name, step in INFERENCES.items()}, "TopicModel's": estimated_prior}
    rows = []
    for K in TOPICS:
        B = datasets.make_corpus(10, N_WORDS, K, length=10, anchors_per_topic=2, random_state=0)[1]
        guess = np.full(K, 1 / K), 0.1 / K**2 + 0.9 * np.eye(K) / K
        for concentration in CONCENTRATIONS:
            for length in LENGTHS:
                X, W = datasets.sample_corpus(
                    B, N_DOCUMENTS, length=length, concentration=concentration / K, random_state=1
                )
                found = [step(sp.csr_array(X), B, *guess) for step in methods.values()]
                errors = [round(float(np.abs(V - W).sum(axis=1).mean() / 2), 4) for V in found]
                rows.append([K, concentration, length, *errors, round(W.max(axis=1).mean(), 3)])
                rows[-1].append(round(found[-1].max(axis=1).mean(), 3))
                print(rows[-1], flush=True)
    columns = ["topics", "Σα", "words a document", *methods, "largest share", "TopicModel's largest"]
    notes = f"½‖w − ŵ‖₁, mean over {N_DOCUMENTS:,} documents of Dirichlet mixtures, {N_WORDS:,} words; lower is better."
    keep("shares", columns, rows, notes, argument="planted")


def sampled(peers: str, X: Any, K: int) -> tuple[Any, Any]:
    """Shares and topics of tomotopy's LDA."""
    with tempfile.TemporaryDirectory() as folder:
        counts, shares, topics = (str(Path(folder, name)) for name in ("counts.npz", "shares.npy", "topics.npy"))
        sp.save_npz(counts, sp.csr_matrix(X))
        script = str(Path(__file__).with_name("tomotopy_shares.py"))
        subprocess.run([peers, script, counts, str(K), str(SWEEPS), shares, topics], check=True)
        return np.load(shares), np.load(topics)


def largest(peers: str) -> None:
    X = corpus("newsgroups20").X
    rows = []
    for K in (20, 50, 200):
        model = TopicModel(K).fit(X)
        ours, likeliest = (float(model.transform(X, method).max(axis=1).mean()) for method in (None, "em"))
        theirs = float(sampled(peers, X, K)[0].max(axis=1).mean())
        rows.append([K, round(ours, 3), round(likeliest, 3), round(theirs, 3)])
        print(rows[-1], flush=True)
    columns = ["topics", "TopicModel", "maximum likelihood, same topics", f"tomotopy LDA, {SWEEPS:,} sweeps"]
    keep("shares", columns, rows, "20 Newsgroups: mean over documents of the largest share.", argument="largest")


def years(peers: str) -> None:
    folder, K = data_folder() / "arxiv", 50
    with gzip.open(folder / "years.txt.gz", "rt") as file:
        year = np.array([int(line[:4]) for line in file.read().split()])
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    rows = np.arange(0, len(year), 4)
    X = sp.csr_matrix(sp.load_npz(folder / "counts.npz"))[rows]
    frequent = np.bincount(X.indices, minlength=X.shape[1]) >= 5
    X, names = X[:, frequent], np.array(words)[frequent]
    early, late = year[rows] < 2000, year[rows] > 2022
    model = TopicModel(K).fit(X)
    shares, topics = sampled(peers, X, K)
    found = {
        "TopicModel": (model.transform(X), model.components_),
        "maximum likelihood, same topics": (model.transform(X, "em"), model.components_),
        f"tomotopy LDA, {SWEEPS:,} sweeps": (shares, topics),
    }
    table = []
    for asked in ("language", "neural", "galaxies", "quark"):
        column = int(np.flatnonzero(names == asked)[0])
        for name, (W, P) in found.items():
            k = int(np.argmax(P[:, column]))
            before, after = float(W[early, k].mean()), float(W[late, k].mean())
            shown = " ".join(names[np.argsort(-P[k])[:LEADING]])
            table.append([asked, name, round(100 * before, 2), round(100 * after, 2), round(after / before, 1), shown])
    columns = ["topic of", "shares by", "% before 2000", "% after 2022", "ratio", "its words"]
    notes = f"Every fourth abstract of arXiv, {K} topics; the topic in which the word is likeliest."
    keep("shares", columns, table, notes, argument="years")


def main() -> None:
    warnings.simplefilter("ignore")
    what, *peers = sys.argv[1:]
    {"planted": planted, "largest": largest, "years": years}[what](*peers)


if __name__ == "__main__":
    main()
