"""Documents and words in another order, counts in other types and layouts: the same topics."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.promises import own_warnings
from battery.suite import Fault, Suite, Trial, expect
from cotopics.errors import CotopicsError
from cotopics.models import MODELS

TOLERANCE = {"AnchorWords": 1e-6, "AnchorFree": 1e-4, "TOP": 1e-3, "TopicModel": 1e-3}  # of a topic, in L1


def text_like(draw: np.random.Generator) -> tuple[Any, int]:
    """Counts with an anchor word for each topic, and words as frequent as in a language."""
    n_topics, n_words = int(draw.integers(2, 7)), int(draw.integers(40, 150))
    B = draw.gamma(0.3, size=(n_topics, n_words)) / np.arange(1, n_words + 1) ** 0.5
    B[:, :n_topics] = 0
    B /= B.sum(axis=1, keepdims=True)
    B *= 0.9
    B[np.arange(n_topics), np.arange(n_topics)] = 0.1
    W = draw.dirichlet(np.full(n_topics, 0.2), int(draw.integers(200, 500)))
    X = np.array([draw.multinomial(draw.integers(20, 80), w @ B) for w in W])
    return X[:, X.sum(axis=0) > 0], n_topics


def attempt(trial: Trial) -> None:
    draw = trial.draw
    X, n_topics = text_like(draw)
    name = trial.one_of(MODELS)
    rows, columns = draw.permutation(X.shape[0]), draw.permutation(X.shape[1])
    which = trial.one_of(["documents", "words", "both", "layout"])
    rows = np.arange(X.shape[0]) if which in ("words", "layout") else rows
    columns = np.arange(X.shape[1]) if which in ("documents", "layout") else columns
    shaken: Any = X[rows][:, columns]
    if which == "layout":
        shaken = sp.csc_array(shaken.astype(np.float32))
    found = []
    for counts in (X, shaken):
        model = MODELS[name]() if name == "TOP" else MODELS[name](n_topics)
        with own_warnings():
            try:
                found.append(model.fit(counts))
            except CotopicsError as error:
                found.append(str(error))
    if isinstance(found[0], str) or isinstance(found[1], str):
        expect(isinstance(found[0], str) == isinstance(found[1], str), f"{name}: {which} shaken: only one fit failed")
        return
    first, second = found
    expect(
        first.n_topics_ == second.n_topics_, f"{name}: {first.n_topics_} and {second.n_topics_} topics, {which} shaken"
    )
    B, other = first.components_[:, columns], second.components_
    moved = _moved(B, other)
    expect(moved <= TOLERANCE[name], f"{name}: a topic moved by {moved:.2g} in L1, {which} shaken")


def _moved(B: Any, other: Any) -> float:
    """The largest L1 distance of matched topics."""
    from scipy.optimize import linear_sum_assignment

    distance = np.abs(B[:, None] - other[None]).sum(axis=2)
    if not np.isfinite(distance).all():
        raise Fault("topics are not finite")
    return float(distance[linear_sum_assignment(distance)].max())


SUITE = Suite(
    "Text-like corpora whose documents, words or both are put into another order, or whose counts come in another "
    "type: each topic is the same up to "
    + ", ".join(f"{tolerance:g} ({name})" for name, tolerance in TOLERANCE.items())
    + " in L1.",
    attempt,
    count=1200,
    seconds=120,
)
