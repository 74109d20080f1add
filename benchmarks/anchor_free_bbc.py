"""003: four classes of BBC news, four topics, fifteen words each; and which words should be constrained.

Text preparation as there: lower case, words of three letters or more, no stop words, lemmas (simplemma, from the extra
`bench`).
"""

import re
import sys
import time

import numpy as np

from anchor_free_corpora import cluster
from common import data_folder, keep
from cotopics import AnchorFree
from cotopics.corpus import count_words, read_texts
from cotopics.metrics import clustering_accuracy, coherence, similarity_count

CLASSES = ("politics", "tech", "entertainment", "business")


def lemmas(text: str) -> str:
    try:
        import simplemma
    except ImportError:
        sys.exit("this benchmark needs simplemma: pip install 'cotopics[bench]'")
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    return " ".join(simplemma.lemmatize(word, lang="en") for word in words)


def main() -> None:
    articles = read_texts(data_folder() / "bbc_news" / "docs.jsonl.gz")
    documents = [(text, label) for text, label in articles if label in CLASSES]
    labels = [label for _, label in documents]
    corpus = count_words([lemmas(text) for text, _ in documents], labels=labels, min_documents=1)
    X = corpus.counts
    print(f"{X.shape[0]} articles, {X.shape[1]} words")
    rows = []
    for solver in ("lp", "pds"):
        for least in (0, 2, 0.005, 0.01, 0.02, 0.05):
            started = time.perf_counter()
            model = AnchorFree(4, solver=solver, min_constraint_documents=least).fit(X, feature_names=corpus.vocabulary)
            seconds = time.perf_counter() - started
            W = model.transform(X, method="nnls")
            accuracy = clustering_accuracy(labels, cluster(W, 4))
            constrained = model.diagnostics_["constrained_words"]
            rows.append([solver, least, constrained, accuracy, coherence(model, X), similarity_count(model), seconds])
    model = AnchorFree(4).fit(X, feature_names=corpus.vocabulary)
    belongs = model.transform(X, method="nnls").argmax(axis=1)
    words = []
    for k, topic in enumerate(model.top_words(15)):
        names, counts = np.unique(np.array(labels)[belongs == k], return_counts=True)
        words.append(f"- {names[counts.argmax()]}: {' '.join(topic)}")
    notes = f"{X.shape[0]} articles, {X.shape[1]} words, F = 4. The fifteen leading words with the defaults:\n\n"
    columns = ["solver", "min_constraint_documents", "constrained words", "ClustAcc", "Coh", "SimCount", "seconds"]
    keep("anchor_free_bbc", columns, rows, notes + "\n".join(words))


if __name__ == "__main__":
    main()
