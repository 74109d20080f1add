"""002's Figure 4, quality: LR-JSMF against the size of the vocabulary, averaged over groups of K, without and with a
floor for anchors.

    python benchmarks/vocabularies.py nips                        # K = 5, 10, …, 100, as in the paper
    python benchmarks/vocabularies.py arxiv --topics 25 50 75 100
    python benchmarks/vocabularies.py arxiv --jobs 16             # fits shared out over 16 processes

What is there already (results/vocabularies.jsonl) is not measured again. Anchors are any words, and then words in 0.5 %
of the documents or more: without a floor, the larger the vocabulary the rarer the anchors. The score of 001 puts words
in more than half of the documents last: of the vocabularies of NIPS only the whole one, 14,036 words, has these.
"""

from __future__ import annotations

import argparse
import time
import warnings
from functools import cache, partial
from typing import Any

import numpy as np

from cells import machines, put, read
from common import RESULTS, data_folder, keep
from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import keep_words, read_corpus
from cotopics.metrics import log_relative_volume, mst_incoherence
from cotopics.rectify import EpsilonNonNegative
from jobs import add_option, origin, share_out

CELLS = RESULTS / "vocabularies.jsonl"
KEY = ("corpus", "words", "K", "anchors")
SIZES = {"nips": (2_000, 4_000, 8_000, 12_000, 14_036), "arxiv": (8_000, 16_000, 32_000, 64_000)}
GROUPS = ((5, 25), (30, 50), (55, 75), (80, 100))
FLOORS = {"any word": 0, "in 0.5 %": 0.005}
MEASURES = ("log relative volume", "MST-incoherence", "documents of an anchor", "processor seconds")


class Once:
    """ENN that is run once for both floors."""

    def __init__(self) -> None:
        self.found: Any = None

    def __call__(self, C: Any, n_topics: int) -> Any:
        self.found = self.found or EpsilonNonNegative()(C, n_topics)
        return self.found


def measure(X: Any, C: Any, n_topics: int) -> dict[str, dict[str, float]]:
    """The measures by floor; seconds are those of the fit without one, which runs first."""
    rectifier, found, seconds = Once(), {}, None
    documents = np.bincount(X.indices, minlength=X.shape[1])
    for name, floor in FLOORS.items():
        started = time.process_time()
        model = AnchorWords(n_topics, rectifier=rectifier, representation="implicit", min_anchor_documents=floor)
        model.fit_cooccurrence(C)
        seconds = seconds or time.process_time() - started
        values = [log_relative_volume(model, C), mst_incoherence(model, C)]
        values += [float(np.median(documents[model.anchors_])), seconds]
        found[name] = {m: float(f"{v:.5g}") for m, v in zip(MEASURES, values, strict=True)}
    return found


def table(name: str) -> list[list[Any]]:
    """Means over the K of a group that have been measured."""
    cells = [cell for cell in read(CELLS, KEY).values() if cell["corpus"] == name]
    rows = []
    for low, high in GROUPS:
        for words in sorted({cell["words"] for cell in cells}):
            for floor in FLOORS:
                same = [cell for cell in cells if (cell["words"], cell["anchors"]) == (words, floor)]
                group = [cell for cell in same if low <= cell["K"] <= high]
                if group:
                    means = [float(np.mean([cell["measures"][m] for cell in group])) for m in MEASURES]
                    rows.append([f"{low} to {high}", len(group), words, floor, *means])
    return rows


@cache
def counts(name: str, size: int) -> Any:
    """Counts of the `size` words of highest tf-idf, in documents of five of them or more."""
    corpus = keep_words(read_corpus(data_folder() / name / "counts.npz", min_documents=1), vocabulary_size=size)
    return corpus.counts[corpus.counts.sum(axis=1) >= 5]


@cache
def together(name: str, size: int) -> Any:
    """Their co-occurrence; a small fit has been made, so that nothing is compiled while the clock runs."""
    X = counts(name, size)
    measure(X[:300], cooccurrence(X[:300], representation="implicit"), 2)
    return cooccurrence(X, representation="implicit")


def prepared(name: str) -> str:
    warnings.simplefilter("ignore")  # what does not converge still has its row
    together(name, SIZES[name][0])
    return name


def work(name: str, case: tuple[int, int]) -> None:
    """Measure one vocabulary and K with both floors, and keep them."""
    size, n_topics = case
    X = counts(name, size)
    for floor, measures in measure(X, together(name, size), n_topics).items():
        place = dict(zip(KEY, (name, X.shape[1], n_topics, floor), strict=True))
        put(CELLS, KEY, {**place, "measures": measures, **origin()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=list(SIZES))
    parser.add_argument("--topics", type=int, nargs="+", default=list(range(5, 101, 5)))
    add_option(parser)
    options = parser.parse_args()
    name, there, last = options.corpus, read(CELLS, KEY), list(FLOORS)[-1]
    wanted = [(size, k) for size in reversed(SIZES[name]) for k in sorted(options.topics, reverse=True)]
    cases = [(size, k) for size, k in wanted if (name, size, k, last) not in there]
    share_out(partial(prepared, name), work, cases, options.jobs)
    notes = (
        f"{name}, {counts(name, SIZES[name][0]).shape[0]:,} documents; words by tf-idf; AnchorWords(rectifier='enn', "
        "representation='implicit'); means over the K that were run, as many as the second column says. Processor "
        "seconds of one thread."
    )
    measured_on = machines(cell for key, cell in read(CELLS, KEY).items() if key[0] == name)
    columns = ["K", "runs", "words", "anchors", *MEASURES]
    keep("vocabularies", columns, table(name), notes, argument=name, measured_on=measured_on)


if __name__ == "__main__":
    main()
