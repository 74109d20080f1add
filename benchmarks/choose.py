"""choose_n_topics where the number is planted, with few anchors and with none, and on real corpora.

python benchmarks/choose.py [n_datasets]
"""

import sys
import time

from common import data_folder, keep
from cotopics import choose_n_topics, datasets
from cotopics.corpus import read_corpus

PLANTED = (5, 10, 20, 40)
ANCHORS = (5, 2, 1, 0)  # a topic
CORPORA = {"bbc_news": "docs.jsonl.gz", "newsgroups20": "docs.jsonl.gz", "nips": "counts.npz"}


def main(n_datasets: int = 3) -> None:
    rows = []
    for anchors in ANCHORS:
        for K in PLANTED:
            for trial in range(n_datasets):
                X, _, _ = datasets.make_corpus(
                    1500, 1000, K, length=300, anchors_per_topic=anchors, random_state=[K, anchors, trial]
                )
                rows.append([f"{K} planted, {anchors} anchors a topic", *report(X)])
    for name, file in CORPORA.items():
        corpus = read_corpus(data_folder() / name / file)
        rows.append([name, *report(corpus.counts)])
    columns = ["corpus", "recommended", "TOP, c1 = 0.55, 1.1, 2.2", "seconds", "reason"]
    notes = (
        "Planted: 1,500 documents of 300 tokens, 1,000 words, 004's mechanism. No anchors is beyond what TOP assumes."
    )
    keep("choose", columns, rows, notes)


def report(X):
    started = time.perf_counter()
    choice = choose_n_topics(X)
    seconds = time.perf_counter() - started
    print(choice.n_topics, choice.reason, file=sys.stderr, flush=True)
    return choice.n_topics, ", ".join(map(str, choice.n_topics_top.values())), seconds, choice.reason


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
