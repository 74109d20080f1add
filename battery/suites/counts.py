"""Count matrices of any size, sparsity, type and layout: every estimator, every transform."""

from __future__ import annotations

import scipy.sparse as sp

from battery.matrices import KINDS, as_user_has_it, estimator, matrix
from battery.promises import check_mixtures, check_model, result_or_clear_error, snapshot
from battery.suite import Suite, Trial, expect


def attempt(trial: Trial) -> None:
    X = as_user_has_it(trial, matrix(trial))
    model = estimator(trial, X.shape[1])
    before = snapshot(X)
    fitted = result_or_clear_error(lambda: model.fit(X))
    expect(snapshot(X) == before, f"{model}.fit changed its input")
    if fitted is None:
        return
    check_model(fitted)
    check_mixtures(fitted, X)
    others = sp.csr_array(KINDS[trial.one_of(KINDS)](trial, 7, X.shape[1]))
    check_mixtures(fitted, others)


SUITE = Suite(
    "Fuzzed matrices of counts (planted, empty, alike, blocks, huge and tiny weights; dense and sparse, in many types "
    "and layouts) through every estimator and every method of transform: finite distributions or a clear error, the "
    "input unchanged, no warning that is not ours.",
    attempt,
    count=12000,
    seconds=60,
)
