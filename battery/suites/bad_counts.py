"""Matrices that are wrong: NaN, below zero, corrupt sparse arrays, types that are not numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.matrices import VALUES, estimator, fitted, matrix
from battery.promises import check_model, check_stochastic, result_or_clear_error
from battery.suite import Suite, Trial
from battery.warm import planted
from cotopics.cooccur import CooccurrenceAccumulator
from cotopics.infer import INFERENCES
from cotopics.metrics import held_out_likelihood
from cotopics.models import MODELS


def _with_value(trial: Trial) -> Any:
    X = matrix(trial).astype(float)
    if X.size:
        X[trial.draw.integers(X.shape[0]), trial.draw.integers(X.shape[1])] = trial.one_of(VALUES)
    return X if trial.draw.random() < 0.5 else sp.csr_array(X)


def _corrupt(trial: Trial) -> Any:
    """A CSR array whose parts contradict each other; scipy does not look at them again."""
    X = sp.csr_array(planted(trial.draw, 12, 15).astype(trial.one_of(["f8", "i8", "i4"])))
    place = int(trial.draw.integers(X.nnz))
    damage = trial.one_of(["large", "huge", "negative", "backwards", "long", "short", "first"])
    if damage in ("large", "huge", "negative"):
        X.indices[place] = {"large": X.shape[1], "huge": 2**31 - 1, "negative": -int(trial.draw.integers(1, 99))}[
            damage
        ]
    elif damage == "backwards":
        X.indptr[5] = 0
    elif damage in ("long", "first"):
        X.indptr[-1 if damage == "long" else 0] += int(trial.draw.integers(1, 10**6))
    else:
        X.indices = X.indices[:-3]
    return X


def _type(trial: Trial) -> Any:
    X = planted(trial.draw, 12, 15)
    makers = {
        "float16": lambda: X.astype(np.float16),
        "bool": lambda: X > 0,
        "complex": lambda: X.astype(complex),
        "object": lambda: X.astype(object),
        "objects": lambda: np.array([[None] * 3, [{}] * 3], dtype=object),
        "texts": lambda: X.astype(str),
        "dates": lambda: X.astype("M8[s]"),
        "longdouble": lambda: X.astype(np.longdouble),
        "big-endian": lambda: X.astype(">f8"),
        "big-endian sparse": lambda: _as_type(X, ">f8"),
        "float16 sparse": lambda: _as_type(X, "f2"),
        "longdouble sparse": lambda: sp.csr_array(X.astype(np.longdouble)),
        "bool sparse": lambda: sp.csr_array(X > 0),
        "complex sparse": lambda: sp.csr_array(X.astype(complex)),
        "object sparse": lambda: _as_type(X, object),
        "list": X.tolist,
        "ragged list": lambda: [[1, 2], [3]],
        "text": lambda: "counts",
        "texts in a list": lambda: ["a b c", "b c d"],
        "None": lambda: None,
        "number": lambda: 3,
        "one dimension": lambda: X[0],
        "three dimensions": lambda: X[None],
        "sparse of one dimension": lambda: sp.coo_array(X[0]),
        "masked": lambda: np.ma.masked_array(X, X == 1),
        "masked whole": lambda: np.ma.masked_all((4, 5)),
        "matrix": lambda: np.asmatrix(X),
        "structured": lambda: np.zeros(4, dtype=[("a", "i4"), ("b", "f8")]),
        "empty": lambda: np.zeros((0, 0)),
        "no documents": lambda: np.zeros((0, 5)),
        "no words": lambda: np.zeros((5, 0)),
        "no words sparse": lambda: sp.csr_array((5, 0)),
        "wide": lambda: sp.csr_array((np.ones(4), ([0, 0, 1, 1], [0, 10**6, 5, 10**6 - 1])), shape=(2, 10**6 + 1)),
        "read-only": lambda: _read_only(X),
        "strided": lambda: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::-3],
        "int64 indices": lambda: _long_indices(X),
        "generator": lambda: (row for row in X),
        "dict": lambda: {"a": [1, 2], "b": [3, 4]},
    }
    return makers[trial.one_of(makers)]()


def _read_only(X: Any) -> Any:
    X = X.copy()
    X.flags.writeable = False
    return X


def _as_type(X: Any, dtype: Any) -> Any:
    """A sparse array of a type that scipy refuses to make, but not to carry."""
    X = sp.csr_array(X)
    X.data = X.data.astype(dtype)
    return X


def _long_indices(X: Any) -> Any:
    X = sp.csr_array(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


MAKERS = {"value": _with_value, "corrupt": _corrupt, "type": _type}


def attempt(trial: Trial) -> None:
    bad = MAKERS[trial.one_of(MAKERS)](trial)
    doors = {
        "fit": lambda: estimator(trial, 15).fit(bad),
        "transform": lambda: _transform(trial, bad),
        "partial_fit": lambda: _partial_fit(trial, bad),
        "accumulate": lambda: CooccurrenceAccumulator().update(bad) and None,
        "likelihood": lambda: held_out_likelihood(fitted("AnchorWords"), bad) and None,
    }
    found = result_or_clear_error(doors[trial.one_of(doors)])
    if found is not None:
        check_model(found)


def _transform(trial: Trial, bad: Any) -> None:
    model, method = fitted(trial.one_of(MODELS)), trial.one_of(INFERENCES)
    W = model.transform(bad, method)
    check_stochastic(W, (len(W), model.n_topics_), f"transform by {method}")


def _partial_fit(trial: Trial, bad: Any) -> Any:
    model = MODELS["AnchorWords"](2).partial_fit(planted(trial.draw, 30, 15))
    model.partial_fit(bad)
    model.components_  # noqa: B018 - the fit happens here
    return model


SUITE = Suite(
    "Matrices that are wrong (NaN, infinity, below zero, corrupt sparse arrays, every type that is not a number) "
    "through fit, partial_fit, transform, accumulators and held-out likelihood: a clear error or a right result.",
    attempt,
    count=2500,
)
