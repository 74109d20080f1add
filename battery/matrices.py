"""Counts (documents × words) that a user might have, and estimators with any options."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.suite import Trial
from battery.warm import planted
from cotopics.models import MODELS

VALUES = (np.nan, np.inf, -np.inf, -1, -1e-300, 1e308, 1e300, 1e-320, 2**53, 0.5)
SHAPES = {  # rows and columns of fuzzed matrices
    "tiny": (1, 6),
    "small": (2, 25),
    "usual": (10, 120),
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "AnchorWords": {
        "rectifier": ["ap", "ap", "enn", "palm", "dc", None],
        "selector": ["qr", "qr", "fast", "spa", "snpa", "xray"],
        "recovery": ["l2", "l2", "l2", "kl"],
        "weighting": ["counts", "counts", "tfidf", "balanced"],
        "representation": ["auto", "auto", "dense", "sparse", "implicit", "sketch"],
        "refine": [0, 0, 3],
        "min_anchor_documents": [0, 2, 0.05],
    },
    "AnchorFree": {"solver": ["auto", "lp", "pds"], "weighting": ["balanced", "tfidf", "counts"], "refine": [0, 0, 3]},
    "TOP": {"c1": [1.1, 1.1, 0.5, 3.0, "cv"], "refine": [0, 0, 3]},
    "TopicModel": {"refine": [30, 30, 0, 2]},
}


def matrix(trial: Trial) -> Any:
    """Counts (documents × words) of one of many kinds, dense."""
    draw = trial.draw
    low, high = SHAPES[trial.one_of(["tiny", "small", "small", "usual", "usual"])]
    n, v = (int(draw.integers(low, high + 1)) for _ in range(2))
    X = KINDS[trial.one_of(KINDS)](trial, n, v)
    if draw.random() < 0.2:
        X = X[draw.permutation(len(X))]
    if draw.random() < 0.1 and len(X):
        X[draw.integers(len(X))] = 0  # an empty document
    if draw.random() < 0.1 and X.shape[1]:
        X[:, draw.integers(X.shape[1])] = 0  # a word that nobody uses
    return X


def _planted(trial: Trial, n: int, v: int) -> Any:
    k = int(trial.draw.integers(1, 8))
    return planted(trial.draw, n, v, k, int(trial.draw.integers(6, 80)))


def _blocks(trial: Trial, n: int, v: int) -> Any:
    """Groups of documents and words that have nothing in common."""
    k = int(trial.draw.integers(1, 5))
    return np.where(np.add.outer(np.arange(n), -np.arange(v)) % k == 0, trial.draw.integers(0, 4, (n, v)), 0)


def _one_word_each(trial: Trial, n: int, v: int) -> Any:
    X = np.zeros((n, v), dtype=int)
    X[np.arange(n), np.arange(n) % v] = trial.draw.integers(1, 4, n)
    return X


def _heavy(trial: Trial, n: int, v: int) -> Any:
    """Words as frequent as in a language, and documents of any length."""
    share = 1 / np.arange(1, v + 1)
    return np.array(
        [trial.draw.multinomial(int(10 ** trial.draw.uniform(0, 3)), share / share.sum()) for _ in range(n)]
    )


def _scaled(trial: Trial, n: int, v: int) -> Any:
    """Counts that are weights: tiny, large, or both."""
    X = _planted(trial, n, v) * 10.0 ** trial.draw.integers(-25, 12)
    return X * 10.0 ** trial.draw.integers(-6, 6, (n, 1)) if trial.draw.random() < 0.3 else X


KINDS = {
    "planted": _planted,
    "planted again": _planted,
    "noise": lambda trial, n, v: trial.draw.poisson(trial.draw.choice([0.05, 0.3, 2.0]), (n, v)),
    "alike": lambda trial, n, v: np.tile(trial.draw.integers(0, 3, v), (n, 1)),
    "twice": lambda trial, n, v: np.repeat(trial.draw.integers(0, 3, (max(n // 2, 1), v)), 2, axis=0),
    "equal words": lambda trial, n, v: np.repeat(trial.draw.integers(0, 3, (n, 1)), v, axis=1),
    "blocks": _blocks,
    "one word each": _one_word_each,
    "heavy": _heavy,
    "scaled": _scaled,
    "ones": lambda trial, n, v: np.ones((n, v), dtype=int),
    "zeros": lambda trial, n, v: np.zeros((n, v), dtype=int),
    "diagonal": lambda trial, n, v: 3 * np.eye(n, v, dtype=int),
    "real": lambda trial, n, v: trial.draw.random((n, v)) * (trial.draw.random((n, v)) < 0.2),
}


def as_user_has_it(trial: Trial, X: Any) -> Any:
    """The same counts in one of the types and layouts in which they come."""
    draw, whole = trial.draw, np.array_equal(X, np.round(X)) and X.max(initial=0) < 100
    dtype = trial.one_of(["f8", "f4", "i8", "i4", "u2", "u1"] if whole else ["f8"])
    X = X.astype(dtype)
    form = trial.one_of(["array", "fortran", "csr_array", "csr_matrix", "csc_array", "coo_array", "unsorted", "lil"])
    if form == "array":
        return X
    if form == "fortran":
        return np.asfortranarray(X)
    if form == "lil":
        return sp.lil_array(X)
    if form != "unsorted":
        return getattr(sp, form)(X)
    rows, columns = np.nonzero(X)
    order = draw.permutation(len(rows))
    twice = np.concatenate([order, order[: len(order) // 5]])  # entries that come in two parts, and zeros
    values = np.concatenate([X[rows, columns][order], np.zeros(len(twice) - len(order), X.dtype)])
    unsorted = sp.csr_array(sp.coo_array((values, (rows[twice], columns[twice])), shape=X.shape))
    unsorted.has_sorted_indices = False
    return unsorted


def estimator(trial: Trial, n_words: int, name: str | None = None) -> Any:
    """One of the estimators, at its defaults half of the time."""
    name = trial.one_of(MODELS) if name is None else name
    options: dict[str, Any] = {}
    if trial.draw.random() < 0.5:
        options = {option: trial.one_of(values) for option, values in OPTIONS[name].items()}
    if name == "TOP":
        return MODELS[name](**options)
    most = max(min(n_words, 9), 2)
    return MODELS[name](int(trial.draw.integers(1, most)), **options)


@cache
def fitted(name: str) -> Any:
    """An estimator of documents of 15 words."""
    X = planted(np.random.default_rng(5), 60, 15)
    return (MODELS[name]() if name == "TOP" else MODELS[name](2)).fit(X)
