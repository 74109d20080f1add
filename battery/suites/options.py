"""Wrong options of estimators and of their methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from battery.matrices import OPTIONS, fitted
from battery.promises import check_mixtures, check_model, result_or_clear_error
from battery.suite import Suite, Trial
from battery.warm import planted
from cotopics.models import MODELS

WRONG: tuple[Any, ...] = (
    None,
    -1,
    0,
    1,
    2.5,
    np.nan,
    np.inf,
    10**6,
    True,
    "",
    "no such",
    [],
    [[]],
    {},
    object(),
    (),
    b"x",
    "5",
    1j,
)
PARAMETERS = {name: ("n_topics", *OPTIONS[name]) for name in OPTIONS if name != "TOP"} | {"TOP": tuple(OPTIONS["TOP"])}
MORE = {"AnchorWords": ("anchors", "random_state"), "TopicModel": ("anchors",), "TOP": (), "AnchorFree": ()}
ANCHORS: tuple[Any, ...] = (
    [],
    [[]],
    [0, 0],
    [[0, 1], 1],
    [99],
    [-1],
    ["a"],
    "a",
    [None],
    [[0.5]],
    [[0], [1], [2], [3]],
    5,
    [True],
    [[[1]]],
)


def attempt(trial: Trial) -> None:
    """One or two wrong options of an estimator, or of its methods."""
    name = trial.one_of(MODELS)
    names = [*PARAMETERS[name], *MORE[name]]
    options: dict[str, Any] = {} if name == "TOP" else {"n_topics": 2}
    for _ in range(int(trial.draw.integers(1, 3))):
        option = trial.one_of(names)
        wrong = trial.one_of(ANCHORS if option == "anchors" and trial.draw.random() < 0.7 else WRONG)
        options[option] = 3 if option == "refine" and wrong == 10**6 else wrong  # a million steps are a right value
    X = planted(trial.draw, 40, 12)
    found = result_or_clear_error(lambda: MODELS[name](**options).fit(X))
    if found is not None:
        check_model(found)
        check_mixtures(found, X)
    good, wrong = fitted(name), trial.one_of(WRONG)
    methods = {
        "transform": lambda: good.transform(X[:, :15], wrong),
        "top_words": lambda: good.top_words(wrong),
        "relevance": lambda: good.top_words(3, wrong),
        "feature_names": lambda: good.top_words(3, feature_names=wrong),
        "tags": lambda: good.top_tags(wrong),
        "fit names": lambda: MODELS[name]().fit(X, feature_names=wrong),
    }
    result_or_clear_error(methods[trial.one_of(methods)], (TypeError,))  # Python's own for what is of another type


SUITE = Suite(
    "Wrong values of the options of estimators and of their methods: a clear error or a right result.",
    attempt,
    count=1500,
)
