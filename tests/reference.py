"""Slow, obvious versions of what the package does fast."""

import itertools

import numpy as np


def cooccurrence(X):
    """001, Eq. 5, by counting every ordered pair of different tokens of every document."""
    n_words = X.shape[1]
    C, used = np.zeros((n_words, n_words)), 0
    for h in np.asarray(X):
        tokens = [word for word, count in enumerate(h) for _ in range(int(count))]
        if len(tokens) < 2:
            continue
        used += 1
        share = 1 / (len(tokens) * (len(tokens) - 1))
        for i, j in itertools.permutations(range(len(tokens)), 2):
            C[tokens[i], tokens[j]] += share
    return C / used


def alternating_projection(C, n_topics, n_iter):
    """002, Algorithm 2, with full eigendecompositions."""
    C = C.copy()
    for _ in range(n_iter):
        values, vectors = np.linalg.eigh(C)
        values[:-n_topics] = 0
        C = (vectors * np.maximum(values, 0)) @ vectors.T
        C = C + (1 - C.sum()) / C.size
        C = np.maximum(C, 0)
    return C / C.sum()


def simplex_least_squares(G, f):
    """min ½ yᵀGy − fᵀy over the simplex by trying every support."""
    k, best, answer = len(f), np.inf, None
    for size in range(1, k + 1):
        for support in map(list, itertools.combinations(range(k), size)):
            system = np.block(
                [[G[np.ix_(support, support)], np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
            )
            solution, *_ = np.linalg.lstsq(system, np.append(f[support], 1), rcond=None)
            y = np.zeros(k)
            y[support] = solution[:-1]
            if y.min() < -1e-12 or abs(y.sum() - 1) > 1e-9:
                continue
            value = y @ G @ y / 2 - f @ y
            if value < best - 1e-15:
                best, answer = value, y
    return answer
