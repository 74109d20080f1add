"""Every estimator as a function of the number of topics that returns arrays; imports nothing but what is public.

So it runs on any source tree, also on one whose folders are others (`tests/golden`).
"""

import hashlib
import warnings

import numpy as np
import scipy.sparse as sp

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel
from cotopics.infer import INFERENCES


def planted(k, n_documents=60, n_words=90, length=30):
    """Counts (n_documents, n_words) of k topics, each with a word of its own, and the topics (n_words, k)."""
    rng = np.random.default_rng(k)
    B = rng.dirichlet(np.full(n_words, 0.2), size=k).T
    B[:k] = 0.08 * np.eye(k)
    B /= B.sum(axis=0)
    W = rng.dirichlet(np.full(k, 0.3), size=n_documents)
    X = sp.csr_array(np.array([rng.multinomial(length, p) for p in W @ B.T]).astype(float))
    return X, np.ascontiguousarray(B + 1e-9), W


def fitted(make, methods=(None,)):
    """A function of K that fits a model of K topics, infers documents by these methods, and returns all of it."""

    def fit(k):
        X, _, _ = planted(k, n_documents=150)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make(k).fit(X)
            shares = [model.transform(X, method) for method in methods]
        anchors = getattr(model, "anchors_", None)
        words = np.array(model.top_words(5))
        return [anchors if anchors is not None else np.empty(0), words, model.components_, model.topic_correlation_,
                model.topic_prevalence_, *shares]  # fmt: skip

    return fit


ESTIMATORS = {
    "topic model": fitted(TopicModel),
    "anchor words": fitted(AnchorWords, tuple(INFERENCES)),
    "anchor words, thin": fitted(lambda k: AnchorWords(k, rectifier="enn", recovery="kl", representation="implicit")),
    "anchor words, palm": fitted(lambda k: AnchorWords(k, rectifier="palm", selector="xray")),
    "anchor free": fitted(AnchorFree),
    "top": fitted(lambda k: TOP(min_documents=0.2, c1=0.1)),
}


def run(work, k):
    """All the arrays, or the name of the error: that, too, must be the same."""
    try:
        return [np.asarray(array) for array in work(k)]
    except ValueError as error:
        return [np.array(type(error).__name__)]


def digest(arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()
