"""How strongly to balance documents: clusters of three corpora by the power and the floor of the degree."""

import sys
import time
import warnings

import numpy as np
from sklearn.metrics import normalized_mutual_info_score

from anchor_free_corpora import balanced, cluster
from common import data_folder, keep
from cotopics import AnchorFree
from cotopics.corpus import read_corpus
from cotopics.metrics import clustering_accuracy, coherence, similarity_count

CORPORA = {"bbc_news": 5, "searchsnippets": 8, "newsgroups20": 20}
SETTINGS = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.1), (0.5, 0.2), (0.5, 0.3), (0.75, 0.0), (0.75, 0.2), (1.0, 0.0))


def main() -> None:
    warnings.simplefilter("ignore")
    rows = []
    for name, n_topics in CORPORA.items():
        corpus = read_corpus(data_folder() / name / "docs.jsonl.gz")
        has_words = corpus.counts.sum(axis=1) > 0
        X = corpus.counts[has_words].astype(np.float64)
        labels = np.array([str(label) for label in corpus.labels])[has_words]
        idf = np.log((1 + X.shape[0]) / np.bincount(X.indices, minlength=X.shape[1]))
        for power, floor in SETTINGS:
            started = time.perf_counter()
            model = AnchorFree(n_topics, solver="pds").fit_cooccurrence(balanced(X, idf, power, floor))
            seconds = time.perf_counter() - started
            W = model.transform(X, method="nnls")
            accuracy = clustering_accuracy(labels, cluster(W, n_topics))
            nmi = float(normalized_mutual_info_score(labels, W.argmax(axis=1)))
            quality = [round(coherence(model, X), 1), similarity_count(model), round(seconds, 2)]
            rows.append([name, n_topics, power, floor, round(accuracy, 3), round(nmi, 3), *quality])
            print(rows[-1], file=sys.stderr, flush=True)
    columns = ["corpus", "K", "power", "floor / mean", "ClustAcc", "NMI", "Coh", "SimCount", "seconds"]
    notes = (
        "AnchorFree; documents divided by max(degree, floor)^power. 'balanced' is power ½, floor 0.2; 'tfidf' power 0."
    )
    keep("balance", columns, rows, notes)


if __name__ == "__main__":
    main()
