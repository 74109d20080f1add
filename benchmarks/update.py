"""20 Newsgroups in ten pieces by partial_fit, against one fit and scikit-learn's online LDA; and what forget leaves.

Held-out likelihood is of a tenth of the documents that no model has seen, after every piece.
"""

from __future__ import annotations

import time
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.metrics import normalized_mutual_info_score

from common import data_folder, keep
from cotopics import TopicModel
from cotopics.corpus import read_corpus
from cotopics.metrics import held_out_likelihood, match_topics

N_TOPICS, N_PIECES = 20, 10


def many() -> Any:
    return TopicModel(N_TOPICS, topics_per_document="many")


def one() -> Any:
    return TopicModel(N_TOPICS, topics_per_document="one")


def online_lda() -> Any:
    return LatentDirichletAllocation(N_TOPICS, learning_method="online", random_state=0)


def as_model(lda: Any) -> Any:
    """scikit-learn's LDA with rows of `components_` that sum to one."""
    components = lda.components_ / lda.components_.sum(axis=1, keepdims=True)
    return SimpleNamespace(components_=components, transform=lda.transform, vocabulary_=None)


def moved(one: Any, other: Any) -> float:
    """The mean share of a topic's words that are others."""
    order = match_topics(one.components_.T, other.components_.T)
    return float(np.abs(one.components_[order] - other.components_).sum(axis=1).mean() / 2)


def main() -> None:
    warnings.simplefilter("ignore")
    corpus = read_corpus(data_folder() / "newsgroups20" / "docs.jsonl.gz", vocabulary_size=5000, min_length=2)
    order = np.random.default_rng(0).permutation(corpus.counts.shape[0])
    X, labels = corpus.counts[order], np.array(corpus.labels)[order]
    n_seen = 9 * X.shape[0] // 10
    seen, unseen, tenths = X[:n_seen], X[n_seen:], np.array_split(np.arange(n_seen), N_PIECES)
    larger_first = [np.concatenate(tenths[:3]), *tenths[3:]]
    rows = []
    models = {
        "TopicModel, many": (many, tenths),
        "TopicModel, many, three tenths first": (many, larger_first),
        "TopicModel, one": (one, tenths),
        "TopicModel, one, three tenths first": (one, larger_first),
        "scikit-learn online LDA": (online_lda, tenths),
    }
    for name, (new, pieces) in models.items():
        wrapped = as_model if name.startswith("scikit") else (lambda model: model)
        started = time.perf_counter()
        whole = new().fit(seen)
        seconds = time.perf_counter() - started
        one_fit = nmi(labels[:n_seen], whole, seen)
        model, spent, likelihoods = new(), 0.0, []
        for piece in pieces:
            started = time.perf_counter()
            model.partial_fit(seen[piece])
            spent += time.perf_counter() - started
            likelihoods.append(held_out_likelihood(wrapped(model), unseen))
        left = [None, None]
        if hasattr(model, "forget"):
            before = new().fit(seen[:-500])
            left = [moved(new().fit(seen[:-500]).partial_fit(seen[-500:]).forget(seen[-500:]), before)]
            left += [moved(whole.forget(seen[-500:]), before)]
        row = [name, one_fit, nmi(labels[:n_seen], model, seen), seconds, spent]
        rows.append([*row, likelihoods[0], likelihoods[len(pieces) // 2 - 1], likelihoods[-1], *left])
        print(rows[-1], flush=True)
    columns = [
        "model", "NMI, one fit", "NMI, in pieces", "seconds, one fit", "seconds, in pieces",
        "held-out after the first piece", "half-way", "after the last",
        "added and forgotten", "forgotten against never seen",
    ]  # fmt: skip
    notes = (
        "Held-out likelihood in nats a token (higher is better). The last two columns: the mean share of a topic's "
        "words that differ from a fit without the last 500 documents, after these were added and forgotten, and after "
        "a fit with them forgot them."
    )
    keep("update", columns, rows, notes)


def nmi(labels: Any, model: Any, X: Any) -> float:
    return float(normalized_mutual_info_score(labels, model.transform(X).argmax(axis=1)))


if __name__ == "__main__":
    main()
