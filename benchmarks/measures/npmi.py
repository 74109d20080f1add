"""NPMI of the ten words that a method shows for each topic, in the documents themselves."""

import numpy as np

TITLE = "NPMI"
MORE_IS_BETTER = True


def measure(problem, answer):
    from cotopics.metrics import npmi

    B = np.zeros((problem.X.shape[1], len(answer["words"])))
    for k, words in enumerate(answer["words"]):
        B[words, k] = np.arange(len(words), 0, -1)
    return npmi(B / B.sum(axis=0), problem.X, n_words=max(map(len, answer["words"])))
