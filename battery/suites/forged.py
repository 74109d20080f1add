"""Files with right checksums and wrong values: refused, or everything works that a user can do with them."""

from __future__ import annotations

from typing import Any

import scipy.sparse as sp

from battery.forgery import OPEN, chosen_file, forged
from battery.harness import describe
from battery.promises import check_mixtures, check_model, own_warnings, result_or_clear_error
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect
from cotopics import AnchorWords
from cotopics.errors import ModelFileError


def attempt(trial: Trial) -> None:
    """Whatever `load` takes can be used to the end."""
    path = forged(trial, chosen_file(trial))
    with own_warnings():
        try:
            found = OPEN[path.suffix](path)
        except ModelFileError:
            return
        except Exception as error:
            expect(False, f"opening a forged {path.suffix}: {describe(error)}")
    USE[path.suffix](trial, found)


def _use_model(trial: Trial, model: Any) -> None:
    X = sp.csr_array(trial.draw.poisson(0.5, (6, model.n_features_in_)))
    check_model(model)
    check_mixtures(model, X)
    result_or_clear_error(lambda: model.report(trial.folder / "r.html"))
    if getattr(model, "_statistics", None) is not None and hasattr(model, "partial_fit"):
        result_or_clear_error(lambda: _add(model, X))


def _add(model: Any, X: Any) -> None:
    model.partial_fit(X).components_  # noqa: B018 - the fit happens here


def _use_statistics(trial: Trial, statistics: Any) -> None:
    sums = statistics.sums
    n_words = len(sums._frequency)
    fitted = result_or_clear_error(lambda: AnchorWords(2, rectifier="enn").fit_cooccurrence(sums.finish()))
    if fitted is not None:
        check_model(fitted)
    result_or_clear_error(lambda: sums.update(sp.csr_array(trial.draw.poisson(0.5, (4, n_words)))).finish() and None)


def _use_corpus(trial: Trial, corpus: Any) -> None:
    fitted = result_or_clear_error(lambda: AnchorWords(2).fit(corpus.counts, feature_names=corpus.vocabulary))
    if fitted is not None:
        check_model(fitted)
        check_mixtures(fitted, corpus.counts)


USE = {".cotopics": _use_model, ".statistics": _use_statistics, ".corpus": _use_corpus}
SUITE = Suite(
    "The same files with values, types, shapes and notes changed and all checksums made anew: refused, or everything "
    "works that a user can do with them (all methods of transform, report, partial_fit).",
    attempt,
    count=3000,
    seconds=20,
    prepare=write_samples,
)
