"""tomotopy's LDA, collapsed Gibbs sampling, 500 sweeps."""

import numpy as np

from methods import N_WORDS, THREADS, token_lists

TITLE = "tomotopy LDA (500 sweeps)"
PACKAGE = "tomotopy"


def fit(X, n_topics, kind="LDAModel"):
    import tomotopy

    model = getattr(tomotopy, kind)(k=n_topics, seed=1)
    for words in token_lists(X):
        model.add_doc(words)
    model.train(500, workers=THREADS)
    words = [[int(word) for word, _ in model.get_topic_words(k, N_WORDS)] for k in range(n_topics)]
    return words, np.array([document.get_topic_dist() for document in model.docs])
