"""Short texts: titles, tweets, captions, snippets, and the first words of longer ones; ours and its peers.

    python benchmarks/short_texts.py PEERS PEERS_DMM                     all that is not there yet
    python benchmarks/short_texts.py PEERS PEERS_DMM --again topic_model
    python benchmarks/short_texts.py --page                              docs/short-texts.md, of what is there

PEERS is an interpreter with scikit-learn, tomotopy and bitermplus, PEERS_DMM one with tweetopic, which needs an older
scikit-learn. A cell is one line of results/short_texts.jsonl. Words are in five documents or more, documents have two
words or more.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cells import put, read
from common import RESULTS, data_folder
from problems import LEAST_DOCUMENTS, Problem, corpus
from run import KEY, answer_of, described, measured

CELLS = RESULTS / "short_texts.jsonl"
PAGE = Path(__file__).parents[1] / "docs" / "short-texts.md"
METHODS = ("topic_model", "sklearn_nmf", "tomotopy_lda", "tomotopy_pt", "bitermplus_btm", "tweetopic_dmm")
SHORT = {"tweets": 89, "flickr_captions": 20, "m10": 10, "searchsnippets": 8, "arxiv_8_words": 20}
FIRST_WORDS = (5, 10, 20, 40)
CUT = {"bbc_news": 5, "newsgroups20": 20}
ARXIV_DOCUMENTS, ARXIV_WORDS = 20_000, 8
LIMIT = 300.0  # seconds of one fit


def load(name: str) -> Problem:
    """A corpus, eight words of each abstract of arXiv, or NAME_N: the first N words of each document of NAME."""
    source, _, n = name.rpartition("_")
    if name == "arxiv_8_words":
        return with_two_words(*eight_words())
    if source in CUT:
        return with_two_words(*first_words(source, int(n)))
    problem = corpus(name)
    return with_two_words(problem.X, problem.labels)


def with_two_words(X: Any, labels: Any) -> Problem:
    X = sp.csr_matrix(X)[:, np.bincount(X.indices, minlength=X.shape[1]) >= LEAST_DOCUMENTS]
    enough = np.asarray(X.sum(axis=1)).ravel() >= 2
    return Problem(X[enough].astype(np.int64), np.asarray(labels)[enough])


def first_words(name: str, n: int) -> tuple[Any, Any]:
    """The first n words of every document that are not stop words, and the labels."""
    from cotopics.corpus import Preparation, count_words, read_texts

    prepare = Preparation()
    texts, labels = zip(*read_texts(data_folder() / name / "docs.jsonl.gz"), strict=True)
    found = count_words([prepare(text)[:n] for text in texts])
    return found.counts, np.array(labels).astype(str)


def eight_words() -> tuple[Any, Any]:
    """Eight words drawn from each of some abstracts, and their first category: counts have no order to cut at."""
    folder, rng = data_folder() / "arxiv", np.random.default_rng(0)
    X = sp.csr_matrix(sp.load_npz(folder / "counts.npz"))
    labels = np.array((folder / "labels.txt").read_text(encoding="utf-8").split("\n")[: X.shape[0]])
    rows = np.arange(0, X.shape[0], X.shape[0] // ARXIV_DOCUMENTS)[:ARXIV_DOCUMENTS]
    drawn = sp.lil_matrix((len(rows), X.shape[1]), dtype=np.int64)
    for i, row in enumerate(rows):
        own = slice(X.indptr[row], X.indptr[row + 1])
        tokens = np.repeat(X.indices[own], X.data[own])
        for word in rng.permutation(tokens)[:ARXIV_WORDS]:
            drawn[i, word] += 1
    return drawn.tocsr(), labels[rows]


def problems() -> dict[str, int]:
    return SHORT | {f"{name}_{n}": K for name, K in CUT.items() for n in FIRST_WORDS}


def fill(name: str, K: int, peers: dict[str, str], again: list[str]) -> None:
    known = read(CELLS, KEY)
    missing = [m for m in METHODS if (name, K, m) not in known or m in again]
    if not missing:
        return
    problem = load(name)
    with tempfile.TemporaryDirectory() as folder:
        counts = f"{folder}/counts.npz"
        sp.save_npz(counts, problem.X)
        for method in missing:
            package = importlib.import_module(f"methods.{method}").PACKAGE
            answer = answer_of(method, counts, K, peers.get(package, peers[""]), LIMIT)
            record = described(name, problem.X, K, method)
            if "failed" in answer:
                record["failed"] = answer["failed"]
            else:
                record |= {"version": answer["version"], "measures": measured(problem, answer)}
            record["words a document"] = round(float(problem.X.sum() / problem.X.shape[0]), 1)
            put(CELLS, KEY, record)
            print(name, K, method, record.get("measures") or record["failed"], flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*")
    parser.add_argument("--again", type=lambda text: text.split(","), default=[])
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if options.page:
        from short_texts_page import write

        write(read(CELLS, KEY), PAGE)
        return
    if len(options.peers) != 2:
        parser.error("give two interpreters, PEERS and PEERS_DMM")
    peers = {"cotopics": sys.executable, "tweetopic": options.peers[1], "": options.peers[0]}
    for name, K in problems().items():
        fill(name, K, peers, options.again)


if __name__ == "__main__":
    main()
