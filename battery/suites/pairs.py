"""Co-occurrence matrices, as they come from elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from battery.matrices import VALUES, estimator
from battery.promises import check_mixtures, check_model, result_or_clear_error
from battery.suite import Suite, Trial
from cotopics.models import MODELS


def attempt(trial: Trial) -> None:
    """Co-occurrence matrices, as they come from elsewhere."""
    draw, v = trial.draw, int(trial.draw.integers(1, 30))
    C = draw.random((v, v)) * (draw.random((v, v)) < draw.choice([0.1, 0.5, 1.0]))
    C = C + C.T if draw.random() < 0.8 else C
    if draw.random() < 0.5:
        C = C / max(C.sum(), 1e-300)
    change = trial.one_of(["none", "none", "value", "zero", "rank one", "wide", "huge", "signs", "diagonal"])
    if change == "value":
        C[draw.integers(v), draw.integers(v)] = trial.one_of(VALUES)
    elif change == "wide":
        C = C[:, : v - 1]
    elif change in ("zero", "huge", "signs"):
        C = C * {"zero": 0, "huge": 1e200, "signs": np.sign(C - 0.3)}[change]
    elif change == "rank one":
        C = np.outer(C[0], C[0])
    elif change == "diagonal":
        C = np.diag(np.diag(C))
    C = C if draw.random() < 0.6 else sp.csr_array(C)
    name = trial.one_of([name for name in MODELS if name != "TOP"])
    fitted = result_or_clear_error(lambda: _of_pairs(trial, name, v).fit_cooccurrence(C))
    if fitted is not None:
        check_model(fitted)
        check_mixtures(fitted, sp.csr_array(draw.poisson(1.0, (8, v))))


def _of_pairs(trial: Trial, name: str, v: int) -> Any:
    model = estimator(trial, v, name)
    if trial.draw.random() < 0.9:
        model.set_params(refine=0)
    return model


SUITE = Suite(
    "Co-occurrence matrices given as they are: asymmetric, negative, singular, of rank one, NaN: a clear error or a "
    "right result.",
    attempt,
    count=1500,
)
