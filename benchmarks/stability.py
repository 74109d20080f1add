"""Bootstrap of topics: what it costs beside fits, and whether its intervals are those of fits and hold the truth.

    python benchmarks/stability.py [--refits 10]    20 Newsgroups, 20 topics: time, and intervals beside refits
    python benchmarks/stability.py coverage         planted topics: intervals of prevalence that hold the truth

"From the same topics" takes every draw of documents as far as a fit would go (all its steps of topics, and the whole
estimate of the prior), from the topics of the model. "From scratch" fits every draw anew, and matches topics by their
words: its topics differ by where the fit starts, too. Time is processor time, as other programs ran beside.
"""

from __future__ import annotations

import argparse
import time
from typing import Any
from unittest import mock

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import TopicModel
from cotopics.corpus import read_corpus
from cotopics.documents import InMemory
from cotopics.metrics import match_topics
from cotopics.stability import bootstrap
from cotopics.stability.draws import _Draws
from cotopics.stability.weighted import WHOLE
from effects import SETTINGS, planted

DRAWS, K = 50, 20


def newsgroups(n_refits: int) -> None:
    corpus = read_corpus(data_folder() / "newsgroups20" / "docs.jsonl.gz")
    X = sp.csr_array(corpus.counts)
    TopicModel(K).fit(X)  # compile
    seconds = {"a fit": 0.0}
    for _ in range(3):
        began = time.process_time()
        model = TopicModel(K).fit(X)
        seconds["a fit"] += (time.process_time() - began) / 3
    bootstrap(model, X, n=10)
    began = time.process_time()
    quick = bootstrap(model, X, n=DRAWS)
    seconds["bootstrap"] = time.process_time() - began
    whole = _whole_draws(model, X, n_refits)
    scratch, agreed = [], []
    W = model.transform(X[::10])
    for number in range(n_refits):
        rows = np.sort(np.random.default_rng(number).integers(0, X.shape[0], X.shape[0]))
        other = TopicModel(K, topics_per_document="many").fit(sp.csr_array(X[rows]))
        order = match_topics(other.components_.T, model.components_.T)
        scratch.append(other.topic_prevalence_[order])
        V = other.transform(X[::10])[:, order]
        agreed.append([np.corrcoef(W[:, k], V[:, k])[0, 1] for k in range(K)])
    rows = [
        ["processor time of a fit, seconds", seconds["a fit"]],
        [f"of {DRAWS} draws, seconds", seconds["bootstrap"]],
        [f"{DRAWS} draws cost as much as so many fits", seconds["bootstrap"] / seconds["a fit"]],
        [f"times faster than {DRAWS} fits", DRAWS * seconds["a fit"] / seconds["bootstrap"]],
        [f"length of intervals, over that of {n_refits} refits from the same topics", ratio(quick, whole)],
        ["the same ratio of two halves of our draws, which is noise", _halves(quick)],
        [f"length of intervals, over that of {n_refits} refits from scratch", ratio(quick, np.array(scratch))],
        ["correlation of firmness with how topics come back from scratch", _correlation(quick.firmness, agreed)],
    ]
    keep("stability", ["20 Newsgroups, 20 topics", ""], rows, "Ratios of lengths are medians over topics.")


def _whole_draws(model: Any, X: Any, n: int) -> Any:
    """Prevalences of draws that take as many steps as a fit, from the model's topics."""
    words, some = InMemory(X).used
    draws, rng = _Draws(model, words, some.counts), np.random.default_rng(1)
    weights = rng.multinomial(some.n_documents, np.full(some.n_documents, 1 / some.n_documents), size=n)
    return np.array([draws.topics(m.astype(float), WHOLE).prevalence for m in weights])


def ratio(found: Any, draws: Any) -> float:
    return float(np.median(found.prevalences.std(axis=0, ddof=1) / draws.std(axis=0, ddof=1)))


def _halves(found: Any) -> float:
    one, other = (found.prevalences[i::2].std(axis=0, ddof=1) for i in (0, 1))
    return float(np.median(one / other))


def _correlation(firmness: Any, agreed: Any) -> float:
    return float(np.corrcoef(firmness, np.mean(agreed, axis=0))[0, 1])


def coverage(n_draws: int) -> None:
    rows, hold = [], []
    with mock.patch("cotopics.stability.draws.agreement_of_parts", _not_asked):
        for number, setting in enumerate(SETTINGS):
            inside = []
            for draw in range(n_draws):
                data = planted(setting, np.random.default_rng([number, draw, 2]), none=True)
                model = TopicModel(setting[2], topics_per_document="many").fit(data.X)
                order = match_topics(model.components_.T, data.B)
                table = bootstrap(model, data.X, n=30).prevalence().columns
                low, high = (np.asarray(table[name])[order] for name in ("low", "high"))
                inside.append(((low <= data.mean) & (data.mean <= high)).mean())
            hold.append(float(np.mean(inside)))
            what = f"{setting[0]} of {setting[1]} words, {setting[2]} topics, {setting[3]:.0%} shared"
            rows.append([what, hold[-1]])
            print(rows[-1], flush=True)
    rows.append(["all", float(np.mean(hold))])
    notes = f"Intervals of 95 %, {n_draws} corpora a line, 30 draws each. The truth is the expected share."
    keep("stability", ["documents", "intervals that hold the truth"], rows, notes, argument="coverage")


def _not_asked(model: Any, counts: Any, rng: Any) -> Any:
    """Firmness is not looked at here."""
    return np.ones((1, model.n_topics_))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="newsgroups", choices=["newsgroups", "coverage"])
    parser.add_argument("--refits", type=int, default=10, help="draws of refits, or planted corpora a line")
    arguments = parser.parse_args()
    (coverage if arguments.what == "coverage" else newsgroups)(arguments.refits)


if __name__ == "__main__":
    main()
