"""Slow, obvious versions of what the package does fast."""

import itertools

import numpy as np
from scipy.optimize import minimize, nnls


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


def _greedy(distance, C, n_topics):
    """Take the word of the largest distance(word, words taken), n_topics times."""
    taken = []
    for _ in range(n_topics):
        left = [i for i in range(len(C)) if i not in taken]
        taken.append(max(left, key=lambda i: distance(i, taken)))
    return taken


def _distance_from_span(v, W):
    if not len(W):
        return np.linalg.norm(v)
    return np.linalg.norm(v - W.T @ np.linalg.lstsq(W.T, v, rcond=None)[0])


def pivoted_qr(C, n_topics):
    C_bar = C / C.sum(axis=1, keepdims=True)
    return _greedy(lambda i, taken: _distance_from_span(C_bar[i], C_bar[taken]), C, n_topics)


def spa(C, n_topics, *, tie=1e-6):
    C_bar = C / C.sum(axis=1, keepdims=True)
    lengths = np.linalg.norm(C_bar, axis=1)
    taken = []
    for _ in range(n_topics):
        squared = np.array([_distance_from_span(row, C_bar[taken]) ** 2 for row in C_bar])
        squared[taken] = 0
        tied = np.flatnonzero(squared >= (1 - tie) * squared.max())
        taken.append(int(tied[np.argmax(lengths[tied])]))
    return taken


def fast_anchor(C, n_topics):
    C_bar = C / C.sum(axis=1, keepdims=True)

    def distance(i, taken):
        if not taken:
            return np.linalg.norm(C_bar[i])
        origin = C_bar[taken[0]]
        return _distance_from_span(C_bar[i] - origin, C_bar[taken[1:]] - origin)

    return _greedy(distance, C, n_topics)


def snpa(C, n_topics, *, heavy=1e3):
    """Σy ≤ 1 by a slack variable and one heavy equation y₁ + … + y_k + slack = 1."""
    C_bar = C / C.sum(axis=1, keepdims=True)

    def distance(i, taken):
        W = C_bar[taken]
        equations = np.block([[W.T, np.zeros((len(C), 1))], [heavy * np.ones((1, len(taken) + 1))]])
        y = nnls(equations, np.append(C_bar[i], heavy))[0][:-1]
        return np.linalg.norm(C_bar[i] - y @ W)

    return _greedy(distance, C, n_topics)


def xray(C, n_topics):
    taken = []
    for _ in range(n_topics):
        residuals = C.copy()
        if taken:
            residuals -= np.array([nnls(C[taken].T, row)[0] @ C[taken] for row in C])
        r = residuals[np.argmax(np.linalg.norm(residuals, axis=1))]
        scores = C @ r / C.sum(axis=1)
        scores[taken] = -np.inf
        taken.append(int(np.argmax(scores)))
    return taken


SELECTORS = {"qr": pivoted_qr, "fast": fast_anchor, "spa": spa, "snpa": snpa, "xray": xray}


def divergence(r, q):
    """Σ r log(r/q) over the entries where r is positive."""
    on = r > 0
    return float(np.sum(r[on] * np.log(r[on] / np.maximum(q[on], 1e-300))))


def squared_distance(r, q):
    return float(np.sum((r - q) ** 2))


def fit_on_simplex(loss, X, r):
    """The least loss(r, yᵀX) over the simplex."""
    k = len(X)
    result = minimize(
        lambda y: loss(r, y @ X),
        np.full(k, 1 / k),
        bounds=[(0, 1)] * k,
        constraints={"type": "eq", "fun": lambda y: y.sum() - 1},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return result.fun
