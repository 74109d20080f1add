"""002's Figures 2 and 3 and 001's Figure 4 in numbers: rectifiers on NIPS, movies and songs against K.

    python benchmarks/rectifiers.py nips          # 5,000 words by tf-idf
    python benchmarks/rectifiers.py movielens     # 2 copies a star; movies in five lists or more, as 001 has it
    python benchmarks/rectifiers.py playlists     # lists of five songs or more, songs in five of them or more
    python benchmarks/rectifiers.py nips --topics 5 25 --methods AP+AW LR-JSMF
    python benchmarks/rectifiers.py nips --words 14036 --topics 50
    python benchmarks/rectifiers.py nips --peers PEERS      # Gibbs sampling too, by an interpreter with tomotopy
    python benchmarks/rectifiers.py nips --jobs 16          # fits shared out over 16 processes

What is there already (results/rectifiers.jsonl) is not measured again: a run that is stopped, or asked for more, goes
on.
"""

from __future__ import annotations

import argparse
import time
import warnings
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from cells import EARLIER, about_seconds, machines, put, read, timed_on
from common import RESULTS, data_folder, keep
from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import counts_from_ratings, keep_words, read_corpus
from cotopics.errors import CotopicsError
from cotopics.metrics import approximation_error, coherence, dissimilarity, dominancy, recovery_error, specificity
from gibbs import gibbs_topics
from items import songs
from jobs import add_option, origin, share_out

CELLS = RESULTS / "rectifiers.jsonl"
KEY = ("corpus", "words", "K", "method")
WORDS = 5000
TOPICS = (5, 10, 15, 20, 25, 50, 75, 100)
AP, GIBBS = "AP+AW", "Gibbs"
METHODS = {  # rectifier, and what it starts from
    AP: ("ap", "dense"),
    "ENN+LAW": ("enn", "dense"),
    "LR-JSMF": ("enn", "implicit"),
    "PALM+LAW": ("palm", "implicit"),
    "DC": ("dc", "implicit"),
    "Baseline": (None, "implicit"),
}
MEASURES = ("Recovery", "RelativeRecovery", "Approximation", "RelativeApproximation", "Dominancy", "RelativeDominancy",
            "Specificity", "Dissimilarity", "Coherence")  # fmt: skip


def corpus(name: str, n_words: int = WORDS) -> sp.csr_array:
    folder = data_folder()
    if name == "nips":
        whole = read_corpus(folder / "nips" / "counts.npz", min_documents=1)
        counts = keep_words(whole, vocabulary_size=n_words).counts
    elif name == "playlists":
        counts = songs()[0].counts
    else:
        counts = counts_from_ratings(sp.load_npz(folder / "movielens100k" / "ratings.npz"))
        counts = counts[:, np.bincount(counts.indices, minlength=counts.shape[1]) >= 5]  # as 001 has it
    counts = counts[counts.sum(axis=1) >= 5]
    return counts[:, np.flatnonzero(counts.sum(axis=0) > 0)]


def defined(measure: Any, *arguments: Any, **options: Any) -> float | None:
    """A measure, or None where an anchor that never meets itself leaves it undefined; 001, footnote 12."""
    try:
        return float(measure(*arguments, **options))
    except CotopicsError:
        return None


def judged(topics: Any, A: Any, X: Any, C: Any) -> dict[str, float | None]:
    """All measures of a model, or of Gibbs sampling, which has no anchors to recover words from."""
    squares, sums = C.squared_row_norms(), C.row_sums()
    norm = float(np.sqrt((squares[sums > 0] / sums[sums > 0] ** 2).sum()))  # of the rows divided by their sums
    recovery = recovery_error(topics, C) if hasattr(topics, "anchors_") else None
    error, size = approximation_error(topics, C, correlation=A), float(np.sqrt(squares.sum()))
    found = [recovery, None if recovery is None else recovery / norm, error, error / size]
    found += [defined(dominancy, A), defined(dominancy, A, relative=True), specificity(topics, C)]
    found += [dissimilarity(topics), coherence(topics, X)]
    return {name: None if x is None else float(f"{x:.5g}") for name, x in zip(MEASURES, found, strict=True)}


def measure(method: str, X: Any, C: Any, n_topics: int, peers: str | None) -> dict[str, Any]:
    if method == GIBBS:
        sampled = gibbs_topics(str(peers), X, n_topics)
        A = sampled.W.T @ sampled.W / len(sampled.W)
        return {"seconds": sampled.seconds, "steps": None, "anchors": [], "measures": judged(sampled.B, A, X, C)}
    rectifier, representation = METHODS[method]
    started = time.process_time()
    model = AnchorWords(n_topics, rectifier=rectifier, representation=representation)
    model = model.fit_cooccurrence(C) if representation == "dense" else model.fit(X)  # ENN+LAW is given the matrix
    seconds = time.process_time() - started
    A = model.topic_correlation_
    return {
        "seconds": seconds,
        "steps": (model.diagnostics_["rectification"] or {"n_iter": 0})["n_iter"],
        "anchors": model.anchors_.tolist(),
        "least of A": float(f"{A.min():.5g}"),
        "measures": judged(model, A, X, C),
    }


def table(name: str, X: Any) -> list[list[Any]]:
    """A row for each number of topics and method that has been measured.

    Seconds are of one machine; how many times faster a method is, of two fits on one machine, whichever it was.
    """
    cells, n_words = read(CELLS, KEY), X.shape[1]
    timed = timed_on(cell for key, cell in cells.items() if key[:2] == (name, n_words))
    documents, rows = np.bincount(X.indices, minlength=n_words), []
    for n_topics in sorted({key[2] for key in cells if key[:2] == (name, n_words)}):
        ap = {"seconds": None, "anchors": [], **cells.get((name, n_words, n_topics, AP), {})}
        for method in (*METHODS, GIBBS):
            cell = cells.get((name, n_words, n_topics, method))
            if cell is None:
                continue
            where = cell.get("machine", EARLIER)
            seconds = round(cell["seconds"], 2) if where == timed else None
            times = ap["seconds"] / cell["seconds"] if ap["seconds"] and where == ap.get("machine", EARLIER) else None
            same = len(set(cell["anchors"]) & set(ap["anchors"])) if cell["anchors"] and ap["anchors"] else None
            row = [n_topics, method, cell["steps"], seconds, times, *cell["measures"].values()]
            common = float(np.median(documents[cell["anchors"]])) if cell["anchors"] else None
            rows.append([*row, cell.get("least of A"), same, common])
    return rows


def prepared(name: str, n_words: int, methods: list[str]) -> tuple[Any, Any]:
    """Counts and co-occurrence; every method has run once, so that nothing is compiled while the clock runs."""
    warnings.simplefilter("ignore")  # what does not converge still has its row
    X = corpus(name, n_words)
    part = X[:200]
    part = part[:, np.flatnonzero(part.sum(axis=0) > 1)[:500]]
    for method in methods:
        measure(method, part, cooccurrence(part, representation="dense"), 2, None)
    return X, cooccurrence(X, representation="dense")


def work(shared: tuple[Any, Any], place: tuple[Any, ...], peers: str | None) -> None:
    """Measure one method at one K and keep it."""
    *_, n_topics, method = place
    found = measure(method, *shared, n_topics, peers)
    put(CELLS, KEY, {**dict(zip(KEY, place, strict=True)), **found, **origin()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=["nips", "movielens", "playlists"], nargs="?", default="nips")
    parser.add_argument("--words", type=int, default=WORDS, help="of NIPS")
    parser.add_argument("--topics", type=int, nargs="+", default=list(TOPICS))
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--peers", help="an interpreter with tomotopy")
    add_option(parser)
    options = parser.parse_args()
    X, there = corpus(options.corpus, options.words), read(CELLS, KEY)
    methods = [*([GIBBS] if options.peers else []), *options.methods]
    wanted = [(options.corpus, X.shape[1], k, m) for k in sorted(options.topics, reverse=True) for m in methods]
    prepare = partial(prepared, options.corpus, options.words, options.methods)
    cases = [place for place in wanted if place not in there]
    share_out(prepare, partial(work, peers=options.peers), cases, options.jobs)
    columns = ["K", "method", "steps", "processor seconds", "times faster than AP+AW", *MEASURES, "min A",
               "AP+AW's anchors", "documents of an anchor"]  # fmt: skip
    notes = (
        f"{options.corpus}, {X.shape[0]} documents, {X.shape[1]} words. Recovery and approximation are against the "
        "co-occurrence of the documents, before rectification. LR-JSMF, PALM, DC and the Baseline start from counts, "
        "AP+AW and ENN+LAW are given the full matrix, and its time is not counted. Processor seconds of one thread. "
        "Gibbs: 500 sweeps of tomotopy's LDA; its correlations are the mean of wwᵀ over documents, and it has no "
        "anchors to recover words from."
    )
    named = options.corpus if options.words == WORDS else f"{options.corpus}_{X.shape[1]}"
    cells = [cell for key, cell in read(CELLS, KEY).items() if key[:2] == (options.corpus, X.shape[1])]
    notes, measured_on = notes + about_seconds(cells), machines(cells)
    keep("rectifiers", columns, table(options.corpus, X), notes, argument=named, measured_on=measured_on)


if __name__ == "__main__":
    main()
