"""Documents that come in pieces: partial_fit against one fit and against online LDA, in date order, and forget.

python benchmarks/update.py                 ten pieces by partial_fit and one fit, five corpora; what forget leaves
python benchmarks/update.py peers           held-out likelihood after every piece, beside scikit-learn and gensim
python benchmarks/update.py years           NIPS and arXiv year by year: are the topics of the last year there
python benchmarks/update.py new             a label that is in later documents only: does its topic come

Set OMP_NUM_THREADS=1 beside peers: threads that wait for each other spend processor time.
"""

from __future__ import annotations

import gzip
import sys
import time
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.metrics import normalized_mutual_info_score

from common import data_folder, keep
from cotopics import TopicModel
from cotopics.corpus import read_corpus
from cotopics.metrics import held_out_likelihood, match_topics

N_PIECES = 10
NIPS_OTHER_WORDS = 2000  # the year from which the columns of the corpus at hand are not the words of its vocabulary
N_TOPICS = {"newsgroups20": 20, "reuters21578": 20, "bbc_news": 5, "tdt2": 30, "m10": 10, "searchsnippets": 8}


def main(part: str = "pieces") -> None:
    warnings.simplefilter("ignore")
    {"pieces": pieces, "peers": peers, "years": years, "new": new}[part]()


def read(name: str) -> tuple[sp.csr_array, Any]:
    """Counts and labels, in an order of no meaning."""
    folder = data_folder() / name
    if (folder / "counts.npz").exists():
        X, labels = sp.csr_array(sp.load_npz(folder / "counts.npz")), (folder / "labels.txt").read_text().split("\n")
    else:
        corpus = read_corpus(folder / "docs.jsonl.gz", vocabulary_size=5000, min_length=2)
        X, labels = corpus.counts, corpus.labels
    order = np.random.default_rng(0).permutation(X.shape[0])
    return sp.csr_array(X[order]), np.array(labels[: X.shape[0]]).astype(str)[order]


def nmi(labels: Any, model: Any, X: Any) -> float:
    return float(normalized_mutual_info_score(labels, model.transform(X).argmax(axis=1)))


# --- pieces ----------------------------------------------------------------------------------------------------------


def pieces() -> None:
    rows = []
    for name, k in N_TOPICS.items():
        X, labels = read(name)
        n = 9 * X.shape[0] // 10
        seen, unseen, own = X[:n], X[n:], labels[:n]
        tenths = np.array_split(np.arange(n), N_PIECES)
        for kind in ("many", "one"):
            whole, seconds = timed(lambda: TopicModel(k, topics_per_document=kind).fit(seen))  # noqa: B023
            model, spent = TopicModel(k, topics_per_document=kind), 0.0
            for piece in tenths:
                _, took = timed(lambda: model.partial_fit(seen[piece]))  # noqa: B023
                spent += took
            larger = TopicModel(k, topics_per_document=kind).fit(seen[: len(tenths[0]) * 3])
            for piece in tenths[3:]:
                larger.partial_fit(seen[piece])
            scores = [nmi(own, each, seen) for each in (whole, model, larger)]
            held_out = [held_out_likelihood(each, unseen) for each in (whole, model)]
            rows.append([name, kind, *scores, *held_out, seconds, spent, *forgotten(k, kind, seen, whole)])
            print(rows[-1], flush=True)
    columns = [
        "corpus", "topics a document", "NMI, one fit", "in ten pieces", "three tenths first", "held-out, one fit",
        "in ten pieces ", "processor seconds, one fit", "in ten pieces  ", "added and forgotten",
        "forgotten, never seen",
    ]  # fmt: skip
    notes = (
        "Held-out likelihood in nats a token (higher is better), of a tenth of the documents that no model has seen. "
        "The last two columns: the mean share of a topic's words that differ from a fit without the last 500 "
        "documents (a tenth, where there are fewer than 5,000), after these were added and forgotten, and after a fit "
        "with them forgot them."
    )
    keep("update", columns, rows, notes)


def forgotten(k: int, kind: str, seen: Any, whole: Any) -> list[float]:
    last = min(500, seen.shape[0] // 10)
    before = TopicModel(k, topics_per_document=kind).fit(seen[:-last])
    added = TopicModel(k, topics_per_document=kind).fit(seen[:-last]).partial_fit(seen[-last:])
    return [moved(added.forget(seen[-last:]), before), moved(whole.forget(seen[-last:]), before)]


def moved(one: Any, other: Any) -> float:
    """The mean share of a topic's words that are others."""
    order = match_topics(one.components_.T, other.components_.T)
    return float(np.abs(one.components_[order] - other.components_).sum(axis=1).mean() / 2)


def timed(work: Any) -> tuple[Any, float]:
    started = time.process_time()
    return work(), time.process_time() - started


# --- peers -----------------------------------------------------------------------------------------------------------


class Gensim:
    """gensim's online LDA with its own defaults."""

    def __init__(self, n_topics: int, n_words: int) -> None:
        from gensim.models import LdaModel

        self.n_words = n_words
        names = {i: str(i) for i in range(n_words)}
        self.lda = LdaModel(num_topics=n_topics, id2word=names, random_state=0, dtype=np.float64)

    def partial_fit(self, X: Any) -> None:
        self.lda.update(list(bags(X)))

    def as_model(self) -> Any:
        def transform(X: Any) -> Any:
            found = self.lda.inference(list(bags(X)))[0]
            return found / found.sum(axis=1, keepdims=True)

        return SimpleNamespace(components_=self.lda.get_topics(), transform=transform, vocabulary_=None)


def bags(X: Any) -> Iterator[list[tuple[int, int]]]:
    X = sp.csr_array(X)
    for i in range(X.shape[0]):
        row = slice(X.indptr[i], X.indptr[i + 1])
        yield list(zip(X.indices[row].tolist(), X.data[row].astype(int).tolist(), strict=True))


class ScikitLearn:
    """scikit-learn's online LDA with its own defaults."""

    def __init__(self, n_topics: int, n_words: int) -> None:
        self.lda = LatentDirichletAllocation(n_topics, learning_method="online", random_state=0)

    def partial_fit(self, X: Any) -> None:
        self.lda.partial_fit(X)

    def as_model(self) -> Any:
        components = self.lda.components_ / self.lda.components_.sum(axis=1, keepdims=True)
        return SimpleNamespace(components_=components, transform=self.lda.transform, vocabulary_=None)


class Ours:
    def __init__(self, n_topics: int, n_words: int) -> None:
        self.model = TopicModel(n_topics)

    def partial_fit(self, X: Any) -> None:
        self.model.partial_fit(X)

    def as_model(self) -> Any:
        return self.model


def peers() -> None:
    rows = []
    for name in ("newsgroups20", "reuters21578", "searchsnippets"):
        X, labels = read(name)
        n, k = 9 * X.shape[0] // 10, N_TOPICS[name]
        Ours(k, X.shape[1]).partial_fit(X[: n // 10])  # compiles
        for called, new_model in (("TopicModel", Ours), ("scikit-learn", ScikitLearn), ("gensim", Gensim)):
            model, spent, likelihoods = new_model(k, X.shape[1]), 0.0, []
            for piece in np.array_split(np.arange(n), N_PIECES):
                _, took = timed(lambda: model.partial_fit(X[piece]))  # noqa: B023
                spent += took
                likelihoods.append(held_out_likelihood(model.as_model(), X[n:]))
            rows.append([name, called, spent, nmi(labels[:n], model.as_model(), X[:n]), *likelihoods])
            print(rows[-1], flush=True)
    columns = ["corpus", "model", "processor seconds", "NMI", *(f"after {i}" for i in range(1, N_PIECES + 1))]
    notes = (
        "Held-out likelihood after every one of ten pieces, in nats a token (higher is better), by each model's own "
        "transform. Defaults of all three, one pass. tomotopy takes no documents after training."
    )
    keep("update", columns, rows, notes, argument="peers")


# --- years -----------------------------------------------------------------------------------------------------------


def years() -> None:
    rows = []
    for name, k in (("nips", 20), ("arxiv", 50)):
        X, year_of = by_year(name)
        last = year_of.max()
        is_last = np.flatnonzero(year_of == last)
        unseen, own = is_last[::5], np.setdiff1d(is_last, is_last[::5])
        before = np.flatnonzero(year_of < last)
        of_the_year = TopicModel(10).fit(X[own])
        first = np.unique(year_of)[len(np.unique(year_of)) // 3]  # a third of the years first
        for called, n_new in (("year by year", 0), ('year by year, n_new="auto"', "auto")):
            model, spent = timed(lambda: TopicModel(k).fit(X[before][year_of[before] <= first]))  # noqa: B023
            for year in np.unique(year_of[year_of > first]):
                some = own if year == last else np.flatnonzero(year_of == year)
                if year == last:
                    rows.append([name, f"{called}, without {last}", *judged(model, X[unseen], of_the_year), spent])
                _, took = timed(lambda: model.partial_fit(X[some], n_new=n_new))  # noqa: B023
                spent += took
            rows.append([name, called, *judged(model, X[unseen], of_the_year), spent])
            print(rows[-2:], flush=True)
        model, spent = timed(lambda: TopicModel(k).fit(X[np.concatenate([before, own])]))  # noqa: B023
        rows.append([name, "one fit", *judged(model, X[unseen], of_the_year), spent])
        print(rows[-1], flush=True)
    columns = ["corpus", "model", "topics", "held-out of the last year", "overlap", "least", "processor seconds"]
    notes = (
        "Held-out likelihood in nats a token, of a fifth of the documents of the last year, which no model has seen. "
        "overlap: of ten topics of the last year alone, the share of words that each has in common with the topic "
        "nearest to it, on average, and of the one that is worst off. A third of the years is the first fit. arXiv: "
        f"one document in five, words in 50 documents or more. NIPS: before {NIPS_OTHER_WORDS}, since from then on the "
        "columns of the file at hand are other words."
    )
    keep("update", columns, rows, notes, argument="years")


def by_year(name: str) -> tuple[sp.csr_array, Any]:
    folder = data_folder() / name
    X = sp.csr_array(sp.load_npz(folder / "counts.npz"))
    if name == "nips":
        found = np.array((folder / "labels.txt").read_text().split()[: X.shape[0]]).astype(int)
        return X[found < NIPS_OTHER_WORDS], found[found < NIPS_OTHER_WORDS]
    with gzip.open(folder / "years.txt.gz", "rt") as file:
        found = np.array(file.read().split()[: X.shape[0]]).astype(int)
    some = np.arange(0, X.shape[0], 5)
    X, found = sp.csr_array(X[some]), found[some]
    sizes = np.bincount(found)
    few = np.flatnonzero((sizes > 0) & (sizes < 500))  # years of few documents belong to the next, or to the last
    for year in few:
        later = np.flatnonzero(sizes[year + 1 :] >= 500) + year + 1
        found[found == year] = later[0] if len(later) else np.flatnonzero(sizes >= 500)[-1]
    frequent = np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) >= 50)
    return sp.csr_array(X[:, frequent]), found


def judged(model: Any, unseen: Any, of_the_year: Any) -> list[Any]:
    common = np.minimum(of_the_year.components_[:, None], model.components_[None]).sum(axis=2).max(axis=1)
    return [model.n_topics_, held_out_likelihood(model, unseen), float(common.mean()), float(common.min())]


# --- new topics ------------------------------------------------------------------------------------------------------


def new() -> None:
    rows = []
    for name, k in N_TOPICS.items():
        X, labels = read(name)
        half = np.arange(X.shape[0]) < X.shape[0] // 2
        model = TopicModel(k).fit(X[half]).partial_fit(X[~half], n_new="auto")
        rows.append([name, "none", 0, 0, model.n_topics_ - k, None, None])
        for label in sorted(set(labels), key=lambda each: -np.count_nonzero(labels == each))[1:8:2]:
            is_absent = half & (labels == label)
            model = TopicModel(k).fit(X[half & ~is_absent]).partial_fit(X[~half], n_new="auto")
            leading, own = model.transform(X[~half]).argmax(axis=1) >= k, labels[~half] == label
            found, right = int(leading.sum()), int((leading & own).sum())
            rows.append([name, label, int(own.sum()), int((~own).sum()), model.n_topics_ - k])
            rows[-1] += [right / found if found else None, right / int(own.sum())]
        print(rows[-5:], flush=True)
    columns = ["corpus", "absent at first", "its documents", "others", "new topics", "precision", "recall"]
    notes = (
        "Half of the documents first, without those of a label; then the other half with n_new='auto'. precision and "
        "recall: of the documents whose leading topic is a new one. The second, fourth, sixth and eighth largest label."
    )
    keep("update", columns, rows, notes, argument="new")


if __name__ == "__main__":
    main(*sys.argv[1:])
