"""003: four classes of BBC news, four topics, fifteen words each; and which words should be constrained.

    python benchmarks/anchor_free_bbc.py [--peers PEERS]      # with tomotopy's interpreter, LDA too: Table 2

Text preparation as there: lower case, words of three letters or more, no stop words, lemmas (simplemma, from the extra
`bench`). "term frequency": digits and stems too, and no tf-idf. "as 003": pairs of a word with itself are counted as
well, and all words are constrained.
"""

import argparse
import time

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from anchor_free_corpora import cluster
from common import data_folder, keep
from cotopics import AnchorFree
from cotopics.cooccur import DocumentSummary, Implicit
from cotopics.corpus import Preparation, count_words, read_texts
from cotopics.infer import NNLS
from cotopics.metrics import clustering_accuracy, coherence, similarity_count
from gibbs import gibbs_topics
from printed.paper_003 import LDA_TOPICS, TOPICS

CLASSES = ("politics", "tech", "entertainment", "business")
SHOWN = 15
SWEEPS = 1000  # as in 003
LEMMAS = Preparation(min_letters=3, lemmatise="en")
STEMS = Preparation(min_letters=3, lemmatise="en", stem="en", token_pattern=r"\w+")
RAW = Preparation(min_letters=3, token_pattern=r"\w+")  # the words of 003's Table 2 are neither lemmas nor stems


def term_frequencies(X):
    """The mean over documents of a document's counts times their transpose, made to sum to one."""
    D = sp.csr_array(X, dtype=np.float64)
    summary = DocumentSummary(X.shape[0], 0, np.bincount(X.indices, minlength=X.shape[1]))
    return Implicit(D / np.sqrt(float((D.sum(axis=1) ** 2).sum())), np.zeros(X.shape[1]), summary)


def described(what, B, corpus, stem, printed, seconds):
    """A row for each class: the paper's words, ours of the topic that is paired with it, and how many are in both.

    Topics and classes are paired so that as many articles as can be are in the topic of their class.
    """
    labels = np.array(corpus.labels)
    W = NNLS()(corpus.counts, B, np.ones(len(CLASSES)), np.eye(len(CLASSES)))
    belongs = W.argmax(axis=1)
    together = np.array([[np.sum((labels == name) & (belongs == k)) for k in range(len(CLASSES))] for name in printed])
    accuracy = float(clustering_accuracy(labels, cluster(W, len(CLASSES))))
    rows = []
    for i, k in zip(*linear_sum_assignment(-together), strict=True):
        name = list(printed)[i]
        words = [corpus.vocabulary[w] for w in np.argsort(-B[:, k], kind="stable")[:SHOWN]]
        theirs = {stem(word.lower()) for word in printed[name].split()}
        both = sum(stem(word) in theirs for word in words)
        rows.append([what, name, printed[name], " ".join(words), both, accuracy, seconds])
    return rows


def constraints(corpus):
    """What constraining fewer words does."""
    X, rows = corpus.counts, []
    for solver in ("lp", "pds"):
        for least in (0, 2, 0.005, 0.01, 0.02, 0.05):
            started = time.process_time()
            model = AnchorFree(4, solver=solver, min_constraint_documents=least).fit(X)
            seconds = time.process_time() - started
            accuracy = clustering_accuracy(corpus.labels, cluster(model.transform(X, method="nnls"), 4))
            constrained = model.diagnostics_["constrained_words"]
            rows.append([solver, least, constrained, accuracy, coherence(model, X), similarity_count(model), seconds])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="an interpreter with tomotopy")
    peers = parser.parse_args().peers
    articles = read_texts(data_folder() / "bbc_news" / "docs.jsonl.gz")
    documents = [(text, label) for text, label in articles if label in CLASSES]
    texts, labels = map(list, zip(*documents, strict=True))
    stem = Preparation(stem="en", stop_words=None, token_pattern=r"\w+").word
    rows, about = [], []
    AnchorFree(4).fit(count_words(texts[::10], prepare=LEMMAS).counts)  # compile before the clock starts
    variants = {"default": LEMMAS, "term frequency": STEMS, "as 003": STEMS, "LDA": RAW}
    for what, preparation in variants.items():
        corpus = count_words(texts, labels=labels, min_documents=1, prepare=preparation)
        about.append(f"{what}: {corpus.counts.shape[1]:,} words")
        started = time.process_time()
        if what == "LDA":
            if peers:
                sampled = gibbs_topics(peers, corpus.counts, 4, sweeps=SWEEPS)
                rows += described(what, sampled.B, corpus, stem, LDA_TOPICS, sampled.seconds)
            continue
        if what == "default":
            model = AnchorFree(4).fit(corpus.counts)
            lemmas = corpus
        elif what == "term frequency":
            model = AnchorFree(4, weighting="counts").fit(corpus.counts)
        else:
            C = term_frequencies(corpus.counts)
            model = AnchorFree(4, solver="lp", min_constraint_documents=0).fit_cooccurrence(C)
        rows += described(what, model.components_.T, corpus, stem, TOPICS, time.process_time() - started)
    columns = ["solver", "min_constraint_documents", "constrained words", "ClustAcc", "Coh", "SimCount"]
    notes = f"{len(texts)} articles, {lemmas.counts.shape[1]} words, F = 4."
    keep("anchor_free_bbc", [*columns, "processor seconds"], constraints(lemmas), notes)
    notes = (
        f"{len(texts)} articles (003: 1,440 of the same four classes). {'; '.join(about)}. Words in both are compared "
        "by their stems; 003 says fifteen words and prints 18 to 24 a class. Processor seconds from counts to topics "
        f"(LDA: {SWEEPS} sweeps of tomotopy)."
    )
    columns = ["what", "class", "paper's words", "our words", "in both", "ClustAcc", "processor seconds"]
    keep("anchor_free_bbc", columns, rows, notes, argument="words")


if __name__ == "__main__":
    main()
